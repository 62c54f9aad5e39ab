//! What a model is told after an action: the text of what changed, beside the whole, over recorded flows.
//!
//! A flow is a page and the actions of a person on it, as data ([`Flow`]): pages of this bench, or of the folder that
//! holds the flows. It must not know how a difference is found.

use std::fmt::Write as _;
use std::path::Path;

use miette::{Context as _, IntoDiagnostic as _, miette};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use webhand::prelude::{Action, Browser, Launch, Session, Snapshot};
use webhand_proof::server::Server;

use super::figures::Series;
use super::pages;
use super::report::Report;
use super::site::Site;
use super::tokens;

/// The flows and the pages that are only for them.
pub(crate) const FOLDER: &str = "tests/flows";
/// The median of the shares, at most.
const GOAL: f64 = 0.15;

/// The file of flows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flows {
    flow: Vec<Flow>,
}

/// One recorded flow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flow {
    name: String,
    /// A file of the folder, or `bench:` and the name of a page of this bench.
    page: String,
    act: Vec<Act>,
}

/// One action: the fields of the catalogue, with the element by role and name.
#[derive(Clone, Debug, Deserialize)]
struct Act {
    role: Option<String>,
    /// Its whole name, or the beginning of it up to a space.
    name: Option<String>,
    /// Which of several, from 0.
    #[serde(default)]
    nth: usize,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// What an action cost.
#[derive(Clone, Debug, Serialize)]
struct Told {
    what: String,
    tokens: usize,
    whole: usize,
}

impl Told {
    fn share(&self) -> f64 {
        self.tokens as f64 / self.whole.max(1) as f64
    }
}

/// What a flow cost.
#[derive(Clone, Debug, Serialize)]
struct Recorded {
    flow: String,
    actions: Vec<Told>,
}

/// All flows.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Deltas {
    flows: Vec<Recorded>,
}

impl Deltas {
    /// How many actions there were.
    pub(crate) fn count(&self) -> usize {
        self.flows.iter().map(|flow| flow.actions.len()).sum()
    }

    fn median(&self) -> Option<f64> {
        let shares = self.flows.iter().flat_map(|flow| &flow.actions).map(Told::share);
        Some(shares.collect::<Series>().summary()?.median)
    }

    /// Lines for a person.
    pub(crate) fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "\ndelta after an action, in tokens")?;
        for flow in &self.flows {
            writeln!(out, "{}", flow.flow)?;
            for told in &flow.actions {
                let share = 100.0 * told.share();
                writeln!(out, "  {:<58} {:>6} of {:>6} {share:>6.1} %", told.what, told.tokens, told.whole)?;
            }
        }
        let Some(median) = self.median() else { return Ok(()) };
        let met = if median <= GOAL { "ok" } else { "MISSED" };
        writeln!(
            out,
            "delta: median {:.1} % of the whole over {} actions in {} flows, goal <= {:.0} %: {met}",
            100.0 * median,
            self.count(),
            self.flows.len(),
            100.0 * GOAL,
        )
    }
}

/// Plays all flows of the folder.
pub(crate) async fn measure(folder: &Path, seed: u64, report: &mut Report) -> miette::Result<Deltas> {
    let flows = read(folder)?;
    let bench: Vec<pages::Page> = flows
        .iter()
        .filter_map(|flow| flow.page.strip_prefix("bench:"))
        .map(|name| pages::make(name, seed).ok_or_else(|| miette!("there is no page {name:?}")))
        .collect::<miette::Result<_>>()?;
    let site = Site::serve(&bench).await?;
    let server = Server::serve_dir(folder).await.into_diagnostic()?;
    let browser = Browser::launch(Launch::from_env()).await.into_diagnostic()?;
    let mut deltas = Deltas::default();
    for flow in &flows {
        let page = bench.iter().find(|page| flow.page.strip_prefix("bench:") == Some(page.name.as_str()));
        let address = page.map_or_else(|| server.url(&format!("/{}", flow.page)), |page| site.address(page));
        let mut session = browser.open(&address).await.into_diagnostic()?;
        match play(&mut session, flow).await {
            Ok(recorded) => deltas.flows.push(recorded),
            Err(error) => report.fail(&flow.name, "delta", &told(&error)),
        }
    }
    browser.close().await;
    Ok(deltas)
}

