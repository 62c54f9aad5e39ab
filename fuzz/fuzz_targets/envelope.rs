//! Any text as a message of the browser: it is routed or refused, without panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use webhand_cdp::{
    envelope::{Route, reply, route},
    protocol,
};

fuzz_target!(|text: &str| {
    match route(text) {
        Ok(Route::Event { params, .. }) => assert!(text.get(params).is_some(), "the parameters lie in the text"),
        Ok(Route::Reply(_)) => {
            let _ = reply::<protocol::page::NavigateReply>(text, "Page.navigate", None);
        }
        Err(why) => assert!(!why.is_empty(), "an error says what is wrong"),
    }
});
