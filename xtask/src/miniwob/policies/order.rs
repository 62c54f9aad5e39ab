//! Orders from a list: `Order one of each item: Garlic bread, Cheese wheel`, `Order 2 items that are vegan`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Ref, Snapshot};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;
use crate::miniwob::words::numbers;

/// The policy.
#[derive(Debug)]
pub(crate) struct Order;

/// What the list offers: a name, what is said of it, and what adds one.
#[derive(Debug)]
struct Item {
    name: String,
    marks: Vec<String>,
    add: Ref,
}

#[async_trait]
impl Policy for Order {
    fn name(&self) -> &'static str {
        "order"
    }

    fn about(&self) -> &'static str {
        "items of a list ordered by name or by what they are marked as"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        goal.starts_with("Order ") && !items(page).is_empty()
    }

    async fn play(&self, goal: &str, page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        for name in wanted(goal, &items(&page))? {
            // what was ordered changes the text around the others
            let page = hand.look().await?;
            let add = items(&page).into_iter().find(|item| item.name == name).map(|item| item.add);
            hand.click(add.ok_or_else(|| Stop::lost(format!("there is no {name:?} any more")))?).await?;
        }
        let page = hand.look().await?;
        let buttons = see::of_role(&page, &["button"]);
        let send = buttons.iter().find(|seen| seen.name().starts_with("Order"));
        let send = send.ok_or_else(|| Stop::lost("nothing sends the order"))?;
        hand.click(send.r#ref()).await.map(drop)
    }
}

/// The names of what is to be added, one by one.
fn wanted(goal: &str, items: &[Item]) -> Played<Vec<String>> {
    if let Some((_, names)) = goal.split_once(": ") {
        let known = |name: &str| items.iter().find(|item| item.name == name.trim()).map(|item| item.name.clone());
        let all: Option<Vec<String>> = names.split(", ").map(known).collect();
        return all.ok_or_else(|| Stop::lost("something of it is not offered"));
    }
    let count = numbers(goal).first().and_then(|count| usize::try_from(*count).ok()).unwrap_or_default();
    let mark = goal.rsplit(' ').next().unwrap_or_default().trim_end_matches('.');
    let fitting: Vec<&Item> = items.iter().filter(|item| item.marks.iter().any(|known| known == mark)).collect();
    // where there are too few of a sort, one is taken more than once
    Ok(fitting.iter().cycle().take(count).map(|item| item.name.clone()).collect())
}

/// The items: a text, pictures that mark it, and a plus.
fn items(page: &Snapshot) -> Vec<Item> {
    let mut items = Vec::new();
    let (mut name, mut marks) = (String::new(), Vec::new());
    for node in &page.nodes {
        match (node.role.as_str(), &node.control) {
            ("heading", _) => {}
            ("img", None) => marks.push(node.name.to_string()),
            // how many are ordered stands there, too, and is no name
            (_, None) if node.name.contains(char::is_alphabetic) => {
                (name, marks) = (node.name.trim().to_owned(), Vec::new())
            }
            (_, Some(control)) if node.name.trim() == "+" => {
                items.push(Item { name: name.clone(), marks: std::mem::take(&mut marks), add: control.r#ref });
            }
            _ => {}
        }
    }
    items
}
