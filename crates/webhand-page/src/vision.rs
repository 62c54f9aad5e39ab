//! When a model needs to see a picture, and of what: the text says where it is not enough.
//!
//! A pure function of a snapshot.

use serde::{Deserialize, Serialize};

use crate::{
    refs::Family,
    snapshot::{Control, Node, Snapshot},
};

/// More of the view than this is not worth a cut.
const MOST_OF_VIEW: f64 = 0.5;
/// What is left around what is cut out, CSS pixels.
const MARGIN: f64 = 24.0;

/// When pictures go to a model that can see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Vision {
    /// Never.
    Off,
    /// Where the text is not enough: controls without a name of their own, canvases; or where the model asks.
    #[default]
    Auto,
    /// With every look.
    Always,
}

/// Which picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Sight {
    /// None.
    None,
    /// What is in view.
    View,
    /// A part of it: left, top, width and height in CSS pixels.
    Region([f64; 4]),
}

impl Vision {
    /// The picture that should go with a snapshot; `asked` says that the model wants one.
    ///
    /// ```
    /// use webhand_page::{Sight, Snapshot, Vision};
    /// assert_eq!(Vision::Auto.picture(&Snapshot::default(), false), Sight::None);
    /// assert_eq!(Vision::Auto.picture(&Snapshot::default(), true), Sight::View);
    /// assert_eq!(Vision::Off.picture(&Snapshot::default(), true), Sight::None);
    /// ```
    #[must_use]
    pub fn picture(self, snapshot: &Snapshot, asked: bool) -> Sight {
        match self {
            Vision::Off => Sight::None,
            Vision::Always => Sight::View,
            Vision::Auto if asked => Sight::View,
            Vision::Auto => around(snapshot),
        }
    }
}

/// The part of the view in which stands what the text does not tell.
fn around(snapshot: &Snapshot) -> Sight {
    let mut whole: Option<[f64; 4]> = None;
    for (node, control) in snapshot.controls().filter(|(node, _)| node.in_view) {
        if !is_untold(node, control) {
            continue;
        }
        // places are worked out for the few that need it
        let Some([left, top, width, height]) = snapshot.place_of(control.r#ref.number) else { continue };
        let own = [left, top, left + width, top + height];
        whole = Some(
            whole.map_or(own, |all| [all[0].min(own[0]), all[1].min(own[1]), all[2].max(own[2]), all[3].max(own[3])]),
        );
    }
    let Some([left, top, right, bottom]) = whole else { return Sight::None };
    let (width, height) = snapshot.page.viewport;
    let (left, top) = ((left - MARGIN).max(0.0), (top - MARGIN).max(0.0));
    let (right, bottom) = ((right + MARGIN).min(width), (bottom + MARGIN).min(height));
    let area = (right - left) * (bottom - top);
    if area <= 0.0 || area > MOST_OF_VIEW * width * height {
        return Sight::View;
    }
    Sight::Region([left, top, right - left, bottom - top])
}

/// Whether the text says too little of a control: it has no name, or one that was guessed, or its content is painted.
fn is_untold(node: &Node, control: &Control) -> bool {
    let painted = node.role.as_str() == "canvas" || control.tag == "canvas";
    let nameless = (node.name.is_empty() || control.guessed_name)
        && !matches!(control.r#ref.family, Family::Scroll | Family::Dialog | Family::Frame);
    control.state.covered.is_none() && (painted || nameless)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::sample::Sample;

    fn page(build: impl FnOnce(&mut Sample)) -> Snapshot {
        let mut page = Sample::new("Tools");
        page.control_with("button", "Save", |button| button.rect = [0.0, 0.0, 80.0, 20.0]);
        build(&mut page);
        page.done()
    }

    #[test]
    fn a_page_that_its_text_tells_needs_no_picture() {
        assert_eq!(Vision::Auto.picture(&page(|_| {}), false), Sight::None);
        assert_eq!(Vision::Always.picture(&page(|_| {}), false), Sight::View);
    }

    #[test]
    fn icons_without_a_name_are_cut_out() {
        let page = page(|page| {
            page.control_with("button", "", |icon| icon.rect = [600.0, 10.0, 20.0, 20.0]);
            page.control_with("button", "cart", |icon| {
                icon.rect = [640.0, 10.0, 20.0, 20.0];
                icon.guessed_name = true;
            });
            page.out_of_view(true).control_with("button", "", |icon| icon.rect = [0.0, 5000.0, 20.0, 20.0]);
        });
        assert_eq!(Vision::Auto.picture(&page, false), Sight::Region([576.0, 0.0, 108.0, 54.0]));
        assert_eq!(Vision::Off.picture(&page, false), Sight::None);
    }

    #[test]
    fn a_canvas_over_most_of_the_view_is_seen_with_it() {
        let page = page(|page| {
            page.control_with("canvas", "map", |canvas| canvas.rect = [0.0, 0.0, 1280.0, 700.0]);
        });
        assert_eq!(Vision::Auto.picture(&page, false), Sight::View);
    }
}
