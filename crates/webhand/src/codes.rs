//! Where one-time codes arrive: what a command prints, and a mailbox that is reached by HTTP.

use std::{
    process::Stdio,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use serde_json::Value;
use tokio::{process::Command, time::interval};
use webhand_action::{VaultError, people::CodeSource};
use webhand_guard::Secret;

use crate::web;

/// So many characters of digits are a code, with single spaces and dashes between them.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=10;
/// So much of a mailbox's answer is read.
const MAX_ANSWER: usize = 1 << 20;

/// Runs a program that waits for a message and prints it, or the code alone. The variable `WEBHAND_CODE_SINCE` of its
/// environment holds the second since which it may have been sent, counted as Unix does. The session ends a program that
/// takes too long.
///
/// ```
/// use webhand::{CommandCodes, action::{VaultEntry, catalogue::CodeKind}};
/// let shop = VaultEntry::of(["https://shop.example"])?.with_codes("code", CodeKind::Email, CommandCodes::new("next-mail", ["shop"]));
/// # drop(shop);
/// # Ok::<(), webhand::guard::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CommandCodes {
    program: String,
    arguments: Vec<String>,
}

impl CommandCodes {
    /// That program with these arguments; no shell.
    #[must_use]
    pub fn new(program: impl Into<String>, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}

#[async_trait]
impl CodeSource for CommandCodes {
    async fn code(&self, since: SystemTime) -> Result<Secret, VaultError> {
        let unavailable = |reason: &str| VaultError::unavailable(&self.program, reason);
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null()).kill_on_drop(true);
        command.env("WEBHAND_CODE_SINCE", seconds(since).to_string());
        let output = command.output().await.map_err(|error| unavailable(&error.to_string()))?;
        if !output.status.success() {
            return Err(unavailable(&output.status.to_string()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        code_in(&text).map(Secret::new).ok_or_else(|| unavailable("there is no code in what it printed"))
    }
}

/// A mailbox or telephone whose messages an address lists, as many services and self-written bridges do: a JSON array of
/// objects, each with a text and the time at which it came. It is asked again until a message that came since then has a
/// code in it.
///
/// ```
/// use webhand::{HttpCodes, action::{VaultEntry, catalogue::CodeKind}};
/// let inbox = HttpCodes::at("https://mail.example/api/messages?to=ada").fields("received_at", &["subject", "body"]);
/// let shop = VaultEntry::of(["https://shop.example"])?.with_codes("code", CodeKind::Email, inbox);
/// # drop(shop);
/// # Ok::<(), webhand::guard::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HttpCodes {
    url: String,
    authorization: Option<Secret>,
    time: String,
    texts: Vec<String>,
    period: Duration,
}

impl HttpCodes {
    /// The messages that this address lists, with the fields `received` (a Unix time in seconds) and `text`.
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            authorization: None,
            time: "received".to_owned(),
            texts: vec!["text".to_owned()],
            period: Duration::from_secs(2),
        }
    }

    /// The same with an `Authorization` header.
    #[must_use]
    pub fn authorization(mut self, value: Secret) -> Self {
        self.authorization = Some(value);
        self
    }

    /// The same with the names of the fields that hold the time (a Unix time in seconds) and the words of a message.
    #[must_use]
    pub fn fields(mut self, time: &str, texts: &[&str]) -> Self {
        self.time = time.to_owned();
        self.texts = texts.iter().map(|text| (*text).to_owned()).collect();
        self
    }

    /// The same, asked so often. Every 2 s by default.
    #[must_use]
    pub fn every(mut self, period: Duration) -> Self {
        self.period = period.max(Duration::from_millis(10));
        self
    }

    async fn messages(&self) -> Result<Vec<Value>, String> {
        let mut request = web::client().map_err(web::words_of)?.get(&self.url);
        if let Some(value) = &self.authorization {
            request = request.header("authorization", value.expose());
        }
        let response = request.send().await.map_err(web::words_of)?;
        let status = response.status();
        let text = web::text_of(response, MAX_ANSWER).await.map_err(web::words_of)?;
        if !status.is_success() {
            return Err(status.to_string());
        }
        serde_json::from_str(&text).map_err(|_| "what it answers is no JSON array".to_owned())
    }

    /// The code of the newest message that came since then.
    fn newest(&self, messages: &[Value], since: SystemTime) -> Option<String> {
        // a message of the very second is taken: its time has no fractions
        let since = seconds(since);
        let came = |message: &Value| message.get(&self.time).and_then(Value::as_f64);
        let mut fresh: Vec<_> = messages
            .iter()
            .filter_map(|message| Some((came(message)?, message)))
            .filter(|(at, _)| *at >= since)
            .collect();
        fresh.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let words =
            |message: &Value| self.texts.iter().filter_map(|field| code_in(message.get(field)?.as_str()?)).next();
        fresh.into_iter().find_map(|(_, message)| words(message))
    }
}

