//! The state machine, driven by transcripts of protocol messages.

use serde_json::{Value, json};
use webhand_cdp::SessionId;
use webhand_cdp::protocol::page;

use super::{Effect, Happening, Heritage, Listing, Machine, Target};
use crate::dialog::{DialogPolicy, DialogRule};
use crate::events::{ContextEvent, TabEvent};
use crate::ids::{FrameId, TabId};

const T1: TabId = TabId::new(1);

/// A machine, and what it has told so far.
struct Run {
    machine: Machine,
    effects: Vec<Effect>,
}

fn session(name: &str) -> SessionId {
    SessionId(name.to_owned())
}

fn frame_id(name: &str) -> FrameId {
    FrameId(name.to_owned())
}

impl Run {
    fn new() -> Self {
        Self { machine: Machine::new(DialogPolicy::default(), Heritage::default()), effects: Vec::new() }
    }

    /// A tab `MAIN` on the session `top`, with its first document in place.
    fn with_tab() -> Self {
        let mut run = Self::new();
        run.attach(None, "top", "page", "MAIN", json!({}));
        run.adopt("top", json!({"frame": frame("MAIN", None, "L0", "about:blank")}));
        run.effects.clear();
        run
    }

    fn feed(&mut self, from: &str, method: &str, params: Value) -> &mut Self {
        let from = (!from.is_empty()).then(|| session(from));
        let happening = Happening::from_json(method, params);
        let effects = self.machine.feed(from.as_ref(), happening);
        self.effects.extend(effects);
        self
    }

    fn attach(&mut self, from: Option<&str>, name: &str, kind: &str, target: &str, more: Value) {
        let mut info = json!({"targetId": target, "type": kind, "title": "", "url": "", "attached": true});
        for (key, value) in more.as_object().unwrap() {
            info[key] = value.clone();
        }
        let params = json!({"sessionId": name, "targetInfo": info, "waitingForDebugger": true});
        self.feed(from.unwrap_or(""), "Target.attachedToTarget", params);
    }

    fn detach(&mut self, name: &str) {
        self.feed("", "Target.detachedFromTarget", json!({"sessionId": name}));
    }

    fn adopt(&mut self, from: &str, tree: Value) {
        let tree: page::FrameTree = serde_json::from_value(tree).unwrap();
        let effects = self.machine.adopt(&session(from), &tree, Listing::New);
        self.effects.extend(effects);
        self.machine.settled(&session(from));
    }

    fn navigated(&mut self, from: &str, id: &str, parent: Option<&str>, loader: &str, url: &str) {
        let params = json!({"frame": frame(id, parent, loader, url), "type": "Navigation"});
        self.feed(from, "Page.frameNavigated", params);
    }

    fn attached_frame(&mut self, from: &str, id: &str, parent: &str) {
        let params = json!({"frameId": id, "parentFrameId": parent});
        self.feed(from, "Page.frameAttached", params);
    }

    fn detached_frame(&mut self, from: &str, id: &str, reason: &str) {
        let params = json!({"frameId": id, "reason": reason});
        self.feed(from, "Page.frameDetached", params);
    }

    fn lifecycle(&mut self, id: &str, loader: &str, name: &str) {
        let params = json!({"frameId": id, "loaderId": loader, "name": name, "timestamp": 1.0});
        self.feed("top", "Page.lifecycleEvent", params);
    }

    /// The frames as `id@session`, in order, each level with one more dot.
    fn tree(&self) -> String {
        let tab = self.machine.tab(T1).unwrap();
        let frames = tab.frames.in_order();
        let lines: Vec<String> = frames
            .iter()
            .map(|frame| {
                let mut depth = 0;
                let mut parent = frame.parent.as_ref();
                while let Some(id) = parent {
                    depth += 1;
                    parent = tab.frames.get(id).unwrap().parent.as_ref();
                }
                format!("{}{}@{}", ".".repeat(depth), frame.id, frame.session)
            })
            .collect();
        lines.join(" ")
    }

