//! The protocol events that the state machine takes.

use webhand_cdp::protocol::{browser, fetch, inspector, network, page, target};
use webhand_cdp::{CdpError, Event, RawEvent};

macro_rules! happenings {
    ($($name:ident($event:ty)),* $(,)?) => {
        /// One protocol event, decoded.
        #[derive(Debug)]
        // That one of them came is all there is to know of some.
        #[allow(dead_code)]
        pub(crate) enum Happening {
            $($name(Box<$event>)),*
        }

        /// The names of all of them.
        pub(crate) const EVENTS: &[&str] = &[$(<$event as Event>::METHOD),*];

        impl Happening {
            /// `None` for an event that is of no concern here.
            pub(crate) fn from_raw(raw: &RawEvent) -> Option<Result<Self, CdpError>> {
                $(if raw.is::<$event>() {
                    return Some(raw.decode::<$event>().map(|event| Self::$name(Box::new(event))));
                })*
                None
            }

            /// From a line of a transcript.
            #[cfg(test)]
            pub(crate) fn from_json(method: &str, params: serde_json::Value) -> Self {
                $(if method == <$event as Event>::METHOD {
                    return Self::$name(Box::new(serde_json::from_value(params).unwrap()));
                })*
                panic!("{method} is not an event that the state machine takes");
            }
        }
    };
}

happenings! {
    RequestStarted(network::RequestWillBeSent),
    ResponseReceived(network::ResponseReceived),
    LoadingFinished(network::LoadingFinished),
    LoadingFailed(network::LoadingFailed),
    Lifecycle(page::LifecycleEvent),
    FrameAttached(page::FrameAttached),
    FrameNavigated(page::FrameNavigated),
    FrameDetached(page::FrameDetached),
    FrameStartedNavigating(page::FrameStartedNavigating),
    FrameStoppedLoading(page::FrameStoppedLoading),
    NavigatedWithinDocument(page::NavigatedWithinDocument),
    DialogOpening(page::JavascriptDialogOpening),
    DialogClosed(page::JavascriptDialogClosed),
    TargetAttached(target::AttachedToTarget),
    TargetDetached(target::DetachedFromTarget),
    PageCrashed(inspector::TargetCrashed),
    RequestPaused(fetch::RequestPaused),
    DownloadBegan(browser::DownloadWillBegin),
    DownloadProgress(browser::DownloadProgress),
}
