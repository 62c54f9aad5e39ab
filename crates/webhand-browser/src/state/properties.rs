//! Whatever two sessions say of their frames, in whatever order: the tree stays
//! a tree.

use proptest::prelude::*;
use serde_json::json;
use webhand_cdp::SessionId;
use webhand_cdp::protocol::page;

use super::frames::FrameTree;
use super::{Effect, Happening, Heritage, Listing, Machine};
use crate::dialog::DialogPolicy;
use crate::events::TabEvent;
use crate::ids::{FrameId, TabId};

#[derive(Clone, Debug)]
enum Step {
    Attached(u8, u8, u8),
    Detached(u8, u8, bool),
    Navigated(u8, u8, Option<u8>, u8, bool),
    Moved(u8, u8, Option<u8>),
    Lost(u8),
    Listed(u8, u8, u8, u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (session, frame, loader) = (0..3_u8, 0..6_u8, 0..4_u8);
    let step = prop_oneof![
        (session.clone(), frame.clone(), frame.clone()).prop_map(|(s, f, p)| Step::Attached(s, f, p)),
        (session.clone(), frame.clone(), any::<bool>()).prop_map(|(s, f, swap)| Step::Detached(s, f, swap)),
        (session.clone(), frame.clone(), proptest::option::of(frame.clone()), loader, any::<bool>())
            .prop_map(|(s, f, p, l, restored)| Step::Navigated(s, f, p, l, restored)),
        (session.clone(), frame.clone(), proptest::option::of(frame.clone()))
            .prop_map(|(s, f, p)| Step::Moved(s, f, p)),
        session.clone().prop_map(Step::Lost),
        (session, frame.clone(), frame.clone(), 0..3_u8).prop_map(|(s, f, c, why)| Step::Listed(
            s,
            f,
            if c == f { (c + 1) % 6 } else { c },
            why
        )),
    ];
    proptest::collection::vec(step, 0..60)
}

fn session(number: u8) -> SessionId {
    SessionId(format!("S{number}"))
}

/// Frame 0 is the tab itself.
fn frame(number: u8) -> FrameId {
    FrameId(format!("F{number}"))
}

fn shown(number: u8, parent: Option<u8>, loader: u8) -> serde_json::Value {
    let mut shown = json!({
        "id": frame(number), "loaderId": format!("L{loader}"), "url": "http://a/", "domainAndRegistry": "",
        "securityOrigin": "", "mimeType": ""
    });
    if let Some(parent) = parent {
        shown["parentId"] = json!(frame(parent));
    }
    shown
}

fn apply(machine: &mut Machine, step: &Step) -> Vec<Effect> {
    let (from, method, params) = match step {
        Step::Attached(s, f, p) => {
            (*s, "Page.frameAttached", json!({"frameId": frame(*f), "parentFrameId": frame(*p)}))
        }
        Step::Detached(s, f, swap) => {
            let reason = if *swap { "swap" } else { "remove" };
            (*s, "Page.frameDetached", json!({"frameId": frame(*f), "reason": reason}))
        }
        Step::Navigated(s, f, p, l, restored) => {
            let kind = if *restored { "BackForwardCacheRestore" } else { "Navigation" };
            (*s, "Page.frameNavigated", json!({"frame": shown(*f, *p, *l), "type": kind}))
        }
        Step::Moved(s, f, p) => {
            let mut info = json!({"targetId": frame(*f), "type": "iframe", "title": "", "url": "", "attached": true});
            if let Some(parent) = p {
                info["parentFrameId"] = json!(frame(*parent));
            }
            // The first session is the tab's own.
            let params = json!({"sessionId": session(1 + s % 2), "targetInfo": info, "waitingForDebugger": true});
            (0, "Target.attachedToTarget", params)
        }
        Step::Lost(s) => (0, "Target.detachedFromTarget", json!({"sessionId": session(1 + s % 2)})),
        Step::Listed(s, f, c, why) => {
            let tree = json!({"frame": shown(*f, None, 1), "childFrames": [{"frame": shown(*c, Some(*f), 2)}]});
            let tree: page::FrameTree = serde_json::from_value(tree).unwrap();
            let why = [Listing::New, Listing::Restored, Listing::Lagged][usize::from(*why)];
            return machine.adopt(&session(*s), &tree, why);
        }
    };
    machine.feed(Some(&session(from)), Happening::from_json(method, params))
}

fn check(tree: &FrameTree) {
    let ordered = tree.in_order();
    assert_eq!(ordered.len(), tree.len(), "every frame is reached from the main frame, once");
    assert_eq!(&ordered[0].id, tree.main_id());
    for (at, frame) in ordered.iter().enumerate() {
        match &frame.parent {
            None => assert_eq!(at, 0, "only the main frame has no parent"),
            Some(parent) => {
                let above = ordered.iter().position(|other| other.id == *parent);
                assert!(above.is_some_and(|above| above < at), "parents come first");
            }
        }
    }
}

proptest! {
    #[test]
    fn the_tree_stays_a_tree(steps in steps()) {
        let mut machine = Machine::new(DialogPolicy::default(), Heritage::default());
        let info = json!({"targetId": frame(0), "type": "page", "title": "", "url": "", "attached": true});
        let params = json!({"sessionId": session(0), "targetInfo": info, "waitingForDebugger": true});
        machine.feed(None, Happening::from_json("Target.attachedToTarget", params));
        let mut documents = std::collections::HashSet::new();
        for step in &steps {
            let mut effects = apply(&mut machine, step);
            let probes: Vec<_> = effects
                .iter()
                .filter_map(|effect| match effect {
                    Effect::Probe { session, lost, frame } => Some((session.clone(), lost.clone(), frame.clone())),
                    _ => None,
                })
                .collect();
            for (top, lost, frame) in probes {
                effects.extend(machine.probed(&top, &lost, &frame));
            }
            for effect in effects {
                if let Effect::Tab { event: TabEvent::Navigated { frame, document, .. }, .. } = effect {
                    prop_assert!(documents.insert((frame, document)), "each document is told once");
                }
            }
            check(&machine.tab(TabId::new(1)).unwrap().frames);
        }
    }
}
