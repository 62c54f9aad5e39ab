//! Hands on the web for language models.
//!
//! webhand reads a page into a short, true, numbered text; takes a model's reply ("click B5, type hello into I12") as
//! typed, validated actions; lands each one on the real element with real input; and says what really happened.
//!
//! ```no_run
//! use webhand::prelude::*;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let browser = Browser::launch(Launch::default()).await?;
//! let mut session = browser.open("https://example.com").await?;
//! let page = session.snapshot().await?;
//! println!("{}", page.outline(&FormatOptions::default()));
//! session.perform(Click::on("L1")).await.into_result()?;
//! browser.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! This crate is the public face for Rust. It holds what every face shares (launching with the in-page library in place)
//! and re-exports the layers below; it knows no terminal and no environment.

mod browser;

pub use browser::Browser;
pub use webhand_action as action;
pub use webhand_agent as agent;
pub use webhand_browser as engine;
pub use webhand_cdp as cdp;
pub use webhand_guard as guard;
pub use webhand_page as page;

/// What most programs need.
pub mod prelude {
    pub use webhand_action::{
        BatchOptions, Report, ReportItem, Session, SessionError, Settings,
        catalogue::{
            Action, Back, Catalogue, Check, Click, Dialog, Done, Fill, Find, Focus, Forward, Hover, Navigate, Options,
            Press, Read, Reload, Remember, Screenshot, Scroll, Search, Select, Target, Type, Wait,
        },
        error::{ActionError, ErrorCode},
        outcome::Outcome,
    };
    pub use webhand_browser::{BrowserError, Headless, Launch, NavigationError};
    pub use webhand_page::{FormatOptions, Ref, Snapshot};

    pub use crate::Browser;
}
