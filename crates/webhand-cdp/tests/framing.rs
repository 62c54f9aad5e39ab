//! NUL framing: whatever the chunks, the messages are the same.

use proptest::prelude::*;
use webhand_cdp::framing::{Frame, Framer};

/// Feeds the stream in these chunks and collects what comes out.
fn frames(stream: &[u8], sizes: &[usize], limit: usize) -> Vec<Frame> {
    let mut framer = Framer::new(limit);
    let mut out = Vec::new();
    let mut rest = stream;
    let mut sizes = sizes.iter().copied().cycle();
    while !rest.is_empty() {
        let (chunk, left) = rest.split_at(sizes.next().unwrap_or(1).clamp(1, rest.len()));
        framer.buffer().extend_from_slice(chunk);
        while let Some(frame) = framer.next_frame() {
            out.push(frame);
        }
        rest = left;
    }
    out
}

fn join(messages: &[Vec<u8>]) -> Vec<u8> {
    messages.iter().flat_map(|message| message.iter().copied().chain([0])).collect()
}

proptest! {
    #[test]
    fn messages_come_out_as_they_went_in(
        messages in prop::collection::vec(prop::collection::vec(1u8..=255, 0..200), 0..20),
        sizes in prop::collection::vec(1usize..64, 1..20),
    ) {
        let expected: Vec<Frame> = messages.iter().cloned().map(Frame::Whole).collect();
        prop_assert_eq!(frames(&join(&messages), &sizes, 1000), expected);
    }

    #[test]
    fn what_is_too_large_is_named_and_the_rest_is_kept(
        messages in prop::collection::vec(prop::collection::vec(1u8..=255, 0..200), 0..20),
        sizes in prop::collection::vec(1usize..64, 1..20),
        limit in 1usize..150,
    ) {
        let found = frames(&join(&messages), &sizes, limit);
        prop_assert_eq!(found.len(), messages.len());
        for (frame, message) in found.into_iter().zip(messages) {
            match frame {
                Frame::Whole(bytes) => {
                    prop_assert!(bytes.len() <= limit);
                    prop_assert_eq!(bytes, message);
                }
                Frame::TooLarge { head, length } => {
                    prop_assert!(message.len() > limit);
                    prop_assert_eq!(length, message.len());
                    prop_assert!(message.starts_with(&head));
                }
            }
        }
    }
}

#[test]
fn large_messages_keep_their_neighbours_and_give_their_memory_back() {
    const LARGE: usize = 3 * 1024 * 1024;
    let messages = vec![vec![b'a'; 10], vec![b'b'; LARGE], vec![b'c'; 10], vec![b'd'; LARGE], vec![b'e'; 10]];
    for chunk in [1000, 65_536, usize::MAX] {
        let expected: Vec<Frame> = messages.iter().cloned().map(Frame::Whole).collect();
        assert!(frames(&join(&messages), &[chunk], 2 * LARGE) == expected, "chunks of {chunk}");
    }
    let mut framer = Framer::new(2 * LARGE);
    framer.buffer().extend_from_slice(&join(&messages));
    while framer.next_frame().is_some() {}
    assert!(framer.capacity() < LARGE, "{}", framer.capacity());
}

#[test]
fn a_message_that_never_ends_does_not_fill_memory() {
    let mut framer = Framer::new(1000);
    for _ in 0..1000 {
        framer.buffer().extend_from_slice(&[b'x'; 4096]);
        assert_eq!(framer.next_frame(), None);
        assert!(framer.capacity() <= 16 * 1024, "{}", framer.capacity());
    }
    framer.buffer().extend_from_slice(b"\0next\0");
    assert!(matches!(framer.next_frame(), Some(Frame::TooLarge { length: 4_096_000, .. })));
    assert_eq!(framer.next_frame(), Some(Frame::Whole(b"next".to_vec())));
}
