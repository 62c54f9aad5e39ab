//! Closed shadow roots: no script sees them, the browser does. Each possible host is asked once in its life, and its root
//! handed to the library, which remembers it.

use std::time::Duration;

use webhand_browser::BrowserError;
use webhand_cdp::{
    CdpError,
    protocol::{
        dom::{BackendNodeId, DescribeNode, ResolveNode, ShadowRootType},
        runtime::{CallFunctionOn, Evaluate, GetProperties, ReleaseObjectGroup, RemoteObjectId},
    },
};

use crate::{error::PageError, world::World};

impl World {
    /// Asks the browser for the closed shadow roots of the hosts that the last read met. How many there were.
    pub(crate) async fn open_closed_roots(&self, within: Duration) -> Result<usize, PageError> {
        let hosts = self.hosts(within).await?;
        let session = self.session()?;
        let mut burst = session.burst();
        let asked: Vec<_> = hosts
            .into_iter()
            .map(|host| {
                let describe = DescribeNode { object_id: Some(host), pierce: Some(true), ..DescribeNode::default() };
                burst.add(&describe)
            })
            .collect();
        burst.send();
        let mut found = 0;
        for pending in asked {
            let node = match self.tab().race(pending, within).await {
                Ok(reply) => reply.node,
                // it went in the meantime
                Err(BrowserError::Cdp(CdpError::Protocol { .. })) => continue,
                Err(error) => return Err(error.into()),
            };
            let closed = node
                .shadow_roots
                .into_iter()
                .flatten()
                .find(|root| root.shadow_root_type == Some(ShadowRootType::Closed));
            if let Some(root) = closed {
                self.adopt(root.backend_node_id, within).await?;
                found += 1;
            }
        }
        self.tab().race(session.send(&ReleaseObjectGroup::new(self.host_group())), within).await?;
        Ok(found)
    }

    /// The handles of this frame: frames of one session are asked side by side, and one must not let go another's.
    fn host_group(&self) -> String {
        format!("webhand-hosts-{}", self.frame())
    }

    async fn hosts(&self, within: Duration) -> Result<Vec<RemoteObjectId>, PageError> {
        let session = self.session()?;
        let mut evaluate = Evaluate::new("webhand.takeHosts()");
        evaluate.context_id = Some(self.tab().world(self.frame()).await?);
        evaluate.object_group = Some(self.host_group());
        let list = self.tab().race(session.send(&evaluate), within).await?.result.object_id;
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut properties = GetProperties::new(list);
        properties.own_properties = Some(true);
        let reply = self.tab().race(session.send(&properties), within).await?;
        let elements =
            reply.result.into_iter().filter(|property| property.name.bytes().all(|byte| byte.is_ascii_digit()));
        Ok(elements.filter_map(|property| property.value?.object_id).collect())
    }

    async fn adopt(&self, root: BackendNodeId, within: Duration) -> Result<(), PageError> {
        let world = self.tab().world(self.frame()).await?;
        let session = self.session()?;
        let resolve = ResolveNode {
            backend_node_id: Some(root),
            execution_context_id: Some(world),
            object_group: Some(self.host_group()),
            ..ResolveNode::default()
        };
        let root = self.tab().race(session.send(&resolve), within).await?.object.object_id;
        let mut call = CallFunctionOn::new("function () { webhand.adoptRoot(this) }");
        call.object_id = root;
        self.tab().race(session.send(&call), within).await?;
        Ok(())
    }
}
