//! One page as both see it: the controls of a snapshot, and the browser's accessibility tree, joined by element.
//!
//! A node of the accessibility tree names its element by backend id. That is resolved into the isolated world of its
//! frame, where the reader's library numbers it: the same number that stands behind a control's ref. It must not know what
//! counts as agreeing.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use miette::{Context as _, IntoDiagnostic as _, bail, miette};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use webhand::engine::{FrameInfo, Tab};
use webhand::page::{Context, Reader, Snapshot};
use webhand_cdp::protocol::{accessibility, dom, emulation, runtime};

/// How long one page may take to stand, and one call to answer.
const DEADLINE: Duration = Duration::from_secs(60);
/// A view that shows the whole of a page: what a click lands on is known of what is in view only.
const WIDTH: i64 = 1280;
const HEIGHT: i64 = 5000;
/// So often a page is read again that changed while it was read.
const READINGS: usize = 6;
/// Runs in the isolated world; see there.
const FACTS: &str = include_str!("facts.js");

/// One element, and what each side says of it.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) facts: Facts,
    pub(super) ours: Option<Ours>,
    pub(super) theirs: Option<Theirs>,
    /// Where in its page's elements its labels are, and then the controls of ours that hold it.
    pub(super) stand_ins: Vec<usize>,
}

/// What the page tells of an element.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Facts {
    /// Tag, id and first class, with those of the hosts of the shadow trees it stands in.
    pub(super) path: String,
    pub(super) tag: String,
    /// The role that the page wrote.
    pub(super) role: String,
    /// The browser draws it as a part of a field.
    pub(super) part: bool,
    /// Its text is drawn in other letters than it is written in.
    pub(super) transformed: bool,
    /// It holds a control of ours.
    pub(super) holds: bool,
    pub(super) stand: Stand,
    /// A click at its middle lands on it.
    pub(super) hit: bool,
    /// It, or something that holds it, is kept from assistive technology.
    pub(super) aria_hidden: bool,
    /// It is marked as inert, or outside a modal dialog that is open.
    pub(super) inert: bool,
    /// The tab key stops at it.
    pub(super) tab_stop: bool,
    /// The reader's numbers of its labels.
    pub(super) labels: Vec<u32>,
    /// The reader's numbers of the controls of ours that hold it, the nearest first.
    pub(super) within: Vec<u32>,
}

/// How an element stands on the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stand {
    /// A person can see it, after scrolling where a scroll bar leads.
    #[default]
    Seen,
    /// It is transparent, but a click lands on it.
    Hit,
    /// It has a place, but is transparent, clipped away or of no size.
    Drawn,
    /// It is not drawn.
    None,
}

/// A control of the snapshot.
#[derive(Clone, Debug)]
pub(super) struct Ours {
    pub(super) role: String,
    pub(super) name: String,
    /// The name is marked as a guess.
    pub(super) guessed: bool,
    /// What is said to cover it.
    pub(super) covered: Option<String>,
    /// It is said to be out of use: covered or disabled, be it as inert.
    pub(super) barred: bool,
}

/// A node of the accessibility tree.
#[derive(Clone, Debug)]
pub(super) struct Theirs {
    pub(super) role: String,
    pub(super) name: String,
    pub(super) ignored: bool,
    pub(super) focusable: bool,
}

/// Where an element is: the index of its frame, and the number that the frame's reader has for it.
type Place = (usize, u32);

/// Opens a page and waits until it stands.
pub(super) async fn open(tab: &Tab, address: &str) -> miette::Result<()> {
    let view = emulation::SetDeviceMetricsOverride::new(WIDTH, HEIGHT, 1.0, false);
    tab.race(tab.session().send(&view), DEADLINE).await.into_diagnostic()?;
    tab.navigate(address, DEADLINE).await.into_diagnostic().wrap_err_with(|| format!("cannot open {address}"))?;
    let settled: miette::Result<String> = ask(tab, "window.__settled").await;
    settled.wrap_err_with(|| format!("{address} does not settle")).map(drop)
}

/// The names of what the page's parts can be opened to.
pub(super) async fn states(tab: &Tab) -> miette::Result<Vec<String>> {
    ask(tab, "Object.keys(window.__states)").await
}

