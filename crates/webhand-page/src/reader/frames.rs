//! The protocol side of a read: one listener probe a process, one call a frame, all in flight together.

use std::{collections::HashMap, time::Duration};

use futures_util::future::join_all;
use webhand_browser::{BrowserError, FrameId, FrameInfo, Tab};
use webhand_cdp::protocol::{
    dom::{BackendNodeId, GetFrameOwner},
    dom_debugger::GetEventListeners,
};

use super::{FRAME_WITHIN, FrameRead, Known, MAIN_WITHIN, Reader, assemble::Told};
use crate::{
    error::PageError,
    wire::{self, FrameText},
    world::{Call, World},
};

/// Events that answer a person's hand.
const HAND_EVENTS: &[&str] = &[
    "click",
    "dblclick",
    "auxclick",
    "contextmenu",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
    "keydown",
    "keyup",
    "keypress",
    "dragstart",
];
/// How many closed shadow roots are followed into one another in one snapshot.
const CLOSED_DEPTH: usize = 5;
/// More listening nodes than this in one document are counted as unlooked: each costs a call at first sight.
const LISTENERS_MAX: usize = 2000;

impl Reader {
    pub(super) async fn read_frames(&mut self, tab: &Tab, frames: Vec<FrameInfo>) -> Result<Vec<FrameRead>, PageError> {
        for frame in &frames {
            self.known.entry(frame.id.clone()).or_insert_with(|| Known {
                document: frame.document.clone(),
                node: None,
                listeners: HashMap::new(),
                owner: None,
                read: false,
                told: Told::default(),
            });
        }
        let first_sight = frames.iter().any(|frame| self.known.get(&frame.id).is_none_or(|known| !known.read));
        let texts = if first_sight {
            self.probe(tab, &frames).await?;
            read_all(tab, &frames, &self.answers(&frames)).await
        } else {
            let answers = self.answers(&frames);
            let (texts, probed) = {
                let reading = read_all(tab, &frames, &answers);
                let probing = self.probe(tab, &frames);
                tokio::join!(reading, probing)
            };
            // a listener came since: what was read may lack its control
            if probed? { read_all(tab, &frames, &[]).await } else { texts }
        };
        let texts = open_roots(tab, &frames, texts).await;
        let owners = self.owners(tab, &frames).await;
        let mut reads = Vec::with_capacity(frames.len());
        for (index, ((info, text), owner)) in frames.into_iter().zip(texts).zip(owners).enumerate() {
            let text = match text {
                Err(error) if index == 0 => return Err(error),
                other => other.map_err(|error| error.to_string()),
            };
            if let Some(known) = self.known.get_mut(&info.id) {
                known.read = text.is_ok();
            }
            reads.push(FrameRead { info, text, owner });
        }
        Ok(reads)
    }

    /// For each frame the number of the answer whose lines are at hand; 0 for none.
    fn answers(&self, frames: &[FrameInfo]) -> Vec<u32> {
        frames.iter().map(|frame| self.known.get(&frame.id).map_or(0, |known| known.told.answer)).collect()
    }

    /// Asks each process which nodes listen, and tells the readers of those that are new. Whether there were any.
    async fn probe(&mut self, tab: &Tab, frames: &[FrameInfo]) -> Result<bool, PageError> {
        let mut any = false;
        for (index, frame) in frames.iter().enumerate() {
            let first_of_process = frames[..index].iter().all(|other| other.session.id() != frame.session.id());
            if !first_of_process {
                continue;
            }
            let within = if index == 0 { MAIN_WITHIN } else { FRAME_WITHIN };
            match self.probe_process(tab, frame, frames, within).await {
                Ok(found) => any |= found,
                Err(error) if index == 0 => return Err(error),
                Err(_) => {}
            }
        }
        Ok(any)
    }

    async fn probe_process(
        &mut self,
        tab: &Tab,
        root: &FrameInfo,
        frames: &[FrameInfo],
        within: Duration,
    ) -> Result<bool, PageError> {
        let listeners = self.listeners(tab, root, within).await?;
        let Some(known) = self.known.get(&root.id) else { return Ok(false) };
        let mut fresh: Vec<BackendNodeId> =
            listeners.into_iter().filter(|node| !known.listeners.contains_key(node)).collect();
        fresh.truncate(LISTENERS_MAX.saturating_sub(known.listeners.len()));
        if fresh.is_empty() {
            return Ok(false);
        }
        let mut left = fresh;
        for frame in frames.iter().filter(|frame| frame.session.id() == root.session.id()) {
            if left.is_empty() {
                break;
            }
            let own = match World::new(tab, frame.id.clone()).listen(&left, within).await {
                Ok(own) => own,
                Err(error) if frame.id == root.id => return Err(error),
                Err(_) => continue,
            };
            left.retain(|node| !own.contains(node));
            if let Some(known) = self.known.get_mut(&root.id) {
                known.listeners.extend(own.into_iter().map(|node| (node, true)));
            }
        }
        if let Some(known) = self.known.get_mut(&root.id) {
            known.listeners.extend(left.into_iter().map(|node| (node, false)));
        }
        Ok(true)
    }

