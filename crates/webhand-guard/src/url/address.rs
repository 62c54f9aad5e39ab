//! Which addresses and host names are on the public internet.
//!
//! Knows ranges and special names, nothing of rules or URLs. An IPv6 address
//! that carries an IPv4 one (mapped, compatible, NAT64, 6to4, ISATAP) is what
//! the carried address is.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where an IP address or a special host name leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddressKind {
    /// Globally reachable.
    Public,
    /// This machine.
    Loopback,
    /// A private network: RFC 1918, unique local, a name without a public zone.
    Private,
    /// Only on this link.
    LinkLocal,
    /// A cloud machine's own metadata service.
    Metadata,
    /// Shared address space behind a carrier's NAT.
    CarrierGrade,
    /// A group of receivers.
    Multicast,
    /// No address at all, which most systems take for this machine.
    Unspecified,
    /// Set aside: documentation, benchmarks, protocol use, future use.
    Reserved,
}

impl AddressKind {
    /// The kind of an IP address.
    #[must_use]
    pub fn of(address: IpAddr) -> AddressKind {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }

    /// The kind of a canonical (lower-case, ASCII, no trailing dot) host name,
    /// as far as the name itself tells.
    pub(crate) fn of_name(name: &str) -> AddressKind {
        let is_in = |zones: &[&str]| {
            zones.iter().filter_map(|zone| name.strip_suffix(zone)).any(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if METADATA_NAMES.contains(&name) {
            AddressKind::Metadata
        } else if is_in(LOOPBACK_NAMES) {
            AddressKind::Loopback
        } else if is_in(PRIVATE_ZONES) || !name.contains('.') {
            AddressKind::Private
        } else {
            AddressKind::Public
        }
    }

    /// Whether anyone on the internet can reach it.
    #[must_use]
    pub fn is_public(self) -> bool {
        self == AddressKind::Public
    }

    /// Whether naming a *host name* is enough to reach an address of this kind
    /// behind it. Nobody runs a site on a metadata service or a multicast
    /// group: a name that resolves there is a trick.
    pub(crate) fn is_granted_by_name(self) -> bool {
        matches!(self, AddressKind::Public | AddressKind::Loopback | AddressKind::Private | AddressKind::CarrierGrade)
    }
}

impl fmt::Display for AddressKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AddressKind::Public => "a public address",
            AddressKind::Loopback => "a loopback address",
            AddressKind::Private => "a private address",
            AddressKind::LinkLocal => "a link-local address",
            AddressKind::Metadata => "a cloud metadata address",
            AddressKind::CarrierGrade => "a carrier-grade NAT address",
            AddressKind::Multicast => "a multicast address",
            AddressKind::Unspecified => "the unspecified address",
            AddressKind::Reserved => "a reserved address",
        })
    }
}

const METADATA_NAMES: &[&str] =
    &["metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal"];

/// Names that mean this machine, themselves and everything below them.
const LOOPBACK_NAMES: &[&str] =
    &["localhost", "localhost.localdomain", "localhost6", "localhost6.localdomain6", "ip6-localhost", "ip6-loopback"];

/// Zones that are never delegated in the public DNS.
const PRIVATE_ZONES: &[&str] = &["local", "internal", "intranet", "localdomain", "lan", "home", "corp", "home.arpa"];

/// Metadata services that have an address of their own; all of 169.254/16
/// counts as link-local beside the well-known ones.
const METADATA_V4: &[Ipv4Addr] = &[
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];

const METADATA_V6: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254),
    Ipv6Addr::new(0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0023),
    Ipv6Addr::new(0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254),
];

