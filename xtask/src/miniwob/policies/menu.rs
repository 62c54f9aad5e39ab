//! A path through a menu: `Select Alvera>Terza>Ludovika`.

use std::sync::Arc;

use async_trait::async_trait;
use webhand::prelude::{Hover, Snapshot, Wait};

use super::Policy;
use crate::miniwob::hand::{Hand, Played, Stop};
use crate::miniwob::see;

/// The policy.
#[derive(Debug)]
pub(crate) struct Menu;

#[async_trait]
impl Policy for Menu {
    fn name(&self) -> &'static str {
        "menu"
    }

    fn about(&self) -> &'static str {
        "a path of items through menus that open under the pointer"
    }

    fn understands(&self, goal: &str, page: &Snapshot) -> bool {
        let items = see::of_role(page, &["menuitem"]);
        path(goal).is_some_and(|path| items.iter().any(|seen| seen.name() == path[0]))
    }

    async fn play(&self, goal: &str, _page: Arc<Snapshot>, hand: &mut Hand<'_>) -> Played {
        let path = path(goal).ok_or_else(|| Stop::lost("no path"))?;
        let (last, before) = path.split_last().ok_or_else(|| Stop::lost("no path"))?;
        for name in before {
            let page = hand.look().await?;
            let item = see::named(&page, &["menuitem"], name).ok_or_else(|| Stop::lost(format!("no item {name:?}")))?;
            hand.attempt(Hover::on(item.r#ref())).await?;
            // menus wait a moment before they open
            for _ in 0..20 {
                if hand.look().await?.controls().count() > page.controls().count() {
                    break;
                }
                hand.act(Wait::time(0.05)).await?;
            }
        }
        let page = hand.look().await?;
        let item = see::named(&page, &["menuitem"], last).ok_or_else(|| Stop::lost(format!("no item {last:?}")))?;
        hand.click(item.r#ref()).await.map(drop)
    }
}

fn path(goal: &str) -> Option<Vec<&str>> {
    let path: Vec<&str> = goal.strip_prefix("Select ")?.split('>').map(str::trim).collect();
    path.iter().all(|name| !name.is_empty() && !name.contains(' ')).then_some(path)
}
