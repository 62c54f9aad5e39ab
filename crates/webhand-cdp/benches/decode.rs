//! Envelope and typed decoding of a large reply.

fn main() {}
