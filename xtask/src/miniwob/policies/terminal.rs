//! A drawn terminal: `Use the terminal below to delete a file ending with the extension .gif`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Press, Snapshot, Type};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;

/// The policy.
#[derive(Debug)]
pub(crate) struct Terminal;

#[async_trait]
impl Policy for Terminal {
    fn name(&self) -> &'static str {
        "terminal"
    }

    fn about(&self) -> &'static str {
        "a file of a given ending deleted with the commands of a drawn terminal"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        ending(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let ending = ending(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let screen = see::of_role(&page, &["generic"]).first().map(|seen| seen.r#ref());
        hand.click(screen.ok_or_else(|| Stop::lost("there is no terminal"))?).await?;
        command("ls", hand).await?;
        let page = hand.look().await?;
        // the files stand on one line, and nothing else there has no blank after its stop
        let lines: Vec<&str> = see::texts(&page).map(|(_, text)| text).collect();
        let listed =
            lines.iter().skip_while(|line| !line.ends_with("ls")).skip(1).find(|line| !line.starts_with("user$"));
        let fits = |file: &&str| if ending.is_empty() { !file.contains('.') } else { file.ends_with(ending) };
        let file = listed.and_then(|line| line.split_whitespace().find(fits));
        let file = file.ok_or_else(|| Stop::lost(format!("no file ends with {ending:?}")))?;
        command(&format!("rm {file}"), hand).await
    }
}

fn ending(goal: &str) -> Option<&str> {
    if !goal.starts_with("Use the terminal") {
        return None;
    }
    match goal.split_once("with the extension ") {
        Some((_, ending)) => Some(ending.trim_end_matches(' ')),
        None => goal.contains("no file extension").then_some(""),
    }
}

async fn command(text: &str, hand: &mut Hand<'_>) -> Played {
    // what is typed shows elsewhere: the field itself is emptied at each key
    hand.attempt(Type::text(text)).await?;
    hand.attempt(Press::keys("Enter")).await.map(drop)
}
