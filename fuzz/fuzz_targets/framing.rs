//! Any bytes in any chunks as what comes through the pipe: every message comes out once, in order and whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use webhand_cdp::framing::{Frame, Framer};

const LIMIT: usize = 64;

fuzz_target!(|data: &[u8]| {
    let Some((&chunk, bytes)) = data.split_first() else { return };
    let mut framer = Framer::new(LIMIT);
    let mut lengths = Vec::new();
    let mut whole = Vec::new();
    for piece in bytes.chunks(usize::from(chunk).max(1)) {
        framer.buffer().extend_from_slice(piece);
        while let Some(frame) = framer.next_frame() {
            match frame {
                Frame::Whole(message) => {
                    lengths.push(message.len());
                    whole.push(message);
                }
                Frame::TooLarge { length, .. } => lengths.push(length),
            }
        }
    }
    let mut sent: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    sent.pop();
    assert_eq!(lengths, sent.iter().map(|message| message.len()).collect::<Vec<_>>());
    let small: Vec<&[u8]> = sent.into_iter().filter(|message| message.len() <= LIMIT).collect();
    assert_eq!(whole, small);
});
