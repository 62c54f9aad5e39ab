//! The protocol side of a read: one listener probe a process, one call a frame, all in flight together.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use futures_util::future::join_all;
use tokio::time::Instant;
use webhand_browser::{BrowserError, FrameId, FrameInfo, Tab};
use webhand_cdp::protocol::{
    dom::{BackendNodeId, GetFrameOwner},
    dom_debugger::GetEventListeners,
    runtime::RemoteObjectId,
};

use super::{
    FRAME_WITHIN, FRAME_WITHIN_MOST, FrameRead, Known, LATE_WITHIN, MAIN_WITHIN, PACES, Reader, assemble::Told,
};
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
    "drop",
];
/// Those of them that keys bring.
const KEY_EVENTS: &[&str] = &["keydown", "keyup", "keypress"];
/// How many closed shadow roots are followed into one another in one snapshot.
const CLOSED_DEPTH: usize = 5;
/// More listening nodes than this are counted as unlooked in one read of a process, and looked at in the next: each costs a
/// call at first sight.
const LISTENERS_MAX: usize = 2000;

/// What came of asking which nodes listen.
#[derive(Default)]
struct Probed {
    /// There are some that were not known.
    fresh: bool,
    /// The frames whose process did not answer in time.
    silent: HashSet<FrameId>,
    /// How many listening nodes were left for the next read.
    unlooked: usize,
}

/// What one process told.
struct Listening {
    /// The handle that it was asked by.
    node: Option<RemoteObjectId>,
    /// Nodes that listen and were not known, and whether they belong to one of the frames.
    nodes: Vec<(BackendNodeId, bool)>,
    /// Those that were known and listen no more, or are not in the page.
    gone: HashSet<BackendNodeId>,
    /// Whether one of those is still in the page, and so may have been listed.
    changed: bool,
    /// How many were left for the next read.
    unlooked: usize,
}

impl Reader {
    pub(super) async fn read_frames(&mut self, tab: &Tab, frames: Vec<FrameInfo>) -> Result<Vec<FrameRead>, PageError> {
        for frame in &frames {
            self.known.entry(frame.id.clone()).or_insert_with(|| Known {
                document: frame.document.clone(),
                node: None,
                listeners: HashMap::new(),
                owner: None,
                read: false,
                late: false,
                told: Told::default(),
            });
        }
        let mut limits = self.limits(&frames);
        let known = |frame: &FrameInfo| self.known.get(&frame.id).is_some_and(|known| known.read || known.late);
        let first_sight = !frames.iter().all(known);
        let mut silent = HashSet::new();
        let texts = if first_sight {
            let probed = self.probe(tab, &frames).await?;
            limits = self.limits(&frames);
            self.unlooked = probed.unlooked;
            silent = probed.silent;
            read_all(tab, &frames, &limits, &self.answers(&frames), &silent).await
        } else {
            let answers = self.answers(&frames);
            let (texts, probed) = {
                let reading = read_all(tab, &frames, &limits, &answers, &silent);
                let probing = self.probe(tab, &frames);
                tokio::join!(reading, probing)
            };
            let probed = probed?;
            self.unlooked = probed.unlooked;
            // a listener came since: what was read may lack its control
            if probed.fresh { read_all(tab, &frames, &limits, &[], &probed.silent).await } else { texts }
        };
        let texts = open_roots(tab, &frames, &limits, texts).await;
        for (frame, text) in frames.iter().zip(&texts) {
            if text.is_err() {
                silent.insert(frame.id.clone());
            }
        }
        let owners = self.owners(tab, &frames, &silent).await;
        let mut reads = Vec::with_capacity(frames.len());
        for (index, ((info, text), owner)) in frames.into_iter().zip(texts).zip(owners).enumerate() {
            let text = match text {
                Err(error) if index == 0 => return Err(error),
                other => other.map_err(|error| error.to_string()),
            };
            if let Some(known) = self.known.get_mut(&info.id) {
                (known.read, known.late) = (text.is_ok(), text.is_err());
            }
            reads.push(FrameRead { info, text, owner });
        }
        Ok(reads)
    }

    /// How long each frame may take.
    fn limits(&self, frames: &[FrameInfo]) -> Vec<Duration> {
        let late = |frame: &FrameInfo| self.known.get(&frame.id).is_some_and(|known| known.late);
        let limit = |(index, frame)| match index {
            0 => MAIN_WITHIN,
            _ if late(frame) => LATE_WITHIN,
            _ => (FRAME_WITHIN + self.pace * PACES).min(FRAME_WITHIN_MOST),
        };
        frames.iter().enumerate().map(limit).collect()
    }

