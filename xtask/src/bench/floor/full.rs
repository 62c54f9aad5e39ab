//! `floor-full`: reading, clicking and filling by raw commands, with nothing left out that those need.
//!
//! It must not know webhand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use webhand_cdp::protocol::{dom, input, page, runtime, target};
use webhand_cdp::{EventItem, EventStream, Session, SessionId};

use super::FloorBrowser;
use crate::bench::contender::{Contender, Failure, Offers, evaluation, value_of};

const WALKER: &str = include_str!("walker.js");

/// Reads, where the walker is installed already; an empty answer asks for it.
const READ: &str = "globalThis.floor?floor.read():''";

/// More possible hosts than this are not looked into.
const MOST_HOSTS: usize = 200;

/// The contender.
#[derive(Debug)]
pub(crate) struct FloorFull {
    browser: FloorBrowser,
    events: EventStream,
    /// Frames of other processes: their session and the target (which is the frame's id).
    frames: BTreeMap<SessionId, target::TargetId>,
    /// The sessions of the last reading, the tab's own first.
    sessions: Vec<Session>,
}

/// Where to press, or why not.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Place {
    x: f64,
    y: f64,
    error: Option<String>,
}

impl FloorFull {
    /// Takes a browser into use.
    pub(crate) fn new(browser: FloorBrowser) -> Self {
        let events =
            browser.tab().events(&["Page.loadEventFired", "Target.attachedToTarget", "Target.detachedFromTarget"]);
        let sessions = vec![browser.tab().clone()];
        Self { browser, events, frames: BTreeMap::new(), sessions }
    }

    /// Ends its browser.
    pub(crate) async fn close(self) {
        self.browser.close().await;
    }

    /// Takes in one event; says whether it was the load of the page.
    fn take(&mut self, item: &EventItem) -> Result<bool, Failure> {
        let EventItem::Event(event) = item else {
            return Err(Failure::Broken("events were lost".to_owned()));
        };
        if event.is::<target::AttachedToTarget>() {
            let attached: target::AttachedToTarget = event.decode()?;
            if attached.target_info.kind == "iframe" {
                self.frames.insert(attached.session_id, attached.target_info.target_id);
            }
        } else if event.is::<target::DetachedFromTarget>() {
            self.frames.remove(&event.decode::<target::DetachedFromTarget>()?.session_id);
        }
        Ok(event.is::<page::LoadEventFired>())
    }

    fn take_waiting_events(&mut self) -> Result<(), Failure> {
        while let Some(item) = self.events.try_next() {
            self.take(&item)?;
        }
        Ok(())
    }

    /// The session and number that a handle (`12`, `2.12`) names.
    fn named(&self, handle: &str) -> Result<(usize, Session, u32), Failure> {
        let (session, number) = handle.split_once('.').unwrap_or(("0", handle));
        let parsed = session.parse::<usize>().ok().zip(number.parse::<u32>().ok());
        let (index, number) = parsed.ok_or_else(|| Failure::NotOffered(handle.to_owned()))?;
        let session = self.sessions.get(index).ok_or_else(|| Failure::NotOffered(handle.to_owned()))?;
        Ok((index, session.clone(), number))
    }

    /// Where the frame of that session begins in the top page.
    async fn origin_of(&self, session: &Session) -> Result<(f64, f64), Failure> {
        let tab = self.browser.tab();
        let frame = session.id().and_then(|id| self.frames.get(id)).map(|id| page::FrameId::from(id.as_str()));
        let frame = frame.ok_or_else(|| Failure::Broken("the frame is gone".to_owned()))?;
        let owner = tab.call(&dom::GetFrameOwner::new(frame)).await?;
        let of_owner =
            dom::GetContentQuads { backend_node_id: Some(owner.backend_node_id), ..dom::GetContentQuads::default() };
        let quads = tab.call(&of_owner).await?.quads;
        let corner = quads.first().and_then(|quad| Some((*quad.first()?, *quad.get(1)?)));
        // The border of a frame that no style touched.
        corner.map(|(x, y)| (x + 2.0, y + 2.0)).ok_or_else(|| Failure::Broken("the frame has no box".to_owned()))
    }
}

