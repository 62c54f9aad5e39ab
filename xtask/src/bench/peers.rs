//! Other engines beside webhand, in one run, on the pages of this bench.
//!
//! The engines are installed in a folder with a driver each ([`adapter`]); they and webhand read the same pages from the
//! same server, webhand before each of them and after the last, so that a busy moment hits both. What came of it is
//! compared in [`standing`]. It must not know how a driver reads a page.

mod adapter;
mod standing;

use std::path::Path;
use std::time::{Duration, Instant};

use miette::IntoDiagnostic as _;
use webhand::page::Texts;
use webhand::prelude::FormatOptions;

use super::contender::{Contender as _, Offers, milliseconds};
use super::figures::Series;
use super::own::Own;
use super::pages::Page;
use super::site::Site;
use super::tokens;

use adapter::Folder;
pub(crate) use standing::Standing;
use standing::{OwnPage, Peer, PeerPage};

/// How the peers are measured.
#[derive(Debug)]
pub(crate) struct Peering<'a> {
    /// The folder in which they are installed.
    pub(crate) folder: &'a Path,
    /// Only these; all where there are none.
    pub(crate) only: &'a [String],
    /// No more time for one of them than that.
    pub(crate) limit: Duration,
    /// Timed readings of a page.
    pub(crate) runs: usize,
}

/// What webhand's readings of one page gave so far.
#[derive(Debug, Default)]
struct Readings {
    /// With the text of the default budget.
    short: Series,
    /// With the whole text.
    whole: Series,
}

impl Peering<'_> {
    /// Measures all of them on these pages.
    pub(crate) async fn run(&self, pages: &[Page], site: &Site) -> miette::Result<Standing> {
        let folder = Folder::find(self.folder)?;
        let (installed, missing) = folder.installed(self.only);
        let mut own = Own::launch().await?;
        let browser = own.program()?;
        let mut readings: Vec<Readings> = pages.iter().map(|_| Readings::default()).collect();
        let mut standing = Standing { missing, ..Standing::default() };
        // The first readings warm the pages' caches up and say what there is.
        for page in pages {
            standing.own.push(sight(&mut own, page, site).await?);
        }
        for adapter in installed {
            read_all(&mut own, pages, site, self.runs, &mut readings).await?;
            eprintln!("bench: {} (at most {} s)", adapter.name, self.limit.as_secs());
            let peer = match folder.run(adapter, pages, site.port(), &browser, self.runs, self.limit).await {
                Ok(told) => peer_of(adapter.name, pages, &told)?,
                Err(error) => {
                    Peer { name: adapter.name.to_owned(), errors: vec![error.to_string()], ..Peer::default() }
                }
            };
            standing.peers.push(peer);
        }
        read_all(&mut own, pages, site, self.runs, &mut readings).await?;
        own.close().await;
        for (page, readings) in standing.own.iter_mut().zip(&readings) {
            page.short = readings.short.summary();
            page.whole = readings.whole.summary();
        }
        Ok(standing)
    }
}

/// What webhand says of a page, without any time.
async fn sight(own: &mut Own, page: &Page, site: &Site) -> miette::Result<OwnPage> {
    own.open(&site.address(page)).await.into_diagnostic()?;
    let sight = own.look().await.into_diagnostic()?;
    let mut bare = unlimited();
    bare.texts = Texts::None;
    let (short, whole, bare) = (sight.text(), sight.outline(&unlimited()), sight.outline(&bare));
    let offers = own.offers(&sight);
    Ok(OwnPage {
        page: page.name.clone(),
        controls: page.truth.controls.len(),
        listed: listed(page, &offers, &whole),
        listed_short: listed(page, &offers, short),
        listed_bare: listed(page, &offers, &bare),
        decoys: page.truth.decoys.len(),
        decoys_offered: page.truth.decoys.keys().filter(|token| offers.usable.contains_key(*token)).count(),
        tokens: tokens::count(&whole)?,
        tokens_short: tokens::count(short)?,
        tokens_bare: tokens::count(&bare)?,
        short: None,
        whole: None,
    })
}

/// How many of the page's controls are offered as usable and stand in the text with their refs.
fn listed(page: &Page, offers: &Offers, text: &str) -> usize {
    let words: std::collections::HashSet<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    let handle = |token: &String| offers.usable.get(token);
    page.truth.controls.keys().filter_map(handle).filter(|handle| words.contains(handle.as_str())).count()
}

/// Reads every page some times, as its peers do it: opened anew, one reading that is not counted, then in a row.
async fn read_all(
    own: &mut Own,
    pages: &[Page],
    site: &Site,
    times: usize,
    readings: &mut [Readings],
) -> miette::Result<()> {
    let options = unlimited();
    for (page, readings) in pages.iter().zip(readings) {
        own.open(&site.address(page)).await.into_diagnostic()?;
        own.look().await.into_diagnostic()?;
        for _ in 0..times {
            let began = Instant::now();
            let sight = own.look().await.into_diagnostic()?;
            let short = milliseconds(began.elapsed());
            let began = Instant::now();
            let text = sight.outline(&options);
            let text_time = milliseconds(began.elapsed());
            readings.short.push(short);
            // The same reading with the whole text instead of the short one.
            readings.whole.push(short - own.text_time(&sight).unwrap_or_default() + text_time);
            drop(text);
        }
    }
    Ok(())
}

fn unlimited() -> FormatOptions {
    let mut options = FormatOptions::default();
    options.max_tokens = 0;
    options
}

/// What a driver told, with the tokens of the texts that it kept.
fn peer_of(name: &str, pages: &[Page], told: &adapter::Told) -> miette::Result<Peer> {
    let mut peer = Peer { name: name.to_owned(), errors: told.errors(), ..Peer::default() };
    for page in pages {
        let Some(figures) = told.pages.get(&page.name) else { continue };
        let text = told.texts.get(&page.name).map_or("", String::as_str);
        peer.pages.insert(
            page.name.clone(),
            PeerPage {
                median: figures.ms,
                min: figures.min_ms,
                count: figures.n,
                listed: figures.listed,
                decoys_offered: decoys_offered(page, figures, text),
                tokens: tokens::count(text)?,
            },
        );
    }
    Ok(peer)
}

/// Decoys with a handle, but for those that are disabled and said to be.
fn decoys_offered(page: &Page, figures: &adapter::Figures, text: &str) -> usize {
    let with_handle: usize = figures.decoy_refs.values().sum();
    let disabled = |token: &str| page.truth.decoys.get(token).is_some_and(|why| *why == "disabled");
    let said =
        text.lines().filter(|line| line.contains("disabled") && super::contender::token_in(line).is_some_and(disabled));
    with_handle.saturating_sub(said.count().min(figures.decoy_refs.get("disabled").copied().unwrap_or_default()))
}