/// IPv4 ranges that are not public, first match wins.
const RANGES_V4: &[(Ipv4Addr, u32, AddressKind)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, AddressKind::Unspecified),
    (Ipv4Addr::new(10, 0, 0, 0), 8, AddressKind::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, AddressKind::CarrierGrade),
    (Ipv4Addr::new(127, 0, 0, 0), 8, AddressKind::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, AddressKind::LinkLocal),
    (Ipv4Addr::new(172, 16, 0, 0), 12, AddressKind::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, AddressKind::Reserved),
    (Ipv4Addr::new(192, 0, 2, 0), 24, AddressKind::Reserved),
    (Ipv4Addr::new(192, 88, 99, 0), 24, AddressKind::Reserved),
    (Ipv4Addr::new(192, 168, 0, 0), 16, AddressKind::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, AddressKind::Reserved),
    (Ipv4Addr::new(198, 51, 100, 0), 24, AddressKind::Reserved),
    (Ipv4Addr::new(203, 0, 113, 0), 24, AddressKind::Reserved),
    (Ipv4Addr::new(224, 0, 0, 0), 4, AddressKind::Multicast),
    (Ipv4Addr::new(240, 0, 0, 0), 4, AddressKind::Reserved),
];

fn of_v4(address: Ipv4Addr) -> AddressKind {
    if METADATA_V4.contains(&address) {
        return AddressKind::Metadata;
    }
    let bits = u32::from(address);
    RANGES_V4
        .iter()
        .find(|(base, length, _)| (bits ^ u32::from(*base)) >> (32 - length) == 0)
        .map_or(AddressKind::Public, |(_, _, kind)| *kind)
}

fn of_v6(address: Ipv6Addr) -> AddressKind {
    if METADATA_V6.contains(&address) {
        return AddressKind::Metadata;
    }
    if address.is_unspecified() {
        return AddressKind::Unspecified;
    }
    if address.is_loopback() {
        return AddressKind::Loopback;
    }
    let own = of_v6_prefix(address.segments());
    match carried(address.segments()) {
        // What is carried can only make an address less public.
        Some(inner) if own.is_public() => of_v4(inner),
        _ => own,
    }
}

fn of_v6_prefix(segments: [u16; 8]) -> AddressKind {
    match segments {
        [first, ..] if first & 0xffc0 == 0xfe80 => AddressKind::LinkLocal,
        // Site-local is deprecated, and still private where it is in use.
        [first, ..] if first & 0xffc0 == 0xfec0 => AddressKind::Private,
        [first, ..] if first & 0xfe00 == 0xfc00 => AddressKind::Private,
        [first, ..] if first & 0xff00 == 0xff00 => AddressKind::Multicast,
        // NAT64 for local use: what is behind it is anybody's guess.
        [0x0064, 0xff9b, 1, ..] => AddressKind::Private,
        // Discard-only, Teredo, benchmarking, ORCHID, documentation, SRv6.
        [0x0100, 0, 0, ..] | [0x2001, 0, ..] | [0x2001, 2, 0, ..] | [0x2001, 0x0db8, ..] | [0x5f00, ..] => {
            AddressKind::Reserved
        }
        [0x2001, second, ..] if second & 0xfff0 == 0x0010 => AddressKind::Reserved,
        [0x3fff, second, ..] if second < 0x1000 => AddressKind::Reserved,
        // Apart from what carries an IPv4 address, only 2000::/3 is given out.
        [first, ..] if first & 0xe000 == 0x2000 || first == 0 => AddressKind::Public,
        [0x0064, 0xff9b, 0, 0, 0, 0, ..] => AddressKind::Public,
        _ => AddressKind::Reserved,
    }
}

