//! Texts that must not leave: taken out of a snapshot, wherever the page shows them.

use std::sync::Arc;

use crate::snapshot::{Control, Snapshot};

impl Snapshot {
    /// Puts other words in the place of texts that must not leave, in every text that the snapshot holds. `clean` gives them
    /// for a text that holds such a thing, and `None` for any other. A field that holds one counts as
    /// [`secret`](crate::State::secret) and shows no value.
    ///
    /// Gives the indexes of the frames whose own text held one, in order.
    ///
    /// ```
    /// use webhand_page::Snapshot;
    /// let mut page = Snapshot::default();
    /// page.page.title = "Hello hunter2".to_owned();
    /// let echoed = page.redact(|text| text.contains("hunter2").then(|| text.replace("hunter2", "…")));
    /// assert_eq!((page.page.title.as_str(), echoed.as_slice()), ("Hello …", &[][..]));
    /// ```
    pub fn redact(&mut self, clean: impl Fn(&str) -> Option<String>) -> Vec<u32> {
        let mend = |text: &mut String| {
            if let Some(other) = clean(text) {
                *text = other;
            }
        };
        mend(&mut self.page.title);
        mend(&mut self.page.url);
        for tab in &mut self.tabs {
            mend(&mut tab.title);
            mend(&mut tab.url);
        }
        for frame in &mut self.frames {
            mend(&mut frame.url);
        }
        if let Some(dialog) = &mut self.dialog {
            mend(&mut dialog.message);
            mend(&mut dialog.default_text);
        }
        let mut echoed = Vec::new();
        for node in &mut self.nodes {
            if let Some(other) = clean(&node.name) {
                node.name = other.into();
                echoed.push(node.frame);
            }
            if let Some(control) = node.control.as_mut().filter(|control| tells(control, &clean)) {
                redact_control(Arc::make_mut(control), &clean);
            }
        }
        echoed.dedup();
        echoed
    }
}

fn texts(control: &Control) -> impl Iterator<Item = &String> {
    let (state, own) = (&control.state, &control.attributes);
    let states = [&state.value, &state.placeholder, &state.invalid, &own.id, &own.name, &own.test_id, &own.href];
    let chosen = state.selected.iter().flatten().chain(state.limits.iter().map(|(_, value)| value));
    states.into_iter().flatten().chain(chosen).chain(state.covered.iter().map(|cover| &cover.name))
}

fn tells(control: &Control, clean: &impl Fn(&str) -> Option<String>) -> bool {
    texts(control).any(|text| clean(text).is_some())
}

fn redact_control(control: &mut Control, clean: &impl Fn(&str) -> Option<String>) {
    let (state, own) = (&mut control.state, &mut control.attributes);
    if state.value.as_deref().is_some_and(|value| clean(value).is_some()) {
        state.value = None;
        state.secret = Some(true);
    }
    let hints = [&mut state.placeholder, &mut state.invalid];
    let kept = [&mut own.id, &mut own.name, &mut own.test_id, &mut own.href];
    let chosen = state.selected.iter_mut().flatten().chain(state.limits.iter_mut().map(|(_, value)| value));
    let cover = state.covered.iter_mut().map(|cover| &mut cover.name);
    for text in hints.into_iter().chain(kept).flatten().chain(chosen).chain(cover) {
        if let Some(other) = clean(text) {
            *text = other;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{FormatOptions, Json, SnapshotFormat, format::sample::Sample};

    #[test]
    fn no_text_of_it_holds_the_word_any_more() {
        let mut page = Sample::new("Hello canary");
        page.text("canary sang").heading(2, "The canary").control_with("textbox", "Name of the canary", |field| {
            field.state.value = Some("my canary".to_owned());
            field.state.placeholder = Some("canary?".to_owned());
            field.attributes.id = Some("canary".to_owned());
            field.state.limits.push(("pattern".to_owned(), "canary".to_owned()));
        });
        let mut page = page.done();
        page.page.url = "http://a/?q=canary".to_owned();
        page.hold("prompt", "canary!", "canary");
        let echoed = page.redact(|text| text.contains("canary").then(|| text.replace("canary", "•")));
        assert_eq!(echoed, [0]);
        for text in [
            page.to_string(),
            page.list(&FormatOptions::default()),
            Json.write(&page, &FormatOptions::default()),
            format!("{page:?}"),
        ] {
            assert!(!text.contains("canary"), "{text}");
        }
        let field = page.controls().next().unwrap().1;
        assert_eq!((field.state.secret, &field.state.value), (Some(true), &None));
    }
}
