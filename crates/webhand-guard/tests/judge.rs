//! The judge from outside: the shipped table, whole kinds of tricks, places,
//! resolved addresses, and properties that hold for every string.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::net::IpAddr;

use proptest::prelude::*;
use webhand_guard::{Pattern, Place, Reason, UrlJudge, UrlPolicy, Verdict};

fn list(text: &str) -> Vec<&str> {
    text.split([' ', ',']).filter(|it| !matches!(*it, "" | "-")).collect()
}

fn judge_at(allow: &str, deny: &str, url: &str, place: Place) -> Verdict {
    let policy = UrlPolicy::parse(list(allow), list(deny)).unwrap();
    UrlJudge::new(policy).judge(url, place)
}

#[track_caller]
fn check(allow: &str, deny: &str, url: &str, allowed: bool) {
    let verdict = judge_at(allow, deny, url, Place::Top);
    assert_eq!(verdict.allowed, allowed, "{allow} | {deny} | {url:?}: {verdict}");
}

#[test]
fn the_shipped_table_holds() {
    let table = include_str!("../../../tests/cases/urls.tsv");
    let mut rows = 0;
    for line in table.lines().filter(|it| !it.starts_with('#') && !it.is_empty()) {
        let columns: Vec<_> = line.split('\t').collect();
        check(columns[0], columns[1], columns[2], columns[3] == "allow");
        rows += 1;
    }
    assert!(rows >= 45, "{rows} rows");
}

#[test]
fn nothing_inside_is_reached_in_any_notation() {
    for url in [
        "http://127.1/",
        "http://127.0.1/",
        "http://0177.0.0.1/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://0X7F.0.0.1/",
        "http://127.0.0.1./",
        "http://%31%32%37.0.0.1/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://①②⑦.0.0.1/",
        "http://0/",
        "http://0.0.0.0/",
        "http://127.255.255.255/",
        "HTTP://LOCALHOST/",
        "http://localhost./",
        "http://foo.localhost/",
        "http://foo.LocalHost.:80/",
        "http://loc%61lhost/",
        "http://ｌocalhost/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::]/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::FFFF:10.0.0.1]/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[fd12:3456::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b::169.254.169.254]/",
        "http://[2002:7f00:1::]/",
        "http://[2002:c0a8:101::1]/",
        "http://[ff02::1]/",
        "http://[fd00:ec2::254]/",
        "http://192.168.0.1/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://100.64.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http://169.254.0.1/",
        "http://2852039166/",
        "http://0xa9.0xfe.0xa9.0xfe/",
        "http://metadata.google.internal/",
        "http://metadata.google.internal./",
        "http://router.local/",
        "http://redis:6379/",
        "http:127.0.0.1/",
        "http:/127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "http://user:pass@127.0.0.1/",
        "http://good.com@127.0.0.1/",
        "  http://127.0.0.1/",
        "h\tt\ntp://127.0.0.1/",
        "http://12\n7.0.0.1/",
        "http://127.0.0.1:80\\@good.com/",
        "http://good.com:80@127.0.0.1/",
    ] {
        check("-", "-", url, false);
        check("*", "-", url, false);
        check("http://*", "-", url, false);
    }
}

#[test]
fn no_other_scheme_is_opened_at_the_top() {
    for url in [
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "\u{1}javascript:alert(1)",
        " javascript:alert(1)",
        "file:///",
        "FILE:/etc/passwd",
        "file://good.com/x",
        "view-source:view-source:https://good.com/",
        "view-source:https://good.com/",
        "chrome-extension://abc/x.html",
        "chrome-error://chromewebdata/",
        "devtools://devtools/bundled/x.html",
        "edge://settings",
        "about:config",
        "about:srcdoc",
        "about:",
        "filesystem:https://good.com/temporary/x",
        "ws://good.com/",
        "wss://good.com/",
        "intent://good.com#Intent;end",
        "mailto:a@good.com",
        "data:,",
        "blob:null/x",
        "feed:https://good.com/",
        "ftps://good.com/",
        "gopher://good.com/",
        "good.com:8080/",
        "good.com",
        "//good.com/",
        "/path",
        "",
        " ",
        "https://",
        "https:///",
        "https://./",
        "https://../",
        "https://a..com/",
        "https://good.com../",
        "https://[::1",
        "https://good.com:99999/",
        "https://%00/",
        "https://a b.com/",
        "https://[fe80::1%25eth0]/",
        "https://999.1.1.1/",
        "https://1.2.3.4.5/",
        "https://good.com%2F@evil/",
    ] {
        check("*", "-", url, false);
    }
    for url in ["about:blank", "ABOUT:blank", "about:blank#x", "about:blank?x", " about:blank\n"] {
        check("good.com", "*", url, true);
    }
}

