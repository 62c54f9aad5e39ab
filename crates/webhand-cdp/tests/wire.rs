//! The connection against a peer in memory: order, size, loss and damage.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "the parts of a test outside its functions")]

mod peer;

use std::time::Duration;

use futures_util::FutureExt;
use peer::{Peer, pair};
use serde_json::json;
use webhand_cdp::protocol::{dom, input, page, runtime, target};
use webhand_cdp::{CdpError, EventFilter, EventItem, SessionId};

const ROOM: usize = 64 * 1024;

fn session(name: &str) -> SessionId {
    SessionId::from(name)
}

fn method(command: &serde_json::Value) -> &str {
    command["method"].as_str().expect("a method")
}

#[tokio::test]
async fn commands_are_written_as_the_protocol_wants_them() {
    let (connection, mut peer) = pair(ROOM);
    let _root = connection.root().send(&target::CreateTarget::new("about:blank"));
    let tab = connection.session(session("S1"));
    let _tab = tab.send(&page::Enable::default());
    let first = peer.next().await;
    assert_eq!(first, Some(json!({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}})));
    let second = peer.next().await;
    assert_eq!(second, Some(json!({"id": 2, "sessionId": "S1", "method": "Page.enable", "params": {}})));
}

#[tokio::test]
async fn replies_find_their_waiters_in_any_order() {
    let (connection, mut peer) = pair(ROOM);
    let (one, two) = (connection.session(session("A")), connection.session(session("B")));
    let first = one.send(&runtime::Evaluate::new("1"));
    let second = two.send(&runtime::Evaluate::new("2"));
    let (to_first, to_second) = (peer.next().await.unwrap(), peer.next().await.unwrap());
    peer.answer(&to_second, r#"{"result":{"type":"number","value":22}}"#).await;
    assert_eq!(second.await.unwrap().result.decode::<i64>(), Ok(22), "B is answered while A still waits");
    peer.answer(&to_first, r#"{"result":{"type":"number","value":11}}"#).await;
    assert_eq!(first.await.unwrap().result.decode::<i64>(), Ok(11));
}

#[tokio::test]
async fn a_burst_is_one_write_and_keeps_its_order() {
    let (connection, mut peer) = pair(ROOM);
    let tab = connection.session(session("S"));
    let mut burst = tab.burst();
    let replies: Vec<_> = [input::DispatchMouseEventType::MousePressed, input::DispatchMouseEventType::MouseReleased]
        .into_iter()
        .map(|kind| burst.add(&input::DispatchMouseEvent::new(kind, 1.0, 2.0)))
        .collect();
    let between = tab.send(&page::Enable::default());
    burst.send();
    let mut seen = Vec::new();
    for _ in 0..3 {
        let command = peer.next().await.unwrap();
        seen.push(command["params"]["type"].as_str().unwrap_or("enable").to_owned());
        peer.answer(&command, "{}").await;
    }
    assert_eq!(seen, ["enable", "mousePressed", "mouseReleased"]);
    between.await.unwrap();
    for reply in replies {
        reply.await.unwrap();
    }
}

#[tokio::test]
async fn a_dropped_burst_fails_its_commands() {
    let (connection, _peer) = pair(ROOM);
    let mut burst = connection.root().burst();
    let pending = burst.add(&page::Enable::default());
    drop(burst);
    assert!(matches!(pending.await, Err(CdpError::Unsent { .. })));
    assert_eq!(connection.waiting(), 0);
}

#[tokio::test]
async fn fifty_megabytes_pass_and_are_decoded() {
    const SIZE: usize = 50 * 1024 * 1024;
    let (connection, mut peer) = pair(1024 * 1024);
    let tab = connection.session(session("S"));
    let call = tokio::spawn(async move { tab.call(&page::CaptureScreenshot::default()).await });
    let command = peer.next().await.unwrap();
    peer.answer(&command, &format!(r#"{{"data":"{}"}}"#, "x".repeat(SIZE))).await;
    assert_eq!(call.await.unwrap().unwrap().data.len(), SIZE);
}

#[tokio::test]
async fn a_large_command_passes() {
    let (connection, mut peer) = pair(ROOM);
    let text = "y".repeat(20 * 1024 * 1024);
    let pending = connection.root().send(&input::InsertText::new(text.as_str()));
    let command = peer.next().await.unwrap();
    assert_eq!(command["params"]["text"].as_str().map(str::len), Some(text.len()));
    peer.answer(&command, "{}").await;
    pending.await.unwrap();
}

#[tokio::test]
async fn a_browser_that_stops_reading_ends_in_a_typed_error() {
    let (connection, _peer) = pair(1024);
    let command = input::InsertText::new("z".repeat(8 * 1024 * 1024));
    let mut kept = Vec::new();
    let refused = loop {
        let mut pending = connection.root().send(&command);
        match (&mut pending).now_or_never() {
            Some(result) => break result,
            None => kept.push(pending),
        }
        assert!(kept.len() < 20, "the queue has no bound");
    };
    assert!(matches!(refused, Err(CdpError::Backlog { .. })), "{refused:?}");
    assert_eq!(connection.waiting(), kept.len());
}

#[tokio::test]
async fn a_refusal_is_typed() {
    let (connection, mut peer) = pair(ROOM);
    let tab = connection.session(session("S"));
    let pending = tab.send(&page::Navigate::new("x"));
    let command = peer.next().await.unwrap();
    peer.say(&format!(
        r#"{{"id":{},"error":{{"code":-32000,"message":"Cannot navigate to invalid URL"}}}}"#,
        command["id"]
    ))
    .await;
    let error = pending.await.unwrap_err();
    let expected = CdpError::Protocol {
        code: -32000,
        message: "Cannot navigate to invalid URL".to_owned(),
        method: "Page.navigate".to_owned(),
    };
    assert_eq!(error, expected);

    let pending = tab.send(&page::Navigate::new("x"));
    let command = peer.next().await.unwrap();
    peer.say(&format!(
        r#"{{"id":{},"error":{{"code":-32001,"message":"Session with given id not found."}}}}"#,
        command["id"]
    ))
    .await;
    assert!(matches!(pending.await, Err(CdpError::SessionGone { .. })));
}

#[tokio::test]
async fn a_lost_connection_wakes_everybody() {
    let (connection, peer) = pair(ROOM);
    let mut stream = connection.events(EventFilter::all());
    let waiting: Vec<_> =
        (0..50).map(|n| connection.session(session(&n.to_string())).send(&page::Enable::default())).collect();
    drop(peer);
    for pending in waiting {
        let error = pending.await.unwrap_err();
        assert!(error.is_closed(), "{error}");
        assert!(error.hint().is_some());
    }
    assert!(stream.next().await.is_none());
    assert!(connection.closed().await.is_closed());
    assert!(connection.root().call(&page::Enable::default()).await.unwrap_err().is_closed());
    assert_eq!(connection.waiting(), 0);
}

#[tokio::test]
async fn closing_writes_what_was_sent_before() {
    let (connection, mut peer) = pair(ROOM);
    let pending = connection.root().send(&webhand_cdp::protocol::browser::Close::default());
    connection.close();
    assert!(pending.await.unwrap_err().is_closed());
    assert_eq!(method(&peer.next().await.unwrap()), "Browser.close");
    assert_eq!(peer.next().await, None);
}

#[tokio::test]
async fn the_last_handle_closes_the_connection() {
    let (connection, mut peer) = pair(ROOM);
    let mut stream = connection.events(EventFilter::all());
    let tab = connection.session(session("S"));
    drop(connection);
    let pending = tab.send(&page::Enable::default());
    drop(tab);
    let command = peer.next().await.unwrap();
    peer.answer(&command, "{}").await;
    pending.await.unwrap();
    assert_eq!(peer.next().await, None);
    assert!(stream.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn deadlines_are_kept_and_leave_no_entry() {
    let (connection, _peer) = pair(ROOM);
    let tab = connection.session(session("S")).with_deadline(Duration::from_secs(5));
    let error = tab.call(&page::Enable::default()).await.unwrap_err();
    assert_eq!(error, CdpError::Timeout { method: "Page.enable".to_owned(), after: Duration::from_secs(5) });
    let error = tab.send(&page::Enable::default()).within(Duration::from_millis(20)).await.unwrap_err();
    assert_eq!(error.code(), "cdp_timeout");
    assert_eq!(connection.waiting(), 0);
}

#[tokio::test]
async fn a_dropped_reply_leaves_no_entry_and_its_answer_does_no_harm() {
    let (connection, mut peer) = pair(ROOM);
    let root = connection.root();
    drop(root.send(&page::Enable::default()));
    assert_eq!(connection.waiting(), 0);
    let command = peer.next().await.unwrap();
    peer.answer(&command, "{}").await;
    let pending = root.send(&page::Enable::default());
    assert_eq!(connection.waiting(), 1);
    let command = peer.next().await.unwrap();
    peer.answer(&command, "{}").await;
    pending.await.unwrap();
}

async fn lifecycle(peer: &mut Peer, session: &str, name: &str) {
    peer.say(&format!(
        r#"{{"method":"Page.lifecycleEvent","params":{{"frameId":"F","loaderId":"L","name":"{name}","timestamp":1}},"sessionId":"{session}"}}"#
    ))
    .await;
}

/// Waits until everything that was said before has been delivered.
async fn settle(connection: &webhand_cdp::Connection, peer: &mut Peer) {
    let pending = connection.root().send(&page::Enable::default());
    loop {
        let command = peer.next().await.unwrap();
        peer.answer(&command, "{}").await;
        if method(&command) == "Page.enable" {
            break;
        }
    }
    pending.await.unwrap();
}

#[tokio::test]
async fn events_reach_those_who_asked() {
    let (connection, mut peer) = pair(ROOM);
    let mut one = connection.session(session("A")).events(&["Page.lifecycleEvent"]);
    let mut other = connection.session(session("B")).events(&[]);
    let mut wrong = connection.session(session("A")).events(&["Page.frameNavigated"]);
    let mut all = connection.events(EventFilter::all());
    lifecycle(&mut peer, "A", "load").await;
    settle(&connection, &mut peer).await;
    let event = one.next_of::<page::LifecycleEvent>().await.unwrap().unwrap();
    assert_eq!(event.name, "load");
    assert!(other.try_next().is_none());
    assert!(wrong.try_next().is_none());
    match all.try_next() {
        Some(EventItem::Event(event)) => {
            assert_eq!(event.session, Some(session("A")));
            assert_eq!(&*event.method, "Page.lifecycleEvent");
            assert_eq!(event.sequence, 1);
            assert!(event.decode::<page::FrameNavigated>().is_err());
        }
        item => panic!("{item:?}"),
    }
}

#[tokio::test]
async fn a_slow_subscriber_is_told_and_delays_nobody() {
    let (connection, mut peer) = pair(ROOM);
    let filter = EventFilter::all().in_session(Some(session("A"))).capacity(3);
    let mut slow = connection.events(filter);
    for n in 0..10 {
        lifecycle(&mut peer, "A", &n.to_string()).await;
    }
    settle(&connection, &mut peer).await;
    assert!(matches!(slow.next().await, Some(EventItem::Lagged(7))));
    for n in 7..10 {
        let event = slow.next_of::<page::LifecycleEvent>().await.unwrap().unwrap();
        assert_eq!(event.name, n.to_string());
    }
    assert!(slow.try_next().is_none());
    lifecycle(&mut peer, "A", "after").await;
    assert_eq!(slow.next_of::<page::LifecycleEvent>().await.unwrap().unwrap().name, "after");
}

#[tokio::test]
async fn a_detached_session_and_what_hangs_on_it_answer_no_more() {
    let (connection, mut peer) = pair(ROOM);
    let attached = |child: &str, parent: &str| {
        let info = r#"{"targetId":"T","type":"iframe","title":"","url":"","attached":true}"#;
        format!(
            r#"{{"method":"Target.attachedToTarget","params":{{"sessionId":"{child}","targetInfo":{info},"waitingForDebugger":true}}{parent}}}"#
        )
    };
    peer.say(&attached("page", "")).await;
    peer.say(&attached("frame", r#","sessionId":"page""#)).await;
    let of_page = connection.session(session("page")).send(&page::Enable::default());
    let of_frame = connection.session(session("frame")).send(&dom::Enable::default());
    let of_other = connection.session(session("other")).send(&page::Enable::default());
    let mut stream = connection.session(session("frame")).events(&[]);
    peer.say(r#"{"method":"Target.detachedFromTarget","params":{"sessionId":"page","targetId":"T"}}"#).await;
    assert_eq!(of_page.await.unwrap_err().code(), "cdp_session_gone");
    let error = of_frame.await.unwrap_err();
    assert_eq!(error, CdpError::SessionGone { session: session("frame"), method: "DOM.enable".to_owned() });
    assert!(stream.next().await.is_none());
    let mut too_late = connection.session(session("frame")).events(&[]);
    assert!(too_late.next().await.is_none());
    assert_eq!(connection.waiting(), 1);
    drop(of_other);
}

#[tokio::test]
async fn half_a_surrogate_pair_does_not_lose_the_reply() {
    let (connection, mut peer) = pair(ROOM);
    let tab = connection.session(session("S"));
    let pending = tab.send(&dom::GetOuterHTML::default());
    let command = peer.next().await.unwrap();
    peer.answer(&command, r#"{"outerHTML":"a\ud83d b\ud83d\ude00"}"#).await;
    assert_eq!(pending.await.unwrap().outer_html, "a\u{fffd} b\u{1f600}");

    let pending = tab.send(&runtime::Evaluate::new("x"));
    let command = peer.next().await.unwrap();
    peer.answer(&command, r#"{"result":{"type":"string","value":"\ude00!"}}"#).await;
    assert_eq!(pending.await.unwrap().result.decode::<String>().unwrap(), "\u{fffd}!");
}

#[tokio::test]
async fn damage_is_survived() {
    let (connection, mut peer) = pair(ROOM);
    let root = connection.root();
    for nonsense in ["", "{", "null", "[]", r#"{"id":"x"}"#, r#"{"method":7}"#, r#"{"id":99999,"result":{}}"#, "\u{7f}"]
    {
        peer.say(nonsense).await;
    }
    let cut_short = root.send(&target::GetTargets::default());
    let command = peer.next().await.unwrap();
    peer.say(&format!(r#"{{"id":{},"result":{{"targetInfos":[{{"#, command["id"])).await;
    assert!(matches!(cut_short.await, Err(CdpError::Decode { .. })));

    let wrong_shape = root.send(&target::GetTargets::default());
    let command = peer.next().await.unwrap();
    peer.answer(&command, r#"{"targetInfos":5}"#).await;
    let error = wrong_shape.await.unwrap_err();
    assert!(matches!(&error, CdpError::Decode { method, .. } if method == "Target.getTargets"), "{error}");

    let number_last = root.send(&target::GetTargets::default());
    let command = peer.next().await.unwrap();
    peer.say(&format!(r#"{{ "result": {{}}, "id": {} }}"#, command["id"])).await;
    assert!(number_last.await.unwrap().target_infos.is_empty());
    assert!(!connection.is_closed());
}
