//! Puts what the frames told together: numbers the controls, sets each frame's lines under its element.

use std::{collections::HashMap, sync::Arc};

use webhand_browser::TabId;

use super::{FrameRead, Known};
use crate::{
    numbering::{Document, Numbering},
    refs::{Family, Ref},
    snapshot::{Control, Cover, FrameMeta, Node, PageMeta, Role, Snapshot, family_of},
    wire::{FrameText, Line, Meta, Step, What, WireControl},
};

const STILL_LOADING: &str = "it is still loading";
const CAME_LATE: &str = "it came up while the page was read";

/// The lines of a frame's last answer, as they were placed: what stays is not told, parsed and numbered again.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The answer's number; 0 for none.
    pub(super) answer: u32,
    lines: Vec<Placed>,
}

/// One line of a frame: its node, as deep as it stands in that frame.
#[derive(Debug)]
struct Placed {
    node: Node,
    /// The element's number where it is a control, else 0.
    local: u32,
    is_frame: bool,
    /// Where the frame is on its way to, while it still has its first, empty document.
    pending: Option<String>,
}

/// One frame, ready to be set in place.
struct Part {
    meta: FrameMeta,
    lines: Vec<Placed>,
    /// The number of the element that has the focus.
    focus: u32,
    /// Index of the parent's part and the number of the element in it.
    owner: Option<(usize, u32)>,
}

pub(super) fn assemble(
    numbering: &mut Numbering,
    known: &mut HashMap<webhand_browser::FrameId, Known>,
    tab: TabId,
    reads: Vec<FrameRead>,
) -> Snapshot {
    let index_of: HashMap<_, _> = reads.iter().enumerate().map(|(index, read)| (read.info.id.clone(), index)).collect();
    let mut snapshot = Snapshot::default();
    let mut parts = Vec::with_capacity(reads.len());
    let mut answers = Vec::with_capacity(reads.len());
    for (index, read) in reads.into_iter().enumerate() {
        let parent = read.info.parent.as_ref().and_then(|parent| index_of.get(parent).copied());
        let document = Document { tab, frame: read.info.id.clone(), id: read.info.document.clone() };
        let mut part = Part {
            meta: FrameMeta { r#ref: None, url: read.info.url, document: document.id.to_string(), unread: None },
            lines: Vec::new(),
            focus: 0,
            owner: parent.zip(read.owner),
        };
        match read.text {
            Ok(text) => {
                if !text.meta.url.is_empty() {
                    part.meta.url.clone_from(&text.meta.url);
                }
                let failed = read.info.unreachable;
                if let Some(url) = &failed {
                    part.meta.url.clone_from(url);
                }
                if index == 0 {
                    snapshot.page = page_meta(&text.meta, &part.meta.url, tab);
                    if failed.is_some() {
                        snapshot.page.title = "this page could not be loaded".to_owned();
                    }
                }
                part.focus = text.meta.focus;
                answers.push((read.info.id.clone(), text.meta.answer));
                let before = known.get_mut(&read.info.id).map(|known| std::mem::take(&mut known.told.lines));
                part.lines = follow(text, before.unwrap_or_default(), &mut Numberer::new(numbering, document));
            }
            Err(why) => {
                part.meta.unread = Some(why);
                answers.push((read.info.id.clone(), 0));
            }
        }
        parts.push(part);
    }
    let mut builder = Builder { parts: &mut parts, nodes: Vec::new(), missed: Vec::new(), focus: None };
    builder.place(0, 0);
    let missed = builder.missed;
    snapshot.nodes = builder.nodes;
    snapshot.page.focus = builder.focus;
    for (part, (frame, answer)) in parts.into_iter().zip(answers) {
        snapshot.frames.push(part.meta);
        if let Some(known) = known.get_mut(&frame) {
            known.told = Told { answer, lines: part.lines };
        }
    }
    snapshot.frames.extend(missed);
    snapshot
}

fn page_meta(meta: &Meta, url: &str, tab: TabId) -> PageMeta {
    let views = |pixels: f64| if meta.height > 0.0 { (pixels / meta.height * 10.0).round() / 10.0 } else { 0.0 };
    PageMeta {
        title: meta.title.clone(),
        url: url.to_owned(),
        status: None,
        language: meta.language.clone(),
        tab: tab.to_string(),
        viewport: (meta.width, meta.height),
        pages_above: views(meta.above),
        pages_below: views(meta.below),
        focus: None,
        unlooked: 0,
    }
}

/// The lines that an answer's steps lead to from those before.
///
/// An answer only keeps lines of the answer whose number it was asked with; more than those there cannot be.
fn follow(text: FrameText, before: Vec<Placed>, numberer: &mut Numberer<'_>) -> Vec<Placed> {
    let mut before = before.into_iter();
    let mut lines = Vec::with_capacity(text.steps.len().max(before.len()));
    for step in text.steps {
        match step {
            Step::Keep(count) => lines.extend(before.by_ref().take(count).map(|line| numberer.keep(line))),
            Step::Drop(count) => before.by_ref().take(count).for_each(drop),
            Step::Line(line) => lines.push(numberer.place(line)),
        }
    }
    // what covers may be listed after what it covers, and gets its letter there
    for line in &mut lines {
        numberer.letter_cover(line);
    }
    lines
}

/// Numbers the controls of one frame.
struct Numberer<'a> {
    numbering: &'a mut Numbering,
    document: Document,
    /// Whether the document was read before.
    known: bool,
}

