//! Pages of marked elements, loaded in a real browser, and what the in-page library calls those elements.
//!
//! It knows elements by a mark and what is expected of each. It must not know where the cases come from, nor how a name or
//! a role is computed.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use miette::IntoDiagnostic as _;
use webhand::page::{Call, World};
use webhand::prelude::{Browser, Launch, Session};

/// No page here takes longer.
const DEADLINE: Duration = Duration::from_secs(30);

/// One document, and what is expected of the elements in it.
#[derive(Debug)]
pub(crate) struct Page {
    /// The whole document.
    pub(crate) html: String,
    /// The attribute that marks the elements.
    pub(crate) mark: String,
    /// Its elements, by the value of their mark, in the order of the document where values repeat.
    pub(crate) cases: Vec<Case>,
}

/// What is expected of one element.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Tells it from all others, on lists and in reports.
    pub(crate) id: String,
    /// The value of its mark.
    pub(crate) mark: String,
    /// Its name, where that is judged.
    pub(crate) name: Option<String>,
    /// Its role, where that is judged.
    pub(crate) role: Option<String>,
    /// The section of the specification, or the test, that says so.
    pub(crate) why: String,
}

/// A case, and what was found.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) case: Case,
    /// Name and role; none where there is no such element.
    found: Option<(String, String)>,
}

impl Verdict {
    /// A case and what was found: name and role.
    pub(crate) fn new(case: Case, found: Option<(String, String)>) -> Self {
        Self { case, found }
    }

    pub(crate) fn passes(&self) -> bool {
        let Some((name, role)) = &self.found else { return false };
        let same_name = self.case.name.as_ref().is_none_or(|expected| folded(expected) == folded(name));
        let same_role = self.case.role.as_ref().is_none_or(|expected| canonical(expected) == canonical(role));
        same_name && same_role
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.case.id)?;
        let Some((name, role)) = &self.found else {
            return write!(f, " there is no such element ({})", self.case.why);
        };
        if let Some(expected) = self.case.name.as_ref().filter(|expected| folded(expected) != folded(name)) {
            write!(f, " name expected {expected:?}, got {name:?}")?;
        }
        if let Some(expected) = self.case.role.as_ref().filter(|expected| canonical(expected) != canonical(role)) {
            write!(f, " role expected {expected:?}, got {role:?}")?;
        }
        write!(f, " ({})", self.case.why)
    }
}

/// White space in names is folded and trimmed on both sides; a no-break space is no white space to HTML and stays.
fn folded(name: &str) -> String {
    name.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// ARIA has two names for two roles.
fn canonical(role: &str) -> &str {
    match role {
        "image" => "img",
        "presentation" | "" => "none",
        other => other,
    }
}

/// A browser that answers.
#[derive(Debug)]
pub(crate) struct Judge {
    browser: Browser,
    session: Session,
}

impl Judge {
    /// Starts the browser that `WEBHAND_BROWSER` names, or one that is found: the headless shell first.
    pub(crate) async fn start() -> miette::Result<Self> {
        let browser = Browser::launch(Launch::from_env()).await.into_diagnostic()?;
        let session = browser.blank().await.into_diagnostic()?;
        Ok(Self { browser, session })
    }

    pub(crate) async fn end(self) {
        drop(self.session);
        self.browser.close().await;
    }

    /// Loads each page and compares.
    pub(crate) async fn judge(&mut self, pages: &[Page]) -> miette::Result<Vec<Verdict>> {
        let mut verdicts = Vec::new();
        for page in pages {
            let mut found = self.ask(page).await?;
            verdicts.extend(page.cases.iter().map(|case| {
                let elements = found.get_mut(&case.mark).filter(|elements| !elements.is_empty());
                Verdict::new(case.clone(), elements.map(|elements| elements.remove(0)))
            }));
        }
        Ok(verdicts)
    }

    /// Names and roles of a page's marked elements, by the value of their mark, in the order of the document.
    async fn ask(&mut self, page: &Page) -> miette::Result<HashMap<String, Vec<(String, String)>>> {
        let tab = self.session.tab().clone();
        tab.navigate(&address(&page.html), DEADLINE).await.into_diagnostic()?;
        let frame = tab.main_frame().ok_or_else(|| miette::miette!("the page has no frame"))?;
        let call = Call::new("nameAndRole").arg(format!("[{}]", page.mark)).arg(&page.mark);
        let answers: Vec<(String, String, String)> =
            World::new(&tab, frame).call(&call, DEADLINE).await.into_diagnostic()?;
        let mut found: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for (mark, name, role) in answers {
            found.entry(mark).or_default().push((name, role));
        }
        Ok(found)
    }
}

/// The document as an address.
fn address(html: &str) -> String {
    use std::fmt::Write as _;
    let mut address = "data:text/html;charset=utf-8,".to_owned();
    for byte in html.bytes() {
        if byte.is_ascii_alphanumeric() {
            address.push(char::from(byte));
        } else {
            // writing to a String cannot fail
            let _ = write!(address, "%{byte:02x}");
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(name: Option<&str>, role: Option<&str>, found: Option<(&str, &str)>) -> Verdict {
        let case = Case {
            id: "a".to_owned(),
            mark: "1".to_owned(),
            name: name.map(str::to_owned),
            role: role.map(str::to_owned),
            why: "accname 2D".to_owned(),
        };
        Verdict::new(case, found.map(|(name, role)| (name.to_owned(), role.to_owned())))
    }

    #[test]
    fn only_what_is_expected_is_compared() {
        assert!(verdict(Some("Save  it"), None, Some((" Save it", "button"))).passes());
        assert!(!verdict(Some("Save"), None, Some(("Saved", "button"))).passes());
        assert!(!verdict(Some("a\u{a0}b"), None, Some(("a b", "button"))).passes());
        assert!(verdict(None, Some("image"), Some(("x", "img"))).passes());
        assert!(verdict(None, Some("none"), Some(("x", ""))).passes());
        assert!(!verdict(None, Some("none"), Some(("x", "generic"))).passes());
        assert!(!verdict(Some(""), None, None).passes());
    }

    #[test]
    fn a_failure_tells_expected_and_got() {
        let told = verdict(Some("Save"), Some("link"), Some(("Send", "button"))).to_string();
        assert_eq!(told, r#"a: name expected "Save", got "Send" role expected "link", got "button" (accname 2D)"#);
    }
}
