//! Where values of a vault come from: what a command prints.

use async_trait::async_trait;
use tokio::process::Command;
use webhand_action::{SecretSource, VaultError};
use webhand_guard::Secret;

/// How long a command may take to print a secret.
const WITHIN: std::time::Duration = std::time::Duration::from_secs(30);

/// The first line that a command prints, run when it is needed: for password managers (`pass show shop`).
///
/// ```
/// use webhand::{CommandSecret, action::VaultEntry};
/// let shop = VaultEntry::of(["https://shop.example"])?.with("password", CommandSecret::new("pass", ["show", "shop"]));
/// # drop(shop);
/// # Ok::<(), webhand::guard::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CommandSecret {
    program: String,
    arguments: Vec<String>,
}

impl CommandSecret {
    /// That program with these arguments; no shell.
    #[must_use]
    pub fn new(program: impl Into<String>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}

#[async_trait]
impl SecretSource for CommandSecret {
    async fn fetch(&self) -> Result<Secret, VaultError> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(std::process::Stdio::null()).kill_on_drop(true);
        let output = tokio::time::timeout(WITHIN, command.output()).await;
        let output = output.map_err(|_| unavailable(&self.program, "it did not end in time"))?;
        let output = output.map_err(|error| unavailable(&self.program, &error.to_string()))?;
        if !output.status.success() {
            return Err(unavailable(&self.program, &output.status.to_string()));
        }
        let text = String::from_utf8(output.stdout).map_err(|_| unavailable(&self.program, "it printed no text"))?;
        let line = text.lines().next().filter(|line| !line.is_empty());
        line.map(Secret::new).ok_or_else(|| unavailable(&self.program, "it printed nothing"))
    }
}

fn unavailable(source: &str, reason: &str) -> VaultError {
    VaultError::unavailable(source, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_gives_its_first_line_and_tells_why_it_gives_none() {
        let echo = CommandSecret::new("printf", ["a b\nmore\n"]);
        assert_eq!(echo.fetch().await.unwrap().expose(), "a b");
        for (program, argument) in [("false", ""), ("true", ""), ("webhand-no-such-program", "")] {
            let error = CommandSecret::new(program, [argument]).fetch().await.unwrap_err();
            assert!(error.to_string().contains(program), "{error}");
        }
    }
}
