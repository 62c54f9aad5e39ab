//! Memory of a process that does nothing but read pages with webhand: the bench starts itself anew for it.
//!
//! It must not know how pages are made; it gets addresses.

use std::process::Stdio;

use miette::{Context as _, IntoDiagnostic as _};

use super::report::Memory;

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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn a_process_has_some_memory() {
        assert!(super::resident_mib().is_some_and(|mib| mib > 1.0));
    }
}
