//! The words that models are told, in files with a version each. Nothing of a page is in them.

use webhand_guard::Fence;

use super::Role;

/// The words of one role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Words {
    /// Goes up with every change of meaning; it stands in the journal of each run.
    pub version: u32,
    body: &'static str,
}

impl Words {
    /// The words of that role; shorter ones for a small model.
    #[must_use]
    pub fn of(role: Role, small: bool) -> Self {
        let file = match role {
            Role::Navigator if small => include_str!("../../prompts/small.md"),
            Role::Navigator => include_str!("../../prompts/system.md"),
            Role::Planner => include_str!("../../prompts/planner.md"),
            Role::Judge => include_str!("../../prompts/judge.md"),
            Role::Extractor => include_str!("../../prompts/extractor.md"),
            Role::Summary => include_str!("../../prompts/summary.md"),
        };
        let (head, body) = file.split_once("\n---\n").unwrap_or(("", file));
        let version = head.lines().find_map(|line| line.strip_prefix("version: ")?.trim().parse().ok());
        Self { version: version.unwrap_or(0), body: body.trim() }
    }

    /// The words of a run with that fence.
    ///
    /// ```
    /// use webhand_agent::{Role, Words};
    /// let fence = webhand_guard::Fence::with_token("k7Qx");
    /// assert!(Words::of(Role::Judge, false).text(&fence).contains("k7Qx"));
    /// ```
    #[must_use]
    pub fn text(&self, fence: &Fence) -> String {
        self.body.replace("{fence}", &fence.rule())
    }
}

/// The navigator's words of a run with that fence.
#[must_use]
pub fn system(fence: &Fence) -> String {
    Words::of(Role::Navigator, false).text(fence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_short_have_a_version_and_carry_the_fence_rule() {
        let fence = Fence::with_token("k7Qx");
        let roles = [Role::Navigator, Role::Planner, Role::Judge, Role::Extractor, Role::Summary];
        for (role, small) in roles.map(|role| (role, false)).into_iter().chain([(Role::Navigator, true)]) {
            let words = Words::of(role, small);
            let text = words.text(&fence);
            assert!(words.version > 0, "{role:?}");
            assert!(text.contains("k7Qx") && !text.contains("{fence}"), "{role:?}");
            let most = if small { 250 } else { 600 };
            assert!(text.split_whitespace().count() <= most, "{role:?}: {}", text.split_whitespace().count());
        }
    }
}
