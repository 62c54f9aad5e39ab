//! Going to pages, in both kinds of headless browser.

mod support;

use support::{BOTH, PATIENCE, Site, launch};
use webhand_browser::cdp::protocol::runtime;

#[tokio::test]
async fn a_page_is_loaded_and_has_a_world() {
    let site = Site::start().await;
    for headless in BOTH {
        let browser = launch(headless).await;
        let tab = browser.default_context().new_tab(None).await.unwrap();
        assert_eq!(tab.id().to_string(), "t1");
        let loaded = tab.navigate(&site.url("/one"), PATIENCE).await.unwrap();
        assert_eq!(loaded.status, Some(200));
        assert_eq!(loaded.url, site.url("/one"));
        assert!(loaded.redirects.is_empty() && loaded.complete);
        let frames = tab.frames();
        assert_eq!(frames.len(), 1);
        assert_eq!(frames[0].document, loaded.document);
        let world = tab.world(&frames[0].id).await.unwrap();
        assert_eq!(tab.world(&frames[0].id).await.unwrap(), world);
        let mut evaluate = runtime::Evaluate::new("document.querySelector('h1').textContent");
        evaluate.context_id = Some(world);
        evaluate.return_by_value = Some(true);
        let reply = tab.race(tab.session().send(&evaluate), PATIENCE).await.unwrap();
        assert_eq!(reply.result.value.unwrap().get(), "\"one\"");
        browser.close().await;
    }
}