/// Opens the page's parts to that state, and waits until it stands.
pub(super) async fn enter(tab: &Tab, state: &str) -> miette::Result<()> {
    let name = serde_json::to_string(state).into_diagnostic()?;
    let entered: miette::Result<u8> = ask(tab, &format!("window.__open({name}).then(() => 1)")).await;
    entered.wrap_err_with(|| format!("it cannot be opened to {state:?}")).map(drop)
}

/// Reads both sides of the page as it stands.
pub(super) async fn read(tab: &Tab) -> miette::Result<Vec<Element>> {
    let mut reader = Reader::default();
    let mut before = look(&mut reader, tab).await?;
    for _ in 0..READINGS {
        let frames = tab.frames();
        let mut trees = Vec::with_capacity(frames.len());
        for frame in &frames {
            trees.push(tree(tab, frame).await?);
        }
        let after = look(&mut reader, tab).await?;
        if shape(&before) == shape(&after) {
            return join(tab, &reader, &after, &frames, &trees).await;
        }
        before = after;
    }
    bail!("it changes all the time")
}

/// Asks the page itself, and waits where it promises.
async fn ask<T: DeserializeOwned>(tab: &Tab, expression: &str) -> miette::Result<T> {
    let mut evaluate = runtime::Evaluate::new(expression);
    evaluate.await_promise = Some(true);
    evaluate.return_by_value = Some(true);
    let reply = tab.race(tab.session().send(&evaluate), DEADLINE).await.into_diagnostic()?;
    value(reply.result, reply.exception_details)
}

async fn look(reader: &mut Reader, tab: &Tab) -> miette::Result<Snapshot> {
    reader.read(tab, Context::default()).await.into_diagnostic()
}

