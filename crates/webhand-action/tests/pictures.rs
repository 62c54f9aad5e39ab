//! Pictures of real pages: where marks and masks lie at any pixel ratio, zoom and scroll, in frames too.

#![allow(clippy::unwrap_used)]

mod page;

use image::{Rgb, RgbImage};
use page::Page;
use webhand_action::{Part, PictureOptions};
use webhand_browser::ImageFormat;
use webhand_cdp::protocol::emulation::SetDeviceMetricsOverride;

/// The colour of a button's mark.
const RED: Rgb<u8> = Rgb([192, 38, 38]);

const PAGE: &str = "<style>body{margin:0;height:3000px}button{position:absolute;left:100px;top:60px;width:200px;\
    height:80px;background:#fff;border:0}iframe{position:absolute;left:400px;top:100px;border:0;width:300px;height:200px}\
    input{position:absolute;left:40px;top:300px;width:300px;height:40px;border:0;background:#fff}</style>\
    <button>Outer</button><iframe srcdoc=\"<style>body{margin:0}button{position:absolute;left:20px;top:30px;width:100px;\
    height:50px;background:#fff;border:0}</style><button>Inner</button>\"></iframe>\
    <input autocomplete=cc-number aria-label=Card value=4111111111111111>";

async fn dense(page: &Page, ratio: f64) {
    let metrics = SetDeviceMetricsOverride::new(800, 600, ratio, false);
    page.session.tab().session().call(&metrics).await.unwrap();
}

async fn picture(page: &mut Page, options: &PictureOptions) -> (RgbImage, f64) {
    let picture = page.session.picture(options).await.unwrap();
    let image = image::load_from_memory(&picture.bytes).unwrap().into_rgb8();
    let scale = f64::from(image.width()) / picture.area[2];
    (image, scale)
}

/// Whether that colour is on the picture within two CSS pixels of a place.
fn has(image: &RgbImage, scale: f64, (x, y): (f64, f64), colour: Rgb<u8>) -> bool {
    let near = |place: f64| ((place - 2.0) * scale).max(0.0) as u32..=((place + 2.0) * scale) as u32;
    near(x).any(|x| near(y).any(|y| x < image.width() && y < image.height() && *image.get_pixel(x, y) == colour))
}

fn marked() -> PictureOptions {
    let mut options = PictureOptions::default();
    options.marks = true;
    options
}

#[tokio::test]
async fn marks_lie_on_their_controls_at_any_pixel_ratio_also_in_frames() {
    let mut page = Page::open(PAGE).await;
    for ratio in [1.0, 2.0, 1.5] {
        dense(&page, ratio).await;
        let (image, scale) = picture(&mut page, &marked()).await;
        assert!((scale - ratio).abs() < 0.01, "{scale} at {ratio}");
        assert!(has(&image, scale, (299.0, 110.0), RED), "the right side of the outer one at {ratio}");
        assert!(has(&image, scale, (519.0, 170.0), RED), "the right side of the inner one at {ratio}");
        assert!(!has(&image, scale, (350.0, 110.0), RED), "nothing beside it at {ratio}");
    }
}

#[tokio::test]
async fn a_scrolled_page_is_shown_whole_with_its_marks_and_masks() {
    let mut page = Page::open(PAGE).await;
    dense(&page, 1.0).await;
    page.js("scrollTo(0, 50)").await;
    let mut options = marked();
    options.part = Part::FullPage;
    let (image, scale) = picture(&mut page, &options).await;
    assert_eq!((image.height(), scale), (3000, 1.0));
    assert!(has(&image, scale, (299.0, 110.0), RED), "where it stands in the document");
}

#[tokio::test]
async fn card_numbers_are_on_no_picture() {
    let mut page = Page::open(PAGE).await;
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Webp] {
        let mut options = PictureOptions::default();
        options.format = format;
        let (image, _) = picture(&mut page, &options).await;
        let inside = (45..335).flat_map(|x| (305..335).map(move |y| (x, y)));
        let light = inside.filter(|(x, y)| image.get_pixel(*x, *y).0[0] > 90).count();
        assert_eq!(light, 0, "the field is painted over in {format:?}");
        assert!(image.get_pixel(400, 320).0[0] > 240, "what stands beside it is not, in {format:?}");
    }
}

#[tokio::test]
async fn a_part_is_cut_out_and_scaled_to_a_limit() {
    let mut page = Page::open(PAGE).await;
    dense(&page, 2.0).await;
    let mut options = marked();
    options.part = Part::Region([90.0, 50.0, 220.0, 100.0]);
    options.max_side = 220;
    let (image, scale) = picture(&mut page, &options).await;
    assert_eq!((image.dimensions(), scale), ((220, 100), 1.0));
    assert!(has(&image, scale, (209.0, 60.0), RED), "the mark lies where the button does in the part");
}
