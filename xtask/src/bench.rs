//! `cargo xtask bench`: webhand beside floors made of raw protocol commands, as ratios, on pages made from a seed.
//!
//! Pages ([`pages`]) come with their truth and are served on loopback ([`site`]). Floors ([`floor`]) and webhand
//! ([`own`]) are contenders ([`contender`]) that run one course ([`course`]) in turn; figures are medians with minimum
//! and middle half ([`figures`]), told by a report ([`report`]). What is measured is a release build: a debug build
//! starts that. It must not know how a page is read or an element clicked.

mod contender;
mod course;
mod delta;
mod figures;
mod floor;
mod frames;
mod memory;
mod own;
mod pages;
mod peers;
mod random;
mod report;
mod site;
mod tokens;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use miette::{Context as _, IntoDiagnostic as _, miette};

use contender::Contender;
use course::{Course, Effort};
use figures::Series;
use floor::{FloorBrowser, FloorFull, Recipe};
use own::Own;
use pages::Page;
use peers::Peering;
use report::{Measure, Report};
use site::Site;

/// What to measure, and how much.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Prints JSON instead of lines
    #[arg(long)]
    json: bool,
    /// Measures other engines that are installed in that folder, too
    #[arg(long, value_name = "DIR")]
    peers: Option<PathBuf>,
    /// Of the peers only these
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "peers")]
    peer: Vec<String>,
    /// No more time for one peer than that many seconds
    #[arg(long, default_value_t = 300, value_name = "SECONDS")]
    peer_limit: u64,
    /// The folder of recorded flows
    #[arg(long, value_name = "DIR", default_value = delta::FOLDER)]
    flows: PathBuf,
    /// Only these parts of the bench
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PARTS")]
    only: Vec<Part>,
    /// The pages: form, app, table, huge, frames, shadow, spa, or huge-N with N elements
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pages: Vec<String>,
    /// Sizes of the page family `huge-N` to be read beside the pages, for growth
    #[arg(long, value_delimiter = ',', value_name = "ELEMENTS")]
    nodes: Vec<usize>,
    /// Timed readings of a page by each contender
    #[arg(long, default_value_t = 15)]
    runs: usize,
    /// Clicks and fills by each contender
    #[arg(long, default_value_t = 15)]
    acts: usize,
    /// Launches by each contender
    #[arg(long, default_value_t = 5)]
    launches: usize,
    /// No more readings of a page after that many seconds
    #[arg(long, default_value_t = 40)]
    cap: u64,
    /// Another seed gives other words and another order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only writes the pages and `truth.json` to that folder
    #[arg(long, value_name = "DIR")]
    emit: Option<PathBuf>,
    /// Holds the floor against itself: how far ratios stray on this machine
    #[arg(long)]
    noise: bool,
    /// Reads these three addresses and prints what memory that took (used by the bench itself)
    #[arg(long, hide = true, num_args = 3, value_name = "ADDRESS")]
    memory_of: Vec<String>,
}

/// A part of the bench that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Readings and actions beside the floor
    Course,
    /// From the start of the browser to the first snapshot
    Launches,
    /// Memory
    Memory,
    /// What frames cost
    Frames,
    /// What is told after an action, in recorded flows
    Delta,
    /// The peers
    Peers,
}

impl Arguments {
    fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// Measures and prints; the last line is `bench: ran N measures`. Fails where something could not be measured.
pub(crate) fn run(arguments: &Arguments) -> miette::Result<ExitCode> {
    if let Some(folder) = &arguments.emit {
        return emit(arguments, folder);
    }
    if cfg!(debug_assertions) {
        return run_in_release();
    }
    let runtime = tokio::runtime::Runtime::new().into_diagnostic()?;
    if let [form, table, huge] = arguments.memory_of.as_slice() {
        let memory = runtime.block_on(own::memory(form, table, huge))?;
        println!("{}", serde_json::to_string(&memory).into_diagnostic()?);
        return Ok(ExitCode::SUCCESS);
    }
    let report = runtime.block_on(measure(arguments))?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report).into_diagnostic()?);
    } else {
        print!("{}", report.text());
    }
    Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same command in a release build.
