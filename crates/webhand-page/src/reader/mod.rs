//! Reads a tab into a [`Snapshot`]: probes for listeners, reads every frame side by side, numbers what was found.

mod assemble;
mod frames;

use std::{collections::HashMap, time::Duration};

use webhand_browser::{BrowserError, DocumentId, FrameId, FrameInfo, Tab};
use webhand_cdp::protocol::{dom::BackendNodeId, runtime::RemoteObjectId};

use crate::{
    error::PageError,
    numbering::{Document, Handle, Numbering},
    refs::{Family, Ref},
    snapshot::{DialogMeta, Snapshot, TabMeta},
    wire::FrameText,
};

/// How long the main frame may take: the first layout of a page of 100,000 nodes alone takes 6 to 9 s.
const MAIN_WITHIN: Duration = Duration::from_secs(30);
/// How long any other frame may take before it is listed as unread.
const FRAME_WITHIN: Duration = Duration::from_millis(700);
/// So many times what the main frame took is given to the others beyond that, up to a limit.
const PACES: u32 = 4;
const FRAME_WITHIN_MOST: Duration = Duration::from_secs(5);
/// How long one may take that was late before.
const LATE_WITHIN: Duration = Duration::from_millis(100);

/// Reads tabs, and remembers what it numbered.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use webhand_browser::{Browser, Launch};
/// use webhand_page::{Context, Reader};
///
/// let browser = Browser::launch(Launch::default()).await?;
/// let tab = browser.default_context().new_tab(Some("https://example.com")).await?;
/// let snapshot = Reader::default().read(&tab, Context::default()).await?;
/// println!("{} controls", snapshot.controls().count());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    numbering: Numbering,
    taken: u64,
    /// How many listening nodes the last read left for the next.
    unlooked: usize,
    /// How long the main frame's process took to answer last: on a busy machine the others need longer, too.
    pace: Duration,
    /// What is known of a frame's present document.
    known: HashMap<FrameId, Known>,
}

/// What is known of one document, so that it need not be asked again.
#[derive(Debug)]
struct Known {
    document: DocumentId,
    /// A handle to its document node.
    node: Option<RemoteObjectId>,
    /// Nodes with listeners, and whether they belong to this frame.
    listeners: HashMap<BackendNodeId, bool>,
    /// The number of the frame's element in its parent's document.
    owner: Option<(DocumentId, u32)>,
    read: bool,
    /// It did not answer in time: it is not waited for that long again.
    late: bool,
    /// What its reader last told.
    told: assemble::Told,
}

/// What a snapshot says beyond the page itself.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// The session's tabs.
    pub tabs: Vec<TabMeta>,
    /// The status of the page's load.
    pub status: Option<u16>,
}

impl Context {
    /// With these tabs, and the status of the page's load where it is known.
    #[must_use]
    pub fn new(tabs: Vec<TabMeta>, status: Option<u16>) -> Self {
        Self { tabs, status }
    }
}

/// One frame with what came of reading it.
struct FrameRead {
    info: FrameInfo,
    text: Result<FrameText, String>,
    /// The number of its element in its parent's document.
    owner: Option<u32>,
}

impl Reader {
    /// Reads the tab as it is now.
    ///
    /// # Errors
    /// [`PageError`] when the main frame cannot be read: a dialog is open, the tab is gone, the page does not answer.
    /// Other frames that cannot be read are listed as unread and spoil nothing.
    pub async fn read(&mut self, tab: &Tab, context: Context) -> Result<Snapshot, PageError> {
        let frames = tab.frames();
        if frames.is_empty() {
            return Err(BrowserError::TabClosed.into());
        }
        self.forget_gone(&frames);
        let reads = Box::pin(self.read_frames(tab, frames)).await?;
        self.taken += 1;
        let dialog = tab.dialog().map(|dialog| DialogMeta {
            kind: dialog.kind.name().to_owned(),
            message: dialog.message,
            default_text: dialog.default_prompt.unwrap_or_default(),
        });
        let mut snapshot = assemble::assemble(&mut self.numbering, &mut self.known, tab.id(), reads);
        snapshot.number = self.taken;
        snapshot.page.status = context.status;
        snapshot.page.unlooked = u32::try_from(self.unlooked).unwrap_or(u32::MAX);
        snapshot.tabs = context.tabs;
        snapshot.dialog = dialog;
        Ok(snapshot)
    }

    /// Where the element with that number is, and the letter under which it was last printed.
    #[must_use]
    pub fn handle(&self, number: u32) -> Option<(&Handle, Family)> {
        self.numbering.handle(number).map(|(handle, family)| (handle, *family))
    }

    /// The ref of an element of a frame's present document that was numbered before.
    #[must_use]
    pub fn existing(&self, tab: &Tab, frame: &FrameInfo, local: u32) -> Option<Ref> {
        let document = Document { tab: tab.id(), frame: frame.id.clone(), id: frame.document.clone() };
        self.numbering.existing(&document, local)
    }

    /// The number of a frame's element in its parent's document, once it was read.
    #[must_use]
    pub fn owner(&self, frame: &FrameId) -> Option<u32> {
        self.known.get(frame)?.owner.as_ref().map(|(_, local)| *local)
    }

    fn forget_gone(&mut self, frames: &[FrameInfo]) {
        self.known.retain(|id, known| {
            frames.iter().all(|frame| frame.id != *id)
                || frames.iter().any(|frame| frame.id == *id && frame.document == known.document)
        });
        // frames of other tabs stay until they show another document; a closed tab's are few and small
    }
}
