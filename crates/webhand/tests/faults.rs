//! What is taken away at random moments comes again; nothing that was done is lost or done twice, and nothing stays behind.
//!
//! `cargo xtask faults` does the same with as many faults as are wanted.

#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a browser that does not start is a failed test")]

use webhand_proof::faults::{FaultOptions, inject};

#[tokio::test]
async fn faults_at_random_moments_lose_nothing_and_double_nothing() {
    let seed = std::env::var("FAULTS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
    let count = std::env::var("FAULTS").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let on_action: fn(&str) = |told| eprintln!("{told}");
    let options = FaultOptions { faults: count, seed, jobs: 2, on_action };
    let tally = inject(&options).await.expect("the runs begin");
    eprintln!("{}", tally.text());
    assert!(tally.is_clean(), "{}", tally.text());
}