#[test]
fn hosts_compare_in_one_form() {
    for url in [
        "https://good.com/",
        "HTTPS://GOOD.COM/",
        "https://good.com./",
        "https://good.com:443/",
        "http://good.com:80/",
        "https://g%6fod.com/",
        "https://ｇood.com/",
        "https:good.com",
        "https:\\\\good.com\\a",
        "https://u:p@good.com/",
        "https://good。com/",
        "https://evil.org@good.com/",
        " https://good.com ",
        "https://go\tod.com/",
        "https://good.com:8443/",
    ] {
        check("good.com", "-", url, true);
        check("-", "good.com", url, false);
        check("GOOD.com.", "-", url, true);
    }
    for url in [
        "https://good.com.evil.org/",
        "https://goodxcom/",
        "https://xgood.com/",
        "https://good.com@evil.org/",
        "https://good.com%40evil.org/",
        "https://good.com\\@evil.org/../",
        "https://evil.org\\@good.com/",
        "https://evil.org/https://good.com/",
        "https://evil.org#@good.com/",
        "https://evil.org?@good.com/",
        "https://good.com:443@evil.org/",
        "https://gооd.com/",
        "https://xn--good-.com/",
        "https://evil.org/good.com",
    ] {
        let is_good = url.starts_with("https://good.com\\");
        check("good.com", "-", url, is_good);
    }
    check("bücher.example", "-", "https://xn--bcher-kva.example/", true);
    check("*.bücher.example", "-", "https://a.XN--BCHER-KVA.example/", true);
    check("-", "faß.de", "https://xn--fa-hia.de/", false);
    check("127.0.0.1:8080", "-", "http://[::ffff:7f00:1]:8080/", true);
    check("0x7f.1:8080", "-", "http://127.0.0.1:8080/", true);
    check("[::1]:8080", "-", "http://[0:0::1]:8080/", true);
    check("[::1]:8080", "-", "http://[::1]:8081/", false);
    check("::1", "-", "http://[::1]:8081/", true);
}

#[test]
fn the_most_specific_rule_wins() {
    check("a.good.com", "*.good.com", "https://a.good.com/", true);
    check("*.good.com", "**.good.com", "https://a.good.com/", true);
    check("*.good.com", "a.good.com", "https://a.good.com/", false);
    check("**.good.com", "*.good.com", "https://a.good.com/", false);
    check("good.com", "*", "https://good.com/", true);
    check("*", "*", "https://good.com/", false);
    check("-", "*", "https://good.com/", false);
    check("a.good.com", "good.com", "https://a.good.com/", true);
    check("**.good.com", "good.com", "https://a.good.com/", false);
    check("good.com/a/b", "good.com/a", "https://good.com/a/b/c", true);
    check("good.com/a", "good.com/a/b", "https://good.com/a/b/c", false);
    check("good.com:8443", "good.com", "https://good.com:8443/", true);
    check("https://good.com", "good.com", "https://good.com/", true);
    check("https://good.com", "good.com", "http://good.com/", false);
    check("https://good.com", "good.com:443", "https://good.com/", false);
    check("https://good.com:443", "good.com:443", "https://good.com/", true);
    // host before path, path before port
    check("good.com", "*.com/a/b", "https://good.com/a/b", true);
    check("good.com/a", "https://good.com:443", "https://good.com/a", true);
    check("good.com:443", "good.com/a", "https://good.com/a", false);
}

