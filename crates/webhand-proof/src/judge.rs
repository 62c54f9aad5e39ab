//! The judgement of one step: what the engine said against what the page's own record holds. Pure.
//!
//! A step passes only if both are right. A **false success** is worse than a failure: the engine claimed to have done
//! what the page did not see, or what the case says cannot be done.

use serde_json::Value;

use crate::{
    case::{Acceptable, Matcher, OutcomeExpected, RecordExpected, RequestExpected},
    expect::{Looks, find_control, matching, same},
    files::{Kept, saved_faults},
    server::Received,
    sight::{Heard, ItemSaid, Reached, Said, Sight},
};

/// What is known after a step.
#[derive(Debug)]
pub struct Evidence<'a> {
    /// What the engine said, if it acted.
    pub heard: Option<&'a Heard>,
    /// The page's record, as each acceptable ending asks for it.
    pub records: &'a [Option<Result<Value, String>>],
    /// What the server received so far.
    pub requests: &'a [Received],
    /// The files that the engine kept, or why they cannot be read.
    pub kept: &'a Result<Kept, String>,
    /// The latest look, for handles in words.
    pub sight: Option<&'a Sight>,
    /// All looks.
    pub looks: &'a Looks,
}

/// What a step came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// In what it falls short; empty when it passes.
    pub faults: Vec<String>,
    /// Whether the engine claimed what did not happen.
    pub false_success: bool,
}

/// Judges a step by its acceptable endings: one must hold wholly.
#[must_use]
pub fn judge(accept: &[Acceptable], evidence: &Evidence<'_>) -> Verdict {
    let mut best: Option<Vec<String>> = None;
    let mut false_success = evidence.heard.is_some();
    for (ending, record) in accept.iter().zip(evidence.records) {
        let said = evidence.heard.map_or_else(Vec::new, |heard| said_faults(ending, heard, evidence));
        let (record_faults, record_known) = record_faults(ending.record.as_ref(), record.as_ref());
        let request_faults = ending.requests.iter().filter_map(|expected| request_fault(expected, evidence.requests));
        let saved_faults = ending.saved.as_ref().map_or_else(Vec::new, |expected| match evidence.kept {
            Ok(kept) => saved_faults(expected, kept),
            Err(why) => vec![why.clone()],
        });
        let happened: Vec<String> = record_faults.into_iter().chain(request_faults).chain(saved_faults).collect();
        let claim = evidence.heard.map_or(Claim::None, |heard| claim(ending, heard));
        let honest = match claim {
            Claim::None | Claim::Other => true,
            Claim::AsExpected => happened.is_empty() || !record_known,
            Claim::Impossible => false,
        };
        false_success &= !honest;
        let faults: Vec<String> = said.into_iter().chain(happened).collect();
        if faults.is_empty() {
            return Verdict::default();
        }
        if best.as_ref().is_none_or(|best| faults.len() < best.len()) {
            best = Some(faults);
        }
    }
    Verdict { faults: best.unwrap_or_default(), false_success }
}

/// How an engine's claim of success stands to an acceptable ending.
enum Claim {
    /// It claims no success, or nothing at all.
    None,
    /// It claims success where the ending allows that: then the record must agree.
    AsExpected,
    /// It claims success where the ending says that there can be none.
    Impossible,
    /// It ended in another way than expected, so the record need not agree.
    Other,
}

fn claim(ending: &Acceptable, heard: &Heard) -> Claim {
    let default = OutcomeExpected::default();
    let expected = ending.outcome.as_ref().unwrap_or(&default);
    match heard {
        Heard::Undecodable(_) => Claim::None,
        Heard::One(said) if !said.ok => Claim::None,
        Heard::One(_) if expected.must_claim() == Some(false) => Claim::Impossible,
        Heard::One(_) => Claim::AsExpected,
        Heard::Several(items) => {
            let done = |item: &ItemSaid| item.reached == Reached::Done;
            if !items.iter().any(done) {
                return Claim::None;
            }
            let impossible =
                items.iter().zip(&expected.items).any(|(item, wanted)| done(item) && *wanted == Reached::Failed);
            match impossible {
                true => Claim::Impossible,
                false if items_fault(expected, items).is_none() => Claim::AsExpected,
                false => Claim::Other,
            }
        }
    }
}

