//! What a page asks for by itself, again and again: polls, streams that come back, refreshed parts.
//!
//! Pure: requests go in with the browser's own time, and out comes whether one was to be expected. A request that somebody's
//! action led to tells nothing of the page's habits; who acts says so with [`Habits::forget`].

use std::{
    collections::{HashMap, VecDeque, hash_map::DefaultHasher},
    hash::{Hash as _, Hasher as _},
};

use webhand_cdp::protocol::network::{RequestId, RequestWillBeSent};

use crate::events::Expected;

/// So many sorts of requests are remembered at most,
const MAX_SORTS: usize = 256;
/// and so many times of each.
const MAX_TIMES: usize = 6;
/// Times that differ by less are the same to a busy machine, seconds.
const SLACK: f64 = 0.08;
/// A busy machine makes them come so much later, seconds.
const LATE: f64 = 0.25;
/// Two requests nearer than that are one thing done in two steps, seconds.
const TOGETHER: f64 = 0.02;

/// What is known of the page's own requests.
#[derive(Debug, Default)]
pub(crate) struct Habits {
    sorts: HashMap<u64, VecDeque<(RequestId, f64)>>,
}

impl Habits {
    /// Takes a request in, and says whether one like it was to be expected now.
    pub(crate) fn take(&mut self, event: &RequestWillBeSent) -> Expected {
        let sort = sort_of(event);
        if !self.sorts.contains_key(&sort) && self.sorts.len() >= MAX_SORTS {
            let oldest = self.sorts.iter().min_by(|one, other| last(one.1).total_cmp(&last(other.1)));
            if let Some(oldest) = oldest.map(|(sort, _)| *sort) {
                self.sorts.remove(&oldest);
            }
        }
        let times = self.sorts.entry(sort).or_default();
        let expected = expected(times, event.timestamp);
        if times.len() == MAX_TIMES {
            times.pop_front();
        }
        times.push_back((event.request_id.clone(), event.timestamp));
        expected
    }

    /// These requests were not the page's own idea.
    pub(crate) fn forget(&mut self, ids: &[String]) {
        for times in self.sorts.values_mut() {
            times.retain(|(id, _)| ids.iter().all(|own| own != id.as_str()));
        }
        self.sorts.retain(|_, times| !times.is_empty());
    }
}

fn last(times: &VecDeque<(RequestId, f64)>) -> f64 {
    times.back().map_or(f64::MIN, |(_, time)| *time)
}

