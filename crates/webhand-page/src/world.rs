//! Calls into the isolated world of one frame, where the in-page library lives.

use std::{fmt::Write as _, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use webhand_browser::{BrowserError, FrameId, Tab};
use webhand_cdp::{
    CdpError,
    protocol::{dom, runtime},
};

use crate::{error::PageError, script::LIBRARY};

/// What a call answers where the library is not there yet.
const ABSENT: &str = "\"webhand is absent\"";

/// One frame of a tab, as a place to call into.
#[derive(Clone, Debug)]
pub struct World {
    tab: Tab,
    frame: FrameId,
}

/// One call, written as JavaScript: a name and its arguments as JSON.
///
/// ```
/// let call = webhand_page::Call::new("select").arg("#save");
/// assert_eq!(call.to_string(), "webhand.select(\"#save\")");
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    name: &'static str,
    arguments: String,
}

impl Call {
    /// A call of that function of the library.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self { name, arguments: String::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn arg(mut self, value: impl Serialize) -> Self {
        if !self.arguments.is_empty() {
            self.arguments.push(',');
        }
        // what cannot be written as JSON (there is no such argument here) is passed as null
        let text = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        self.arguments.push_str(&text);
        self
    }
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "webhand.{}({})", self.name, self.arguments)
    }
}

impl World {
    /// The world of that frame.
    #[must_use]
    pub fn new(tab: &Tab, frame: FrameId) -> Self {
        Self { tab: tab.clone(), frame }
    }

    /// The frame.
    #[must_use]
    pub fn frame(&self) -> &FrameId {
        &self.frame
    }

    /// The tab.
    #[must_use]
    pub fn tab(&self) -> &Tab {
        &self.tab
    }

    pub(crate) fn session(&self) -> Result<webhand_cdp::Session, PageError> {
        Ok(self.tab.frame(&self.frame).ok_or(BrowserError::FrameGone)?.session)
    }

    /// Calls a function of the library and decodes what it answers.
    ///
    /// # Errors
    /// [`PageError`]: a dialog, a lost tab, the deadline, or a fault in the page.
    pub async fn call<T: DeserializeOwned>(&self, call: &Call, within: Duration) -> Result<T, PageError> {
        let text = Box::pin(self.call_raw(call, within)).await?;
        serde_json::from_str(&text).map_err(|error| PageError::Answer(format!("{}: {error}", call.name)))
    }

    /// The same, undecoded: JSON text.
    pub(crate) async fn call_raw(&self, call: &Call, within: Duration) -> Result<String, PageError> {
        let mut expression = String::new();
        // writing to a String cannot fail
        let _ = write!(expression, "globalThis.webhand ? {call} : {ABSENT}");
        let value = self.evaluate(&expression, within).await?;
        if value != ABSENT {
            return Ok(value);
        }
        self.evaluate(&format!("{LIBRARY};0"), within).await?;
        self.evaluate(&expression, within).await
    }

    /// Evaluates an expression in the world; what it gives, as JSON text (`null` for nothing).
    async fn evaluate(&self, expression: &str, within: Duration) -> Result<String, PageError> {
        let mut forgotten = false;
        loop {
            let world = self.tab.world(&self.frame).await?;
            let mut evaluate = runtime::Evaluate::new(expression);
            evaluate.context_id = Some(world);
            evaluate.return_by_value = Some(true);
            evaluate.await_promise = Some(true);
            let reply = self.tab.race(self.session()?.send(&evaluate), within).await;
            let reply = match reply {
                // the document changed under us: its world is gone
                Err(BrowserError::Cdp(CdpError::Protocol { .. })) if !forgotten => {
                    self.tab.forget_world(&self.frame);
                    forgotten = true;
                    continue;
                }
                other => other?,
            };
            if let Some(details) = reply.exception_details {
                let said = details.exception.and_then(|exception| exception.description);
                return Err(PageError::Script(said.unwrap_or(details.text)));
            }
            return Ok(reply.result.value.map_or_else(|| "null".to_owned(), |value| value.get().to_owned()));
        }
    }

