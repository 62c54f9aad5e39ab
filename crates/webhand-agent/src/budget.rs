//! What a run may spend, and how far it is with it. Pure arithmetic.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{agent::Limits, model::Usage};

/// From so many hundredths of a budget on the model is told.
const NOTICE_AT: u128 = 75;

/// What a run may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Budget {
    /// Steps.
    Steps,
    /// Tokens of all models, in and out.
    Tokens,
    /// Time, without that of pauses.
    Time,
    /// Money, where the prices are known.
    Cost,
}

impl Budget {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Budget::Steps => "steps",
            Budget::Tokens => "tokens",
            Budget::Time => "time",
            Budget::Cost => "cost",
        }
    }
}

/// What a run has spent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    pub(crate) steps: u32,
    pub(crate) usage: Usage,
    pub(crate) time: Duration,
}

/// One budget, how much of it is spent, and how much there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) budget: Budget,
    spent: u128,
    of: u128,
}

impl Level {
    fn is_reached(&self, hundredths: u128) -> bool {
        self.spent.saturating_mul(100) >= self.of.saturating_mul(hundredths)
    }

    /// `38 of 50 steps`.
    pub(crate) fn words(&self) -> String {
        let usd = |micro: u128| format!("{}.{:02} US$", micro / 1_000_000, micro % 1_000_000 / 10_000);
        match self.budget {
            Budget::Time => format!("{} of {} s", self.spent / 1000, self.of / 1000),
            Budget::Cost => format!("{} of {}", usd(self.spent), usd(self.of)),
            budget => format!("{} of {} {}", self.spent, self.of, budget.as_str()),
        }
    }
}

/// The budgets of a run, and which the model was told of.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    told: Vec<Budget>,
}

impl Budgets {
    /// All that are limited.
    fn levels(limits: &Limits, spent: &Spent) -> Vec<Level> {
        let level = |budget, spent, of| Level { budget, spent, of };
        let steps = Some(level(Budget::Steps, spent.steps.into(), limits.steps.into()));
        let tokens = limits.tokens.map(|of| level(Budget::Tokens, spent.usage.total().into(), of.into()));
        let time = limits.time.map(|of| level(Budget::Time, spent.time.as_millis(), of.as_millis()));
        let cost = limits.micro_usd.map(|of| level(Budget::Cost, spent.usage.micro_usd.unwrap_or(0).into(), of.into()));
        [steps, tokens, time, cost].into_iter().flatten().collect()
    }

    /// The first that is spent.
    pub(crate) fn spent(limits: &Limits, spent: &Spent) -> Option<Level> {
        Self::levels(limits, spent).into_iter().find(|level| level.is_reached(100))
    }

    /// Those that are mostly spent and were not told yet. Steps of a run that has few of them are told in its last one only.
    pub(crate) fn notices(&mut self, limits: &Limits, spent: &Spent) -> Vec<Level> {
        let mut levels = Self::levels(limits, spent);
        levels.retain(|level| level.is_reached(NOTICE_AT) && !self.told.contains(&level.budget));
        self.told.extend(levels.iter().map(|level| level.budget));
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(steps: u32, tokens: u64, seconds: u64) -> Spent {
        Spent { steps, usage: Usage::tokens(tokens, 0), time: Duration::from_secs(seconds) }
    }

    #[test]
    fn each_budget_is_told_of_once_at_three_quarters() {
        let limits =
            Limits { steps: 40, tokens: Some(1_000), time: Some(Duration::from_secs(100)), ..Limits::default() };
        let mut budgets = Budgets::default();
        assert!(budgets.notices(&limits, &spent(29, 749, 74)).is_empty());
        let told = budgets.notices(&limits, &spent(30, 750, 74));
        assert_eq!(told.iter().map(Level::words).collect::<Vec<_>>(), ["30 of 40 steps", "750 of 1000 tokens"]);
        let told = budgets.notices(&limits, &spent(31, 800, 80));
        assert_eq!(told.iter().map(Level::words).collect::<Vec<_>>(), ["80 of 100 s"]);
    }

    #[test]
    fn a_budget_without_a_limit_is_never_spent() {
        let usage = Usage { micro_usd: Some(2_500_000), ..Usage::tokens(u64::MAX, 5) };
        let all = Spent { steps: 3, usage, time: Duration::from_secs(1 << 40) };
        assert_eq!(Budgets::spent(&Limits::default(), &all), None);
        let limits = Limits { micro_usd: Some(2_500_000), ..Limits::default() };
        let level = Budgets::spent(&limits, &all).unwrap();
        assert_eq!((level.budget, level.words().as_str()), (Budget::Cost, "2.50 US$ of 2.50 US$"));
    }
}
