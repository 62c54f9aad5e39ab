//! Buttons of posts: `For the user @leo, click on the "Mute" button`, `Click the "Reply" button on 2 posts by @dis and then
//! click Submit`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Ref, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;
use crate::miniwob::words::{numbers, quoted};

/// The policy.
#[derive(Debug)]
pub(crate) struct Posts;

/// What is asked.
#[derive(Debug, PartialEq, Eq)]
struct Asked<'g> {
    user: &'g str,
    button: &'g str,
    /// Of how many posts; of all where it is none.
    count: Option<usize>,
    submits: bool,
}

#[async_trait]
impl Policy for Posts {
    fn name(&self) -> &'static str {
        "posts"
    }

    fn about(&self) -> &'static str {
        "a button of one, some or all posts of a user, in the post or in its menu"
    }

    fn understands(&self, goal: &str, _page: &Snapshot) -> bool {
        asked(goal).is_some()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let asked = asked(goal).ok_or_else(|| Stop::lost("not understood"))?;
        let posts = posts_of(&page, asked.user);
        for controls in posts.iter().take(asked.count.unwrap_or(usize::MAX)) {
            let name = |target: &Ref| page.control(target.number).map(|(node, _)| node.name.to_lowercase());
            let is_it = |target: &&Ref| name(target).is_some_and(|name| name == asked.button.to_lowercase());
            if let Some(button) = controls.iter().find(is_it) {
                hand.click(*button).await?;
                continue;
            }
            // what is not shown is in the menu
            let more = controls.iter().find(|target| name(target).is_some_and(|name| name.contains("more")));
            let more = more.or(controls.last()).ok_or_else(|| Stop::lost("the post has no buttons"))?;
            hand.click(*more).await?;
            let opened = hand.look().await?;
            let fits = |seen: &see::Seen<'_>| {
                let rest = seen.name().strip_prefix(asked.button);
                page.control(seen.r#ref().number).is_none()
                    && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            let item = see::controls(&opened).find(fits);
            let item = item.ok_or_else(|| Stop::lost(format!("the menu has no {:?}", asked.button)))?;
            hand.click(item.r#ref()).await?;
        }
        if asked.submits {
            let page = hand.look().await?;
            let submit = see::pressed(&page, "Submit").ok_or_else(|| Stop::lost("there is no Submit"))?;
            hand.click(submit.r#ref()).await?;
        }
        Ok(())
    }
}

fn asked(goal: &str) -> Option<Asked<'_>> {
    let user = &goal[goal.find('@')?..];
    let user = &user
        [..user[1..].find(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(user.len(), |end| end + 1)];
    let button = quoted(goal).first().copied()?;
    let count = match goal.split('"').nth(2)? {
        rest if rest.contains(" all posts") => None,
        rest => Some(numbers(rest.split('@').next()?).first().map_or(Some(1), |count| usize::try_from(*count).ok())?),
    };
    Some(Asked { user, button, count, submits: goal.contains("click Submit") })
}

/// The controls of each post of that user: those between its head and that of the next.
fn posts_of(page: &Snapshot, user: &str) -> Vec<Vec<Ref>> {
    let mut posts: Vec<Vec<Ref>> = Vec::new();
    let mut inside = false;
    for node in &page.nodes {
        if node.control.is_none()
            && let Some(name) = node.name.split_whitespace().find(|word| word.starts_with('@'))
        {
            inside = name == user;
            if inside {
                posts.push(Vec::new());
            }
        }
        if let (true, Some(control), Some(post)) = (inside, &node.control, posts.last_mut()) {
            post.push(control.r#ref);
        }
    }
    posts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_posts_of_whom() {
        let asked = |goal| super::asked(goal).unwrap();
        let one = asked("For the user @leo, click on the \"Share via DM\" button.");
        assert_eq!(one, Asked { user: "@leo", button: "Share via DM", count: Some(1), submits: false });
        let two = asked("Click the \"Reply\" button on 2 posts by @dis and then click Submit.");
        assert_eq!(two, Asked { user: "@dis", button: "Reply", count: Some(2), submits: true });
        assert_eq!(asked("Click the \"Like\" button on all posts by @in and then click Submit.").count, None);
    }
}