    /// For each frame the number of the answer whose lines are at hand; 0 for none.
    fn answers(&self, frames: &[FrameInfo]) -> Vec<u32> {
        frames.iter().map(|frame| self.known.get(&frame.id).map_or(0, |known| known.told.answer)).collect()
    }

    /// Asks each process which nodes listen, and tells the readers of those that are new: the main frame's first, whose
    /// pace tells how long the others may take.
    async fn probe(&mut self, tab: &Tab, frames: &[FrameInfo]) -> Result<Probed, PageError> {
        let mut probed = Probed::default();
        let mut roots = frames
            .iter()
            .enumerate()
            .filter(|(index, frame)| frames[..*index].iter().all(|other| other.session.id() != frame.session.id()));
        if let Some((_, main)) = roots.next()
            && let Some(known) = self.known.get(&main.id)
        {
            let begun = Instant::now();
            let listening = probe_process(tab, main, frames, known, MAIN_WITHIN).await?;
            self.pace = begun.elapsed();
            self.take_in(main, listening, &mut probed);
        }
        let limits = self.limits(frames);
        let asked = roots.map(|(index, root)| {
            let (known, within) = (self.known.get(&root.id), limits[index]);
            async move {
                let told = tokio::time::timeout(within, probe_process(tab, root, frames, known?, within)).await;
                Some((root, told.ok().and_then(Result::ok)))
            }
        });
        let told = join_all(asked).await;
        for (root, listening) in told.into_iter().flatten() {
            match listening {
                Some(listening) => self.take_in(root, listening, &mut probed),
                None => {
                    let own = frames.iter().filter(|frame| frame.session.id() == root.session.id());
                    probed.silent.extend(own.map(|frame| frame.id.clone()));
                }
            }
        }
        Ok(probed)
    }

    /// Keeps what a process told.
    fn take_in(&mut self, root: &FrameInfo, listening: Listening, probed: &mut Probed) {
        probed.fresh |= !listening.nodes.is_empty() || listening.changed;
        probed.unlooked += listening.unlooked;
        if let Some(known) = self.known.get_mut(&root.id) {
            known.node = listening.node;
            known.listeners.retain(|node, _| !listening.gone.contains(node));
            known.listeners.extend(listening.nodes);
        }
    }

