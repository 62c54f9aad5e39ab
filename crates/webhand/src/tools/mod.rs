//! Actions of a user's own that are no Rust: commands, calls of an address, the tools of an MCP server.

mod command;
mod http;
mod mcp;

pub use command::CommandTool;
pub use http::HttpTool;
pub use mcp::{McpError, McpServer};

/// What a tool gives beyond this is cut off.
const MAX_OUTPUT: usize = 1 << 20;
/// How long a tool may take unless it is told otherwise.
const WITHIN: std::time::Duration = std::time::Duration::from_secs(30);
