//! The frames of one tab, over all the sessions that its parts live in.
//!
//! A frame of another site may live in a process of its own: then it has a
//! session of its own, and moves between sessions when it navigates. The events
//! of two sessions come in any order relative to each other, so each change is
//! written to be right whichever comes first.

use std::collections::HashMap;

use webhand_cdp::SessionId;
use webhand_cdp::protocol::page;

use crate::ids::{DocumentId, FrameId};

/// A page with more frames than this has the rest ignored.
const MAX_FRAMES: usize = 10_000;

/// What is known about one frame.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) id: FrameId,
    pub(crate) parent: Option<FrameId>,
    pub(crate) children: Vec<FrameId>,
    pub(crate) session: SessionId,
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) document: DocumentId,
    /// The address that could not be loaded, when an error page is shown.
    pub(crate) unreachable: Option<String>,
    pub(crate) progress: Progress,
}

/// What a list of frames brought.
#[derive(Debug, Default)]
pub(crate) struct Adopted {
    /// Frames that were not known.
    pub(crate) added: Vec<FrameId>,
    /// Frames whose document was not known.
    pub(crate) shown: Vec<FrameId>,
}

/// Why the frames of a session were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// The session is new.
    New,
    /// A page came back with its frames.
    Restored,
    /// Events were lost.
    Lagged,
}

/// How far the document of that loader is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) loader: String,
    pub(crate) dom_ready: bool,
    pub(crate) loaded: bool,
}

#[derive(Debug)]
pub(crate) struct FrameTree {
    main: FrameId,
    frames: HashMap<FrameId, Frame>,
    serial: u64,
}

impl FrameTree {
    pub(crate) fn new(main: FrameId, session: SessionId, url: &str) -> Self {
        let mut tree = Self { main: main.clone(), frames: HashMap::new(), serial: 0 };
        let mut frame = tree.fresh(main.clone(), None, session);
        if !url.is_empty() {
            url.clone_into(&mut frame.url);
        }
        tree.frames.insert(main, frame);
        tree
    }

    /// Counts on after the documents that were told of before the connection was lost: none of them is the one that is shown.
    pub(crate) fn count_on_after(&mut self, serial: u64) {
        self.serial = self.serial.saturating_add(serial);
        for frame in self.frames.values_mut() {
            frame.document = DocumentId::new(frame.document.loader(), frame.document.serial().saturating_add(serial));
        }
    }

    /// How many documents were told of.
    pub(crate) fn counted(&self) -> u64 {
        self.serial
    }