    fn told(&self) -> Vec<&TabEvent> {
        self.effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Tab { event, .. } => Some(event),
                _ => None,
            })
            .collect()
    }

    /// Does what a probe asks for, as the shell would.
    fn probe(&mut self) -> usize {
        let probes: Vec<_> = std::mem::take(&mut self.effects)
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Probe { session, lost, frame } => Some((session, lost, frame)),
                _ => None,
            })
            .collect();
        for (top, lost, frame) in &probes {
            let effects = self.machine.probed(top, lost, frame);
            self.effects.extend(effects);
        }
        probes.len()
    }
}

fn frame(id: &str, parent: Option<&str>, loader: &str, url: &str) -> Value {
    let mut frame = json!({
        "id": id, "loaderId": loader, "url": url, "domainAndRegistry": "",
        "securityOrigin": "", "mimeType": "text/html"
    });
    if let Some(parent) = parent {
        frame["parentId"] = json!(parent);
    }
    frame
}

#[test]
fn a_tab_is_set_up_told_and_forgotten() {
    let mut run = Run::new();
    run.attach(None, "top", "page", "MAIN", json!({"browserContextId": "C"}));
    assert!(matches!(
        &run.effects[..],
        [
            Effect::Initialise { target: Target::Page, .. },
            Effect::Context { event: ContextEvent::TabOpened { tab: T1, opener: None }, .. }
        ]
    ));
    let tab = run.machine.tab(T1).unwrap();
    assert!(!tab.ready);
    assert_eq!(tab.frames.main().unwrap().url, "about:blank");
    run.adopt("top", json!({"frame": frame("MAIN", None, "L0", "about:blank")}));
    let tab = run.machine.tab(T1).unwrap();
    assert!(tab.ready);
    assert_eq!(tab.frames.main().unwrap().document.loader(), "L0");
    run.effects.clear();
    run.detach("top");
    assert_eq!(run.told(), [&TabEvent::Closed]);
    assert!(run.machine.tab(T1).is_none() && run.machine.sessions().is_empty());
    run.attach(None, "again", "page", "MAIN", json!({}));
    assert!(run.machine.tab(TabId::new(2)).is_some(), "numbers are not used again");
}

#[test]
fn popups_know_their_opener() {
    let mut run = Run::with_tab();
    run.attach(None, "pop", "page", "POPUP", json!({"openerId": "MAIN"}));
    let popup = run.machine.tab(TabId::new(2)).unwrap();
    assert_eq!(popup.opener, Some(T1));
    assert_eq!(run.told(), [&TabEvent::PopupOpened { tab: TabId::new(2) }]);
}

#[test]
fn what_is_not_a_page_is_let_go() {
    let mut run = Run::new();
    run.attach(None, "worker", "service_worker", "SW", json!({}));
    run.attach(None, "tools", "page", "DT", json!({"url": "devtools://devtools/x.html"}));
    run.attach(Some("unknown"), "stray", "iframe", "F", json!({}));
    assert_eq!(run.effects.len(), 3);
    assert!(run.effects.iter().all(|effect| matches!(effect, Effect::Release { .. })));
    assert_eq!(run.machine.tabs().count(), 0);
}

#[test]
fn a_second_session_for_a_tab_is_let_go() {
    let mut run = Run::with_tab();
    run.attach(None, "second", "page", "MAIN", json!({}));
    assert!(matches!(&run.effects[..], [Effect::Release { .. }]));
    run.detach("second");
    assert!(run.machine.tab(T1).is_some());
}

#[test]
fn frames_come_and_go() {
    let mut run = Run::with_tab();
    run.attached_frame("top", "A", "MAIN");
    run.attached_frame("top", "B", "MAIN");
    run.attached_frame("top", "A1", "A");
    run.attached_frame("top", "LOST", "NOBODY");
    assert_eq!(run.tree(), "MAIN@top .A@top ..A1@top .B@top");
    run.detached_frame("top", "A", "remove");
    assert_eq!(run.tree(), "MAIN@top .B@top");
    // A page that goes elsewhere takes its frames with it.
    run.navigated("top", "MAIN", None, "L1", "http://a/");
    assert_eq!(run.tree(), "MAIN@top");
}