/// An error with what led to it, in a line.
fn told(error: &miette::Report) -> String {
    error.chain().map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn read(folder: &Path) -> miette::Result<Vec<Flow>> {
    let text =
        std::fs::read_to_string(folder.join("flows.toml")).into_diagnostic().wrap_err("cannot read the flows")?;
    let flows: Flows = toml::from_str(&text).into_diagnostic().wrap_err("cannot read the flows")?;
    Ok(flows.flow)
}

async fn play(session: &mut Session, flow: &Flow) -> miette::Result<Recorded> {
    let mut before = session.snapshot().await.into_diagnostic()?;
    let mut actions = Vec::new();
    for act in &flow.act {
        let (what, action) = action_of(act, &before)?;
        session.perform(action).await.into_result().into_diagnostic().wrap_err_with(|| what.clone())?;
        let after = session.snapshot().await.into_diagnostic()?;
        let (told, whole) = (session.text_since(&after, &before), session.text(&after));
        actions.push(Told { what, tokens: tokens::count(&told)?, whole: tokens::count(&whole)? });
        before = after;
    }
    Ok(Recorded { flow: flow.name.clone(), actions })
}

/// The action on the element that the snapshot shows by that role and name, and what to call it.
fn action_of(act: &Act, snapshot: &Snapshot) -> miette::Result<(String, Action)> {
    let mut fields = act.fields.clone();
    let mut what = fields.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(role) = &act.role {
        let wanted = act.name.as_deref().unwrap_or_default();
        what = act.name.as_ref().map_or_else(|| format!("{what} {role}"), |name| format!("{what} {role} {name:?}"));
        let named = |name: &str| {
            let rest = name.strip_prefix(wanted);
            rest.is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with(' '))
        };
        let mut found = snapshot.controls().filter(|(node, _)| node.role.as_str() == role && named(&node.name));
        let (node, control) = found.nth(act.nth).ok_or_else(|| miette!("{what}: there is no such control"))?;
        if act.name.is_none() {
            what = format!("{what} {:?}", node.name);
        }
        fields.insert("ref".to_owned(), Value::from(control.r#ref.to_string()));
    }
    let action = serde_json::from_value(Value::Object(fields)).into_diagnostic().wrap_err_with(|| what.clone())?;
    Ok((what, action))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_flows_and_each_acts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
        let flows = read(&folder).expect("flows");
        assert!(flows.len() >= 20, "{}", flows.len());
        for flow in flows {
            assert!(!flow.act.is_empty(), "{}", flow.name);
            let there = flow
                .page
                .strip_prefix("bench:")
                .map_or_else(|| folder.join(&flow.page).is_file(), |name| pages::make(name, 1).is_some());
            assert!(there, "{}", flow.page);
        }
    }

    #[test]
    fn the_median_is_over_all_actions() {
        let told = |tokens| Told { what: "click".to_owned(), tokens, whole: 100 };
        let flow = |actions: Vec<Told>| Recorded { flow: "a flow".to_owned(), actions };
        let deltas = Deltas { flows: vec![flow(vec![told(10), told(15)]), flow(vec![told(90)])] };
        let mut out = String::new();
        deltas.write(&mut out).expect("written");
        assert!(out.ends_with("median 15.0 % of the whole over 3 actions in 2 flows, goal <= 15 %: ok\n"), "{out}");
        let missed = Deltas { flows: vec![flow(vec![told(16)])] };
        out.clear();
        missed.write(&mut out).expect("written");
        assert!(out.ends_with("MISSED\n"), "{out}");
    }
}
