//! The demo in a real browser, and what is refused before one starts.

use std::{
    io,
    sync::{Arc, Mutex},
};

use super::*;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Kept {
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

#[tokio::test]
async fn what_cannot_be_run_is_refused_before_a_browser_starts() {
    for (options, code) in [
        (DemoOptions { model: Some("oracle".to_owned()), ..DemoOptions::default() }, "model"),
        (DemoOptions { model: Some("script:/nowhere".to_owned()), ..DemoOptions::default() }, "model"),
        (DemoOptions { task: Some("click \"x\"".to_owned()), ..DemoOptions::default() }, "task_without_address"),
        (DemoOptions { url: Some("nowhere".to_owned()), ..DemoOptions::default() }, "address"),
    ] {
        let error = run(options).await.unwrap_err();
        assert_eq!(error.code(), code);
        assert!(error.hint().is_some(), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_with_an_order_that_the_shops_record_bears_out() {
    let kept = Kept::default();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let options = DemoOptions { out: Some(out.clone()), writer: Box::new(kept.clone()), ..DemoOptions::default() };
    let report = run(options).await.unwrap();
    let lines = kept.lines();
    let order = report.order.as_ref().unwrap_or_else(|| panic!("{}", lines.join("\n")));
    assert!(report.succeeded);
    assert_eq!(*lines.last().unwrap(), format!("order {}: the shop's record agrees", order.number));
    assert!(lines.iter().any(|line| line.contains("confirm dialog")), "the dialog was told of");
    let record = std::fs::read_to_string(out.join("record.jsonl")).unwrap();
    assert_eq!(record.lines().count(), report.run.steps as usize);
    for step in 1..=report.run.steps {
        let picture = std::fs::read(out.join(format!("step-{step:02}.jpg"))).unwrap();
        assert!(picture.starts_with(&[0xFF, 0xD8, 0xFF]), "step {step}");
    }
    assert!(out.join("result.json").is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_and_a_task_in_chinese_go_the_same_way() {
    let shop = Shop::open().await.unwrap();
    let kept = Kept::default();
    let folder = tempfile::tempdir().unwrap();
    let task = "点击“Only necessary”按钮\n在“Search the shop”中输入“mug”，按回车键\n\
                点击“Tide mug”这一项的“Details”链接\n等待“Stoneware”出现\n读取页面标题";
    let options = DemoOptions {
        url: Some(format!("{}/", shop.origin())),
        task: Some(task.to_owned()),
        out: Some(folder.path().join("run")),
        writer: Box::new(kept.clone()),
        ..DemoOptions::default()
    };
    let report = run(options).await.unwrap();
    let lines = kept.lines();
    assert!(report.succeeded, "{}", lines.join("\n"));
    assert_eq!(lines.last().unwrap(), "done: Tide mug · Lantern Row");
    assert!(report.order.is_none() && shop.orders().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_on_the_page_ends_honestly() {
    let shop = Shop::open().await.unwrap();
    let kept = Kept::default();
    let folder = tempfile::tempdir().unwrap();
    let options = DemoOptions {
        url: Some(shop.origin().to_owned()),
        task: Some("Click \"Only necessary\"\nClick \"Details\"".to_owned()),
        out: Some(folder.path().join("run")),
        writer: Box::new(kept.clone()),
        ..DemoOptions::default()
    };
    let report = run(options).await.unwrap();
    assert!(!report.succeeded);
    let last = kept.lines().pop().unwrap();
    assert!(last.starts_with("not done: line 2 of 2") && last.contains("can mean several"), "{last}");
}
