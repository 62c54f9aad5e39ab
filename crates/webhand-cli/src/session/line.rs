//! One JSON line of bounded length, from or to a stream.

use std::io;

use serde::{Serialize, de::DeserializeOwned};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

/// Reads a line; `None` where the stream ends before it begins.
pub(crate) async fn read<T: DeserializeOwned>(
    stream: &mut (impl AsyncBufRead + Unpin),
    longest: u64,
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let length = stream.take(longest).read_until(b'\n', &mut line).await?;
    if length == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        let reason = if length as u64 == longest { "the line is too long" } else { "the line is cut off" };
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    serde_json::from_slice(&line).map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a line.
pub(crate) async fn write(
    stream: &mut (impl AsyncWrite + Unpin),
    value: &impl Serialize,
    longest: u64,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    if line.len() as u64 > longest {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the line is too long"));
    }
    stream.write_all(&line).await?;
    stream.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_whole_and_bounded() {
        let mut written = Vec::new();
        write(&mut written, &"a\nb", 100).await.unwrap();
        assert_eq!(read::<String>(&mut written.as_slice(), 100).await.unwrap().as_deref(), Some("a\nb"));
        assert!(write(&mut Vec::new(), &"x".repeat(200), 100).await.is_err());
        for bad in [&b"\"cut off"[..], b"not json\n", &[b'x'; 300]] {
            assert!(read::<String>(&mut &*bad, 100).await.is_err());
        }
        assert_eq!(read::<String>(&mut &b""[..], 100).await.unwrap(), None);
    }
}