    /// Puts files into the file field with that number, as a person's choice does, and calls a function of the library
    /// before the page can go on to another document.
    ///
    /// # Errors
    /// [`PageError`], as for [`World::call`].
    pub async fn set_files<T: DeserializeOwned>(
        &self,
        number: u32,
        files: &[String],
        then: &Call,
        within: Duration,
    ) -> Result<T, PageError> {
        let world = self.tab.world(&self.frame).await?;
        let mut evaluate = runtime::Evaluate::new(format!("webhand.elementOf({number})"));
        evaluate.context_id = Some(world);
        evaluate.object_group = Some("webhand-files".to_owned());
        let session = self.session()?;
        let handle = self.tab.race(session.send(&evaluate), within).await?.result.object_id;
        let handle = handle.ok_or_else(|| PageError::Answer("the field is gone".to_owned()))?;
        let mut set = dom::SetFileInputFiles::new(files.to_vec());
        set.object_id = Some(handle);
        let mut call = runtime::Evaluate::new(then.to_string());
        call.context_id = Some(world);
        call.return_by_value = Some(true);
        let mut burst = session.burst();
        let (set, called) = (burst.add(&set), burst.add(&call));
        drop(burst.add(&runtime::ReleaseObjectGroup::new("webhand-files")));
        burst.send();
        self.tab.race(set, within).await?;
        let value = self.tab.race(called, within).await?.result.value;
        let text = value.as_ref().map_or("null", |value| value.get());
        serde_json::from_str(text).map_err(|error| PageError::Answer(format!("{}: {error}", then.name)))
    }

    /// The number that the library has for the element with that backend id.
    ///
    /// # Errors
    /// [`PageError`], as for [`World::call`].
    pub async fn number_of(&self, node: dom::BackendNodeId, within: Duration) -> Result<u32, PageError> {
        let object = self.resolve(node, within).await?;
        let mut call = runtime::CallFunctionOn::new("function () { return webhand.idOf.call(this) }");
        call.object_id = Some(object);
        call.return_by_value = Some(true);
        let reply = self.tab.race(self.session()?.send(&call), within).await?;
        let value = reply.result.value.ok_or_else(|| PageError::Answer("no number".to_owned()))?;
        serde_json::from_str(value.get()).map_err(|error| PageError::Answer(error.to_string()))
    }

    async fn resolve(&self, node: dom::BackendNodeId, within: Duration) -> Result<runtime::RemoteObjectId, PageError> {
        let world = self.tab.world(&self.frame).await?;
        let resolve = dom::ResolveNode {
            backend_node_id: Some(node),
            execution_context_id: Some(world),
            object_group: Some("webhand".to_owned()),
            ..dom::ResolveNode::default()
        };
        let reply = self.tab.race(self.session()?.send(&resolve), within).await?;
        reply.object.object_id.ok_or_else(|| PageError::Answer("a node without a handle".to_owned()))
    }

    /// A handle to the document of a process's topmost frame, for probes.
    ///
    /// It is the page's own world's handle (no page can bend `document`): asked on a handle of an isolated world,
    /// Chromium 156's `DOMDebugger.getEventListeners` with `pierce` brings the renderer down at its next garbage
    /// collection where a shadow tree has listeners.
    pub(crate) async fn document(&self, within: Duration) -> Result<runtime::RemoteObjectId, PageError> {
        let mut evaluate = runtime::Evaluate::new("document");
        evaluate.object_group = Some("webhand-document".to_owned());
        let reply = self.tab.race(self.session()?.send(&evaluate), within).await?;
        reply.result.object_id.ok_or_else(|| PageError::Answer("no document".to_owned()))
    }

    /// Tells the library which of these nodes listen, each with whether it does for keys. Nodes of other frames are left
    /// out.
    ///
    /// Returns those that belong to this frame.
    pub(crate) async fn listen(
        &self,
        nodes: &[(dom::BackendNodeId, bool)],
        within: Duration,
    ) -> Result<Vec<dom::BackendNodeId>, PageError> {
        self.tell("listen", nodes, within).await
    }

    /// Tells it which of these listen no more. Returns whether any was one that it knew.
    pub(crate) async fn unlisten(&self, nodes: &[dom::BackendNodeId], within: Duration) -> Result<bool, PageError> {
        let nodes: Vec<_> = nodes.iter().map(|node| (*node, false)).collect();
        Ok(!self.tell("unlisten", &nodes, within).await?.is_empty())
    }

