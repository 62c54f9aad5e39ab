//! Memory of a process that does nothing but read pages with webhand: the bench starts itself anew for it.
//!
//! It must not know how pages are made; it gets addresses.

use std::process::Stdio;

use miette::{Context as _, IntoDiagnostic as _};

use serde::{Deserialize, Serialize};

/// Readings of the table after which memory is looked at, twice.
pub(crate) const TABLE_READINGS: [usize; 2] = [100, 1_000];

/// Between the two, memory may grow by this share and is still called flat.
const FLAT: f64 = 1.05;

/// Memory of a process of its own that does nothing else, in MiB.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// After one reading of the form.
    pub(crate) small_mib: f64,
    /// After some readings of the table, and after many.
    pub(crate) table_mib: [f64; 2],
    /// After one reading of the largest page.
    pub(crate) huge_mib: f64,
}

impl Memory {
    /// A line for a person.
    pub(crate) fn text(&self) -> String {
        let ([some, many], [few, last]) = (TABLE_READINGS, self.table_mib);
        let met = if last <= few * FLAT { "ok" } else { "MISSED" };
        format!(
            "own memory: {:.1} MiB after form, {few:.1} after {some} snapshots of table, {last:.1} after {many} (goal: flat, <= {FLAT} x: {met}), {:.1} after huge",
            self.small_mib, self.huge_mib
        )
    }
}

/// What this process holds in memory now, in MiB; nothing where the system does not tell.
pub(crate) fn resident_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// Starts this program anew to read the three pages, and takes its figures.
pub(crate) async fn in_a_process_of_its_own(form: &str, table: &str, huge: &str) -> miette::Result<Memory> {
    let program = std::env::current_exe().into_diagnostic().wrap_err("cannot find this program")?;
    let output = tokio::process::Command::new(program)
        .args(["bench", "--memory-of", form, table, huge])
        .stderr(Stdio::inherit())
        .output()
        .await
        .into_diagnostic()
        .wrap_err("cannot start the process whose memory is measured")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next_back().unwrap_or_default();
    serde_json::from_str(line).into_diagnostic().wrap_err("the process whose memory is measured gave no figures")
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn memory_that_grows_is_not_flat() {
        let memory = |last| Memory { small_mib: 10.0, table_mib: [20.0, last], huge_mib: 30.0 };
        assert!(memory(21.0).text().contains("21.0 after 1000 (goal: flat, <= 1.05 x: ok)"));
        assert!(memory(21.1).text().contains("MISSED"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_has_some_memory() {
        assert!(super::resident_mib().is_some_and(|mib| mib > 1.0));
    }
}
