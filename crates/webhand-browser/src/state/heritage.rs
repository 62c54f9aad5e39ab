//! What outlives the connection to a browser: the names of its tabs, so that they are called the same in the browser that
//! comes in its place, and where they were.

use std::collections::HashMap;

use webhand_cdp::protocol::browser::BrowserContextId;
use webhand_cdp::protocol::target::TargetId;

use super::tab::TabState;
use crate::ids::TabId;

/// A tab as it was when the browser was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftTab {
    /// Its name.
    pub id: TabId,
    /// The tab whose page opened it.
    pub opener: Option<TabId>,
    /// The address that it showed.
    pub url: String,
    /// Whether that page was the answer to a form that was sent.
    pub posted: bool,
    pub(crate) context: Option<BrowserContextId>,
    target: TargetId,
    documents: u64,
}

impl LeftTab {
    pub(crate) fn of(tab: &TabState) -> Self {
        Self {
            id: tab.id,
            opener: tab.opener,
            url: tab.address(),
            posted: tab.came_of_form(),
            context: tab.context.clone(),
            target: tab.target.clone(),
            documents: tab.frames.counted(),
        }
    }
}

/// A tab that is to have a name of before.
#[derive(Clone, Debug)]
pub(crate) struct Awaited {
    pub(crate) id: TabId,
    pub(crate) opener: Option<TabId>,
    pub(crate) context: Option<BrowserContextId>,
}

/// A name of before.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) id: TabId,
    pub(crate) opener: Option<TabId>,
    /// How many documents of it were told of.
    pub(crate) documents: u64,
}

/// What a machine takes over from the one before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heritage {
    /// No number up to this one is given to a tab that is new.
    pub(crate) last_tab: u32,
    /// Tabs that may still be there, where only the connection was lost.
    known: HashMap<TargetId, Known>,
    pub(crate) awaited: Vec<Awaited>,
}

impl Heritage {
    pub(crate) fn of(last_tab: u32, left: &[LeftTab]) -> Self {
        let known = |tab: &LeftTab| Known { id: tab.id, opener: tab.opener, documents: tab.documents };
        let known = left.iter().map(|tab| (tab.target.clone(), known(tab))).collect();
        Self { last_tab, known, awaited: Vec::new() }
    }

    /// The name of before that a tab has which is there now.
    pub(crate) fn claim(&mut self, target: &TargetId, context: Option<&BrowserContextId>) -> Option<Known> {
        if let Some(known) = self.known.remove(target) {
            return Some(known);
        }
        let at = self.awaited.iter().position(|awaited| awaited.context.as_ref() == context)?;
        let Awaited { id, opener, .. } = self.awaited.remove(at);
        Some(Known { id, opener, documents: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tab_is_known_by_its_target_else_by_its_context() {
        let context = |name: &str| Some(BrowserContextId(name.to_owned()));
        let target = |name: &str| TargetId(name.to_owned());
        let left = LeftTab {
            id: TabId::new(3),
            opener: None,
            url: String::new(),
            posted: false,
            context: None,
            target: target("T"),
            documents: 7,
        };
        let mut heritage = Heritage::of(5, &[left]);
        heritage.awaited.push(Awaited { id: TabId::new(4), opener: Some(TabId::new(3)), context: context("C") });
        assert!(heritage.claim(&target("U"), None).is_none(), "another tab of the default context");
        let known = heritage.claim(&target("T"), None).unwrap();
        assert_eq!((known.id, known.documents), (TabId::new(3), 7));
        assert!(heritage.claim(&target("T"), None).is_none(), "once");
        let known = heritage.claim(&target("V"), context("C").as_ref()).unwrap();
        assert_eq!((known.id, known.opener), (TabId::new(4), Some(TabId::new(3))));
        assert!(heritage.claim(&target("W"), context("C").as_ref()).is_none());
    }
}