/// The IPv4 address that an IPv6 one carries, if it does.
fn carried(segments: [u16; 8]) -> Option<Ipv4Addr> {
    let join = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match segments {
        // ::a.b.c.d, ::ffff:a.b.c.d, ::ffff:0:a.b.c.d
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => Some(join(high, low)),
        [0x0064, 0xff9b, 0, 0, 0, 0, high, low] => Some(join(high, low)),
        [0x2002, high, low, ..] => Some(join(high, low)),
        [_, _, _, _, 0 | 0x0200, 0x5efe, high, low] => Some(join(high, low)),
        // Anything else below ::/16 is not given out to anyone.
        [0, ..] => Some(Ipv4Addr::new(240, 0, 0, 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: AddressKind) {
        let address = text.parse::<IpAddr>().unwrap();
        assert_eq!(AddressKind::of(address), expected, "{text}");
    }

    #[test]
    fn ipv4_ranges_to_their_edges() {
        use AddressKind::*;
        for (text, kind) in [
            ("0.0.0.0", Unspecified),
            ("0.255.255.255", Unspecified),
            ("1.0.0.0", Public),
            ("8.8.8.8", Public),
            ("9.255.255.255", Public),
            ("10.0.0.0", Private),
            ("10.255.255.255", Private),
            ("11.0.0.0", Public),
            ("100.63.255.255", Public),
            ("100.64.0.0", CarrierGrade),
            ("100.127.255.255", CarrierGrade),
            ("100.128.0.0", Public),
            ("127.0.0.1", Loopback),
            ("127.255.255.254", Loopback),
            ("128.0.0.1", Public),
            ("169.254.1.1", LinkLocal),
            ("169.254.169.254", Metadata),
            ("168.63.129.16", Metadata),
            ("100.100.100.200", Metadata),
            ("172.15.255.255", Public),
            ("172.16.0.1", Private),
            ("172.31.255.255", Private),
            ("172.32.0.0", Public),
            ("192.167.1.1", Public),
            ("192.168.0.1", Private),
            ("198.18.0.1", Reserved),
            ("198.20.0.1", Public),
            ("203.0.113.9", Reserved),
            ("223.255.255.255", Public),
            ("224.0.0.251", Multicast),
            ("240.0.0.1", Reserved),
            ("255.255.255.255", Reserved),
        ] {
            check(text, kind);
        }
    }

    #[test]
    fn ipv6_ranges_and_what_they_carry() {
        use AddressKind::*;
        for (text, kind) in [
            ("::", Unspecified),
            ("::1", Loopback),
            ("::2", Unspecified),
            ("::127.0.0.1", Loopback),
            ("::ffff:127.0.0.1", Loopback),
            ("::ffff:8.8.8.8", Public),
            ("::ffff:0:127.0.0.1", Loopback),
            ("64:ff9b::7f00:1", Loopback),
            ("64:ff9b::10.0.0.1", Private),
            ("64:ff9b::8.8.8.8", Public),
            ("64:ff9b:1::8.8.8.8", Private),
            ("2002:7f00:1::", Loopback),
            ("2002:a9fe:a9fe::1", Metadata),
            ("2002:808:808::1", Public),
            ("2001:4860:4860::5efe:10.0.0.1", Private),
            ("2001::1", Reserved),
            ("2001:db8::1", Reserved),
            ("2001:4860:4860::8888", Public),
            ("2606:4700:4700::1111", Public),
            ("fe80::1", LinkLocal),
            ("febf::1", LinkLocal),
            ("fec0::1", Private),
            ("fc00::1", Private),
            ("fdff::1", Private),
            ("fd00:ec2::254", Metadata),
            ("ff02::1", Multicast),
            ("100::1", Reserved),
            ("4000::1", Reserved),
            ("0:1::1", Reserved),
        ] {
            check(text, kind);
        }
    }

    #[test]
    fn names_that_only_lead_inside() {
        use AddressKind::*;
        for (name, kind) in [
            ("localhost", Loopback),
            ("a.b.localhost", Loopback),
            ("notlocalhost.com", Public),
            ("localhost.com", Public),
            ("mylocalhost", Private),
            ("printer.local", Private),
            ("redis", Private),
            ("metadata.google.internal", Metadata),
            ("db.internal", Private),
            ("example.com", Public),
            ("local.example.com", Public),
        ] {
            assert_eq!(AddressKind::of_name(name), kind, "{name}");
        }
    }
}