    /// The nodes of a process that have a listener for a person's hand.
    async fn listeners(
        &mut self,
        tab: &Tab,
        root: &FrameInfo,
        within: Duration,
    ) -> Result<Vec<BackendNodeId>, PageError> {
        for again in [false, true] {
            let node = match self.known.get(&root.id).and_then(|known| known.node.clone()) {
                Some(node) => node,
                None => {
                    let node = World::new(tab, root.id.clone()).document(within).await?;
                    if let Some(known) = self.known.get_mut(&root.id) {
                        known.node = Some(node.clone());
                    }
                    node
                }
            };
            let mut ask = GetEventListeners::new(node);
            ask.depth = Some(-1);
            ask.pierce = Some(true);
            match tab.race(root.session.send(&ask), within).await {
                Ok(reply) => {
                    let mut nodes: Vec<BackendNodeId> = reply
                        .listeners
                        .into_iter()
                        .filter(|listener| HAND_EVENTS.contains(&listener.kind.as_str()))
                        .filter_map(|listener| listener.backend_node_id)
                        .collect();
                    nodes.sort_unstable();
                    nodes.dedup();
                    return Ok(nodes);
                }
                // the handle died with its document (or with a page that came back from the cache)
                Err(BrowserError::Cdp(webhand_cdp::CdpError::Protocol { .. })) if !again => {
                    if let Some(known) = self.known.get_mut(&root.id) {
                        known.node = None;
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Vec::new())
    }

    /// For each frame the number of its element in its parent's document; asked once in a document's life.
    async fn owners(&mut self, tab: &Tab, frames: &[FrameInfo]) -> Vec<Option<u32>> {
        let asked = frames.iter().map(|frame| {
            let known = self.known.get(&frame.id).and_then(|known| known.owner.clone());
            async move {
                let parent = frames.iter().find(|other| Some(&other.id) == frame.parent.as_ref())?;
                if let Some((document, local)) = known
                    && document == parent.document
                {
                    return Some((document, local));
                }
                let local = owner(tab, parent, &frame.id).await.ok()?;
                Some((parent.document.clone(), local))
            }
        });
        let found = join_all(asked).await;
        for (frame, owner) in frames.iter().zip(&found) {
            if let Some(known) = self.known.get_mut(&frame.id) {
                known.owner.clone_from(owner);
            }
        }
        found.into_iter().map(|owner| owner.map(|(_, local)| local)).collect()
    }
}

async fn owner(tab: &Tab, parent: &FrameInfo, child: &FrameId) -> Result<u32, PageError> {
    let reply = tab.race(parent.session.send(&GetFrameOwner::new(child.clone())), FRAME_WITHIN).await?;
    World::new(tab, parent.id.clone()).number_of(reply.backend_node_id, FRAME_WITHIN).await
}

/// Reads every frame, side by side. `answers` are those whose lines are at hand.
async fn read_all(tab: &Tab, frames: &[FrameInfo], answers: &[u32]) -> Vec<Result<FrameText, PageError>> {
    let answer = |index| answers.get(index).copied().unwrap_or(0);
    join_all(frames.iter().enumerate().map(|(index, frame)| read_one(tab, index, frame, answer(index)))).await
}

async fn read_one(tab: &Tab, index: usize, frame: &FrameInfo, answer: u32) -> Result<FrameText, PageError> {
    let within = within(index);
    let world = World::new(tab, frame.id.clone());
    let read = async move { world.call_raw(&Call::new("read").arg(answer), within).await };
    let late = || PageError::Browser(BrowserError::Timeout { what: "reading the frame".to_owned(), after: within });
    let json = tokio::time::timeout(within, read).await.unwrap_or_else(|_| Err(late()))?;
    wire::parse(&json).map_err(PageError::Answer)
}

fn within(index: usize) -> Duration {
    if index == 0 { MAIN_WITHIN } else { FRAME_WITHIN }
}

/// Opens the closed shadow roots that the reads may have passed by, and reads those frames again.
async fn open_roots(
    tab: &Tab,
    frames: &[FrameInfo],
    texts: Vec<Result<FrameText, PageError>>,
) -> Vec<Result<FrameText, PageError>> {
    join_all(frames.iter().zip(texts).enumerate().map(|(index, (frame, text))| async move {
        // a closed root may hold another host
        let mut text = text;
        for _ in 0..CLOSED_DEPTH {
            if !matches!(&text, Ok(read) if read.meta.hosts > 0) {
                break;
            }
            let world = World::new(tab, frame.id.clone());
            match world.open_closed_roots(within(index)).await {
                Ok(found) if found > 0 => text = read_one(tab, index, frame, 0).await,
                _ => break,
            }
        }
        text
    }))
    .await
}
