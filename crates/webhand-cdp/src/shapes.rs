//! What a command and an event are, and the macros that give the generated types their repeated parts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A command of the protocol, with the type of its reply.
pub trait Command: Serialize + Send + Sync {
    /// What the browser answers.
    type Reply: DeserializeOwned + Send + 'static;
    /// The full name, such as `Page.navigate`.
    const METHOD: &'static str;
}

/// An event of the protocol.
pub trait Event: DeserializeOwned + Send + 'static {
    /// The full name, such as `Page.frameNavigated`.
    const METHOD: &'static str;
}

/// The reply of a command that answers nothing; what comes anyway is ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}

/// `command!(Navigate => NavigateReply, "Page.navigate")`
macro_rules! command {
    ($name:ident => $reply:ty, $method:literal) => {
        impl $crate::Command for $name {
            type Reply = $reply;
            const METHOD: &'static str = $method;
        }
    };
}

/// `event!(FrameNavigated, "Page.frameNavigated")`
macro_rules! event {
    ($name:ident, $method:literal) => {
        impl $crate::Event for $name {
            const METHOD: &'static str = $method;
        }
    };
}

/// An identifier that is a string on the wire.
macro_rules! string_id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The identifier as it is on the wire.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<&$name> for $name {
            fn from(other: &$name) -> Self {
                other.clone()
            }
        }
    };
}

/// An identifier that is a whole number on the wire.
macro_rules! integer_id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl From<i64> for $name {
            fn from(number: i64) -> Self {
                Self(number)
            }
        }
    };
}

/// A closed list in the protocol's text, an open one here: a browser of tomorrow may say what we do not know.
macro_rules! string_enum {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($variant,)*
            /// A value that this version does not know by name.
            Other(String),
        }

        impl $name {
            /// The value as it is on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    _ => Self::Other(text.to_owned()),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text: std::borrow::Cow<'de, str> = serde::Deserialize::deserialize(deserializer)?;
                Ok(Self::from(text.as_ref()))
            }
        }
    };
}

pub(crate) use {command, event, integer_id, string_enum, string_id};
