//! Downloads of a context, and documents that are saved instead of shown.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where its ground is not as it must be")]

mod support;

use support::{PATIENCE, Site, alone, launch_with};
use webhand_browser::{Browser, Context, Download, DownloadState, Saved};

async fn over(context: &Context) -> Download {
    let over = async {
        let download = context.next_download(Default::default()).await.unwrap();
        context.download_over(download.id).await.unwrap()
    };
    tokio::time::timeout(PATIENCE, over).await.unwrap()
}

async fn keeping(browser: &Browser) -> Context {
    let context = browser.new_context().await.unwrap();
    let folder = context.private_folder().unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    context.keep_downloads(&folder).await.unwrap();
    context
}

#[test]
fn a_context_keeps_its_downloads_and_another_does_not() {
    for headless in support::BOTH {
        alone(async {
            let site = Site::start().await;
            let browser = launch_with(headless, |launch| launch).await;
            let (context, other) = (keeping(&browser).await, keeping(&browser).await);
            let tab = context.new_tab(Some(&site.url("/one"))).await.unwrap();
            assert_eq!(tab.navigate(&site.url("/file"), PATIENCE).await.unwrap_err().kind(), "download");
            let download = over(&context).await;
            assert_eq!((download.name.as_str(), download.received), ("report.bin", 5));
            let DownloadState::Complete { path: Some(path) } = &download.state else { panic!("{download:?}") };
            assert_eq!(std::fs::read_to_string(path).unwrap(), "12345");
            assert!(path.starts_with(context.private_folder().unwrap().to_str().unwrap()));
            assert_eq!(other.downloads_since(Default::default()), []);
            let private = context.private_folder().unwrap();
            browser.close().await;
            assert!(!private.exists(), "it goes with the browser");
        });
    }
}

#[test]
fn a_page_is_saved_as_long_as_that_is_wanted() {
    for headless in support::BOTH {
        alone(async {
            let site = Site::start().await;
            let browser = launch_with(headless, |launch| launch).await;
            let context = keeping(&browser).await;
            let tab = context.new_tab(Some(&site.url("/one"))).await.unwrap();
            let saving = tab.save_documents(Saved::ButPages).await.unwrap();
            tab.navigate(&site.url("/two"), PATIENCE).await.unwrap();
            drop(saving);
            let saving = tab.save_documents(Saved::Everything).await.unwrap();
            assert_eq!(tab.navigate(&site.url("/one"), PATIENCE).await.unwrap_err().kind(), "download");
            assert_eq!(tab.url(), site.url("/two"), "the page stays");
            let download = over(&context).await;
            assert_eq!(download.media_type.as_deref(), Some("text/html"));
            drop(saving);
            tab.navigate(&site.url("/one"), PATIENCE).await.unwrap();
            browser.close().await;
        });
    }
}
