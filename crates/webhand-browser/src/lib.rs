//! Browsers, contexts, tabs, frames, dialogs and navigation, on top of
//! [`webhand_cdp`].
//!
//! ```no_run
//! use std::time::Duration;
//! use webhand_browser::{Browser, Launch};
//!
//! # async fn example() -> Result<(), webhand_browser::BrowserError> {
//! let browser = Browser::launch(Launch::default()).await?;
//! let tab = browser.default_context().new_tab(None).await?;
//! let loaded = tab.navigate("https://example.org/", Duration::from_secs(30)).await?;
//! println!("{:?} {}", loaded.status, loaded.url);
//! browser.close().await;
//! # Ok(()) }
//! ```
//!
//! What is known about tabs and frames is kept by a pure state machine that
//! takes the protocol's events in; the rest is a thin shell around it. This
//! crate knows nothing of what is *in* a page: elements, text and actions are
//! for the layers above.

mod browser;
mod context;
mod dialog;
mod downloads;
mod error;
mod events;
mod find;
mod ids;
mod install;
mod judge;
mod launch;
mod lineage;
mod process;
mod shell;
mod state;
mod tab;

pub use browser::{Browser, BrowserInfo};
pub use context::Context;
pub use dialog::{Dialog, DialogKind, DialogPolicy, DialogRule};
pub use error::{BrowserError, NavigationError};
pub use events::{ContextEvent, Events, Expected, Heard, TabEvent};
pub use find::{Find, Found, Headless, Kind};
pub use ids::{DocumentId, DownloadId, FrameId, NotATab, TabId};
pub use install::{Installed, System, install};
pub use judge::{Place, UrlJudge};
pub use launch::{Launch, Sandbox};
pub use state::{Download, DownloadState, LeftTab};
pub use tab::{CaptureOptions, Clip, FrameInfo, ImageFormat, Loaded, Saved, Saving, Tab};
pub use webhand_cdp as cdp;
pub use webhand_cdp::protocol::runtime::ExecutionContextId;
