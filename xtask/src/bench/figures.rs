//! Series of measures and what is said of them: medians, minima, the middle half, and ratios of two series.
//!
//! Pure. It must not know what was measured.

use serde::Serialize;

/// Measures of one thing by one contender.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    values: Vec<f64>,
}

/// What is said of a series.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// The middle value.
    pub(crate) median: f64,
    /// The smallest.
    pub(crate) min: f64,
    /// A quarter of the values lies below this.
    pub(crate) lower: f64,
    /// A quarter lies above this.
    pub(crate) upper: f64,
    /// How many values there were.
    pub(crate) count: usize,
}

impl Series {
    /// Takes one more value; what is no number is left out.
    pub(crate) fn push(&mut self, value: f64) {
        if value.is_finite() {
            self.values.push(value);
        }
    }

    /// How many values it has.
    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }

    /// What is to be said of it; nothing where nothing was measured.
    pub(crate) fn summary(&self) -> Option<Summary> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        Some(Summary {
            median: quantile(&sorted, 0.5)?,
            min: *sorted.first()?,
            lower: quantile(&sorted, 0.25)?,
            upper: quantile(&sorted, 0.75)?,
            count: sorted.len(),
        })
    }
}

impl FromIterator<f64> for Series {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut series = Self::default();
        values.into_iter().for_each(|value| series.push(value));
        series
    }
}

/// The value below which that share of the sorted values lies, between neighbours by straight line.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share * last as f64;
    let below = position.floor();
    let lower = sorted.get(below as usize)?;
    let upper = sorted.get((below as usize + 1).min(last))?;
    Some(lower + (upper - lower) * (position - below))
}

/// One summary over another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Ratio {
    /// Of the medians.
    pub(crate) medians: f64,
    /// Of the minima, which a busy machine disturbs least.
    pub(crate) minima: f64,
}

impl Ratio {
    /// `over` divided by `under`; nothing where the divisor is not above zero.
    pub(crate) fn of(over: &Summary, under: &Summary) -> Option<Self> {
        (under.median > 0.0 && under.min > 0.0)
            .then(|| Self { medians: over.median / under.median, minima: over.min / under.min })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(values: &[f64]) -> Summary {
        values.iter().copied().collect::<Series>().summary().expect("values")
    }

    #[test]
    fn medians_and_quartiles() {
        assert_eq!(
            summary(&[5.0, 1.0, 3.0, 2.0, 4.0]),
            Summary { median: 3.0, min: 1.0, lower: 2.0, upper: 4.0, count: 5 }
        );
        assert_eq!(summary(&[1.0, 2.0]).median, 1.5);
        assert_eq!(summary(&[7.0]), Summary { median: 7.0, min: 7.0, lower: 7.0, upper: 7.0, count: 1 });
    }

    #[test]
    fn nothing_measured_says_nothing() {
        assert_eq!(Series::default().summary(), None);
        assert_eq!([f64::NAN, f64::INFINITY].into_iter().collect::<Series>().summary(), None);
    }

    #[test]
    fn ratios_divide_like_by_like() {
        let (over, under) = (summary(&[4.0, 6.0, 8.0]), summary(&[2.0, 3.0, 4.0]));
        assert_eq!(Ratio::of(&over, &under), Some(Ratio { medians: 2.0, minima: 2.0 }));
        assert_eq!(Ratio::of(&over, &summary(&[0.0])), None);
    }
}
