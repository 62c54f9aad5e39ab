//! Values of fields that take no keys, brought into the form that the field wants. Pure.
//!
//! Forms: HTML, "Dates and times" (valid date, month, week, time and local date and time strings) and "Colors".

/// The value in the field's own form, or what the field takes.
pub(crate) fn normalise(kind: &str, text: &str, language: &str) -> Result<String, &'static str> {
    let text = text.trim();
    match kind {
        "date" => date(text, language).ok_or("a date such as 2024-03-15"),
        "month" => month(text).ok_or("a month such as 2024-03"),
        "week" => week(text).ok_or("a week such as 2024-W11"),
        "time" => time(text).ok_or("a time such as 14:30"),
        "datetime-local" => date_time(text, language).ok_or("a date and time such as 2024-03-15T14:30"),
        "color" => color(text).ok_or("a colour such as #336699"),
        "range" => {
            text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|_| text.to_owned()).ok_or("a number")
        }
        _ => Ok(text.to_owned()),
    }
}

/// Whether two values of a field are one.
pub(crate) fn same(kind: &str, left: &str, right: &str) -> bool {
    match kind {
        "range" => matches!((left.parse::<f64>(), right.parse::<f64>()), (Ok(left), Ok(right)) if left == right),
        "color" => left.eq_ignore_ascii_case(right),
        "time" | "datetime-local" => {
            left.strip_suffix(":00").unwrap_or(left) == right.strip_suffix(":00").unwrap_or(right)
        }
        _ => left == right,
    }
}

