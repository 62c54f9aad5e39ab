//! What a browser agent may do and what it must not see, as pure values.
//!
//! - [`UrlJudge`] says whether an address may be opened or loaded, from a
//!   [`UrlPolicy`] of [`Pattern`]s.
//! - [`Fence`] puts page text between delimiters that no page can forge.
//! - [`Secret`] holds a value that never prints.
//!
//! Nothing here knows a browser, a network, a file or the environment: every
//! function takes and gives plain values and is total, whatever a page, a
//! model or a policy file feeds it.
//!
//! ```
//! use webhand_guard::{Place, UrlJudge, UrlPolicy};
//!
//! let policy = UrlPolicy::parse(["good.com"], ["good.com/admin"])?;
//! let judge = UrlJudge::new(policy);
//! assert!(judge.judge("https://good.com/shop", Place::Top).allowed);
//! let verdict = judge.judge("https://good.com/%61dmin", Place::Top);
//! assert!(!verdict.allowed);
//! assert_eq!(verdict.rule.as_deref(), Some("good.com/admin"));
//! # Ok::<(), webhand_guard::PatternError>(())
//! ```

mod fence;
mod secret;
mod url;

pub use self::fence::{Fence, visible};
pub use self::secret::Secret;
pub use self::url::{AddressKind, Pattern, PatternError, Place, Reason, UrlJudge, UrlPolicy, Verdict};
