//! Marks on pictures.

use image::{ImageFormat, Rgb, RgbImage};

use super::{Mark, PictureFrame, Retouch, draw, retouch};
use crate::{
    format::sample::Sample,
    refs::{Family, Ref},
};

const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

fn blank(width: u32, height: u32) -> RgbImage {
    RgbImage::from_pixel(width, height, WHITE)
}

#[test]
fn frames_within_frames_add_up_and_clip() {
    let mut page = Sample::new("Frames");
    page.control_with("button", "top", |button| button.rect = [10.0, 20.0, 30.0, 40.0]);
    page.frame("outer", "", |page| {
        page.control_with("button", "outer", |button| button.rect = [5.0, 5.0, 10.0, 10.0]);
        page.frame("inner", "", |page| {
            page.control_with("button", "inner", |button| button.rect = [1.0, 2.0, 300.0, 4.0]);
            page.control_with("button", "scrolled away", |button| button.rect = [0.0, -50.0, 10.0, 10.0]);
        });
    });
    page.out_of_view(true).control_with("button", "below", |button| button.rect = [0.0, 900.0, 10.0, 10.0]);
    let mut page = page.done();
    for node in &mut page.nodes {
        let rect = match &*node.name {
            "outer" if node.role.as_str() == "iframe" => [100.0, 100.0, 200.0, 200.0],
            "inner" if node.role.as_str() == "iframe" => [50.0, 60.0, 100.0, 100.0],
            _ => continue,
        };
        std::sync::Arc::make_mut(node.control.as_mut().unwrap()).rect = rect;
    }
    let marks: Vec<String> = page.marks().iter().map(|mark| format!("{} {:?}", mark.r#ref, mark.rect)).collect();
    assert_eq!(
        marks,
        [
            "B1 [10.0, 20.0, 30.0, 40.0]",
            "F2 [100.0, 100.0, 200.0, 200.0]",
            "B3 [105.0, 105.0, 10.0, 10.0]",
            "F4 [150.0, 160.0, 100.0, 100.0]",
            "B5 [151.0, 162.0, 99.0, 4.0]",
        ]
    );
}

#[test]
fn boxes_stand_where_the_controls_are_at_any_pixel_ratio() {
    for (scale, origin) in [(1.0, (0.0, 0.0)), (2.0, (0.0, 0.0)), (1.5, (0.0, -100.0)), (0.5, (0.0, 0.0))] {
        let mut image = blank(600, 600);
        let mark = Mark::new(Ref::new(Family::Button, 12), [40.0, 60.0, 100.0, 50.0]);
        draw::marks(&mut image, &[mark], scale, origin);
        let at = |x: f64, y: f64| {
            let place = |value: f64| (value * scale) as u32;
            *image.get_pixel(place(x - origin.0), place(y - origin.1))
        };
        let red = draw::colour(Family::Button);
        assert_eq!(at(40.0, 85.0), red, "left side at {scale}");
        assert_eq!(at(139.0, 85.0), red, "right side at {scale}");
        assert_eq!(at(90.0, 85.0), WHITE, "inside at {scale}");
        assert_eq!(at(150.0, 85.0), WHITE, "outside at {scale}");
    }
}

#[test]
fn labels_never_overlap_and_stay_on_the_picture() {
    let mut image = blank(400, 300);
    let marks: Vec<Mark> = (0..120)
        .map(|number| {
            let place = f64::from(number);
            Mark::new(Ref::new(Family::Link, number + 100), [(place * 7.0) % 380.0, (place * 5.0) % 290.0, 20.0, 10.0])
        })
        .collect();
    let labels = draw::marks(&mut image, &marks, 1.0, (0.0, 0.0));
    assert!(labels.len() > 50, "{}", labels.len());
    for (index, label) in labels.iter().enumerate() {
        assert!(label.left >= 0 && label.top >= 0 && label.right() <= 400 && label.bottom() <= 300);
        assert!(!labels[index + 1..].iter().any(|other| other.overlaps(label)), "{label:?}");
    }
}

#[test]
fn pictures_keep_their_format_and_what_is_none_is_refused() {
    let mark = Mark::new(Ref::new(Family::Dialog, 7), [2.0, 2.0, 20.0, 20.0]);
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        blank(64, 64).write_to(&mut bytes, format).unwrap();
        let work = Retouch { marks: vec![mark], ..Retouch::default() };
        let marked = retouch(&bytes.into_inner(), &work, PictureFrame::of([0.0, 0.0, 32.0, 32.0])).unwrap();
        assert_eq!(image::guess_format(&marked).unwrap(), format);
        let image = image::load_from_memory(&marked).unwrap().into_rgb8();
        assert_eq!(image.dimensions(), (64, 64));
        assert!(image.pixels().any(|pixel| pixel.0[1] < 100), "the box is on it");
    }
    for broken in [&b""[..], b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0zzzz"] {
        let frame = PictureFrame::of([0.0, 0.0, 32.0, 32.0]);
        assert_eq!(retouch(broken, &Retouch::default(), frame).unwrap_err().code(), "picture_unreadable");
    }
}

#[test]
fn wild_places_are_taken() {
    let mut image = blank(50, 50);
    let number = Ref::new(Family::Element, 1);
    for rect in [[f64::NAN; 4], [f64::INFINITY; 4], [-1e300, -1e300, 2e300, 2e300], [10.0, 10.0, -5.0, 5.0]] {
        for width in [f64::NAN, 0.0, -1.0, 1e300, 50.0] {
            let scale = PictureFrame::of([0.0, 0.0, width, 50.0]).scale(50);
            draw::marks(&mut image, &[Mark::new(number, rect)], scale, (0.0, 0.0));
            draw::masks(&mut image, &[rect], scale, (0.0, 0.0));
        }
    }
}

#[test]
fn secrets_are_painted_over_wherever_the_picture_begins_and_however_it_is_scaled() {
    let mut page = Sample::new("Card");
    page.control_with("textbox", "Card number", |field| {
        field.rect = [20.0, 900.0, 60.0, 20.0];
        field.state.secret = Some(true);
    });
    page.control_with("textbox", "City", |field| field.rect = [20.0, 940.0, 60.0, 20.0]);
    let masked = page.done().secret_places();
    assert_eq!(masked, [[20.0, 900.0, 60.0, 20.0]]);
    let mut bytes = std::io::Cursor::new(Vec::new());
    blank(200, 2400).write_to(&mut bytes, ImageFormat::Png).unwrap();
    // the page is 100 wide and begins 100 above the view; the picture has two pixels for one, and is halved
    let work = Retouch { masked, max_side: 1200, ..Retouch::default() };
    let done = retouch(&bytes.into_inner(), &work, PictureFrame::of([0.0, -100.0, 100.0, 1200.0])).unwrap();
    let image = image::load_from_memory(&done).unwrap().into_rgb8();
    assert_eq!(image.dimensions(), (100, 1200));
    assert_ne!(*image.get_pixel(50, 1010), WHITE, "the card number is gone");
    assert_eq!(*image.get_pixel(50, 1050), WHITE, "the city stays");
    assert_eq!(*image.get_pixel(10, 1010), WHITE, "what stands beside it stays");
}
