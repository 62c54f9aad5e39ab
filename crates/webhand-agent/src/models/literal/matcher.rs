//! From a phrase to the one control that it names, or an honest no.
//!
//! Pure: a [`Snapshot`] and a [`Wanted`] in, a [`Match`] out. A control must fit well enough **and** lead the next one by a
//! margin; two that fit alike are ambiguous, and nothing is chosen by its place on the page unless the phrase says so.

use webhand_page::{Control, Node, Ref, Snapshot};

use super::{
    names::{ALIKE, WHOLE, fit},
    place::Places,
    roles::{Purpose, suits},
    step::{Ordinal, Reading, Wanted},
};

/// A control below this is not the one.
const THRESHOLD: f64 = 38.0;
/// A control must lead the next one by this much.
const MARGIN: f64 = 5.0;
/// How many candidates an ambiguous answer names.
const NAMED: usize = 5;

/// What a phrase names on a page.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Match {
    /// This control and no other.
    One(Found),
    /// Several fit alike.
    Ambiguous(Vec<Found>),
    /// None fits.
    None,
}

/// A control that fits a phrase.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Its handle.
    pub r#ref: Ref,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// How well it fits.
    pub score: f64,
    index: usize,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {:?}", self.r#ref, self.role, self.name)
    }
}

/// Finds the control that a phrase names, to be used for that purpose.
///
/// All readings are tried with whole names before any is tried with parts of names.
#[must_use]
pub fn find(snapshot: &Snapshot, wanted: &Wanted, purpose: Purpose) -> Match {
    let places = Places::new(snapshot);
    if let Some(named) = wanted.readings.first().and_then(|reading| by_ref(snapshot, reading)) {
        return one_meaning(snapshot, &places, wanted, named);
    }
    for least in [WHOLE, THRESHOLD] {
        for reading in wanted.readings.iter().filter(|reading| reading.r#ref.is_none()) {
            let found = candidates(snapshot, &places, reading, purpose, least);
            match decide(found, reading.ordinal) {
                Match::None => {}
                answer => return answer,
            }
        }
    }
    Match::None
}

/// The control that a ref names; a role word beside it must be true.
fn by_ref(snapshot: &Snapshot, reading: &Reading) -> Option<Found> {
    let text = reading.r#ref?;
    let mut nodes = snapshot.nodes.iter().enumerate();
    nodes.find_map(|(index, node)| {
        let control = node.control.as_deref().filter(|control| text.names(control.r#ref))?;
        suits(node.role.as_str(), control, reading.role, Purpose::Read)?;
        Some(Found {
            r#ref: control.r#ref,
            role: node.role.as_str().to_owned(),
            name: node.name.to_string(),
            score: WHOLE,
            index,
        })
    })
}

/// The control that a ref names, unless another one is called like the ref.
fn one_meaning(snapshot: &Snapshot, places: &Places<'_>, wanted: &Wanted, named: Found) -> Match {
    let names = wanted.readings.iter().filter(|reading| reading.r#ref.is_none());
    let mut called: Vec<Found> =
        names.flat_map(|reading| candidates(snapshot, places, reading, Purpose::Read, ALIKE)).collect();
    called.retain(|found| found.r#ref != named.r#ref);
    if called.is_empty() {
        return Match::One(named);
    }
    called.insert(0, named);
    called.truncate(NAMED);
    Match::Ambiguous(called)
}

/// Every control that fits a reading, in document order.
fn candidates(snapshot: &Snapshot, places: &Places<'_>, reading: &Reading, purpose: Purpose, least: f64) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (index, node) in snapshot.nodes.iter().enumerate() {
        let Some(control) = node.control.as_deref() else { continue };
        let Some(score) = score(places, index, node, control, reading, purpose, least) else { continue };
        found.push(Found {
            r#ref: control.r#ref,
            role: node.role.as_str().to_owned(),
            name: node.name.to_string(),
            score,
            index,
        });
    }
    let inner: Vec<bool> = found
        .iter()
        .map(|outer| found.iter().any(|inner| places.inside(inner.index, outer.index) && inner.name == outer.name))
        .collect();
    let mut inner = inner.into_iter();
    found.retain(|_| !inner.next().unwrap_or(false));
    found
}

fn score(
    places: &Places<'_>,
    index: usize,
    node: &Node,
    control: &Control,
    reading: &Reading,
    purpose: Purpose,
    least: f64,
) -> Option<f64> {
    let mut score = match &reading.name {
        Some(name) => fit(name, node, control)?.0,
        None if reading.role.is_some() => WHOLE,
        None => return None,
    };
    if score < least {
        return None;
    }
    score += suits(node.role.as_str(), control, reading.role, purpose)?;
    if let Some(place) = &reading.within {
        score -= f64::from(places.distance(index, place)?.min(5));
    }
    if score < THRESHOLD - 4.0 {
        return None;
    }
    // Being covered, disabled or out of view says little of whether it is the one that was named.
    if control.state.covered.is_some() {
        score -= 12.0;
    }
    if control.state.disabled.is_some() {
        score -= 3.0;
    }
    Some(if node.in_view { score + 2.0 } else { score })
}

fn decide(mut found: Vec<Found>, ordinal: Option<Ordinal>) -> Match {
    let Some(best) = found.iter().map(|found| found.score).reduce(f64::max) else { return Match::None };
    found.retain(|found| found.score > best - MARGIN);
    match ordinal {
        Some(Ordinal::Last) => found.pop().map_or(Match::None, Match::One),
        Some(Ordinal::Nth(number)) => {
            let index = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
            if index < found.len() { Match::One(found.swap_remove(index)) } else { Match::None }
        }
        None if found.len() == 1 => found.pop().map_or(Match::None, Match::One),
        None => {
            found.truncate(NAMED);
            Match::Ambiguous(found)
        }
    }
}