    /// Hands nodes to a function of the library, each with a flag, that answers yes or no for each. Returns those with yes.
    async fn tell(
        &self,
        function: &'static str,
        nodes: &[(dom::BackendNodeId, bool)],
        within: Duration,
    ) -> Result<Vec<dom::BackendNodeId>, PageError> {
        let world = self.tab.world(&self.frame).await?;
        let session = self.session()?;
        // frames of one session are asked side by side: what one lets go must not be another's
        let group = format!("webhand-listen-{}", self.frame);
        let mut burst = session.burst();
        let asked: Vec<_> = nodes
            .iter()
            .map(|(node, flag)| {
                let resolve = dom::ResolveNode {
                    backend_node_id: Some(*node),
                    execution_context_id: Some(world),
                    object_group: Some(group.clone()),
                    ..dom::ResolveNode::default()
                };
                (*node, *flag, burst.add(&resolve))
            })
            .collect();
        burst.send();
        let mut known = Vec::new();
        let mut flags = String::new();
        let mut arguments = vec![runtime::CallArgument::default()];
        for (node, flag, pending) in asked {
            match self.tab.race(pending, within).await {
                Ok(reply) => {
                    if let Some(object) = reply.object.object_id {
                        known.push(node);
                        flags.push(if flag { '1' } else { '0' });
                        arguments.push(runtime::CallArgument { object_id: Some(object), ..Default::default() });
                    }
                }
                Err(BrowserError::Cdp(CdpError::Protocol { .. })) => {}
                Err(other) => return Err(other.into()),
            }
        }
        if known.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(first) = arguments.first_mut() {
            first.value = serde_json::value::to_raw_value(&flags).ok();
        }
        self.call_raw(&Call::new(function), within).await?; // makes sure that the library is there
        let told = format!("function (flags, ...els) {{ return webhand.{function}(flags, ...els) }}");
        let mut call = runtime::CallFunctionOn::new(told);
        call.arguments = Some(arguments);
        call.execution_context_id = Some(world);
        call.return_by_value = Some(true);
        let reply = self.tab.race(session.send(&call), within).await?;
        let released = session.send(&runtime::ReleaseObjectGroup::new(group));
        self.tab.race(released, within).await?;
        let own = reply.result.value.ok_or_else(|| PageError::Answer("nothing was answered".to_owned()))?;
        let own: Vec<bool> =
            serde_json::from_str(own.get()).map_err(|error| PageError::Answer(format!("{function}: {error}")))?;
        Ok(known.into_iter().zip(own).filter_map(|(node, own)| own.then_some(node)).collect())
    }
}

/// What a function gave that was run in the page's own world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gave {
    /// A value, as JSON text; `null` for nothing.
    Value(String),
    /// It could not be read as a function: nothing was run.
    Unreadable(String),
    /// It threw; in the page's words.
    Threw(String),
}

impl World {
    /// Runs a function in the page's own world, with the element of that number, or with nothing for 0, and waits for what it
    /// promises.
    ///
    /// # Errors
    /// [`PageError`], as for [`World::call`].
    pub async fn run_in_page(&self, function: &str, number: u32, within: Duration) -> Result<Gave, PageError> {
        let world = self.tab.world(&self.frame).await?;
        let session = self.session()?;
        // an element leads from one world to the other
        let expression = match number {
            0 => "document.documentElement || document".to_owned(),
            number => format!("webhand.elementOf({number})"),
        };
        let mut evaluate = runtime::Evaluate::new(expression);
        evaluate.context_id = Some(world);
        evaluate.object_group = Some(RUN.to_owned());
        let gone = || PageError::Answer("the element is gone".to_owned());
        let ours = self.tab.race(session.send(&evaluate), within).await?.result.object_id.ok_or_else(gone)?;
        let describe = dom::DescribeNode { object_id: Some(ours), ..dom::DescribeNode::default() };
        let node = self.tab.race(session.send(&describe), within).await?.node.backend_node_id;
        let resolve = dom::ResolveNode {
            backend_node_id: Some(node),
            object_group: Some(RUN.to_owned()),
            ..dom::ResolveNode::default()
        };
        let theirs = self.tab.race(session.send(&resolve), within).await?.object.object_id.ok_or_else(gone)?;
        let mut call = runtime::CallFunctionOn::new(function);
        call.object_id = Some(theirs.clone());
        let argument = runtime::CallArgument { object_id: (number > 0).then_some(theirs), ..Default::default() };
        call.arguments = Some(vec![argument]);
        call.return_by_value = Some(true);
        call.await_promise = Some(true);
        let reply = self.tab.race(session.send(&call), within).await;
        drop(session.send(&runtime::ReleaseObjectGroup::new(RUN)));
        let reply = reply?;
        let Some(thrown) = reply.exception_details else {
            return Ok(Gave::Value(
                reply.result.value.map_or_else(|| "null".to_owned(), |value| value.get().to_owned()),
            ));
        };
        let object = thrown.exception.as_ref();
        let unreadable = !thrown.text.contains("promise")
            && object.and_then(|object| object.class_name.as_deref()) == Some("SyntaxError");
        let described = object.and_then(|object| object.description.clone());
        let plain = || object.and_then(|object| object.value.as_ref()).map(|value| value.get().to_owned());
        let words = described.or_else(plain).unwrap_or(thrown.text);
        let words = words.lines().next().unwrap_or_default().to_owned();
        Ok(if unreadable { Gave::Unreadable(words) } else { Gave::Threw(words) })
    }
}

/// Handles that a run needs are let go together.
const RUN: &str = "webhand-run";
