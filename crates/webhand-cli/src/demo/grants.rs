//! What a demo run may open: the shop and nothing else, or what a person named.

use std::sync::Arc;

use webhand::{
    Judge, engine,
    guard::{PatternError, UrlPolicy},
};

/// Only that origin.
pub(super) fn only(origin: &str) -> Result<Arc<dyn engine::UrlJudge>, PatternError> {
    let policy = UrlPolicy::parse([origin], [])?;
    Ok(Arc::new(Judge::new(policy)))
}

/// The public web, and the addresses that a person gave.
pub(super) fn given(url: &str, task: &str) -> Result<Arc<dyn engine::UrlJudge>, PatternError> {
    let policy = UrlPolicy::parse(["*"], [])?.grant_origin(url)?.grant_named_in(task);
    Ok(Arc::new(Judge::new(policy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(judge: &Arc<dyn engine::UrlJudge>, url: &str) -> bool {
        judge.judge(&url.parse().unwrap(), engine::Place::Tab).is_ok()
    }

    #[test]
    fn the_shop_and_nothing_else() {
        let judge = only("http://127.0.0.1:4100").unwrap();
        assert!(allows(&judge, "http://127.0.0.1:4100/checkout"));
        for other in ["http://127.0.0.1:4101/", "http://localhost:4100/", "https://example.org/", "file:///etc/passwd"]
        {
            assert!(!allows(&judge, other), "{other}");
        }
    }

    #[test]
    fn what_a_person_gave_and_the_public_web() {
        let judge = given("http://127.0.0.1:4100/x", "Open http://127.0.0.1:4200/y").unwrap();
        for good in ["http://127.0.0.1:4100/", "http://127.0.0.1:4200/z", "https://example.org/"] {
            assert!(allows(&judge, good), "{good}");
        }
        assert!(!allows(&judge, "http://127.0.0.1:4300/"));
        assert!(given("not an address", "").is_err());
    }
}