fn said_faults(ending: &Acceptable, heard: &Heard, evidence: &Evidence<'_>) -> Vec<String> {
    let default = OutcomeExpected::default();
    let expected = ending.outcome.as_ref().unwrap_or(&default);
    let (claims, code, all) = match heard {
        Heard::One(said) => (said.ok, said.code.clone(), vec![said]),
        Heard::Undecodable(said) => (false, said.code.clone(), vec![said]),
        Heard::Several(items) => {
            let failed = items.iter().find(|item| item.reached == Reached::Failed);
            let all_done = items.iter().all(|item| item.reached == Reached::Done);
            (all_done, failed.and_then(|item| item.said.code.clone()), items.iter().map(|item| &item.said).collect())
        }
    };
    let mut faults = Vec::new();
    let words = join(&all, |said| &said.words);
    if expected.must_claim().is_some_and(|wanted| wanted != claims) {
        let claimed = if claims { "success" } else { "failure" };
        faults.push(format!("it claims {claimed} ({}): {words}", code.as_deref().unwrap_or("no code")));
    } else if !expected.code.allow(code.as_deref()) {
        faults.push(format!("its code is {code:?}, must be {:?}: {words}", expected.code));
    }
    match heard {
        Heard::Several(items) => faults.extend(items_fault(expected, items)),
        _ if !expected.items.is_empty() => faults.push(format!("nothing ran: {words}")),
        _ => {}
    }
    let effects = join(&all, |said| &said.effects);
    faults.extend(missing(&expected.says, &words, "its words"));
    faults.extend(missing(&expected.effects, &effects, "its effects"));
    let whole = join(&all, |said| &said.whole);
    faults.extend(missing(&expected.returns, &whole, "what it returned"));
    let leaks = expected.lacks.iter().filter(|part| whole.contains(part.as_str()));
    faults.extend(leaks.map(|part| format!("it must not contain {part:?}: {whole}")));
    faults.extend(expected.names.iter().filter_map(|matcher| unnamed(matcher, &words, evidence)));
    let handle = |word: &str, letter| {
        word.strip_prefix(letter).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if let Some(letter) = expected.says_handle.filter(|letter| !each_word(&words).any(|word| handle(word, *letter))) {
        faults.push(format!("its words name no {letter} handle: {words}"));
    }
    faults
}

fn each_word(words: &str) -> impl Iterator<Item = &str> {
    words.split(|mark: char| !mark.is_alphanumeric())
}

fn items_fault(expected: &OutcomeExpected, items: &[ItemSaid]) -> Option<String> {
    if expected.items.is_empty() {
        return None;
    }
    let reached: Vec<Reached> = items.iter().map(|item| item.reached).collect();
    (reached != expected.items).then(|| {
        let told = items.iter().map(|item| format!("{:?}: {}", item.reached, item.said.words)).collect::<Vec<_>>();
        format!("the actions came to {told:?}, must be {:?}", expected.items)
    })
}

fn join(all: &[&Said], part: impl Fn(&Said) -> &String) -> String {
    all.iter().map(|said| part(said).as_str()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
}

fn missing(parts: &[String], whole: &str, place: &str) -> Vec<String> {
    let lower = whole.to_lowercase();
    let absent = parts.iter().filter(|part| !lower.contains(&part.to_lowercase()));
    absent.map(|part| format!("{place} lack {part:?}: {whole}")).collect()
}

/// The words must contain the handle of some control that fits, as a word of its own.
fn unnamed(matcher: &Matcher, words: &str, evidence: &Evidence<'_>) -> Option<String> {
    let sight = evidence.sight?;
    if let Err(why) = find_control(matcher, sight, evidence.looks) {
        return Some(why);
    }
    let handles: Vec<&str> =
        matching(matcher, sight, evidence.looks).into_iter().filter_map(|node| node.reference.as_deref()).collect();
    let named = each_word(words).any(|word| handles.contains(&word));
    (!named).then(|| format!("its words name none of {handles:?}: {words}"))
}

/// The faults of the record, and whether it could be read at all.
fn record_faults(expected: Option<&RecordExpected>, read: Option<&Result<Value, String>>) -> (Vec<String>, bool) {
    let Some(expected) = expected else { return (Vec::new(), true) };
    match read {
        Some(Ok(value)) if same(&expected.wanted(), value) => (Vec::new(), true),
        Some(Ok(value)) => {
            (vec![format!("the page's record `{}` is {value}, must be {}", expected.js, expected.wanted())], true)
        }
        Some(Err(why)) => (vec![format!("the page's record `{}` cannot be read: {why}", expected.js)], false),
        None => (vec![format!("the page's record `{}` was not read", expected.js)], false),
    }
}

fn request_fault(expected: &RequestExpected, requests: &[Received]) -> Option<String> {
    let fits = |received: &&Received| {
        received.path == expected.path
            && expected.method.as_deref().is_none_or(|method| method.eq_ignore_ascii_case(&received.method))
    };
    let fitting: Vec<&Received> = requests.iter().filter(fits).collect();
    if fitting.len() != expected.count {
        return Some(format!("the server received {} × {}, must be {}", fitting.len(), expected.path, expected.count));
    }
    let part = expected.body_has.as_ref()?;
    let last = fitting.last()?;
    let found = last.body.contains(part.as_str()) || last.query.contains(part.as_str());
    (!found).then(|| format!("{} was sent {:?} {:?}, must contain {part:?}", expected.path, last.body, last.query))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(accept: &str, heard: Heard, records: Vec<Value>) -> Verdict {
        #[derive(serde::Deserialize)]
        struct Endings {
            either: Vec<Acceptable>,
        }
        let accept = toml::from_str::<Endings>(accept).unwrap().either;
        let looks = Looks::default();
        let records: Vec<_> = records.into_iter().map(|value| Some(Ok(value))).collect();
        let evidence = Evidence {
            heard: Some(&heard),
            records: &records,
            requests: &[],
            kept: &Ok(Kept::default()),
            sight: None,
            looks: &looks,
        };
        judge(&accept, &evidence)
    }

    fn said(ok: bool, code: &str) -> Said {
        Said { ok, code: (!code.is_empty()).then(|| code.into()), words: code.into(), ..Said::default() }
    }

    const CLICKED: &str = r#"
        [[either]]
        outcome = { ok = true }
        record = { js = "clicks", is = 1 }"#;
    const CLICKED_OR_NOT: &str = r#"
        [[either]]
        outcome = { ok = true }
        record = { js = "clicks", is = 1 }
        [[either]]
        outcome = { code = "not_interactable" }
        record = { js = "clicks", is = 0 }"#;

    #[test]
    fn saying_done_when_nothing_happened_is_a_false_success() {
        assert_eq!(verdict(CLICKED, Heard::One(said(true, "")), vec![json!(1)]), Verdict::default());
        assert!(verdict(CLICKED, Heard::One(said(true, "")), vec![json!(0)]).false_success);
        let honest = verdict(CLICKED, Heard::One(said(false, "no_effect")), vec![json!(0)]);
        assert!(!honest.false_success && !honest.faults.is_empty());
    }

    #[test]
    fn one_acceptable_ending_is_enough_and_none_is_mixed() {
        let refusal = || Heard::One(said(false, "not_interactable"));
        assert_eq!(verdict(CLICKED_OR_NOT, refusal(), vec![json!(0), json!(0)]), Verdict::default());
        let refused_yet_clicked = verdict(CLICKED_OR_NOT, refusal(), vec![json!(1), json!(1)]);
        assert!(!refused_yet_clicked.false_success && !refused_yet_clicked.faults.is_empty());
        let said_ok = verdict(CLICKED_OR_NOT, Heard::One(said(true, "")), vec![json!(0), json!(0)]);
        assert!(said_ok.false_success);
    }

    #[test]
    fn success_where_there_can_be_none_is_false_whatever_the_record() {
        let accept = "[[either]]\noutcome = { code = \"no_effect\" }\nrecord = { js = \"clicks\", is = 0 }";
        assert!(verdict(accept, Heard::One(said(true, "")), vec![json!(0)]).false_success);
    }

    #[test]
    fn wrong_words_are_a_failure_but_no_false_success() {
        let accept = "[[either]]\noutcome = { says = [\"Saved\"] }\nrecord = { js = \"clicks\", is = 1 }";
        let verdict = verdict(accept, Heard::One(said(true, "")), vec![json!(1)]);
        assert!(!verdict.false_success && verdict.faults[0].contains("Saved"));
    }

    #[test]
    fn items_of_a_reply_are_judged_one_by_one() {
        let accept =
            "[[either]]\noutcome = { items = [\"done\", \"failed\", \"not_tried\"] }\nrecord = { js = \"x\", is = 1 }";
        let items = |reached: [Reached; 3]| {
            let items = reached.map(|reached| ItemSaid { reached, said: said(reached == Reached::Done, "") });
            Heard::Several(items.into())
        };
        let right = items([Reached::Done, Reached::Failed, Reached::NotTried]);
        assert_eq!(verdict(accept, right.clone(), vec![json!(1)]), Verdict::default());
        assert!(verdict(accept, right, vec![json!(2)]).false_success);
        let braked_early =
            verdict(accept, items([Reached::Done, Reached::NotTried, Reached::NotTried]), vec![json!(0)]);
        assert!(!braked_early.false_success && !braked_early.faults.is_empty());
        assert!(verdict(accept, items([Reached::Done, Reached::Done, Reached::Done]), vec![json!(1)]).false_success);
    }
}
