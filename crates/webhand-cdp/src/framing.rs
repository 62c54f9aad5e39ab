//! NUL-separated messages out of arbitrary chunks: the pipe's framing. Pure; knows neither JSON nor sockets.

/// Messages up to this size are copied out of the buffer; larger ones take the buffer with them.
const COPY_UP_TO: usize = 256 * 1024;
/// What is kept of a message that is too large: enough to tell whose reply it was.
const HEAD: usize = 512;

/// One message, or what is left of one that was too large.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// A whole message without its NUL.
    Whole(Vec<u8>),
    /// A message over the limit: its beginning, and its length.
    TooLarge {
        /// The first bytes.
        head: Vec<u8>,
        /// All bytes that were thrown away with it.
        length: usize,
    },
}

/// Collects chunks and gives messages.
#[derive(Debug)]
pub struct Framer {
    buffer: Vec<u8>,
    /// The first byte of the message being collected.
    start: usize,
    /// Up to here there is no NUL.
    searched: usize,
    limit: usize,
    /// Set while the rest of a message that is too large is thrown away.
    discarding: Option<(Vec<u8>, usize)>,
}

impl Framer {
    /// A framer that accepts messages up to `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Framer { buffer: Vec::new(), start: 0, searched: 0, limit, discarding: None }
    }

    /// Where new bytes go: append, then call [`next_frame`](Self::next_frame) until it gives `None`.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// What the buffer holds in memory.
    pub fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    /// The next message that is complete.
    pub fn next_frame(&mut self) -> Option<Frame> {
        let fresh = self.buffer.get(self.searched..).unwrap_or_default();
        let Some(step) = memchr::memchr(0, fresh) else {
            self.searched = self.buffer.len();
            self.hold_limit();
            self.reclaim();
            return None;
        };
        let end = self.searched + step;
        if let Some((head, length)) = self.discarding.take() {
            let length = length + end - self.start;
            self.advance(end + 1);
            return Some(Frame::TooLarge { head, length });
        }
        if end - self.start > self.limit {
            let head = self.head(end);
            let length = end - self.start;
            self.advance(end + 1);
            return Some(Frame::TooLarge { head, length });
        }
        Some(Frame::Whole(self.take(end)))
    }

    /// Takes the message that ends at `end`, by copy when small and with the whole allocation when large.
    fn take(&mut self, end: usize) -> Vec<u8> {
        if end - self.start <= COPY_UP_TO {
            let message = self.buffer.get(self.start..end).unwrap_or_default().to_vec();
            self.advance(end + 1);
            return message;
        }
        let rest = self.buffer.split_off(end + 1);
        let mut message = std::mem::replace(&mut self.buffer, rest);
        message.truncate(end);
        message.drain(..self.start);
        self.start = 0;
        self.searched = 0;
        message
    }

    fn advance(&mut self, to: usize) {
        self.start = to;
        self.searched = to;
    }

    fn head(&self, end: usize) -> Vec<u8> {
        let message = self.buffer.get(self.start..end).unwrap_or_default();
        message.get(..HEAD).unwrap_or(message).to_vec()
    }

    /// Begins, or goes on, to throw away a message that has grown over the limit.
    fn hold_limit(&mut self) {
        let collected = self.buffer.len() - self.start;
        match &mut self.discarding {
            Some((_, length)) => *length += collected,
            None if collected > self.limit => self.discarding = Some((self.head(self.buffer.len()), collected)),
            None => return,
        }
        self.buffer = Vec::new();
        self.advance(0);
    }

    /// Moves an unfinished message to the front, so that the buffer does not grow by what was read before it.
    fn reclaim(&mut self) {
        if self.start == 0 {
            return;
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        self.searched = self.buffer.len();
        if self.buffer.capacity() > 4 * COPY_UP_TO && self.buffer.len() < COPY_UP_TO {
            self.buffer.shrink_to(COPY_UP_TO);
        }
    }
}