impl Contender for FloorFull {
    type Sight = String;

    fn name(&self) -> &'static str {
        "floor-full"
    }

    async fn open(&mut self, address: &str) -> Result<(), Failure> {
        self.take_waiting_events()?;
        let reply = self.browser.tab().call(&page::Navigate::new(address)).await?;
        if let Some(error) = reply.error_text {
            return Err(Failure::Broken(error));
        }
        loop {
            let item = self.events.next().await.ok_or_else(|| Failure::Broken("the browser is gone".to_owned()))?;
            if self.take(&item)? {
                return Ok(());
            }
        }
    }

    async fn look(&mut self) -> Result<String, Failure> {
        self.take_waiting_events()?;
        let tab = self.browser.tab();
        let frames = self.frames.keys().map(|id| tab.connection().session(id.clone()));
        self.sessions = std::iter::once(tab.clone()).chain(frames).collect();
        let asked: Vec<_> = self.sessions.iter().map(|session| session.send(&evaluation(READ))).collect();
        let mut text = String::new();
        for (index, (session, pending)) in self.sessions.iter().zip(asked).enumerate() {
            let reply = pending.in_time().await?;
            let answer: String = value_of(reply.result, reply.exception_details)?;
            let lines = complete(session, answer).await?;
            append(&mut text, index, &lines);
        }
        Ok(text)
    }

    fn offers(&self, sight: &String) -> Offers {
        offers_in(sight)
    }

    fn text_length(&self, sight: &String) -> usize {
        sight.len()
    }

    async fn click(&mut self, handle: &str) -> Result<(), Failure> {
        let (index, session, number) = self.named(handle)?;
        let reply = session.call(&evaluation(&format!("floor.place({number})"))).await?;
        let place: Place = value_of(reply.result, reply.exception_details)?;
        if let Some(error) = place.error {
            return Err(Failure::Refused(error));
        }
        let (left, top) = if index == 0 { (0.0, 0.0) } else { self.origin_of(&session).await? };
        let (x, y) = (place.x + left, place.y + top);
        let mut gesture = self.browser.tab().burst();
        let moved = gesture.add(&mouse(input::DispatchMouseEventType::MouseMoved, x, y));
        let pressed = gesture.add(&mouse(input::DispatchMouseEventType::MousePressed, x, y));
        let released = gesture.add(&mouse(input::DispatchMouseEventType::MouseReleased, x, y));
        gesture.send();
        moved.in_time().await?;
        pressed.in_time().await?;
        released.in_time().await?;
        Ok(())
    }

    async fn fill(&mut self, handle: &str, text: &str) -> Result<(), Failure> {
        let (_, session, number) = self.named(handle)?;
        let reply = session.call(&evaluation(&format!("floor.focus({number})"))).await?;
        let place: Place = value_of(reply.result, reply.exception_details)?;
        if let Some(error) = place.error {
            return Err(Failure::Refused(error));
        }
        self.browser.tab().call(&input::InsertText::new(text)).await?;
        Ok(())
    }

    fn session(&self) -> Session {
        self.browser.tab().clone()
    }
}

/// The lines of a session's reading: installs the walker first where it was missing, and looks into closed roots that
/// are met for the first time.
async fn complete(session: &Session, mut answer: String) -> Result<String, Failure> {
    if answer.is_empty() {
        let reply = session.call(&evaluation(&format!("{WALKER}floor.read()"))).await?;
        answer = value_of(reply.result, reply.exception_details)?;
    }
    let (hosts, lines) = answer.split_once('\n').unwrap_or(("0", &answer));
    let hosts = hosts.parse::<usize>().unwrap_or_default().min(MOST_HOSTS);
    if hosts == 0 {
        return Ok(lines.to_owned());
    }
    adopt_closed_roots(session, hosts).await?;
    let reply = session.call(&evaluation("floor.read()")).await?;
    let answer: String = value_of(reply.result, reply.exception_details)?;
    Ok(answer.split_once('\n').map_or_else(String::new, |(_, lines)| lines.to_owned()))
}

