//! What happens in tabs and contexts, as values, and the bounded streams they
//! are read from.
//!
//! A stream never holds up the browser: who reads too slowly gets an explicit
//! [`Heard::Lagged`] with the number of events lost, and goes on from there.

use tokio::sync::broadcast;

use crate::dialog::Dialog;
use crate::ids::{DocumentId, DownloadId, FrameId, TabId};

/// How many events a reader may be behind.
pub(crate) const TAB_EVENTS: usize = 512;
pub(crate) const CONTEXT_EVENTS: usize = 64;

/// Whether a request was to be expected, by what the page asks for again and again by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// Nothing like it came before, or not so that it would come now.
    #[default]
    No,
    /// One like it came once before.
    Perhaps,
    /// It comes again and again, and was due.
    Yes,
}

/// Something that happened in a tab.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TabEvent {
    /// A frame began to go to another document. It may still fail, be
    /// cancelled or turn out to be a download.
    NavigationStarted {
        /// The frame.
        frame: FrameId,
        /// Whether it is the tab's main frame.
        main: bool,
        /// Where to.
        url: String,
    },
    /// A frame shows another document, or the same one at another address.
    Navigated {
        /// The frame.
        frame: FrameId,
        /// Whether it is the tab's main frame.
        main: bool,
        /// The address now.
        url: String,
        /// The document now.
        document: DocumentId,
        /// Whether only the address changed (a hash, the history API).
        same_document: bool,
    },
    /// The document of a frame is parsed.
    DomReady {
        /// The frame.
        frame: FrameId,
        /// Whether it is the tab's main frame.
        main: bool,
    },
    /// The document of a frame and what belongs to it is loaded.
    Loaded {
        /// The frame.
        frame: FrameId,
        /// Whether it is the tab's main frame.
        main: bool,
    },
    /// A frame that was starting to go elsewhere stopped, or is done loading.
    LoadingStopped {
        /// The frame.
        frame: FrameId,
        /// Whether it is the tab's main frame.
        main: bool,
    },
    /// A frame was added.
    FrameAttached {
        /// The frame.
        frame: FrameId,
    },
    /// A frame was removed.
    FrameDetached {
        /// The frame.
        frame: FrameId,
    },
    /// A dialog is open and waits for an answer.
    DialogOpened(Dialog),
    /// A dialog was answered, by the caller or by the policy.
    DialogClosed {
        /// The dialog.
        dialog: Dialog,
        /// Whether it was accepted.
        accepted: bool,
        /// What a prompt was answered with.
        text: Option<String>,
    },
    /// The page opened another tab.
    PopupOpened {
        /// The new tab.
        tab: TabId,
    },
    /// A request went out.
    RequestStarted {
        /// The browser's id for it. Each hop of a redirect has the same id.
        id: String,
        /// The browser's word for its kind: `Document`, `XHR`, `Fetch`,
        /// `Script`, `Image`, `EventSource` …
        kind: String,
        /// Where to.
        url: String,
        /// The frame it belongs to, where it belongs to one.
        frame: Option<FrameId>,
        /// Whether the page began it (false) or it continues one that was
        /// redirected (true).
        redirected: bool,
        /// Whether it was to be expected.
        expected: Expected,
    },
    /// A request is over.
    RequestFinished {
        /// The browser's id for it.
        id: String,
        /// The server's status, where it answered.
        status: Option<u16>,
        /// The browser's word for why it failed, where it did.
        failed: Option<String>,
    },
    /// A download began.
    DownloadStarted {
        /// Its id, which is also the name of its file in the download folder.
        id: String,
        /// From where.
        url: String,
        /// The name that the server suggests. It is not to be trusted as a
        /// path.
        name: String,
    },
    /// A download is over.
    DownloadFinished {
        /// Its id.
        id: String,
        /// The file, where one was kept.
        path: Option<String>,
        /// How many bytes came.
        bytes: u64,
        /// Whether all of it is there.
        complete: bool,
    },
    /// The page's process crashed. Loading a page brings the tab back.
    Crashed,
    /// The tab is gone.
    Closed,
}

/// Something that happened among the tabs and downloads of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextEvent {
    /// A tab is there.
    TabOpened {
        /// The tab.
        tab: TabId,
        /// The tab whose page opened it.
        opener: Option<TabId>,
    },
    /// A tab is gone.
    TabClosed {
        /// The tab.
        tab: TabId,
    },
    /// A download began.
    DownloadBegan {
        /// Which one.
        download: DownloadId,
    },
    /// A download is over: complete or not.
    DownloadOver {
        /// Which one.
        download: DownloadId,
    },
}

/// What a stream gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard<E> {
    /// The next event.
    Event(E),
    /// So many events were lost, because this reader was too slow.
    Lagged(u64),
}

/// A bounded stream of events, from the moment it was asked for.
#[derive(Debug)]
pub struct Events<E> {
    receiver: broadcast::Receiver<E>,
}

impl<E: Clone> Events<E> {
    pub(crate) fn new(receiver: broadcast::Receiver<E>) -> Self {
        Self { receiver }
    }

    /// The next event; `None` when there will be no more. Dropping the future
    /// loses nothing.
    pub async fn next(&mut self) -> Option<Heard<E>> {
        match self.receiver.recv().await {
            Ok(event) => Some(Heard::Event(event)),
            Err(broadcast::error::RecvError::Lagged(lost)) => Some(Heard::Lagged(lost)),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// The next event that is already there, without waiting.
    pub fn ready(&mut self) -> Option<Heard<E>> {
        match self.receiver.try_recv() {
            Ok(event) => Some(Heard::Event(event)),
            Err(broadcast::error::TryRecvError::Lagged(lost)) => Some(Heard::Lagged(lost)),
            Err(_) => None,
        }
    }
}
