//! action