#[test]
fn wildcards_take_labels() {
    check("**.good.com", "-", "https://good.com/", false);
    check("**.good.com", "-", "https://a.good.com/", true);
    check("**.good.com", "-", "https://agood.com/", false);
    check("*.good.com", "-", "https://.good.com/", false);
    check("-", "*.bad.com", "https://bad.com/", true);
    check("-", "*.bad.com", "https://a.bad.com/", false);
    check("-", "**.bad.com", "https://a.b.bad.com/", false);
    check("*:8080", "-", "https://good.com:8080/", true);
    check("*:8080", "-", "https://good.com/", false);
    check("*/shop", "-", "https://good.com/shop/x", true);
    check("https://*", "-", "http://good.com/", false);
    check("*.localhost", "-", "http://a.localhost/", false);
    check("good.com/*/edit", "-", "https://good.com/7/edit", true);
    check("good.com/*/edit", "-", "https://good.com/7/8/edit", false);
    check("good.com/a/*", "-", "https://good.com/a/b", true);
    check("good.com/*", "-", "https://good.com/", true);
    check("good.com/a/**", "-", "https://good.com/a", true);
}

#[test]
fn a_path_is_denied_in_any_of_its_readings() {
    for path in [
        "/admin",
        "/admin/",
        "/%61dmin",
        "/%61%64%6d%69%6e/x",
        "/%2561dmin",
        "/%252561dmin",
        "//admin",
        "/./admin",
        "/x/../admin",
        "/x/%2e%2e/admin",
        "/x/%2E./admin",
        "/x%2f..%2fadmin",
        "/x/%252e%252e/admin",
        "/admin%2fusers",
        "/admin%5cusers",
        "\\admin",
        "/x\\..\\admin",
        "/admin;v=1",
        "/;a=b/admin",
        "/x/..;/admin",
        "/ad\tmin",
        "/admin?x",
        "/admin#x",
        "/public/..%2fadmin",
        "/%2fadmin",
        "/.%2fadmin",
        "/admin/%2e%2e%2fx",
    ] {
        check("-", "good.com/admin", &format!("https://good.com{path}"), false);
        check("good.com", "good.com/admin", &format!("https://good.com{path}"), false);
    }
    for path in ["/", "/administrator", "/Admin", "/x/admin", "/adm%69nistrator", "/?admin", "/#/admin", "/%25"] {
        check("-", "good.com/admin", &format!("https://good.com{path}"), true);
    }
    for path in
        ["/public", "/public/", "/public/x", "/%70ublic/x", "/x/../public", "/public/caf%C3%A9", "/public?a=/.."]
    {
        check("good.com/public", "-", &format!("https://good.com{path}"), true);
    }
    for path in [
        "/",
        "/publications",
        "/public/..",
        "/public/%2e%2e/x",
        "/public%2f..%2fx",
        "/public/..%2fx",
        "/public/%252e%252e/x",
        "/public/..;/x",
        "/public%5c..%5cx",
        "/pub%256cic",
        "/PUBLIC",
    ] {
        check("good.com/public", "-", &format!("https://good.com{path}"), false);
    }
}

#[test]
fn places_decide_over_schemes() {
    use Place::*;
    let all = [Top, Popup, Frame, SubResource, WebSocket, Worker, Download, Shown];
    for (url, fine) in [
        ("https://good.com/", &all[..]),
        ("about:blank", &all[..]),
        ("about:srcdoc", &[Frame, Shown][..]),
        ("data:text/html,hi", &[SubResource, Worker, Download]),
        ("blob:https://good.com/1", &[SubResource, Worker, Download]),
        ("blob:null/1", &[SubResource, Worker, Download]),
        ("blob:https://bad.com/1", &[]),
        ("blob:http://127.0.0.1/1", &[]),
        ("blob:blob:https://good.com/1", &[]),
        ("wss://good.com/", &[SubResource, WebSocket]),
        ("ws://good.com/", &[SubResource, WebSocket]),
        ("wss://bad.com/", &[]),
        ("ws://127.0.0.1/", &[]),
        ("chrome-error://chromewebdata/", &[Shown]),
        ("chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/x", &[Shown]),
        ("chrome-extension://other/x", &[]),
        ("chrome://newtab/", &[Shown]),
        ("chrome://settings/", &[]),
        ("file:///etc/passwd", &[]),
        ("javascript:1", &[]),
    ] {
        for place in all {
            let verdict = judge_at("-", "bad.com", url, place);
            assert_eq!(verdict.allowed, fine.contains(&place), "{url} {place:?}: {verdict}");
        }
    }
    assert!(judge_at("https://good.com", "-", "wss://good.com/", WebSocket).allowed);
    assert!(!judge_at("https://good.com", "-", "ws://good.com/", WebSocket).allowed);
    assert!(!judge_at("good.com", "-", "wss://other.com/", WebSocket).allowed);
}

