//! Puts what the frames told together: numbers the controls, sets each frame's lines under its element.

use std::collections::HashMap;

use webhand_browser::TabId;

use super::FrameRead;
use crate::{
    numbering::{Document, Numbering},
    refs::{Family, Ref},
    snapshot::{Control, Cover, FrameMeta, Node, PageMeta, Role, Snapshot, family_of},
    wire::{FrameText, Line, Meta, What, WireControl},
};

/// One frame, ready to be set in place.
struct Part {
    document: Document,
    known: bool,
    meta: FrameMeta,
    text: FrameText,
    /// Index of the parent's part and the number of the element in it.
    owner: Option<(usize, u32)>,
}

pub(super) fn assemble(numbering: &mut Numbering, tab: TabId, reads: Vec<FrameRead>) -> Snapshot {
    let ids: HashMap<_, _> = reads.iter().enumerate().map(|(index, read)| (read.info.id.clone(), index)).collect();
    let mut parts: Vec<Part> = Vec::with_capacity(reads.len());
    for read in reads {
        let document = Document { tab, frame: read.info.id.clone(), id: read.info.document.clone() };
        let parent = read.info.parent.as_ref().and_then(|parent| ids.get(parent).copied());
        let (text, unread) = match read.text {
            Ok(text) => (text, None),
            Err(why) => (FrameText::default(), Some(why)),
        };
        let url = if text.meta.url.is_empty() { read.info.url } else { text.meta.url.clone() };
        parts.push(Part {
            known: numbering.knows(&document),
            meta: FrameMeta { r#ref: None, url, document: document.id.to_string(), unread },
            document,
            text,
            owner: parent.zip(read.owner),
        });
    }
    let mut snapshot = Snapshot::default();
    if let Some(main) = parts.first() {
        snapshot.page = page_meta(&main.text.meta, tab);
    }
    let mut lines: Vec<Vec<Line>> = parts.iter_mut().map(|part| std::mem::take(&mut part.text.lines)).collect();
    let mut builder = Builder { numbering, parts: &mut parts, nodes: Vec::new(), focus: None };
    builder.place(0, 0, &mut lines);
    snapshot.nodes = builder.nodes;
    snapshot.page.focus = builder.focus;
    snapshot.frames = parts.into_iter().map(|part| part.meta).collect();
    snapshot
}

fn page_meta(meta: &Meta, tab: TabId) -> PageMeta {
    let views = |pixels: f64| if meta.height > 0.0 { (pixels / meta.height * 10.0).round() / 10.0 } else { 0.0 };
    PageMeta {
        title: meta.title.clone(),
        url: meta.url.clone(),
        status: None,
        language: meta.language.clone(),
        tab: tab.to_string(),
        viewport: (meta.width, meta.height),
        pages_above: views(meta.above),
        pages_below: views(meta.below),
        focus: None,
    }
}

struct Builder<'a> {
    numbering: &'a mut Numbering,
    parts: &'a mut Vec<Part>,
    nodes: Vec<Node>,
    focus: Option<Ref>,
}

impl Builder<'_> {
    /// Sets a frame's lines here, and those of the frames in it under their elements.
    ///
    /// Frames are a tree with each frame once, so this cannot go deeper than there are frames.
    fn place(&mut self, part: usize, depth: u16, lines: &mut [Vec<Line>]) {
        let own = std::mem::take(&mut lines[part]);
        let focus = self.parts[part].text.meta.focus;
        for line in own {
            let depth = depth.saturating_add(line.depth);
            let mut node = Node {
                depth,
                frame: u32::try_from(part).unwrap_or(u32::MAX),
                in_view: line.in_view,
                ..Node::default()
            };
            let mut inner = None;
            match line.what {
                What::Text(text) => {
                    node.role = Role::new("text");
                    node.name = text;
                }
                What::Structure { role, level, name } => {
                    node.role = Role::new(&role);
                    node.level = level;
                    node.name = name;
                }
                What::Control(wire) => {
                    let (local, is_frame) = (wire.local, wire.more.frame == 1);
                    let control = self.control(part, &mut node, *wire);
                    if local == focus {
                        self.focus = Some(control.r#ref);
                    }
                    if is_frame {
                        inner = self.parts.iter().position(|child| child.owner == Some((part, local)));
                        if let Some(child) = inner {
                            self.parts[child].meta.r#ref = Some(control.r#ref);
                        }
                    }
                    node.control = Some(Box::new(control));
                }
            }
            self.nodes.push(node);
            if let Some(child) = inner.filter(|child| *child != part) {
                self.place(child, depth.saturating_add(1), lines);
            }
        }
    }

    fn control(&mut self, part: usize, node: &mut Node, wire: WireControl) -> Control {
        let Part { document, known, text, .. } = &self.parts[part];
        let (r#ref, new) = self.numbering.number(document, wire.local, family_of(&wire.role));
        let covered = wire.more.cover.map(|cover| {
            let known = self.numbering.existing(document, cover.local);
            let layer = known.unwrap_or_else(|| self.numbering.number(document, cover.local, Family::Dialog).0);
            Cover { r#ref: Some(layer), name: cover.name }
        });
        let mut state = wire.more.state;
        state.covered = covered;
        node.role = Role::new(&wire.role);
        node.name = wire.name;
        Control {
            r#ref,
            new: new && *known,
            tag: wire.tag,
            kind: wire.kind,
            rect: wire.rect.unwrap_or_default(),
            attributes: wire.more.attributes,
            item: wire.item.and_then(|item| text.items.get(item).copied()).unwrap_or(0),
            guessed_name: wire.more.guessed == 1,
            state,
        }
    }
}
