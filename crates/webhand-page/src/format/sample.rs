//! Snapshots built by hand, for tests.

use std::sync::Arc;

use crate::{
    refs::{Family, Ref},
    snapshot::{Attributes, Control, FrameMeta, Node, Role, Snapshot, State, family_of},
};

/// Builds a snapshot node by node; numbers run from 1.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(crate) snapshot: Snapshot,
    depth: u16,
    frame: u32,
    next: u32,
    above: bool,
}

impl Sample {
    pub(crate) fn new(title: &str) -> Self {
        let mut sample = Self::default();
        sample.snapshot.page.title = title.to_owned();
        sample.snapshot.page.url = "http://shop.example/".to_owned();
        sample.snapshot.page.viewport = (1280.0, 720.0);
        sample.snapshot.frames.push(FrameMeta::default());
        sample
    }

    fn push(&mut self, role: &str, name: &str) -> &mut Node {
        let node = Node {
            depth: self.depth,
            frame: self.frame,
            role: Role::new(role),
            name: name.into(),
            in_view: !self.above,
            ..Node::default()
        };
        self.snapshot.nodes.push(node);
        self.snapshot.nodes.last_mut().unwrap()
    }

    /// What follows is out of view (or in view again).
    pub(crate) fn out_of_view(&mut self, out: bool) -> &mut Self {
        self.above = out;
        self
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.push("text", text);
        self
    }

    pub(crate) fn heading(&mut self, level: u8, text: &str) -> &mut Self {
        self.push("heading", text).level = Some(level);
        self
    }

    /// A structural node without a name and children; more by [`Self::within`].
    pub(crate) fn part(&mut self, role: &str, name: &str) -> &mut Self {
        self.push(role, name);
        self
    }

    /// What `inner` adds stands one level deeper, under the last node.
    pub(crate) fn within(&mut self, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self
    }

    pub(crate) fn control(&mut self, role: &str, name: &str) -> &mut Self {
        self.control_with(role, name, |_| {})
    }

    pub(crate) fn control_with(&mut self, role: &str, name: &str, change: impl FnOnce(&mut Control)) -> &mut Self {
        self.next += 1;
        let mut control = Control {
            r#ref: Ref::new(family_of(role), self.next),
            new: false,
            tag: "div".to_owned(),
            kind: None,
            rect: [0.0; 4],
            attributes: Attributes::default(),
            item: 0,
            guessed_name: false,
            state: State::default(),
        };
        change(&mut control);
        self.push(role, name).control = Some(Arc::new(control));
        self
    }

    /// A frame whose content `inner` adds.
    pub(crate) fn frame(&mut self, name: &str, url: &str, inner: impl FnOnce(&mut Self)) -> &mut Self {
        self.control("iframe", name);
        let number = self.next;
        self.snapshot.frames.push(FrameMeta {
            r#ref: Some(Ref::new(Family::Frame, number)),
            url: url.to_owned(),
            ..FrameMeta::default()
        });
        let outer = std::mem::replace(&mut self.frame, u32::try_from(self.snapshot.frames.len() - 1).unwrap());
        self.within(inner);
        self.frame = outer;
        self
    }

    pub(crate) fn done(&mut self) -> Snapshot {
        std::mem::take(&mut self.snapshot)
    }
}
