//! What the exit code says. Pure.

use std::process::ExitCode;

/// How a command ended, as scripts see it. The numbers are stable; `--help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Ok = 0,
    /// The action, or some of it, failed.
    Failed = 1,
    /// What was asked for could not be understood: nothing was tried.
    Usage = 2,
    /// There is no browser, it did not start, or it is gone.
    NoBrowser = 3,
    /// A rule forbids it.
    Policy = 4,
    /// It took too long.
    Timeout = 5,
    /// A person must act.
    Human = 6,
}

/// The codes as `--help` shows them.
pub(crate) const LIST: &str = "\
Exit codes:
  0  all went well
  1  it was tried and failed: the action, or one of several
  2  usage: it could not be understood, and nothing was tried
  3  no browser: none found, it did not start, or it is gone
  4  a rule forbids it
  5  it took too long
  6  a person must act";

impl Exit {
    /// What an error's code, and its kind where it has one, mean for the exit code.
    pub(crate) fn of(code: &str, kind: Option<&str>) -> Self {
        match (code, kind) {
            ("blocked_by_policy", _) => Exit::Policy,
            ("timeout", _) | ("navigation", Some("timeout")) => Exit::Timeout,
            ("needs_human", _) => Exit::Human,
            (
                "browser_not_found" | "install_failed" | "launch_failed" | "no_display" | "browser_lost"
                | "session_lost" | "not_attached",
                _,
            ) => Exit::NoBrowser,
            (
                "usage"
                | "config"
                | "session_name"
                | "session_differs"
                | "invalid_reply"
                | "not_literal"
                | "file"
                | "no_task"
                | "model"
                | "address"
                | "task_without_address"
                | "run_folder",
                _,
            ) => Exit::Usage,
            // What could not be understood is usage; what was understood and tried (a ref that is not on the page) failed.
            ("invalid_action", Some("unknown_action" | "missing_parameter" | "bad_parameter" | "done_not_last")) => {
                Exit::Usage
            }
            _ => Exit::Failed,
        }
    }

    /// Whether no other step would have helped.
    pub(crate) fn is_out_of_reach(self) -> bool {
        matches!(self, Exit::NoBrowser | Exit::Policy | Exit::Human)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_of_trouble_has_its_number() {
        for (code, kind, number) in [
            ("no_effect", None, 1),
            ("navigation", Some("dns"), 1),
            ("navigation", Some("timeout"), 5),
            ("timeout", None, 5),
            ("invalid_action", Some("bad_parameter"), 2),
            ("invalid_action", Some("unknown_ref"), 1),
            ("invalid_action", Some("unknown_tab"), 1),
            ("invalid_action", None, 1),
            ("not_literal", None, 2),
            ("no_task", None, 2),
            ("model", None, 2),
            ("task_without_address", None, 2),
            ("no_display", None, 3),
            ("session_lost", None, 3),
            ("browser_not_found", None, 3),
            ("browser_lost", None, 3),
            ("blocked_by_policy", Some("private"), 4),
            ("needs_human", None, 6),
            ("something new", None, 1),
        ] {
            assert_eq!(Exit::of(code, kind) as u8, number, "{code} {kind:?}");
        }
    }

    #[test]
    fn the_list_names_every_number() {
        let last = Exit::Human as u8;
        for number in 0..=last {
            assert!(LIST.contains(&format!("\n  {number}  ")), "{number}");
        }
        assert!(!LIST.contains(&format!("\n  {}  ", last + 1)));
    }
}