    pub(crate) fn main_id(&self) -> &FrameId {
        &self.main
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.main)
    }

    pub(crate) fn get(&self, id: &FrameId) -> Option<&Frame> {
        self.frames.get(id)
    }

    /// The frames, the main one first, each before its children.
    pub(crate) fn in_order(&self) -> Vec<&Frame> {
        let mut ordered = Vec::with_capacity(self.frames.len());
        let mut waiting = vec![&self.main];
        while let Some(id) = waiting.pop() {
            if let Some(frame) = self.frames.get(id) {
                ordered.push(frame);
                waiting.extend(frame.children.iter().rev());
            }
        }
        ordered
    }

    fn fresh(&mut self, id: FrameId, parent: Option<FrameId>, session: SessionId) -> Frame {
        self.serial += 1;
        Frame {
            id,
            parent,
            children: Vec::new(),
            session,
            url: "about:blank".to_owned(),
            name: String::new(),
            document: DocumentId::new("", self.serial),
            unreachable: None,
            progress: Progress::default(),
        }
    }

    fn insert(&mut self, id: &FrameId, parent: &FrameId, session: &SessionId) -> bool {
        if self.frames.len() >= MAX_FRAMES || !self.frames.contains_key(parent) {
            return false;
        }
        let frame = self.fresh(id.clone(), Some(parent.clone()), session.clone());
        self.frames.insert(id.clone(), frame);
        if let Some(parent) = self.frames.get_mut(parent) {
            parent.children.push(id.clone());
        }
        true
    }

    /// A frame is in its parent's process: a new one, or one that came back.
    pub(crate) fn attached(&mut self, session: &SessionId, id: &FrameId, parent: &FrameId) -> bool {
        match self.frames.get(id) {
            Some(frame) if frame.session == *session => false,
            Some(_) => {
                self.hand_over(id, session);
                false
            }
            None => self.insert(id, parent, session),
        }
    }

    /// A frame has a process and a session of its own from now on.
    pub(crate) fn moved(&mut self, session: &SessionId, id: &FrameId, parent: Option<&FrameId>, url: &str) -> bool {
        let main = self.main.clone();
        let added = match self.frames.get(id) {
            Some(_) => {
                self.hand_over(id, session);
                false
            }
            None => {
                let parent = parent.filter(|parent| self.frames.contains_key(parent)).unwrap_or(&main);
                self.insert(id, parent, session)
            }
        };
        if let Some(frame) = self.frames.get_mut(id).filter(|_| !url.is_empty()) {
            frame.url = url.to_owned();
        }
        added
    }

    /// A frame goes on in another session, with a document that is not known
    /// yet: it may have been shown before the session was there to tell.
    fn hand_over(&mut self, id: &FrameId, session: &SessionId) {
        self.remove_children(id);
        self.serial += 1;
        let document = DocumentId::new("", self.serial);
        if let Some(frame) = self.frames.get_mut(id) {
            frame.session = session.clone();
            frame.document = document;
            frame.progress = Progress::default();
        }
    }

    /// A frame left its parent's process, for another process or for good.
    /// Gives the frames that are gone.
    pub(crate) fn detached(&mut self, session: &SessionId, id: &FrameId, swapped: bool) -> Vec<FrameId> {
        let here = self.frames.get(id).is_some_and(|frame| frame.session == *session);
        match (here, swapped) {
            // Its new session was told first.
            (false, _) => Vec::new(),
            (true, true) => self.remove_children(id),
            (true, false) => self.remove(id),
        }
    }

    /// The frames that a lost session leaves without one, at the top only.
    pub(crate) fn orphans(&self, session: &SessionId) -> Vec<FrameId> {
        self.frames
            .values()
            .filter(|frame| frame.session == *session)
            .filter(|frame| {
                frame
                    .parent
                    .as_ref()
                    .and_then(|parent| self.frames.get(parent))
                    .is_none_or(|parent| parent.session != *session)
            })
            .map(|frame| frame.id.clone())
            .collect()
    }

    /// Removes a frame that still belongs to a session that is gone.
    pub(crate) fn remove_orphan(&mut self, session: &SessionId, id: &FrameId) -> Vec<FrameId> {
        let orphaned = self.frames.get(id).is_some_and(|frame| frame.session == *session);
        if orphaned { self.remove(id) } else { Vec::new() }
    }

    /// A frame shows another document. Gives the new state of the frame.
    pub(crate) fn navigated(&mut self, session: &SessionId, shown: &page::Frame, restored: bool) -> Option<&Frame> {
        if !self.frames.contains_key(&shown.id) {
            match &shown.parent_id {
                Some(parent) => {
                    self.insert(&shown.id, parent, session);
                }
                None => self.rename_main(session, &shown.id),
            }
        }
        let current = self.frames.get(&shown.id)?;
        if current.session != *session {
            return None;
        }
        if current.document.loader() == shown.loader_id.as_str() && !restored {
            // A list of frames told of it already.
            return None;
        }
        self.remove_children(&shown.id);
        self.serial += 1;
        let document = DocumentId::new(shown.loader_id.as_str(), self.serial);
        let frame = self.frames.get_mut(&shown.id)?;
        frame.document = document;
        frame.describe(shown);
        if restored {
            frame.progress = Progress { loader: shown.loader_id.to_string(), dom_ready: true, loaded: true };
        } else if frame.progress.loader != shown.loader_id.as_str() {
            frame.progress = Progress { loader: shown.loader_id.to_string(), ..Progress::default() };
        }
        Some(frame)
    }

    /// The main frame took the place of another (a page made ahead of time).
    fn rename_main(&mut self, session: &SessionId, id: &FrameId) {
        let top = self.main().is_some_and(|main| main.session == *session);
        if top {
            self.frames.clear();
            self.main = id.clone();
            let frame = self.fresh(id.clone(), None, session.clone());
            self.frames.insert(id.clone(), frame);
        }
    }

    /// Only the address of a frame changed.
    pub(crate) fn moved_within(&mut self, session: &SessionId, id: &FrameId, url: &str) -> Option<&Frame> {
        let frame = self.frames.get_mut(id).filter(|frame| frame.session == *session)?;
        frame.url = url.to_owned();
        Some(frame)
    }

    /// A step in the life of a document. Gives whether it is news.
    pub(crate) fn progressed(&mut self, session: &SessionId, event: &page::LifecycleEvent) -> bool {
        let Some(frame) = self.frames.get_mut(&event.frame_id).filter(|frame| frame.session == *session) else {
            return false;
        };
        let loader = event.loader_id.as_str();
        let progress = &mut frame.progress;
        match event.name.as_str() {
            // `commit` comes instead of `init` when the past is told to a new
            // session.
            "init" | "commit" => {
                if progress.loader != loader {
                    *progress = Progress { loader: loader.to_owned(), ..Progress::default() };
                }
                false
            }
            "DOMContentLoaded" if progress.loader == loader => !std::mem::replace(&mut progress.dom_ready, true),
            "load" if progress.loader == loader => {
                progress.dom_ready = true;
                !std::mem::replace(&mut progress.loaded, true)
            }
            _ => false,
        }
    }

    /// Takes in the frames that a session had when it was attached. What events
    /// have told since is newer and stays; `gone` went in the meantime. Gives
    /// what is new.
    pub(crate) fn adopt(
        &mut self,
        session: &SessionId,
        tree: &page::FrameTree,
        gone: &[FrameId],
        why: Listing,
    ) -> Adopted {
        let mut adopted = Adopted::default();
        let mut waiting = vec![tree];
        while let Some(branch) = waiting.pop() {
            let shown = &branch.frame;
            if gone.contains(&shown.id) {
                continue;
            }
            if !self.frames.contains_key(&shown.id) {
                match &shown.parent_id {
                    Some(parent) if self.insert(&shown.id, parent, session) => {
                        adopted.added.push(shown.id.clone());
                    }
                    Some(_) => {}
                    None => self.rename_main(session, &shown.id),
                }
            }
            if self.catch_up(session, shown, why) {
                adopted.shown.push(shown.id.clone());
            }
            waiting.extend(branch.child_frames.iter().flatten().rev());
        }
        adopted
    }

    /// Brings one frame up to what a list says of it. Gives whether that is
    /// another document.
    fn catch_up(&mut self, session: &SessionId, shown: &page::Frame, why: Listing) -> bool {
        let next = self.serial + 1;
        let Some(frame) = self.frames.get_mut(&shown.id).filter(|frame| frame.session == *session) else {
            return false;
        };
        let loader = shown.loader_id.as_str();
        let serial = match frame.document.loader() {
            "" => frame.document.serial(),
            known if why == Listing::Lagged && known != loader => {
                self.serial = next;
                next
            }
            _ => return false,
        };
        frame.document = DocumentId::new(loader, serial);
        frame.describe(shown);
        if frame.progress.loader != loader {
            let done = why == Listing::Restored;
            frame.progress = Progress { loader: loader.to_owned(), dom_ready: done, loaded: done };
        }
        true
    }

    /// Drops the frames of a session that its own list does not have any more,
    /// after events were lost.
    pub(crate) fn prune(&mut self, session: &SessionId, tree: &page::FrameTree) -> Vec<FrameId> {
        let mut listed = std::collections::HashSet::new();
        let mut waiting = vec![tree];
        while let Some(branch) = waiting.pop() {
            listed.insert(&branch.frame.id);
            waiting.extend(branch.child_frames.iter().flatten());
        }
        let lost: Vec<FrameId> = self
            .frames
            .values()
            .filter(|frame| frame.session == *session && !listed.contains(&frame.id))
            .map(|frame| frame.id.clone())
            .collect();
        lost.iter().flat_map(|id| self.remove(id)).collect()
    }

    fn remove(&mut self, id: &FrameId) -> Vec<FrameId> {
        if *id == self.main {
            return Vec::new();
        }
        let parent = self.frames.get(id).and_then(|frame| frame.parent.clone());
        if let Some(parent) = parent.and_then(|parent| self.frames.get_mut(&parent)) {
            parent.children.retain(|child| child != id);
        }
        self.remove_all(vec![id.clone()])
    }

    fn remove_children(&mut self, id: &FrameId) -> Vec<FrameId> {
        let children = match self.frames.get_mut(id) {
            Some(frame) => std::mem::take(&mut frame.children),
            None => return Vec::new(),
        };
        self.remove_all(children)
    }

    fn remove_all(&mut self, mut waiting: Vec<FrameId>) -> Vec<FrameId> {
        let mut gone = Vec::new();
        while let Some(id) = waiting.pop() {
            if let Some(frame) = self.frames.remove(&id) {
                waiting.extend(frame.children);
                gone.push(id);
            }
        }
        gone
    }
}

impl Frame {
    fn describe(&mut self, shown: &page::Frame) {
        self.url = shown.url.clone();
        if let Some(fragment) = &shown.url_fragment {
            self.url.push_str(fragment);
        }
        if self.url.is_empty() {
            "about:blank".clone_into(&mut self.url);
        }
        self.name = shown.name.clone().unwrap_or_default();
        self.unreachable = shown.unreachable_url.clone();
    }
}
