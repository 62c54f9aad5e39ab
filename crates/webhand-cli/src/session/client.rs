//! A command's end: connects to the process of a session, starts it where there is none, asks, and takes the answer.

use std::{fs::File, io, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::UnixStream,
    process::Command,
    time::timeout,
};

use super::{
    Handover, line,
    place::{Place, open_lock},
    protocol::{Answer, Asks, MAX_ANSWER, MAX_REQUEST, Request, VERSION, Want},
};
use crate::{config::Settings, trouble::Trouble};

/// How long another command may take to start the same session.
const START_TURN: Duration = Duration::from_secs(30);
/// How long a process may take until it listens: it may have to wait for the end of the one before.
const LISTENS_WITHIN: Duration = Duration::from_secs(20);
/// How often a session that is about to end may be met.
const TRIES: usize = 3;
/// What a process says of an order that it did not begin.
pub(crate) const NOT_BEGUN: &str = "session_ending";
/// What a process says when it listens.
pub(crate) const READY: &str = "ready";

/// Asks a session, which is started where there is none.
pub(crate) async fn ask(place: &Place, settings: &Settings, want: Want, asks: &Asks) -> Result<Answer, Trouble> {
    for _ in 0..TRIES {
        let stream = match connect(place).await? {
            Some(stream) => stream,
            None => {
                not_lost(place, &want)?;
                start(place, settings).await?
            }
        };
        match exchange(place, stream, &want, asks).await? {
            // It was just about to end: the next one waits for its end.
            Answer::Trouble(trouble) if trouble.code == NOT_BEGUN => {}
            answer => return Ok(answer),
        }
    }
    Err(Trouble::new("session_ended", format!("the session {:?} ends again and again", place.name))
        .hint(format!("see {}", place.log.display())))
}

/// Asks a session that runs; `None` where none does.
pub(crate) async fn ask_running(place: &Place, want: Want) -> Result<Option<Answer>, Trouble> {
    match connect(place).await? {
        Some(stream) => exchange(place, stream, &want, &Asks::default()).await.map(Some),
        None => {
            let _ = place.how_lost();
            if matches!(want, Want::Close) {
                place.forget_lost();
            }
            Ok(None)
        }
    }
}

/// Where a session's pages were lost, only what names an address goes on: anything else was meant for those pages.
fn not_lost(place: &Place, want: &Want) -> Result<(), Trouble> {
    let Some(how) = place.how_lost() else { return Ok(()) };
    if matches!(want, Want::Work(order) if order.begins_anew()) {
        return Ok(());
    }
    Err(Trouble::new("session_lost", format!("the session {:?} was lost with its pages: {how}", place.name))
        .hint("`webhand open ADDRESS` starts a new one; `webhand close` forgets the old one"))
}

async fn connect(place: &Place) -> Result<Option<UnixStream>, Trouble> {
    match UnixStream::connect(&place.socket).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => Ok(None),
        Err(error) => Err(unreachable(place, &error)),
    }
}

fn unreachable(place: &Place, error: &io::Error) -> Trouble {
    Trouble::new("session_unreachable", format!("the session {:?} does not answer: {error}", place.name))
        .hint(format!("see {}, or use another --session", place.log.display()))
}

async fn exchange(place: &Place, stream: UnixStream, want: &Want, asks: &Asks) -> Result<Answer, Trouble> {
    let (read, mut write) = stream.into_split();
    let request = Request { version: VERSION.to_owned(), want: want.clone(), asks: asks.clone() };
    line::write(&mut write, &request, MAX_REQUEST).await.map_err(|error| unreachable(place, &error))?;
    // Every order has deadlines of its own, and the session says when one passed.
    match line::read(&mut BufReader::new(read), MAX_ANSWER).await {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => {
            Err(Trouble::new("session_ended", format!("the session {:?} ended before it answered", place.name))
                .hint(format!("see {}; `webhand open ADDRESS` starts a new one", place.log.display())))
        }
        Err(error) => Err(unreachable(place, &error)),
    }
}

/// Starts the process of a session, or waits for another command that does.
async fn start(place: &Place, settings: &Settings) -> Result<UnixStream, Trouble> {
    let failed = |detail: String| {
        Trouble::new("session_start", format!("the session {:?} did not start: {detail}", place.name))
            .hint(format!("see {}, or use --url, which keeps nothing", place.log.display()))
    };
    let turn = take_turn(place).await.map_err(|error| failed(error.to_string()))?;
    if let Some(stream) = connect(place).await? {
        return Ok(stream);
    }
    let said = timeout(LISTENS_WITHIN, spawn(place, settings)).await;
    let said = said.map_err(|_| failed(format!("it does not listen after {LISTENS_WITHIN:?}")))?;
    let said = said.map_err(|error| failed(error.to_string()))?;
    if said != READY {
        return Err(failed(if said.is_empty() { "it ended at once".to_owned() } else { said }));
    }
    drop(turn);
    connect(place).await?.ok_or_else(|| failed("it ended at once".to_owned()))
}

/// Waits until nobody else is starting it.
async fn take_turn(place: &Place) -> io::Result<File> {
    let turn = open_lock(&place.start)?;
    let taken = tokio::task::spawn_blocking(move || turn.lock().map(|()| turn));
    match timeout(START_TURN, taken).await {
        Ok(taken) => taken.map_err(io::Error::other)?,
        Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "another command has been starting it for too long")),
    }
}

/// Starts it, hands over what it needs, and gives its first line.
async fn spawn(place: &Place, settings: &Settings) -> io::Result<String> {
    let handover = Handover {
        name: place.name.clone(),
        socket: place.socket.clone(),
        alive: place.alive.clone(),
        lost: place.lost.clone(),
        idle_seconds: settings.idle.value.as_secs(),
        wanted: settings.wanted(),
    };
    let log = File::create(&place.log)?;
    let mut process = Command::new(std::env::current_exe()?)
        .arg("__session")
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()?;
    let missing = || io::Error::other("it has no pipe");
    let mut input = process.stdin.take().ok_or_else(missing)?;
    line::write(&mut input, &handover, MAX_REQUEST).await?;
    input.shutdown().await?;
    drop(input);
    let output = process.stdout.take().ok_or_else(missing)?;
    let mut said = String::new();
    BufReader::new(output.take(10_000)).read_line(&mut said).await?;
    Ok(said.trim_end().to_owned())
}