impl<'a> Numberer<'a> {
    fn new(numbering: &'a mut Numbering, document: Document) -> Self {
        let known = numbering.knows(&document);
        Self { numbering, document, known }
    }

    /// A line that stays: what was new is so no more.
    fn keep(&mut self, mut line: Placed) -> Placed {
        if let Some(control) = line.node.control.as_mut().filter(|control| control.new) {
            Arc::make_mut(control).new = false;
        }
        line
    }

    /// Gives what covers a control the letter that it is listed under.
    fn letter_cover(&self, line: &mut Placed) {
        let Some(control) = &mut line.node.control else { return };
        let cover = control.state.covered.as_ref().and_then(|cover| cover.r#ref);
        let now = cover.and_then(|cover| self.numbering.current(cover.number));
        if let Some(now) = now.filter(|_| now != cover)
            && let Some(cover) = &mut Arc::make_mut(control).state.covered
        {
            cover.r#ref = Some(now);
        }
    }

    fn place(&mut self, line: Line) -> Placed {
        let mut node = Node { depth: line.depth, in_view: line.in_view, ..Node::default() };
        let (mut local, mut is_frame, mut pending) = (0, false, None);
        match line.what {
            What::Text(text) => {
                node.role = Role::new("text");
                node.name = text;
            }
            What::Structure { role, level, name } => {
                node.role = role;
                node.level = level;
                node.name = name;
            }
            What::Control(wire) => {
                local = wire.local;
                let mut wire = *wire;
                is_frame = wire.more.frame == 1;
                pending = wire.more.pending.take();
                node.control = Some(Arc::new(self.control(&mut node, wire)));
            }
        }
        Placed { node, local, is_frame, pending }
    }

    fn control(&mut self, node: &mut Node, wire: WireControl) -> Control {
        let (r#ref, new) = self.numbering.number(&self.document, wire.local, family_of(wire.role.as_str()));
        let covered = wire.more.cover.map(|cover| {
            let known = self.numbering.existing(&self.document, cover.local);
            let layer = known.unwrap_or_else(|| self.numbering.number(&self.document, cover.local, Family::Dialog).0);
            Cover { r#ref: Some(layer), name: cover.name }
        });
        let mut state = wire.more.state;
        state.covered = covered;
        node.role = wire.role;
        node.name = wire.name;
        Control {
            r#ref,
            new: new && self.known,
            tag: wire.tag,
            kind: wire.kind,
            rect: wire.rect.unwrap_or_default(),
            attributes: wire.more.attributes,
            item: wire.item,
            guessed_name: wire.more.guessed == 1,
            state,
        }
    }
}

struct Builder<'a> {
    parts: &'a mut Vec<Part>,
    nodes: Vec<Node>,
    /// Frames whose elements are there, and of which nothing was told.
    missed: Vec<FrameMeta>,
    focus: Option<Ref>,
}

impl Builder<'_> {
    /// Sets a frame's lines here, and those of the frames in it under their elements.
    ///
    /// Frames are a tree with each frame once, so this cannot go deeper than there are frames.
    fn place(&mut self, part: usize, depth: u16) {
        let lines = std::mem::take(&mut self.parts[part].lines);
        let focus = self.parts[part].focus;
        self.nodes.reserve(lines.len());
        for line in &lines {
            let mut node = line.node.clone();
            node.depth = depth.saturating_add(node.depth);
            node.frame = u32::try_from(part).unwrap_or(u32::MAX);
            let below = node.depth.saturating_add(1);
            let own = node.control.as_ref().map(|control| control.r#ref);
            if line.local != 0 && line.local == focus {
                self.focus = own;
            }
            self.nodes.push(node);
            if !line.is_frame {
                continue;
            }
            let inner = self.parts.iter().position(|child| child.owner == Some((part, line.local)));
            if let Some(child) = inner.filter(|child| *child != part) {
                let meta = &mut self.parts[child].meta;
                meta.r#ref = own;
                if let Some(url) = &line.pending {
                    meta.url.clone_from(url);
                    meta.unread = Some(STILL_LOADING.to_owned());
                }
                self.place(child, below);
            } else {
                // it came up after the page's frames were counted
                self.missed.push(FrameMeta {
                    r#ref: own,
                    url: line.pending.clone().unwrap_or_default(),
                    document: String::new(),
                    unread: Some(if line.pending.is_some() { STILL_LOADING } else { CAME_LATE }.to_owned()),
                });
            }
        }
        self.parts[part].lines = lines;
    }
}