#[test]
fn a_frame_moves_out_whichever_session_tells_first() {
    for target_first in [true, false] {
        let mut run = Run::with_tab();
        run.attached_frame("top", "F", "MAIN");
        run.attached_frame("top", "F1", "F");
        let info = json!({"parentFrameId": "MAIN", "url": "http://b/"});
        if target_first {
            run.attach(Some("top"), "far", "iframe", "F", info);
            run.detached_frame("top", "F", "swap");
        } else {
            run.detached_frame("top", "F", "swap");
            run.attach(Some("top"), "far", "iframe", "F", info);
        }
        assert_eq!(run.tree(), "MAIN@top .F@far", "target first: {target_first}");
        run.navigated("far", "F", None, "L2", "http://b/");
        run.attached_frame("far", "F2", "F");
        assert_eq!(run.tree(), "MAIN@top .F@far ..F2@far");
    }
}

#[test]
fn a_frame_comes_back_whichever_session_tells_first() {
    for parent_first in [true, false] {
        let mut run = Run::with_tab();
        run.attached_frame("top", "F", "MAIN");
        run.attach(Some("top"), "far", "iframe", "F", json!({"parentFrameId": "MAIN"}));
        run.attached_frame("far", "F1", "F");
        run.effects.clear();
        if parent_first {
            run.attached_frame("top", "F", "MAIN");
            run.detach("far");
            assert_eq!(run.probe(), 0);
        } else {
            run.detach("far");
            run.attached_frame("top", "F", "MAIN");
            assert_eq!(run.probe(), 1);
        }
        assert_eq!(run.tree(), "MAIN@top .F@top", "parent first: {parent_first}");
    }
}

#[test]
fn a_frame_whose_session_is_lost_for_good_goes() {
    let mut run = Run::with_tab();
    run.attach(Some("top"), "far", "iframe", "F", json!({"parentFrameId": "MAIN"}));
    run.attached_frame("far", "F1", "F");
    assert_eq!(run.tree(), "MAIN@top .F@far ..F1@far");
    run.effects.clear();
    run.detach("far");
    assert_eq!(run.tree(), "MAIN@top .F@far ..F1@far", "not before the probe");
    assert_eq!(run.probe(), 1);
    assert_eq!(run.tree(), "MAIN@top");
    let gone = |name| TabEvent::FrameDetached { frame: frame_id(name) };
    assert_eq!(run.told(), [&gone("F"), &gone("F1")]);
}

#[test]
fn a_frame_told_of_by_its_session_first_finds_its_place() {
    let mut run = Run::with_tab();
    run.attach(Some("top"), "far", "iframe", "F", json!({}));
    run.attach(Some("far"), "deep", "iframe", "G", json!({"parentFrameId": "F"}));
    assert_eq!(run.tree(), "MAIN@top .F@far ..G@deep");
    // The parent's session tells of it late: it is known to live elsewhere.
    run.detached_frame("top", "F", "swap");
    assert_eq!(run.tree(), "MAIN@top .F@far ..G@deep");
}

#[test]
fn a_list_of_frames_adds_what_is_missing_and_nothing_that_went() {
    let mut run = Run::new();
    run.attach(None, "top", "page", "MAIN", json!({"url": "http://a/"}));
    run.attached_frame("top", "GONE", "MAIN");
    run.detached_frame("top", "GONE", "remove");
    run.attached_frame("top", "NEW", "MAIN");
    run.navigated("top", "NEW", Some("MAIN"), "L5", "http://new/");
    run.adopt(
        "top",
        json!({
            "frame": frame("MAIN", None, "L1", "http://a/"),
            "childFrames": [
                {"frame": frame("GONE", Some("MAIN"), "L2", "http://gone/")},
                {"frame": frame("OLD", Some("MAIN"), "L3", "http://old/")},
                {"frame": frame("NEW", Some("MAIN"), "L4", "about:blank")},
            ]
        }),
    );
    assert_eq!(run.tree(), "MAIN@top .NEW@top .OLD@top");
    let tab = run.machine.tab(T1).unwrap();
    let new = tab.frames.get(&frame_id("NEW")).unwrap();
    assert_eq!(new.document.loader(), "L5", "events are newer than the list");
}