#[test]
fn a_public_name_may_not_lead_inside() {
    let resolved = |allow: &str, deny: &str, url: &str, address: &str| {
        let policy = UrlPolicy::parse(list(allow), list(deny)).unwrap();
        let address: IpAddr = address.parse().unwrap();
        UrlJudge::new(policy).resolved(url, address).allowed
    };
    assert!(resolved("-", "-", "https://good.com/", "93.184.216.34"));
    assert!(!resolved("-", "-", "https://good.com/", "127.0.0.1"));
    assert!(!resolved("*", "-", "https://good.com/", "10.0.0.1"));
    assert!(!resolved("**.corp.example", "-", "https://a.corp.example/", "10.0.0.1"));
    assert!(resolved("app.corp.example", "-", "https://app.corp.example/", "10.0.0.1"));
    assert!(!resolved("good.com", "-", "https://good.com/", "169.254.169.254"));
    assert!(!resolved("good.com", "-", "https://good.com/", "::ffff:169.254.169.254"));
    assert!(resolved("169.254.169.254", "-", "http://169.254.169.254/", "169.254.169.254"));
    assert!(!resolved("-", "good.com", "https://good.com/", "93.184.216.34"));
    assert!(!resolved("-", "-", "nonsense", "93.184.216.34"));
}

#[test]
fn grants_leave_an_open_list_open() {
    let policy = UrlPolicy::default().grant_origin("http://127.0.0.1:8080/shop?x").unwrap();
    let judge = UrlJudge::new(policy);
    for (url, allowed) in [
        ("http://127.0.0.1:8080/", true),
        ("ws://127.0.0.1:8080/", false),
        ("http://127.0.0.1:9090/", false),
        ("https://127.0.0.1:8080/", false),
        ("http://localhost:8080/", false),
        ("https://example.com/", true),
    ] {
        assert_eq!(judge.judge(url, Place::Top).allowed, allowed, "{url}");
    }
    assert!(judge.judge("ws://127.0.0.1:8080/live", Place::WebSocket).allowed);
}

#[test]
fn verdicts_say_why() {
    let verdict = judge_at("-", "bad.com", "https://a.bad.com/", Place::Top);
    assert_eq!(verdict.to_string(), "denied: a rule names it (bad.com)");
    let verdict = judge_at("-", "-", "http://[::1]/", Place::Top);
    assert_eq!(verdict.reason.code(), "not-granted");
    assert_eq!(verdict.to_string(), "denied: a loopback address that nobody granted");
    assert!(verdict.hint().is_some());
    let verdict = judge_at("good.com", "-", "https://other.com/", Place::Top);
    assert_eq!(verdict.reason, Reason::NotNamed);
}

#[test]
fn patterns_that_could_never_match_are_refused() {
    for text in [
        "",
        " ",
        "good.com?x",
        "good.com#x",
        "good com",
        "file://x",
        "javascript:alert(1)",
        "user@good.com",
        "good.com:x",
        "good.com:99999",
        "good.com:",
        "a.*.com",
        "*good.com",
        "good.*",
        "*.",
        "**.",
        "*.127.0.0.1",
        "http://",
        "/path",
        "good.com/a*",
        "good..com",
        "[::1",
        ".good.com",
        "good.com\\x",
        "***",
    ] {
        let refused = Pattern::parse(text);
        let error = refused.expect_err(text);
        assert_eq!(error.code(), "url-pattern");
        assert!(error.hint().is_some());
    }
    for text in
        ["good.com", "*", "**", "*.good.com", "HTTPS://good.com:443/x/", "[::1]:80", "::1", "*:*", "*://good.com"]
    {
        assert_eq!(Pattern::parse(text).unwrap().as_str(), text);
    }
}