/// The bounds of a field, as a clause.
pub(crate) fn bounds(min: &str, max: &str, step: &str) -> String {
    let parts: Vec<String> = [("min", min), ("max", max), ("step", step)]
        .into_iter()
        .filter(|(_, bound)| !bound.is_empty())
        .map(|(name, bound)| format!("{name} {bound}"))
        .collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// The number that a text begins with, or has after a sign of money: `70 %`, `1,200 kg`, `$5`. None where more follows than a unit.
pub(crate) fn number_in(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['$', '€', '£', '¥', ' ']);
    let end = text.find(|mark: char| !matches!(mark, '0'..='9' | '.' | ',' | '-' | '+')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if unit.chars().any(|mark| mark.is_ascii_digit() || mark == ':') {
        return None;
    }
    number.replace(',', "").parse().ok().filter(|number: &f64| number.is_finite())
}

fn numbers(text: &str, separators: &[char]) -> Option<Vec<u32>> {
    text.split(separators).map(|part| part.trim().parse().ok()).collect()
}

fn is_date(year: u32, month: u32, day: u32) -> bool {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    (1..=9999).contains(&year) && (1..=days).contains(&day)
}

/// English names of months; three letters are enough.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A month by its name, at the beginning or after the day: `March 15, 2024`, `15 Mar 2024`, `March 2024`. Day, month, year.
fn named(text: &str) -> Option<(Option<u32>, u32, u32)> {
    let parts: Vec<&str> = text.split([' ', ',', '-', '.']).filter(|part| !part.is_empty()).collect();
    let month = |word: &str| {
        let word = word.to_ascii_lowercase();
        let is_month = |name: &&str| name.starts_with(&word) && word.len() >= 3;
        MONTHS.iter().position(is_month).and_then(|at| u32::try_from(at + 1).ok())
    };
    let day = |word: &str| {
        let ordinal = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
        ordinal.unwrap_or(word).parse().ok()
    };
    match *parts.as_slice() {
        [name, year] => Some((None, month(name)?, year.parse().ok()?)),
        [first, second, year] => {
            let year = year.parse().ok()?;
            match month(first) {
                Some(month) => Some((Some(day(second)?), month, year)),
                None => Some((Some(day(first)?), month(second)?, year)),
            }
        }
        _ => None,
    }
}

/// ISO, year first with any separator, `DD.MM.YYYY`, `YYYY年M月D日`, with an English name, and with slashes in the order of the
/// page's language: month first in American English or where no language is stated, else day first. What would be no date
/// in that order but is one in the other is taken for the other.
fn date(text: &str, language: &str) -> Option<String> {
    if let Some((Some(day), month, year)) = named(text) {
        return is_date(year, month, day).then(|| format!("{year:04}-{month:02}-{day:02}"));
    }
    let text = text.replace(['年', '月', '년', '월'], "-").replace(['日', '일'], "");
    let parts = numbers(&text, &['-', '/', '.'])?;
    let &[first, second, third] = parts.as_slice() else { return None };
    let (year, month, day) = if first > 31 {
        (first, second, third)
    } else if text.contains('.') {
        (third, second, first)
    } else {
        let month_first =
            language.is_empty() || language.eq_ignore_ascii_case("en") || language.eq_ignore_ascii_case("en-us");
        let (month, day) = if month_first { (first, second) } else { (second, first) };
        if is_date(third, month, day) { (third, month, day) } else { (third, day, month) }
    };
    is_date(year, month, day).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

fn month(text: &str) -> Option<String> {
    if let Some((None, month, year)) = named(text) {
        return is_date(year, month, 1).then(|| format!("{year:04}-{month:02}"));
    }
    let parts = numbers(text, &['-', '/', '.'])?;
    let &[first, second] = parts.as_slice() else { return None };
    let (year, month) = if first > 12 { (first, second) } else { (second, first) };
    is_date(year, month, 1).then(|| format!("{year:04}-{month:02}"))
}

fn week(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    let (year, week) = upper.split_once('W')?;
    let year: u32 = year.trim_end_matches(['-', ' ']).parse().ok()?;
    let week: u32 = week.parse().ok()?;
    ((1..=9999).contains(&year) && (1..=53).contains(&week)).then(|| format!("{year:04}-W{week:02}"))
}

fn time(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (clock, half) = match lower
        .strip_suffix("pm")
        .map(|rest| (rest, 12))
        .or_else(|| lower.strip_suffix("am").map(|rest| (rest, 0)))
    {
        Some((rest, add)) => (rest.trim().to_owned(), Some(add)),
        None => (lower.clone(), None),
    };
    let parts = numbers(&clock, &[':'])?;
    let (hour, minute, second) = match *parts.as_slice() {
        [hour] if half.is_some() => (hour, 0, None),
        [hour, minute] => (hour, minute, None),
        [hour, minute, second] => (hour, minute, Some(second)),
        _ => return None,
    };
    let hour = match half {
        Some(add) if (1..=12).contains(&hour) => hour % 12 + add,
        Some(_) => return None,
        None => hour,
    };
    if hour > 23 || minute > 59 || second.is_some_and(|second| second > 59) {
        return None;
    }
    Some(match second {
        Some(second) => format!("{hour:02}:{minute:02}:{second:02}"),
        None => format!("{hour:02}:{minute:02}"),
    })
}

fn date_time(text: &str, language: &str) -> Option<String> {
    // the clock is what comes last, with its half of the day
    let halves = text.char_indices().filter(|(_, mark)| matches!(mark, 'T' | ' '));
    halves.map(|(at, _)| (&text[..at], &text[at + 1..])).find_map(|(day, clock)| {
        Some(format!("{}T{}", date(day.trim_end_matches(','), language)?, time(clock.trim())?))
    })
}

fn color(text: &str) -> Option<String> {
    let hex = text.strip_prefix('#').unwrap_or(text);
    if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    match hex.len() {
        6 => Some(format!("#{}", hex.to_ascii_lowercase())),
        3 => {
            Some(format!("#{}", hex.chars().flat_map(|digit| [digit, digit]).collect::<String>().to_ascii_lowercase()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_many_forms_are_one_date() {
        for (text, language) in [
            ("2024-03-15", "en"),
            ("03/15/2024", "en-US"),
            ("15/03/2024", "en-GB"),
            ("15.03.2024", "de"),
            ("2024/3/15", ""),
            ("2024年3月15日", "zh-CN"),
            ("15/03/2024", "en-US"),
            ("March 15, 2024", ""),
            ("15 Mar 2024", "de"),
            ("Mar 15th 2024", "en"),
            ("2024년 3월 15일", "ko"),
        ] {
            assert_eq!(normalise("date", text, language).as_deref(), Ok("2024-03-15"), "{text} {language}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused_with_the_form() {
        for text in ["tomorrow", "2024-13-01", "2023-02-29", "1/2", "", "Ma 3 2024", "June 31, 2024"] {
            assert!(normalise("date", text, "en").is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_may_have_a_unit() {
        assert_eq!(number_in(" 70 %"), Some(70.0));
        assert_eq!(number_in("$1,200"), Some(1200.0));
        assert_eq!(number_in("-2.5 kg"), Some(-2.5));
        for text in ["10:30", "medium", "", "4 of 5", "$"] {
            assert_eq!(number_in(text), None, "{text}");
        }
    }

    #[test]
    fn times_colours_and_the_rest() {
        assert_eq!(normalise("time", "2:30 PM", "").as_deref(), Ok("14:30"));
        assert_eq!(normalise("time", "12 am", "").as_deref(), Ok("00:00"));
        assert_eq!(normalise("color", "#AbC", "").as_deref(), Ok("#aabbcc"));
        assert_eq!(normalise("month", "3/2024", "").as_deref(), Ok("2024-03"));
        assert_eq!(normalise("week", "2024-w7", "").as_deref(), Ok("2024-W07"));
        assert_eq!(normalise("datetime-local", "03/15/2024 2:30 pm", "en").as_deref(), Ok("2024-03-15T14:30"));
        assert_eq!(normalise("datetime-local", "Mar 15, 2024, 9:30 am", "").as_deref(), Ok("2024-03-15T09:30"));
        assert_eq!(normalise("month", "March 2024", "").as_deref(), Ok("2024-03"));
        assert!(normalise("range", "NaN", "").is_err());
    }
}
