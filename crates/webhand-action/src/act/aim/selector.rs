//! From a selector to the only element that it finds, in any frame.

use serde::Deserialize;
use webhand_page::{Call, PageError, World};

use super::Aim;
use crate::{
    error::{ActionError, ErrorCode},
    session::{Fingerprint, Session},
};

/// The only element that a selector finds: CSS, an XPath that begins with `//`, or `role=button[name="Save"]`.
pub(super) async fn aim_selector(session: &Session, selector: &str) -> Result<Aim, ActionError> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Selected {
        miss: Option<String>,
        count: u32,
        id: u32,
        item: u64,
        plain: bool,
        hidden: String,
        listed: Option<Listed>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Listed {
        r: String,
        n: String,
        g: String,
    }
    let mut several = 0;
    let mut hidden = None;
    let mut hits = Vec::new();
    for frame in session.tab.frames() {
        let world = World::new(&session.tab, frame.id.clone());
        let found: Result<Selected, PageError> =
            world.call(&Call::new("select").arg(selector), session.settings.action_deadline).await;
        let Ok(found) = found else { continue };
        match (found.miss.as_deref(), found.listed) {
            (None, Some(listed)) => hits.push((frame, world, found.id, (found.item, found.plain), listed)),
            (Some("ambiguous"), _) => several += found.count,
            (Some("hidden"), _) => hidden = Some(found.hidden),
            (Some("bad_selector"), _) => {
                return Err(ActionError::new(ErrorCode::InvalidAction, format!("{selector:?} is not a selector"))
                    .with_kind("bad_parameter")
                    .with_hint("write CSS, XPath that begins with //, or role=button[name=\"Save\"]"));
            }
            _ => {}
        }
    }
    let count = several + u32::try_from(hits.len()).unwrap_or(u32::MAX);
    match hits.pop() {
        Some((frame, world, local, (item, plain), listed)) if count == 1 => Ok(Aim {
            r#ref: session.reader.existing(&session.tab, &frame, local),
            frame,
            world,
            local,
            seen: Fingerprint {
                role: listed.r,
                name: listed.n,
                item,
                tag: listed.g,
                id: None,
                attr_name: None,
                test_id: None,
                plain,
                twins: false,
                words: None,
            },
            by: None,
        }),
        _ if count > 1 => {
            Err(ActionError::new(ErrorCode::ElementNotFound, format!("{selector:?} finds {count} elements"))
                .with_kind("ambiguous")
                .with_hint("make the selector unique"))
        }
        _ => match hidden {
            Some(why) => {
                Err(ActionError::new(ErrorCode::NotInteractable, format!("{selector:?} finds an element, but {why}")))
            }
            None => Err(ActionError::new(ErrorCode::ElementNotFound, format!("{selector:?} finds nothing"))),
        },
    }
}
