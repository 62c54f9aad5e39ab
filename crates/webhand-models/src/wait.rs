//! When a provider may be asked again, from its headers and words. Pure.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::header::HeaderMap;

/// Longer waits than that are taken for this.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// A number of seconds that is larger is a moment, counted from 1970; still larger ones count milliseconds.
const MOMENT: f64 = 1e9;

/// When it may be asked again: what the headers say, else what the body says (`hint`), else what its words say.
pub(crate) fn again_after(
    headers: &HeaderMap,
    hint: Option<Duration>,
    words: &str,
    now: SystemTime,
) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let milliseconds = || text("retry-after-ms")?.parse::<f64>().ok().and_then(|ms| seconds(ms / 1000.0));
    let plain = || text("retry-after").and_then(|value| moment(value, now));
    let limits = || {
        ["requests", "tokens"]
            .into_iter()
            .filter(|kind| text(&format!("x-ratelimit-remaining-{kind}")) == Some("0"))
            .filter_map(|kind| moment(text(&format!("x-ratelimit-reset-{kind}"))?, now))
            .max()
    };
    let reset = || text("x-ratelimit-reset").and_then(|value| moment(value, now));
    let found = milliseconds().or_else(plain).or(hint).or_else(limits).or_else(reset).or_else(|| spoken(words));
    found.map(|wait| wait.min(LONGEST))
}

/// `20`, `1.5`, `6m0s`, `250ms`, an HTTP date, or a moment in seconds or milliseconds since 1970.
fn moment(value: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(number) = value.parse::<f64>() {
        if number < MOMENT {
            return seconds(number);
        }
        let at = seconds_unbounded(if number > MOMENT * 1000.0 { number / 1000.0 } else { number })?;
        return Some(UNIX_EPOCH.checked_add(at)?.duration_since(now).unwrap_or_default());
    }
    if let Ok(date) = httpdate::parse_http_date(value) {
        return Some(date.duration_since(now).unwrap_or_default());
    }
    duration(value)
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number.max(0.0)).ok().filter(|_| number.is_finite())
}

fn seconds_unbounded(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

/// A time as programs write it: `1h2m3.5s`, `34.07s`, `250ms`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.'))?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let unit = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        sum += match &rest[..unit] {
            "h" => number * 3600.0,
            "m" => number * 60.0,
            "s" => number,
            "ms" => number / 1000.0,
            "us" | "ns" => 0.0,
            "d" => number * 86_400.0,
            _ => return None,
        };
        rest = &rest[unit..];
    }
    seconds(sum)
}

/// "Please try again in 6m0s."
fn spoken(words: &str) -> Option<Duration> {
    let (_, after) = words.split_once("try again in ").or_else(|| words.split_once("retry in "))?;
    let first = after.split_whitespace().next()?;
    duration(first.trim_end_matches([',', '.', ';', ')']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn of(pairs: &[(&str, &str)], words: &str) -> Option<u64> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        let now = UNIX_EPOCH + Duration::from_secs(1_445_412_470);
        again_after(&headers, None, words, now).map(|wait| wait.as_millis() as u64)
    }

    #[test]
    fn all_forms_in_which_providers_say_when() {
        assert_eq!(of(&[("retry-after", "20")], ""), Some(20_000));
        assert_eq!(of(&[("retry-after", "1.5")], ""), Some(1_500));
        assert_eq!(of(&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], ""), Some(10_000));
        assert_eq!(of(&[("retry-after", "Fri, 21 Oct 2005 07:28:00 GMT")], ""), Some(0));
        assert_eq!(of(&[("retry-after-ms", "250"), ("retry-after", "1")], ""), Some(250));
        let requests = [("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s")];
        assert_eq!(of(&requests, ""), Some(360_000));
        assert_eq!(of(&[("x-ratelimit-reset-requests", "6m0s")], ""), None);
        assert_eq!(of(&[("x-ratelimit-reset", "1445412480000")], ""), Some(10_000));
        assert_eq!(of(&[("x-ratelimit-reset", "1445412480")], ""), Some(10_000));
        assert_eq!(of(&[], "Rate limit reached. Please try again in 7.66s. Visit …"), Some(7_660));
        assert_eq!(of(&[], "Please try again in 1m12.5s."), Some(72_500));
        assert_eq!(of(&[("retry-after", "99999999")], ""), Some(86_400_000));
        assert_eq!(of(&[("retry-after", "-5")], ""), Some(0));
        assert_eq!(of(&[("retry-after", "soon")], "later"), None);
        assert_eq!(duration("34.074824224s").unwrap().as_millis(), 34_074);
    }

    proptest! {
        #[test]
        fn any_words_are_survived(value in "[ -~]{0,24}", words in ".{0,60}") {
            let mut headers = HeaderMap::new();
            for name in ["retry-after", "retry-after-ms", "x-ratelimit-reset"] {
                headers.insert(HeaderName::from_static(name), HeaderValue::from_str(&value).unwrap());
            }
            if let Some(wait) = again_after(&headers, None, &words, SystemTime::now()) {
                prop_assert!(wait <= LONGEST);
            }
        }
    }
}