#[test]
fn long_urls_have_a_verdict() {
    let long = "a".repeat(3 * 1024 * 1024);
    let data = format!("data:image/png;base64,{long}");
    assert!(judge_at("-", "-", &data, Place::SubResource).allowed);
    assert!(!judge_at("-", "-", &data, Place::Top).allowed);
    assert!(!judge_at("-", "-", &format!("https://good.com/{long}"), Place::Top).allowed);
    let encoded = format!("https://good.com/{}", "%25".repeat(600_000));
    assert!(judge_at("-", "-", &encoded, Place::Top).allowed);
    let nested = format!("https://good.com/%{}61", "25".repeat(600_000));
    assert_eq!(judge_at("-", "-", &nested, Place::Top).reason, Reason::Path);
}

fn any_place() -> impl Strategy<Value = Place> {
    use Place::*;
    prop::sample::select(vec![Top, Popup, Frame, SubResource, WebSocket, Worker, Download, Shown])
}

/// Strings that look like URLs more often than not.
fn url_like() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        prop::sample::select(vec![
            "http",
            "https",
            "ws",
            "blob",
            "data",
            "javascript",
            "about",
            ":",
            "://",
            "/",
            "//",
            "\\",
            "@",
            "?",
            "#",
            ".",
            "..",
            "%2e",
            "%2f",
            "%25",
            "%",
            "localhost",
            "127.0.0.1",
            "0x7f",
            "[::1]",
            "[",
            "]",
            "good.com",
            "bad.com",
            ":8080",
            ":",
            "xn--",
            "\t",
            "\n",
            " ",
            "\u{202e}",
            "。",
            "admin",
            ";",
            "*",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_string_has_a_verdict(url in url_like(), place in any_place(), pattern in url_like()) {
        let mut policy = UrlPolicy::default();
        if let Ok(pattern) = Pattern::parse(&pattern) {
            policy.deny.push(pattern.clone());
            policy.grants.push(pattern);
        }
        let verdict = UrlJudge::new(policy).judge(&url, place);
        prop_assert!(!verdict.to_string().is_empty());
    }

    #[test]
    fn a_star_grants_no_inside_address(address in any::<u32>(), url in prop::sample::select(vec!["*", "http://*", "*:80"])) {
        let address = std::net::Ipv4Addr::from(address);
        let policy = UrlPolicy::parse([url], []).unwrap();
        let judge = UrlJudge::new(policy);
        let public = webhand_guard::AddressKind::of(address.into()).is_public();
        let [a, b, c, d] = address.octets();
        for host in [
            format!("{address}"), format!("{}", u32::from(address)), format!("0x{:x}", u32::from(address)),
            format!("0{a:o}.0x{b:x}.{}", u32::from(c) << 8 | u32::from(d)), format!("[::ffff:{address}]"), format!("[64:ff9b::{address}]"),
        ] {
            prop_assert_eq!(judge.judge(&format!("http://{host}/"), Place::Top).allowed, public, "{}", host);
        }
    }

    #[test]
    fn encoding_changes_no_verdict(path in "/[a-c]{1,2}(/[a-c]{1,2}){0,3}", seed in any::<u64>()) {
        let encoded: String = path.chars().enumerate().map(|(at, it)| {
            if it != '/' && seed >> (at % 64) & 1 == 1 { format!("%{:02x}", u32::from(it)) } else { it.to_string() }
        }).collect();
        for (allow, deny) in [("good.com/a", "-"), ("-", "good.com/a"), ("good.com/a", "good.com/a/b"), ("good.com/ab/c", "good.com")] {
            let plain = judge_at(allow, deny, &format!("https://good.com{path}"), Place::Top);
            let other = judge_at(allow, deny, &format!("https://good.com{encoded}"), Place::Top);
            prop_assert_eq!(plain, other);
        }
    }

    #[test]
    fn one_more_deny_never_opens_anything(url in url_like(), place in any_place(), allow in url_like(), deny in url_like()) {
        let (Ok(allow), Ok(deny)) = (Pattern::parse(&allow), Pattern::parse(&deny)) else { return Ok(()) };
        let mut policy = UrlPolicy { allow: vec![allow], ..UrlPolicy::default() };
        let before = UrlJudge::new(policy.clone()).judge(&url, place);
        policy.deny.push(deny);
        let after = UrlJudge::new(policy).judge(&url, place);
        prop_assert!(before.allowed || !after.allowed);
    }
}
