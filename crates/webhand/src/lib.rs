//! webhand