#[test]
fn after_lost_events_the_list_is_the_truth() {
    let mut run = Run::with_tab();
    run.attached_frame("top", "A", "MAIN");
    run.attached_frame("top", "B", "MAIN");
    run.attach(Some("top"), "far", "iframe", "F", json!({"parentFrameId": "MAIN"}));
    let tree = json!({
        "frame": frame("MAIN", None, "L0", "about:blank"),
        "childFrames": [{"frame": frame("B", Some("MAIN"), "L2", "http://b/")}]
    });
    let tree: page::FrameTree = serde_json::from_value(tree).unwrap();
    run.machine.adopt(&session("top"), &tree, Listing::Lagged);
    assert_eq!(run.tree(), "MAIN@top .B@top .F@far");
    let moved = json!({"frame": frame("MAIN", None, "L7", "http://elsewhere/")});
    let moved: page::FrameTree = serde_json::from_value(moved).unwrap();
    run.machine.adopt(&session("top"), &moved, Listing::Lagged);
    let tab = run.machine.tab(T1).unwrap();
    assert_eq!(tab.frames.main().unwrap().document.loader(), "L7");
    assert_eq!(tab.commits, 1, "who waits for a document hears of it");
}

#[test]
fn a_document_is_parsed_then_loaded_and_each_is_told_once() {
    let mut run = Run::with_tab();
    run.lifecycle("MAIN", "L1", "init");
    run.navigated("top", "MAIN", None, "L1", "http://a/#x");
    run.lifecycle("MAIN", "L0", "load");
    run.lifecycle("MAIN", "L1", "DOMContentLoaded");
    run.lifecycle("MAIN", "L1", "load");
    run.lifecycle("MAIN", "L1", "load");
    let main = frame_id("MAIN");
    assert!(matches!(run.told()[0], TabEvent::Navigated { main: true, same_document: false, .. }));
    assert_eq!(
        run.told()[1..],
        [&TabEvent::DomReady { frame: main.clone(), main: true }, &TabEvent::Loaded { frame: main, main: true }]
    );
}

#[test]
fn a_page_from_the_cache_is_a_new_document_that_is_loaded() {
    let mut run = Run::with_tab();
    run.navigated("top", "MAIN", None, "L1", "http://a/");
    let first = run.machine.tab(T1).unwrap().frames.main().unwrap().document.clone();
    run.navigated("top", "MAIN", None, "L2", "http://b/");
    run.effects.clear();
    let params = json!({
        "frame": frame("MAIN", None, "L1", "http://a/"), "type": "BackForwardCacheRestore"
    });
    run.feed("top", "Page.frameNavigated", params);
    let main = run.machine.tab(T1).unwrap().frames.main().unwrap();
    assert_eq!(main.document.loader(), first.loader());
    assert_ne!(main.document, first);
    assert!(main.progress.loaded);
    assert!(matches!(run.effects[0], Effect::ListFrames { .. }));
    let tree = json!({
        "frame": frame("MAIN", None, "L1", "http://a/"),
        "childFrames": [{"frame": frame("A", Some("MAIN"), "L3", "http://c/")}]
    });
    let tree: page::FrameTree = serde_json::from_value(tree).unwrap();
    run.machine.adopt(&session("top"), &tree, Listing::Restored);
    let tab = run.machine.tab(T1).unwrap();
    assert!(tab.frames.get(&frame_id("A")).unwrap().progress.loaded);
}

#[test]
fn a_change_of_the_address_keeps_the_document() {
    let mut run = Run::with_tab();
    run.navigated("top", "MAIN", None, "L1", "http://a/");
    let before = run.machine.tab(T1).unwrap().frames.main().unwrap().document.clone();
    run.effects.clear();
    run.feed(
        "top",
        "Page.navigatedWithinDocument",
        json!({"frameId": "MAIN", "url": "http://a/#b", "navigationType": "fragment"}),
    );
    let tab = run.machine.tab(T1).unwrap();
    assert_eq!((tab.commits, tab.moves), (1, 1));
    assert_eq!(tab.frames.main().unwrap().document, before);
    assert!(matches!(run.told()[0], TabEvent::Navigated { same_document: true, .. }));
}

