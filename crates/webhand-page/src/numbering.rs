//! Which ref names which element: one series of numbers for a session, never used twice.
//!
//! Pure: documents are named by their ids, elements by the number that the document's own reader gave them.

use std::collections::HashMap;

use webhand_browser::{DocumentId, FrameId, TabId};

use crate::refs::{Family, Ref};

/// Where the element behind a ref is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Handle {
    /// The tab.
    pub tab: TabId,
    /// The frame.
    pub frame: FrameId,
    /// The document; when the frame has another one, the ref is stale.
    pub document: DocumentId,
    /// The number that the document's reader gave the element.
    pub local: u32,
}

/// The document of a frame of a tab.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Document {
    pub(crate) tab: TabId,
    pub(crate) frame: FrameId,
    pub(crate) id: DocumentId,
}

/// The refs of a session.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    last: u32,
    documents: HashMap<Document, HashMap<u32, u32>>,
    handles: HashMap<u32, (Handle, Family)>,
}

impl Numbering {
    /// Whether the document was read before.
    pub(crate) fn knows(&self, document: &Document) -> bool {
        self.documents.contains_key(document)
    }

    /// The ref of an element, and whether it is new.
    pub(crate) fn number(&mut self, document: &Document, local: u32, family: Family) -> (Ref, bool) {
        let numbers = match self.documents.get_mut(document) {
            Some(numbers) => numbers,
            None => self.documents.entry(document.clone()).or_default(),
        };
        let mut new = false;
        let number = *numbers.entry(local).or_insert_with(|| {
            new = true;
            self.last += 1;
            self.last
        });
        if new {
            let Document { tab, frame, id } = document.clone();
            self.handles.insert(number, (Handle { tab, frame, document: id, local }, family));
        } else if let Some((_, known)) = self.handles.get_mut(&number) {
            *known = family;
        }
        (Ref::new(family, number), new)
    }

    /// The element with that number, and the family under which it was last printed.
    pub(crate) fn handle(&self, number: u32) -> Option<&(Handle, Family)> {
        self.handles.get(&number)
    }

    /// The ref with that number, under the family by which it was last printed.
    pub(crate) fn current(&self, number: u32) -> Option<Ref> {
        self.handles.get(&number).map(|(_, family)| Ref::new(*family, number))
    }

    /// The ref that an element of a document already has.
    pub(crate) fn existing(&self, document: &Document, local: u32) -> Option<Ref> {
        self.current(*self.documents.get(document)?.get(&local)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(serial: u64) -> Document {
        Document { tab: "t1".parse().unwrap(), frame: "F".into(), id: DocumentId::new("L", serial) }
    }

    #[test]
    fn an_element_keeps_its_number_and_no_number_comes_twice() {
        let mut numbering = Numbering::default();
        let (first, new) = numbering.number(&document(1), 7, Family::Button);
        assert!(new);
        assert_eq!(numbering.number(&document(1), 7, Family::Button), (first, false));
        let (other, _) = numbering.number(&document(2), 7, Family::Button);
        assert_ne!(first.number, other.number, "the same place of another document is another thing");
        assert_eq!(numbering.handle(first.number).unwrap().0.local, 7);
    }
}