#[async_trait]
impl CodeSource for HttpCodes {
    async fn code(&self, since: SystemTime) -> Result<Secret, VaultError> {
        let mut ticks = interval(self.period);
        loop {
            ticks.tick().await;
            let messages = self.messages().await.map_err(|reason| VaultError::unavailable("the mailbox", &reason))?;
            if let Some(code) = self.newest(&messages, since) {
                return Ok(Secret::new(code));
            }
        }
    }
}

/// Whole seconds since the beginning of 1970.
fn seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64().floor()
}

/// The first run of digits in a text that can be a code; one after a word such as "code" comes before others.
fn code_in(text: &str) -> Option<String> {
    let mut runs = Vec::new();
    let mut run: Option<(usize, String)> = None;
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let next_is_digit = letters.get(at + 1).is_some_and(char::is_ascii_digit);
        match &mut run {
            Some((_, digits)) if letter.is_ascii_digit() => digits.push(*letter),
            Some(_) if matches!(letter, ' ' | '-') && next_is_digit => {}
            Some(_) => runs.extend(run.take().filter(|_| !letter.is_alphanumeric())),
            None if letter.is_ascii_digit()
                && !at.checked_sub(1).is_some_and(|before| letters[before].is_alphanumeric()) =>
            {
                run = Some((at, letter.to_string()));
            }
            None => {}
        }
    }
    runs.extend(run);
    runs.retain(|(_, digits)| DIGITS.contains(&digits.len()));
    let lower: Vec<char> = letters.iter().map(char::to_ascii_lowercase).collect();
    let words = ["code", "passcode", "otp", "验证码", "pin"];
    let after_word = |at: usize| {
        let before: String = lower[at.saturating_sub(40)..at].iter().collect();
        words.iter().any(|word| before.contains(word))
    };
    let named = runs.iter().find(|(at, _)| after_word(*at)).cloned();
    named.or_else(|| runs.into_iter().next()).map(|(_, digits)| digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::echo::Echo;

    #[test]
    fn codes_are_found_in_messages() {
        for (text, code) in [
            ("Your code is 204713.", Some("204713")),
            ("Order 88123 of 2026: your passcode: 55-12-07", Some("551207")),
            ("123 456 is your Shop verification code", Some("123456")),
            ("【店】验证码 8841，请勿告诉他人", Some("8841")),
            ("Call 12 people", None),
            ("A1234B", None),
            ("123456789012", None),
            ("", None),
        ] {
            assert_eq!(code_in(text).as_deref(), code, "{text}");
        }
    }

    #[tokio::test]
    async fn a_command_is_told_since_when() {
        let codes = CommandCodes::new("sh", ["-c", "echo \"Your code: 1234, asked at $WEBHAND_CODE_SINCE\""]);
        let since = UNIX_EPOCH + Duration::from_millis(1_700_000_000_900);
        assert_eq!(codes.code(since).await.unwrap().expose(), "1234");
        let failed = CommandCodes::new("sh", ["-c", "exit 2"]).code(since).await.unwrap_err();
        assert!(failed.to_string().contains("sh"), "{failed}");
        let shown = CommandCodes::new("sh", ["-c", "echo $WEBHAND_CODE_SINCE"]).code(since).await.unwrap();
        assert_eq!(shown.expose(), "1700000000");
    }

    #[tokio::test]
    async fn a_mailbox_is_asked_until_a_new_message_has_a_code() {
        let old = "{\"received\": 100, \"text\": \"code 1111\"}";
        let server = Echo::in_turn(vec![
            (200, format!("[{old}]")),
            (200, format!("[{old}, {{\"received\": 205, \"text\": \"code 3333\"}}, {{\"received\": 201, \"text\": \"code 2222\"}}]")),
        ])
        .await;
        let codes = HttpCodes::at(server.url("/m")).every(Duration::ZERO).authorization(Secret::new("Bearer key"));
        let code = codes.code(UNIX_EPOCH + Duration::from_millis(200_500)).await.unwrap();
        assert_eq!(code.expose(), "3333");
        assert_eq!(server.heard().len(), 2);
        assert_eq!(server.heard()[0].header("authorization"), Some("Bearer key"));
        let refused = Echo::answering(401, "").await;
        let error = HttpCodes::at(refused.url("/m")).code(UNIX_EPOCH).await.unwrap_err();
        assert!(error.to_string().contains("401"), "{error}");
    }
}
