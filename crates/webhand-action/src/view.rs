//! In which format, and how long, pages are written for whoever reads them: one choice a session, with rules by address.

use std::sync::Arc;

use webhand_guard::Pattern;
use webhand_page::{FormatOptions, Outline, Snapshot, SnapshotFormat};

/// A session's choice of format.
///
/// ```
/// use std::sync::Arc;
/// use webhand_action::View;
/// use webhand_guard::Pattern;
/// use webhand_page::{Snapshot, Table};
///
/// let orders = Pattern::parse("*.shop.test/orders")?;
/// let view = View::default().with_rule(orders, Arc::new(Table)).with_max_tokens(4000);
/// assert_eq!(view.format_for("https://www.shop.test/orders").name(), "table");
/// assert_eq!(view.format_for("https://www.shop.test/").name(), "outline");
/// assert_eq!(view.write(&Snapshot::default()), "page \"\"\n");
/// # Ok::<(), webhand_guard::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    format: Arc<dyn SnapshotFormat>,
    options: FormatOptions,
    rules: Vec<(Pattern, Arc<dyn SnapshotFormat>)>,
}

impl Default for View {
    fn default() -> Self {
        Self { format: Arc::new(Outline), options: FormatOptions::default(), rules: Vec::new() }
    }
}

impl View {
    /// The same in that format, where no rule says otherwise.
    #[must_use]
    pub fn with_format(mut self, format: Arc<dyn SnapshotFormat>) -> Self {
        self.format = format;
        self
    }

    /// The same with a format for addresses in that pattern. The first rule that fits holds.
    #[must_use]
    pub fn with_rule(mut self, pattern: Pattern, format: Arc<dyn SnapshotFormat>) -> Self {
        self.rules.push((pattern, format));
        self
    }

    /// The same with these options.
    #[must_use]
    pub fn with_options(mut self, options: FormatOptions) -> Self {
        self.options = options;
        self
    }

    /// The same with texts of at most so many tokens (0 = no limit).
    #[must_use]
    pub fn with_max_tokens(mut self, max_tokens: u32) -> Self {
        self.options.max_tokens = max_tokens;
        self
    }

    /// The options of every format.
    #[must_use]
    pub fn options(&self) -> &FormatOptions {
        &self.options
    }

    /// The format for a page at that address.
    #[must_use]
    pub fn format_for(&self, url: &str) -> &dyn SnapshotFormat {
        let rule = self.rules.iter().find(|(pattern, _)| pattern.covers(url));
        rule.map_or(&*self.format, |(_, format)| &**format)
    }

    /// A snapshot as text.
    #[must_use]
    pub fn write(&self, snapshot: &Snapshot) -> String {
        self.format_for(&snapshot.page.url).write(snapshot, &self.options)
    }

    /// A snapshot as text for a reader who has that of an earlier one.
    #[must_use]
    pub fn since(&self, snapshot: &Snapshot, before: &Snapshot) -> String {
        snapshot.since(before, self.format_for(&snapshot.page.url), &self.options)
    }
}
