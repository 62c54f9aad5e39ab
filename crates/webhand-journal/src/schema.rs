//! The tables, and how a file of an older version becomes one of this.

use rusqlite::Connection;

/// The version of the tables. It goes up with every change.
const VERSION: i64 = 1;

const TABLES: &str = "
CREATE TABLE run (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    steps INTEGER NOT NULL DEFAULT 0,
    end TEXT,
    ended_at INTEGER,
    pid INTEGER NOT NULL,
    pid_began INTEGER NOT NULL
) STRICT;
CREATE TABLE entry (
    run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE artefact (
    hash TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
CREATE INDEX run_at ON run(at);
";

/// Makes the tables where there are none. A file of a newer version is refused.
pub(crate) fn prepare(connection: &mut Connection) -> Result<(), String> {
    let told = |error: rusqlite::Error| error.to_string();
    connection.pragma_update(None, "journal_mode", "WAL").map_err(told)?;
    // what a killed process wrote is the kernel's: nothing is lost but by a power cut, and then whole transactions only
    connection.pragma_update(None, "synchronous", "NORMAL").map_err(told)?;
    connection.pragma_update(None, "foreign_keys", "ON").map_err(told)?;
    connection.busy_timeout(std::time::Duration::from_secs(10)).map_err(told)?;
    // two processes may come at the same moment
    let making = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(told)?;
    let version: i64 = making.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(told)?;
    match version {
        0 => {
            making.execute_batch(TABLES).map_err(told)?;
            making.pragma_update(None, "user_version", VERSION).map_err(told)?;
        }
        VERSION => {}
        newer => return Err(format!("it was written by a newer webhand (version {newer} of the tables)")),
    }
    making.commit().map_err(told)
}
