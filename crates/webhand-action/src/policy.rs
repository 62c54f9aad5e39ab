//! What a session may do by itself: asked of each action before it acts, by what it may do to the world.
//!
//! An action has the risk that the catalogue states; some are raised to [`Risk::Commit`] by what they would really set off,
//! which is read off the live element just before it is used. Pure but for the policy of a user's own; it knows no page.

use std::{collections::BTreeMap, fmt};

use async_trait::async_trait;

use crate::{
    catalogue::{Action, Risk},
    outcome::Landed,
};

/// What is about to be done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deed<'a> {
    /// What was asked.
    pub action: &'a Action,
    /// What it may do to the world.
    pub risk: Risk,
    /// Why, where its kind alone does not say so: what would be sent, or what the control is called.
    pub why: Option<&'a str>,
    /// The element that would be used, where it is known already.
    pub target: Option<&'a Landed>,
    /// The address of the page.
    pub url: &'a str,
}

/// What a policy says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ruling {
    /// It is done.
    #[default]
    Allow,
    /// It is not done: `blocked_by_policy`.
    Refuse,
    /// A person must say so first: `needs_human`. A policy that can ask one itself waits for the answer instead.
    Ask,
}

/// Says what may be done.
///
/// It is asked before an action begins, and again, by the element itself, when the action turns out to commit. It may
/// take its time, to ask a person: after that the element is looked at anew.
///
/// ```
/// use async_trait::async_trait;
/// use webhand_action::{Deed, Policy, Ruling, catalogue::Risk};
///
/// /// Nothing is committed on the shop's own pages.
/// #[derive(Debug)]
/// struct LookOnly;
///
/// #[async_trait]
/// impl Policy for LookOnly {
///     async fn judge(&self, deed: &Deed<'_>) -> Ruling {
///         let held = deed.risk == Risk::Commit && deed.url.starts_with("https://shop.example/");
///         if held { Ruling::Refuse } else { Ruling::Allow }
///     }
/// }
/// ```
#[async_trait]
pub trait Policy: fmt::Debug + Send + Sync {
    /// Judges what is about to be done.
    async fn judge(&self, deed: &Deed<'_>) -> Ruling;
}

/// A ruling for each class of risk. By default all is allowed: what a person types or a program calls is its own approval.
///
/// ```
/// use std::sync::Arc;
/// use webhand_action::{RiskPolicy, Ruling, Settings, catalogue::Risk};
///
/// let mut settings = Settings::default();
/// settings.policy = Arc::new(RiskPolicy::default().with(Risk::Commit, Ruling::Ask));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RiskPolicy {
    rulings: BTreeMap<Risk, Ruling>,
}

impl RiskPolicy {
    /// The same with a ruling for that class.
    #[must_use]
    pub fn with(mut self, risk: Risk, ruling: Ruling) -> Self {
        self.rulings.insert(risk, ruling);
        self
    }

    /// The ruling for that class.
    #[must_use]
    pub fn ruling(&self, risk: Risk) -> Ruling {
        self.rulings.get(&risk).copied().unwrap_or_default()
    }
}

#[async_trait]
impl Policy for RiskPolicy {
    async fn judge(&self, deed: &Deed<'_>) -> Ruling {
        self.ruling(deed.risk)
    }
}