fn request(id: &str, loader: &str, url: &str, redirected_from: Option<u16>) -> Value {
    let mut params = json!({
        "requestId": id, "loaderId": loader, "documentURL": url, "frameId": "MAIN",
        "request": {"url": url, "method": "GET", "headers": {}, "initialPriority": "High", "referrerPolicy": "origin"},
        "timestamp": 1.0, "wallTime": 1.0, "initiator": {"type": "other"}, "type": "Document"
    });
    if let Some(status) = redirected_from {
        params["redirectResponse"] = json!({"url": "x", "status": status});
    }
    params
}

#[test]
fn status_and_redirects_are_kept_by_loader() {
    let mut run = Run::with_tab();
    run.feed("top", "Network.requestWillBeSent", request("L1", "L1", "http://a/1", None));
    run.feed("top", "Network.requestWillBeSent", request("L1", "L1", "http://a/2", Some(302)));
    run.feed("top", "Network.requestWillBeSent", request("L1", "L1", "http://a/3", Some(302)));
    run.feed("top", "Network.requestWillBeSent", request("9.1", "L1", "http://a/x.js", None));
    run.feed(
        "top",
        "Network.responseReceived",
        json!({"requestId": "L1", "loaderId": "L1", "frameId": "MAIN", "timestamp": 1.0,
            "type": "Document", "response": {"url": "http://a/3", "status": 404}}),
    );
    let tab = run.machine.tab(T1).unwrap();
    let document = tab.documents.get("L1").unwrap();
    assert_eq!(document.status, Some(404));
    assert_eq!(document.url, "http://a/3");
    assert_eq!(document.redirects, ["http://a/1", "http://a/2"]);
    assert_eq!(tab.requests_under_way().len(), 2);
    run.effects.clear();
    run.feed("top", "Network.loadingFinished", json!({"requestId": "L1", "timestamp": 2.0}));
    run.feed(
        "top",
        "Network.loadingFailed",
        json!({"requestId": "9.1", "timestamp": 2.0, "type": "Script", "errorText": "net::ERR_FAILED"}),
    );
    let finished = |id: &str, status, failed: Option<&str>| TabEvent::RequestFinished {
        id: id.into(),
        status,
        failed: failed.map(Into::into),
    };
    assert_eq!(run.told(), [&finished("L1", Some(404), None), &finished("9.1", None, Some("net::ERR_FAILED"))]);
    assert_eq!(run.machine.tab(T1).unwrap().requests_under_way().len(), 0);
}

#[test]
fn a_navigation_that_ends_without_a_document_is_counted() {
    let mut run = Run::with_tab();
    let started =
        json!({"frameId": "MAIN", "url": "http://a/", "loaderId": "L1", "navigationType": "differentDocument"});
    run.feed("top", "Page.frameStoppedLoading", json!({"frameId": "MAIN"}));
    assert_eq!(run.machine.tab(T1).unwrap().stops, 0);
    run.feed("top", "Page.frameStartedNavigating", started.clone());
    run.feed("top", "Page.frameStoppedLoading", json!({"frameId": "MAIN"}));
    assert_eq!(run.machine.tab(T1).unwrap().stops, 1);
    run.feed("top", "Page.frameStartedNavigating", started);
    run.navigated("top", "MAIN", None, "L1", "http://a/");
    run.feed("top", "Page.frameStoppedLoading", json!({"frameId": "MAIN"}));
    let tab = run.machine.tab(T1).unwrap();
    assert_eq!((tab.stops, tab.commits), (1, 1));
}

fn opening(kind: &str) -> Value {
    json!({"url": "http://a/", "message": "sure?", "type": kind, "hasBrowserHandler": false, "defaultPrompt": "x"})
}