/// Hands the closed roots of the possible hosts to the walker, all hosts at once.
async fn adopt_closed_roots(session: &Session, hosts: usize) -> Result<(), Failure> {
    let found: Vec<_> =
        (0..hosts).map(|index| session.send(&runtime::Evaluate::new(format!("floor.host({index})")))).collect();
    let mut described = Vec::with_capacity(hosts);
    for pending in found {
        let object_id = pending.in_time().await?.result.object_id;
        let describe = dom::DescribeNode { object_id, pierce: Some(true), ..dom::DescribeNode::default() };
        described.push(session.send(&describe));
    }
    let mut resolved = Vec::new();
    for pending in described {
        let roots = pending.in_time().await?.node.shadow_roots.unwrap_or_default();
        for root in roots.into_iter().filter(|root| root.shadow_root_type == Some(dom::ShadowRootType::Closed)) {
            let resolve =
                dom::ResolveNode { backend_node_id: Some(root.backend_node_id), ..dom::ResolveNode::default() };
            resolved.push(session.send(&resolve));
        }
    }
    for pending in resolved {
        let mut adopt = runtime::CallFunctionOn::new("function(){floor.adopt(this)}");
        adopt.object_id = pending.in_time().await?.object.object_id;
        session.call(&adopt).await?;
    }
    Ok(())
}

/// Adds a session's lines, with its index before the numbers where it is not the tab's own.
fn append(text: &mut String, index: usize, lines: &str) {
    if lines.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    if index == 0 {
        text.push_str(lines);
        return;
    }
    for (position, line) in lines.lines().enumerate() {
        let line = line.strip_prefix('[').unwrap_or(line);
        let newline = if position == 0 { "" } else { "\n" };
        // Writing to a string cannot fail.
        let _ = write!(text, "{newline}[{index}.{line}");
    }
}

fn mouse(kind: input::DispatchMouseEventType, x: f64, y: f64) -> input::DispatchMouseEvent {
    let pressing = kind != input::DispatchMouseEventType::MouseMoved;
    let mut event = input::DispatchMouseEvent::new(kind, x, y);
    if pressing {
        event.button = Some(input::MouseButton::Left);
        event.click_count = Some(1);
    }
    event
}

/// What the walker's lines offer: `[handle] role name … marks`.
pub(super) fn offers_in(text: &str) -> Offers {
    let mut offers = Offers::default();
    for line in text.lines() {
        let Some((handle, rest)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) else { continue };
        let shown = rest.strip_suffix(" off").unwrap_or(rest);
        let usable = !(shown.ends_with(" covered") || shown.ends_with(" disabled"));
        offers.note(rest, handle, usable);
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back_with_their_marks() {
        let offers = offers_in(
            "[0] button T00001 oak\n[1.4] a T00002 elm off\n[2] button D00001 x disabled off\n[3] button D00002 y covered\nnoise",
        );
        assert_eq!(offers.usable.get("T00001").map(String::as_str), Some("0"));
        assert_eq!(offers.usable.get("T00002").map(String::as_str), Some("1.4"));
        assert_eq!(offers.unusable.len(), 2);
    }

    #[test]
    fn lines_of_other_sessions_carry_their_index() {
        let mut text = String::new();
        append(&mut text, 0, "[0] button A");
        append(&mut text, 1, "");
        append(&mut text, 2, "[0] button B\n[1] a C");
        assert_eq!(text, "[0] button A\n[2.0] button B\n[2.1] a C");
    }
}