/// Requests of one sort come from the same place in the page's scripts and go to the same address, numbers in it aside.
fn sort_of(event: &RequestWillBeSent) -> u64 {
    let mut hasher = DefaultHasher::new();
    event.kind.as_ref().map(|kind| kind.as_str()).hash(&mut hasher);
    event.request.method.hash(&mut hasher);
    let url = event.request.url.split(['?', '#']).next().unwrap_or_default();
    let mut in_number = false;
    for char in url.chars() {
        if !(char.is_ascii_digit() && in_number) {
            (if char.is_ascii_digit() { '0' } else { char }).hash(&mut hasher);
        }
        in_number = char.is_ascii_digit();
    }
    for frame in event.initiator.stack.iter().flat_map(|stack| &stack.call_frames) {
        (&frame.url, frame.line_number, frame.column_number).hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether another one was to be expected at `now`, after those.
fn expected(times: &VecDeque<(RequestId, f64)>, now: f64) -> Expected {
    let gaps: Vec<f64> = times
        .iter()
        .zip(times.iter().skip(1))
        .map(|((_, one), (_, next))| next - one)
        .filter(|gap| *gap > TOGETHER)
        .collect();
    let since = now - last(times);
    let (Some(shortest), Some(longest)) =
        (gaps.iter().copied().reduce(f64::min), gaps.iter().copied().reduce(f64::max))
    else {
        return if times.is_empty() { Expected::No } else { Expected::Perhaps };
    };
    // a poll by the clock comes when it is due, and only then; one that waits for its answer, or slows down, roughly then
    let even = longest - shortest <= SLACK.max(shortest * 0.1) && gaps.len() > 1;
    let due = if even {
        let gap = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let off = |turns: f64| since - turns * gap;
        let near = |off: f64| off >= -SLACK.max(gap * 0.15) && off <= LATE.max(gap * 0.15);
        [1.0, 2.0, 3.0].into_iter().map(off).any(near)
    } else {
        since >= shortest * 0.4 - SLACK && since <= longest * 2.5 + LATE
    };
    if due { Expected::Yes } else { Expected::No }
}

#[cfg(test)]
mod tests {
    use webhand_cdp::protocol::{
        network::{Initiator, Request},
        runtime::{CallFrame, ScriptId, StackTrace},
    };

    use super::*;

    fn request(url: &str, line: i64, time: f64) -> RequestWillBeSent {
        let frame = CallFrame {
            function_name: "poll".to_owned(),
            script_id: ScriptId("5".to_owned()),
            url: "http://a/app.js".to_owned(),
            line_number: line,
            column_number: 3,
        };
        let stack = StackTrace { call_frames: vec![frame], ..StackTrace::default() };
        RequestWillBeSent {
            request_id: RequestId(format!("{url} {time}")),
            timestamp: time,
            request: Request { url: url.to_owned(), ..Request::default() },
            initiator: Initiator { stack: Some(stack), ..Initiator::default() },
            ..serde_json::from_value(serde_json::json!({ "requestId": "", "loaderId": "" })).unwrap()
        }
    }

    /// What is said of the last of them.
    fn last_of(times: &[f64]) -> Expected {
        let mut habits = Habits::default();
        times.iter().fold(Expected::No, |_, time| habits.take(&request("http://a/poll", 7, *time)))
    }

    #[test]
    fn what_comes_by_the_clock_is_expected_when_it_is_due() {
        assert_eq!(last_of(&[1.0]), Expected::No);
        assert_eq!(last_of(&[1.0, 2.0]), Expected::Perhaps);
        for due in [4.0, 4.2, 3.9, 5.0, 6.05] {
            assert_eq!(last_of(&[1.0, 2.0, 3.0, due]), Expected::Yes, "{due}");
        }
        for early in [3.3, 3.5, 3.7, 4.4, 20.0] {
            assert_eq!(last_of(&[1.0, 2.0, 3.0, early]), Expected::No, "{early}");
        }
    }

    #[test]
    fn what_slows_down_or_waits_for_its_answer_is_expected_roughly() {
        assert_eq!(last_of(&[1.0, 2.0, 4.0, 8.0]), Expected::Yes);
        assert_eq!(last_of(&[1.0, 1.4, 2.1, 2.5]), Expected::Yes);
        assert_eq!(last_of(&[1.0, 1.4, 2.1, 9.5]), Expected::No);
    }

    #[test]
    fn another_place_address_or_method_is_another_sort() {
        let mut habits = Habits::default();
        for time in [1.0, 2.0, 3.0] {
            habits.take(&request("http://a/items/17?since=5", 7, time));
        }
        assert_eq!(habits.take(&request("http://a/items/18?since=6", 7, 4.0)), Expected::Yes, "numbers aside");
        assert_eq!(habits.take(&request("http://a/items/18", 8, 5.0)), Expected::No, "asked for elsewhere");
        assert_eq!(habits.take(&request("http://a/item", 7, 5.0)), Expected::No);
        let mut posted = request("http://a/items/19", 7, 5.0);
        posted.request.method = "POST".to_owned();
        assert_eq!(habits.take(&posted), Expected::No);
    }

    #[test]
    fn what_an_action_led_to_is_no_habit() {
        let mut habits = Habits::default();
        for time in [1.0, 2.0, 3.0] {
            let more = request("http://a/more", 7, time);
            assert_eq!(habits.take(&more), Expected::No);
            habits.forget(&[more.request_id.0]);
        }
    }

    #[test]
    fn no_more_is_kept_than_is_needed() {
        let mut habits = Habits::default();
        for line in 0..2_000 {
            for time in 0..10 {
                habits.take(&request("http://a/", line, (line * 10 + time) as f64));
            }
        }
        assert!(habits.sorts.len() <= MAX_SORTS && habits.sorts.values().all(|times| times.len() <= MAX_TIMES));
    }
}