#[test]
fn alerts_are_answered_and_questions_are_held() {
    let mut run = Run::with_tab();
    run.feed("top", "Page.javascriptDialogOpening", opening("alert"));
    assert!(matches!(run.effects[..], [Effect::Answer { accept: true, .. }]));
    assert!(run.machine.tab(T1).unwrap().held_dialog().is_none());
    run.feed("top", "Page.javascriptDialogClosed", json!({"result": true, "userInput": ""}));
    assert!(matches!(run.told()[..], [TabEvent::DialogClosed { accepted: true, text: None, .. }]));
    for kind in ["confirm", "prompt", "beforeunload", "something-new"] {
        run.effects.clear();
        run.feed("top", "Page.javascriptDialogOpening", opening(kind));
        let held = run.machine.tab(T1).unwrap().held_dialog().cloned().unwrap();
        assert_eq!(held.default_prompt.is_some(), kind == "prompt");
        run.feed("top", "Page.javascriptDialogClosed", json!({"result": true, "userInput": "y"}));
        assert!(run.machine.tab(T1).unwrap().held_dialog().is_none());
        match run.told()[..] {
            [TabEvent::DialogOpened(_), TabEvent::DialogClosed { text, .. }] => {
                assert_eq!(text.is_some(), kind == "prompt");
            }
            ref other => panic!("{kind}: {other:?}"),
        }
    }
    run.machine.set_policy(DialogPolicy::all(DialogRule::Dismiss));
    run.effects.clear();
    run.feed("top", "Page.javascriptDialogOpening", opening("confirm"));
    assert!(matches!(run.effects[..], [Effect::Answer { accept: false, .. }]));
}

#[test]
fn a_crash_is_told_once_and_cured_by_a_page() {
    let mut run = Run::with_tab();
    run.feed("top", "Page.javascriptDialogOpening", opening("confirm"));
    run.effects.clear();
    run.feed("top", "Inspector.targetCrashed", json!({}));
    run.feed("top", "Inspector.targetCrashed", json!({}));
    assert_eq!(run.told(), [&TabEvent::Crashed]);
    let tab = run.machine.tab(T1).unwrap();
    assert!(tab.crashed && tab.dialog.is_none());
    run.navigated("top", "MAIN", None, "L1", "http://a/");
    assert!(!run.machine.tab(T1).unwrap().crashed);
}

#[test]
fn downloads_are_told_to_their_tab_with_the_path_at_the_end() {
    let mut run = Run::with_tab();
    run.feed(
        "",
        "Browser.downloadWillBegin",
        json!({"frameId": "MAIN", "guid": "g", "url": "http://a/f", "suggestedFilename": "f.txt"}),
    );
    let progress = |state: &str, path: Option<&str>| json!({"guid": "g", "totalBytes": 5.0, "receivedBytes": 5.0, "state": state, "filePath": path});
    run.feed("", "Browser.downloadProgress", progress("inProgress", None));
    run.feed("", "Browser.downloadProgress", progress("completed", Some("/d/g")));
    run.feed("", "Browser.downloadProgress", progress("completed", Some("/d/g")));
    match run.told()[..] {
        [TabEvent::DownloadStarted { name, .. }, TabEvent::DownloadFinished { path, bytes: 5, complete: true, .. }] => {
            assert_eq!(name, "f.txt");
            assert_eq!(path.as_deref(), Some("/d/g"));
        }
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn events_of_strangers_change_nothing() {
    let mut run = Run::with_tab();
    run.attached_frame("nobody", "X", "MAIN");
    run.navigated("nobody", "MAIN", None, "L9", "http://evil/");
    run.detach("nobody");
    run.feed(
        "",
        "Browser.downloadWillBegin",
        json!({"frameId": "ELSE", "guid": "g", "url": "u", "suggestedFilename": "f"}),
    );
    assert_eq!(run.tree(), "MAIN@top");
    assert!(run.effects.is_empty());
}

#[test]
fn a_lost_connection_closes_every_tab() {
    let mut run = Run::with_tab();
    run.attach(None, "two", "page", "SECOND", json!({}));
    let effects = run.machine.lost();
    let closed = effects.iter().filter(|effect| matches!(effect, Effect::Tab { event: TabEvent::Closed, .. }));
    assert_eq!(closed.count(), 2);
    assert_eq!(run.machine.tabs().count(), 0);
}
