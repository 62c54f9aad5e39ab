//! Where a control of an earlier snapshot is now, told by what stands around it and by where it leads.
//!
//! Pure functions of two snapshots of one page. They serve where a control was drawn anew and nothing of its own tells it
//! from others: either exactly one control is in the same place, or the answer is `None`.

use crate::{
    refs::Ref,
    snapshot::{Control, Node, Snapshot},
};

/// What a reader finds around a control: the heading over it, the text before it and the text behind it.
type Surroundings<'a> = [Option<&'a str>; 3];

impl Snapshot {
    /// The control that stands where another stood in an earlier snapshot: of the same role and name, in a row of the same
    /// words, under the same heading, between the same texts. Where several do, the page must read as it did
    /// before, and it is the one at the same place among them.
    ///
    /// ```
    /// use webhand_page::{Family, Ref, Snapshot};
    /// let page = Snapshot::default();
    /// assert_eq!(page.same_place(&page, Ref::new(Family::Button, 12)), None);
    /// ```
    #[must_use]
    pub fn same_place(&self, before: &Snapshot, wanted: Ref) -> Option<Ref> {
        let (was, old, seen) = before.places().find(|(_, _, control)| control.r#ref == wanted)?;
        let alike = |page: &Snapshot, (_, node, control): &(usize, &Node, &Control)| {
            identity(node, control) == identity(old, seen) && page.frame_address(node) == before.frame_address(old)
        };
        let then: Vec<_> = before.places().filter(|place| alike(before, place)).collect();
        let now: Vec<_> = self.places().filter(|place| alike(self, place)).collect();
        let around = before.surroundings(was);
        // that nothing stands beside it tells it from no other
        let fits = |page: &Snapshot, index: usize| {
            let there = page.surroundings(index);
            around.iter().zip(there).all(|(was, is)| was.is_none() || *was == is)
        };
        if then.iter().filter(|(index, ..)| fits(before, *index)).count() == 1 {
            let mut there = now.iter().filter(|(index, ..)| fits(self, *index));
            let (index, _, control) = there.next().filter(|_| there.next().is_none())?;
            return (self.surroundings(*index) == around).then_some(control.r#ref);
        }
        let place = then.iter().position(|(index, ..)| *index == was)?;
        let as_before = self.nodes.iter().map(what).eq(before.nodes.iter().map(what));
        now.get(place).filter(|_| as_before).map(|(.., control)| control.r#ref)
    }

    /// The only link that leads where another led in an earlier snapshot, its name the same but for figures: `Inbox (3)`
    /// and `Inbox (4)`.
    ///
    /// ```
    /// use webhand_page::{Family, Ref, Snapshot};
    /// let page = Snapshot::default();
    /// assert_eq!(page.same_address(&page, Ref::new(Family::Link, 12)), None);
    /// ```
    #[must_use]
    pub fn same_address(&self, before: &Snapshot, wanted: Ref) -> Option<Ref> {
        let (_, old, seen) = before.places().find(|(_, _, control)| control.r#ref == wanted)?;
        let href = address(seen)?;
        let leads = |page: &Snapshot, node: &Node, control: &Control| {
            node.role.as_str() == "link"
                && address(control) == Some(href)
                && page.frame_address(node) == before.frame_address(old)
        };
        let only = |page: &Snapshot| {
            let mut there = page.places().filter(|(_, node, control)| leads(page, node, control));
            there.next().filter(|_| there.next().is_none()).map(|(_, node, control)| (node.name.clone(), control.r#ref))
        };
        only(before)?;
        let (name, found) = only(self)?;
        (without_figures(&name) == without_figures(&old.name)).then_some(found)
    }

    /// The controls with their nodes and where these stand.
    fn places(&self) -> impl Iterator<Item = (usize, &Node, &Control)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(index, node)| node.control.as_deref().map(|control| (index, node, control)))
    }

    fn frame_address(&self, node: &Node) -> Option<&str> {
        self.frames.get(node.frame as usize).map(|frame| frame.url.as_str())
    }

    fn surroundings(&self, index: usize) -> Surroundings<'_> {
        let frame = self.nodes.get(index).map(|node| node.frame);
        let says = |node: &&Node| Some(node.frame) == frame && node.control.is_none() && !node.name.is_empty();
        let before = || self.nodes.iter().take(index).rev().filter(says);
        let heading = before().find(|node| node.role.as_str() == "heading");
        let behind = self.nodes.iter().skip(index + 1).find(says);
        [heading, before().next(), behind].map(|node| node.map(|node| &*node.name))
    }
}

fn identity<'a>(node: &'a Node, control: &Control) -> (&'a str, &'a str, u64) {
    (node.role.as_str(), &*node.name, control.item)
}

/// What a reader sees of a node, its number and its state aside.
fn what(node: &Node) -> (u32, &str, &str, Option<u64>) {
    (node.frame, node.role.as_str(), &node.name, node.control.as_deref().map(|control| control.item))
}

/// Where a link leads, if it leads to a place of its own.
fn address(control: &Control) -> Option<&str> {
    let href = control.attributes.href.as_deref()?;
    (!href.ends_with('#') && !href.starts_with("javascript:")).then_some(href)
}

fn without_figures(name: &str) -> String {
    let kept: String = name.chars().filter(|letter| letter.is_alphabetic() || letter.is_whitespace()).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{format::sample::Sample, refs::Family};

    /// Headings, each with a button "Delete" under it; refs from `from` on.
    fn people(names: &[&str], from: u32) -> Snapshot {
        let mut page = Sample::new("People");
        for name in names {
            page.heading(2, name).control("button", "Delete");
        }
        let mut page = page.done();
        for (number, control) in (from..).zip(page.nodes.iter_mut().filter_map(|node| node.control.as_mut())) {
            std::sync::Arc::make_mut(control).r#ref.number = number;
        }
        page
    }

    fn button(number: u32) -> Ref {
        Ref::new(Family::Button, number)
    }

    #[test]
    fn what_stands_around_it_tells_it_from_others() {
        let before = people(&["Alice", "Bob", "Carol"], 1);
        let after = people(&["Zed", "Alice", "Bob"], 11);
        assert_eq!(after.same_place(&before, button(1)), Some(button(12)));
        assert_eq!(after.same_place(&before, button(2)), None, "Carol is no more behind it");
        assert_eq!(after.same_place(&before, button(3)), None, "Carol is gone");
    }

    #[test]
    fn true_twins_are_the_same_only_on_a_page_that_is_as_it_was() {
        let before = people(&["Row", "Row"], 1);
        assert_eq!(people(&["Row", "Row"], 11).same_place(&before, button(2)), Some(button(12)));
        assert_eq!(people(&["Row", "Row", "Row"], 11).same_place(&before, button(2)), None);
        assert_eq!(people(&["Row"], 11).same_place(&before, button(2)), None);
    }

    #[test]
    fn a_link_is_known_by_its_address_when_only_its_figures_changed() {
        let inbox = |name: &str, href: &str| {
            let mut page = Sample::new("Mail");
            page.control_with("link", name, |link| link.attributes.href = Some(href.to_owned()));
            page.done()
        };
        let link = Ref::new(Family::Link, 1);
        let before = inbox("Inbox (3)", "http://a/in");
        assert_eq!(inbox("Inbox (14)", "http://a/in").same_address(&before, link), Some(link));
        assert_eq!(inbox("Inbox (3)", "http://a/out").same_address(&before, link), None);
        assert_eq!(inbox("Delete (3)", "http://a/in").same_address(&before, link), None);
        let anchor = inbox("Inbox (3)", "http://a/#");
        assert_eq!(anchor.same_address(&anchor, link), None, "that leads nowhere");
    }

    proptest! {
        /// Whatever happened to the page, what is found stands under the same heading.
        #[test]
        fn what_is_found_stands_under_the_same_heading(
            was in proptest::collection::vec("[a-c]", 1..6), is in proptest::collection::vec("[a-c]", 0..6), wanted in 0u32..6,
        ) {
            let strs = |names: &[String]| names.iter().map(|name| (*name).clone()).collect::<Vec<_>>();
            let (was, is) = (strs(&was), strs(&is));
            let before = people(&was.iter().map(String::as_str).collect::<Vec<_>>(), 0);
            let after = people(&is.iter().map(String::as_str).collect::<Vec<_>>(), 100);
            if let Some(found) = after.same_place(&before, button(wanted)) {
                prop_assert_eq!(&is[(found.number - 100) as usize], &was[wanted as usize]);
            }
        }
    }
}