fn run_in_release() -> miette::Result<ExitCode> {
    eprintln!("bench: building and measuring a release build");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = std::process::Command::new(cargo)
        .args(["run", "--quiet", "--release", "--package", "xtask", "--"])
        .args(std::env::args_os().skip(1))
        .status()
        .into_diagnostic()
        .wrap_err("cannot start cargo")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The pages that are asked for, by name, those of the growth family last.
fn chosen(arguments: &Arguments) -> miette::Result<Vec<Page>> {
    let mut names: Vec<String> = arguments.pages.clone();
    if names.is_empty() {
        names = pages::NAMES.iter().map(|name| (*name).to_owned()).collect();
    }
    let mut sizes = arguments.nodes.clone();
    if sizes.is_empty() && names.iter().any(|name| name == "huge") {
        sizes.push(10_000);
    }
    names.extend(sizes.iter().map(|size| format!("huge-{size}")));
    names
        .iter()
        .map(|name| pages::make(name, arguments.seed).ok_or_else(|| miette!("there is no page {name:?}")))
        .collect()
}

/// Writes the pages and their truth.
fn emit(arguments: &Arguments, folder: &std::path::Path) -> miette::Result<ExitCode> {
    std::fs::create_dir_all(folder).into_diagnostic().wrap_err("cannot make the folder")?;
    let mut truth = serde_json::Map::new();
    for page in chosen(arguments)? {
        for (path, html) in &page.documents {
            std::fs::write(folder.join(path), html).into_diagnostic()?;
        }
        println!("{}: {} elements, {} controls", page.name, page.elements, page.truth.controls.len());
        truth.insert(page.name, serde_json::to_value(&page.truth).into_diagnostic()?);
    }
    let truth = serde_json::to_string_pretty(&truth).into_diagnostic()?;
    std::fs::write(folder.join("truth.json"), truth).into_diagnostic()?;
    Ok(ExitCode::SUCCESS)
}

/// The whole measuring.
async fn measure(arguments: &Arguments) -> miette::Result<Report> {
    let pages = chosen(arguments)?;
    let form = pages::make("form", arguments.seed).ok_or_else(|| miette!("there is no page form"))?;
    let mut served = pages.clone();
    served.push(form.clone());
    let framed = ["frames", "one-frame"].into_iter().filter_map(|name| pages::make(name, arguments.seed));
    let framed: Vec<Page> = framed.collect();
    served.extend(framed.iter().cloned());
    let site = Site::serve(&served).await?;
    let mut report = Report { seed: arguments.seed, load: [load(), 0.0], ..Report::default() };
    let own = Own::launch().await?;
    report.title = format!("webhand against floor-full in {}", own.product());
    let recipe = own.recipe()?;
    if arguments.noise || arguments.wants(Part::Course) {
        Box::pin(course_against_floor(arguments, own, &recipe, &pages, &site, &mut report)).await?;
    } else {
        own.close().await;
    }
    if !arguments.noise {
        if arguments.wants(Part::Launches) {
            launches(arguments, &recipe, &site.address(&form), &mut report).await;
        }
        if arguments.wants(Part::Memory) {
            measure_memory(&pages, &site, &mut report).await;
        }
        if let (true, [frames, one]) = (arguments.wants(Part::Frames), framed.as_slice()) {
            eprintln!("bench: frames");
            match frames::measure([frames, one], &site, arguments.runs).await {
                Ok(cost) => report.frames = cost,
                Err(error) => report.fail("frames", "frames", &error),
            }
        }
        if arguments.wants(Part::Delta) {
            eprintln!("bench: delta");
            match delta::measure(&arguments.flows, arguments.seed, &mut report).await {
                Ok(deltas) => report.deltas = Some(deltas),
                Err(error) => report.fail("flows", "delta", &error),
            }
        }
        if arguments.wants(Part::Peers) {
            measure_peers(arguments, &pages, &site, &mut report).await;
        }
    }
    report.load[1] = load();
    Ok(report)
}

/// The course, by webhand and the floor, or by the floor and itself.
async fn course_against_floor(
    arguments: &Arguments,
    mut own: Own,
    recipe: &Recipe,
    pages: &[Page],
    site: &Site,
    report: &mut Report,
) -> miette::Result<()> {
    let mut floor = FloorFull::new(FloorBrowser::start(recipe).await.into_diagnostic()?);
    if arguments.noise {
        report.title = format!("floor-full against itself in {}", own.product());
        own.close().await;
        let mut other = FloorFull::new(FloorBrowser::start(recipe).await.into_diagnostic()?);
        run_course(arguments, pages, site, &mut other, &mut floor, report).await;
        other.close().await;
    } else {
        run_course(arguments, pages, site, &mut own, &mut floor, report).await;
        own.close().await;
    }
    floor.close().await;
    Ok(())
}

async fn run_course<A: Contender, B: Contender>(
    arguments: &Arguments,
    pages: &[Page],
    site: &Site,
    own: &mut A,
    floor: &mut B,
    report: &mut Report,
) {
    let effort = Effort { runs: arguments.runs, acts: arguments.acts, cap: Duration::from_secs(arguments.cap) };
    for page in pages {
        eprintln!("bench: {}", page.name);
        Course { own, floor, effort }.run(page, &site.address(page), report).await;
        course::references(floor, page, arguments.runs.min(3), report).await;
    }
    let mut family: Vec<&Page> = pages.iter().filter(|page| page.name.starts_with("huge")).collect();
    family.sort_by_key(|page| page.elements);
    for (from, to) in family.iter().zip(family.iter().skip(1)) {
        report.note_growth(from, to);
    }
}

/// From the start of the browser to the first snapshot of the form, in turn.
async fn launches(arguments: &Arguments, recipe: &Recipe, address: &str, report: &mut Report) {
    eprintln!("bench: launches");
    let (mut own, mut floor) = (Series::default(), Series::default());
    for round in 0..arguments.launches {
        for own_turn in [round % 2 == 0, round % 2 == 1] {
            let time =
                if own_turn { own::launch_time(address).await } else { floor::launch_time(recipe, address).await };
            match time {
                Ok(time) if own_turn => own.push(time),
                Ok(time) => floor.push(time),
                Err(error) => report.fail("form", "launch", &error),
            }
        }
    }
    report.measures.push(Measure::of("form", "launch to first snapshot", &own, &floor));
}

/// Other engines, where a folder of them is named.
async fn measure_peers(arguments: &Arguments, pages: &[Page], site: &Site, report: &mut Report) {
    let Some(folder) = arguments.peers.as_deref() else { return };
    let limit = Duration::from_secs(arguments.peer_limit);
    match (Peering { folder, only: &arguments.peer, limit, runs: arguments.runs }).run(pages, site).await {
        Ok(standing) => report.peers = Some(standing),
        Err(error) => report.fail("all", "peers", &error),
    }
}

/// Memory, where the pages that it takes are among those chosen.
async fn measure_memory(pages: &[Page], site: &Site, report: &mut Report) {
    let address = |name: &str| pages.iter().find(|page| page.name == name).map(|page| site.address(page));
    let (Some(form), Some(table), Some(huge)) = (address("form"), address("table"), address("huge")) else { return };
    eprintln!("bench: memory");
    match memory::in_a_process_of_its_own(&form, &table, &huge).await {
        Ok(memory) => report.memory = Some(memory),
        Err(error) => report.fail("table", "memory", &error),
    }
}

/// The load average of the last minute; 0 where the system does not tell.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default()
}