/// What must be the same before and after for the tree in between to belong to it.
fn shape(snapshot: &Snapshot) -> Vec<(u32, &str, &str)> {
    let controls = snapshot.controls();
    controls.map(|(node, control)| (control.r#ref.number, node.role.as_str(), &*node.name)).collect()
}

async fn tree(tab: &Tab, frame: &FrameInfo) -> miette::Result<Vec<accessibility::AXNode>> {
    let ask = accessibility::GetFullAXTree { depth: None, frame_id: Some(frame.id.clone()) };
    let reply = tab.race(frame.session.send(&ask), DEADLINE).await.into_diagnostic();
    Ok(reply.wrap_err_with(|| format!("no accessibility tree of {}", frame.url))?.nodes)
}

async fn join(
    tab: &Tab,
    reader: &Reader,
    snapshot: &Snapshot,
    frames: &[FrameInfo],
    trees: &[Vec<accessibility::AXNode>],
) -> miette::Result<Vec<Element>> {
    let mut ours: BTreeMap<Place, Ours> = BTreeMap::new();
    for (node, control) in snapshot.controls() {
        let (handle, _) =
            reader.handle(control.r#ref.number).ok_or_else(|| miette!("{} leads nowhere", control.r#ref))?;
        let frame = frames.iter().position(|frame| frame.id == handle.frame);
        let frame = frame.ok_or_else(|| miette!("the frame of {} is gone", control.r#ref))?;
        let (role, name) = (node.role.as_str().to_owned(), node.name.to_string());
        let state = &control.state;
        let covered = state.covered.as_ref().map(|cover| cover.name.clone());
        let barred = covered.is_some() || state.disabled.is_some();
        ours.insert((frame, handle.local), Ours { role, name, guessed: control.guessed_name, covered, barred });
    }
    let mut theirs: BTreeMap<Place, Theirs> = BTreeMap::new();
    let mut facts: HashMap<Place, Facts> = HashMap::new();
    for (index, (frame, nodes)) in frames.iter().zip(trees).enumerate() {
        let here: Vec<u32> = ours.keys().filter(|place| place.0 == index).map(|place| place.1).collect();
        let (numbered, told) = resolve(tab, frame, nodes, &here).await?;
        theirs.extend(numbered.into_iter().map(|(number, node)| ((index, number), node)));
        facts.extend(told.into_iter().map(|(number, facts)| ((index, number), facts)));
    }
    let mut places: Vec<Place> = ours.keys().chain(theirs.keys()).copied().collect();
    places.sort_unstable();
    places.dedup();
    let elements = places.iter().map(|place| {
        let facts = facts.get(place).cloned().unwrap_or_default();
        let at = |number: &u32| places.binary_search(&(place.0, *number)).ok();
        let stand_ins = facts.labels.iter().chain(&facts.within).filter_map(at).collect();
        Element { facts, ours: ours.remove(place), theirs: theirs.remove(place), stand_ins }
    });
    Ok(elements.collect())
}

/// What the page's library says: the number of each element, and facts by number.
#[derive(Debug, Deserialize)]
struct Told {
    numbers: Vec<u32>,
    facts: HashMap<u32, Facts>,
}

/// The nodes of one frame's tree by the numbers of their elements, and facts of those and of our controls there.
async fn resolve(
    tab: &Tab,
    frame: &FrameInfo,
    nodes: &[accessibility::AXNode],
    ours: &[u32],
) -> miette::Result<(Vec<(u32, Theirs)>, HashMap<u32, Facts>)> {
    let world = tab.world(&frame.id).await.into_diagnostic()?;
    let mut burst = frame.session.burst();
    let asked: Vec<_> = nodes
        .iter()
        .filter_map(|node| Some((node, node.backend_dom_node_id?)))
        .filter(|(node, _)| !matches!(role_of(node).as_str(), "StaticText" | "InlineTextBox" | "RootWebArea"))
        .map(|(node, backend_id)| {
            let resolve = dom::ResolveNode {
                backend_node_id: Some(backend_id),
                execution_context_id: Some(world),
                object_group: Some("oracle".to_owned()),
                ..dom::ResolveNode::default()
            };
            (node, burst.add(&resolve))
        })
        .collect();
    burst.send();
    let mut resolved = Vec::new();
    let mut arguments = vec![runtime::CallArgument {
        value: Some(serde_json::value::to_raw_value(ours).into_diagnostic()?),
        ..runtime::CallArgument::default()
    }];
    for (node, pending) in asked {
        let reply = tab.race(pending, DEADLINE).await.into_diagnostic()?;
        if let Some(object) = reply.object.object_id {
            resolved.push(node);
            arguments.push(runtime::CallArgument { object_id: Some(object), ..runtime::CallArgument::default() });
        }
    }
    let mut call = runtime::CallFunctionOn::new(FACTS);
    call.execution_context_id = Some(world);
    call.arguments = Some(arguments);
    call.return_by_value = Some(true);
    let reply = tab.race(frame.session.send(&call), DEADLINE).await.into_diagnostic()?;
    let told: Told = value(reply.result, reply.exception_details)?;
    let numbered = resolved.into_iter().zip(told.numbers).filter(|(_, number)| *number > 0);
    Ok((numbered.map(|(node, number)| (number, Theirs::of(node))).collect(), told.facts))
}

impl Theirs {
    fn of(node: &accessibility::AXNode) -> Self {
        let property = |wanted: accessibility::AXPropertyName| {
            let found = node.properties.iter().flatten().find(|property| property.name == wanted)?;
            found.value.value.as_ref().map(|value| value.get().to_owned())
        };
        Self {
            role: role_of(node),
            name: text(node.name.as_ref()),
            ignored: node.ignored,
            focusable: property(accessibility::AXPropertyName::Focusable).as_deref() == Some("true"),
        }
    }
}

fn role_of(node: &accessibility::AXNode) -> String {
    text(node.role.as_ref())
}

fn text(value: Option<&accessibility::AXValue>) -> String {
    let raw = value.and_then(|value| value.value.as_ref());
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

fn value<T: DeserializeOwned>(
    result: runtime::RemoteObject,
    thrown: Option<runtime::ExceptionDetails>,
) -> miette::Result<T> {
    if let Some(details) = thrown {
        let said = details.exception.and_then(|exception| exception.description).unwrap_or(details.text);
        bail!("the page threw: {said}");
    }
    let raw = result.value.ok_or_else(|| miette!("the page gave no value"))?;
    serde_json::from_str(raw.get()).into_diagnostic()
}
