//! The actions themselves: each a struct, its doc comment for the model, its facts beside it.

mod drag;
mod element;
mod extract;
mod file;
mod fill_form;
mod form;
mod human;
mod keys;
mod navigation;
mod page;
mod script;
mod scroll;
mod tool;
mod wait;

pub use drag::{Drag, DragMode};
pub use element::{Click, Focus, Hover, Modifier, MouseButton, OpenedTab};
pub use extract::Extract;
pub use file::{Download, File, FileOp, Paper, Pdf, Upload};
pub use fill_form::{FieldValue, FillForm, FormField};
pub use form::{Check, Fill, FillTier, Options, Select, SelectMode};
pub use human::{AskHuman, CodeKind, OneTimeCode, SolveCaptcha};
pub use keys::{Press, Type};
pub use navigation::{Back, Forward, Navigate, Reload, Search, Tab, TabOp};
pub use page::{Dialog, Screenshot};
pub use script::{Device, Evaluate, Viewport};
pub use scroll::{Scroll, ScrollTo, ScrollUnit};
pub use tool::{Done, Expand, Find, Read, ReadFormat, Remember};
pub use wait::{Wait, WaitFor};

/// Setters of the fields named, to be chained after an action's constructor.
macro_rules! setters {
    ($type:ident { $($field:ident: $of:ty),* $(,)? }) => {
        impl $type {
            $(
                #[doc = concat!("The same action with `", stringify!($field), "` set.")]
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$of>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*

            /// The same action with the reason for it.
            #[must_use]
            pub fn intent(mut self, intent: impl Into<String>) -> Self {
                self.intent = intent.into();
                self
            }
        }
    };
}
use setters;

/// A closed list of words for a parameter, written as the model writes them.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// The word for it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }
    };
}
use choice;
