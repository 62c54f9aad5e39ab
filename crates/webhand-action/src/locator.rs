//! Locators: a project's own knowledge of where its elements are.
//!
//! A locator turns what is wanted into a CSS selector (or any other [selector](crate::catalogue::Target::Selector)); the
//! session looks that up, and holds what it finds to the same rules as all else: it must be the only one, ready, and get
//! the event.

use std::fmt;

/// When a locator is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Before all of the session's own levels. Then it is asked about words that are no ref, too.
    First,
    /// When the very node that was seen is gone or is something else now.
    AfterLive,
    /// When its stable attributes name no other, either.
    AfterSelector,
    /// When nothing else found it.
    #[default]
    Last,
}

/// What an action is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted<'a> {
    /// The words of the action: a ref such as `B12`, or words of a locator's own such as `cell 3/Total`.
    pub asked: &'a str,
    /// The role that the control had when it was seen; empty where the words are no ref.
    pub role: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its tag.
    pub tag: &'a str,
    /// Its `id`.
    pub id: Option<&'a str>,
    /// Its `data-testid` or the like.
    pub test_id: Option<&'a str>,
    /// The address of the page.
    pub url: &'a str,
}

/// Finds elements that the session's own levels do not, or not as surely.
///
/// A control that was seen must still have its role and name where a locator says it is; else it is refused. What the
/// locator's own words name is taken as it is found.
///
/// A grid whose cells have no roles, so that no snapshot lists them:
///
/// ```
/// use webhand_action::{Locator, Stage, Wanted};
///
/// /// `cell 3/2`: the second cell of the third row.
/// #[derive(Debug)]
/// struct GridCells;
///
/// impl Locator for GridCells {
///     fn name(&self) -> &str {
///         "grid cells"
///     }
///
///     fn stage(&self) -> Stage {
///         Stage::First
///     }
///
///     fn locate(&self, wanted: &Wanted<'_>) -> Option<String> {
///         let (row, column) = wanted.asked.strip_prefix("cell ")?.split_once('/')?;
///         let (row, column): (u32, u32) = (row.parse().ok()?, column.parse().ok()?);
///         Some(format!(".grid > :nth-child({row}) > :nth-child({column})"))
///     }
/// }
///
/// let mut wanted = Wanted::default();
/// wanted.asked = "cell 3/2";
/// assert_eq!(GridCells.locate(&wanted).as_deref(), Some(".grid > :nth-child(3) > :nth-child(2)"));
/// ```
///
/// It is put into [`Settings::locators`](crate::Settings::locators); then `Click::on("cell 3/2")` works.
pub trait Locator: fmt::Debug + Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &str;

    /// When it is asked. [`Stage::Last`] unless it says otherwise.
    fn stage(&self) -> Stage {
        Stage::Last
    }

    /// The selector that finds exactly what is wanted; `None` where it does not know.
    fn locate(&self, wanted: &Wanted<'_>) -> Option<String>;
}
