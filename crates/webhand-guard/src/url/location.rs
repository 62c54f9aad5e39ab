//! A URL in canonical form, parsed the way the browser parses it.
//!
//! Parsing is the URL standard's (crate `url`): it strips control characters,
//! turns backslashes round, maps international names to punycode and reads
//! every notation of an IPv4 address. Knows nothing of rules.

use std::net::IpAddr;

use ::url::Url;

use super::address::AddressKind;
use super::path::{self, Segments};

/// A host, canonical: equal hosts compare equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// Lower-case ASCII labels, no trailing dot, no empty label.
    Name(String),
    /// An address, IPv4 whenever it is one.
    Address(IpAddr),
}

impl Host {
    /// `None` when a label is empty (`.`, `a..b`, `bad.com..`).
    pub(crate) fn canonical(host: ::url::Host<&str>) -> Option<Host> {
        match host {
            ::url::Host::Ipv4(address) => Some(Host::Address(address.into())),
            ::url::Host::Ipv6(address) => {
                Some(Host::Address(address.to_ipv4_mapped().map_or(address.into(), IpAddr::from)))
            }
            ::url::Host::Domain(name) => {
                let name = name.strip_suffix('.').unwrap_or(name);
                let whole = name.split('.').all(|label| !label.is_empty());
                whole.then(|| Host::Name(name.to_ascii_lowercase()))
            }
        }
    }

    /// What is known of where it leads before it is resolved.
    pub(crate) fn kind(&self) -> AddressKind {
        match self {
            Host::Name(name) => AddressKind::of_name(name),
            Host::Address(address) => AddressKind::of(*address),
        }
    }
}

/// An http(s) or ws(s) URL, ready to be matched.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) scheme: String,
    pub(crate) host: Host,
    pub(crate) port: u16,
    /// Never empty; see [`path::readings`].
    pub(crate) readings: Vec<Segments>,
}

/// Why a URL of a web scheme has no [`Location`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlocated {
    Host,
    Path,
}

impl Location {
    /// The location of a URL whose scheme is one of the web's.
    pub(crate) fn of(url: &Url) -> Result<Location, Unlocated> {
        let host = url.host().and_then(Host::canonical);
        Ok(Location {
            scheme: url.scheme().to_owned(),
            host: host.ok_or(Unlocated::Host)?,
            port: url.port_or_known_default().ok_or(Unlocated::Host)?,
            readings: path::readings(url.path()).ok_or(Unlocated::Path)?,
        })
    }
}