    /// For each frame the number of its element in its parent's document; asked once in a document's life.
    async fn owners(&mut self, tab: &Tab, frames: &[FrameInfo], silent: &HashSet<FrameId>) -> Vec<Option<u32>> {
        let asked = frames.iter().map(|frame| {
            let known = self.known.get(&frame.id).and_then(|known| known.owner.clone());
            async move {
                let parent = frames.iter().find(|other| Some(&other.id) == frame.parent.as_ref())?;
                if let Some((document, local)) = known
                    && document == parent.document
                {
                    return Some((document, local));
                }
                if silent.contains(&parent.id) {
                    return None;
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

/// Asks one process, and hands what is new to the readers of its frames.
async fn probe_process(
    tab: &Tab,
    root: &FrameInfo,
    frames: &[FrameInfo],
    known: &Known,
    within: Duration,
) -> Result<Listening, PageError> {
    let (node, mut left) = listeners(tab, root, known.node.clone(), within).await?;
    let is_left = |node: &BackendNodeId| left.binary_search_by_key(node, |(node, _)| *node).is_ok();
    let gone: Vec<_> = known.listeners.keys().filter(|node| !is_left(node)).copied().collect();
    left.retain(|(node, _)| !known.listeners.contains_key(node));
    let unlooked = left.len().saturating_sub(LISTENERS_MAX);
    left.truncate(LISTENERS_MAX);
    let (mut nodes, mut changed) = (Vec::with_capacity(left.len()), false);
    for frame in frames.iter().filter(|frame| frame.session.id() == root.session.id()) {
        if !gone.is_empty() {
            // those that left the page with their listener cannot be resolved, and need not be
            changed |= World::new(tab, frame.id.clone()).unlisten(&gone, within).await.unwrap_or(false);
        }
        if left.is_empty() {
            continue;
        }
        let own = match World::new(tab, frame.id.clone()).listen(&left, within).await {
            Ok(own) => own,
            Err(error) if frame.id == root.id => return Err(error),
            Err(_) => continue,
        };
        left.retain(|(node, _)| !own.contains(node));
        nodes.extend(own.into_iter().map(|node| (node, true)));
    }
    nodes.extend(left.into_iter().map(|(node, _)| (node, false)));
    Ok(Listening { node, nodes, gone: gone.into_iter().collect(), changed, unlooked })
}

/// A node, and whether it listens for keys.
type Listener = (BackendNodeId, bool);

/// The nodes of a process that have a listener for a person's hand, and the handle that it was asked by.
async fn listeners(
    tab: &Tab,
    root: &FrameInfo,
    mut known: Option<RemoteObjectId>,
    within: Duration,
) -> Result<(Option<RemoteObjectId>, Vec<Listener>), PageError> {
    for again in [false, true] {
        let node = match known.take() {
            Some(node) => node,
            None => World::new(tab, root.id.clone()).document(within).await?,
        };
        let mut ask = GetEventListeners::new(node.clone());
        ask.depth = Some(-1);
        ask.pierce = Some(true);
        match tab.race(root.session.send(&ask), within).await {
            Ok(reply) => {
                let mut nodes: Vec<Listener> = reply
                    .listeners
                    .into_iter()
                    .filter(|listener| HAND_EVENTS.contains(&listener.kind.as_str()))
                    .filter_map(|listener| {
                        Some((listener.backend_node_id?, KEY_EVENTS.contains(&listener.kind.as_str())))
                    })
                    .collect();
                // of a node that listens for both, what is kept says keys
                nodes.sort_unstable_by_key(|(node, keys)| (*node, !keys));
                nodes.dedup_by_key(|(node, _)| *node);
                return Ok((Some(node), nodes));
            }
            // the handle died with its document (or with a page that came back from the cache)
            Err(BrowserError::Cdp(webhand_cdp::CdpError::Protocol { .. })) if !again => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok((None, Vec::new()))
}

async fn owner(tab: &Tab, parent: &FrameInfo, child: &FrameId) -> Result<u32, PageError> {
    let reply = tab.race(parent.session.send(&GetFrameOwner::new(child.clone())), FRAME_WITHIN).await?;
    World::new(tab, parent.id.clone()).number_of(reply.backend_node_id, FRAME_WITHIN).await
}

/// Reads every frame, side by side. `answers` are those whose lines are at hand; those in `silent` are not asked.
async fn read_all(
    tab: &Tab,
    frames: &[FrameInfo],
    limits: &[Duration],
    answers: &[u32],
    silent: &HashSet<FrameId>,
) -> Vec<Result<FrameText, PageError>> {
    let answer = |index| answers.get(index).copied().unwrap_or(0);
    join_all(frames.iter().zip(limits).enumerate().map(|(index, (frame, within))| async move {
        if index > 0 && silent.contains(&frame.id) {
            return Err(late(*within));
        }
        read_one(tab, frame, answer(index), *within).await
    }))
    .await
}

async fn read_one(tab: &Tab, frame: &FrameInfo, answer: u32, within: Duration) -> Result<FrameText, PageError> {
    let world = World::new(tab, frame.id.clone());
    let read = async move { world.call_raw(&Call::new("read").arg(answer), within).await };
    let json = tokio::time::timeout(within, read).await.unwrap_or_else(|_| Err(late(within)))?;
    wire::parse(&json).map_err(PageError::Answer)
}

fn late(within: Duration) -> PageError {
    PageError::Browser(BrowserError::Timeout { what: "reading the frame".to_owned(), after: within })
}

/// Opens the closed shadow roots that the reads may have passed by, and reads those frames again.
async fn open_roots(
    tab: &Tab,
    frames: &[FrameInfo],
    limits: &[Duration],
    texts: Vec<Result<FrameText, PageError>>,
) -> Vec<Result<FrameText, PageError>> {
    join_all(frames.iter().zip(limits).zip(texts).map(|((frame, within), text)| async move {
        // a closed root may hold another host
        let mut text = text;
        for _ in 0..CLOSED_DEPTH {
            if !matches!(&text, Ok(read) if read.meta.hosts > 0) {
                break;
            }
            let world = World::new(tab, frame.id.clone());
            match Box::pin(world.open_closed_roots(*within)).await {
                Ok(found) if found > 0 => text = read_one(tab, frame, 0, *within).await,
                _ => break,
            }
        }
        text
    }))
    .await
}
