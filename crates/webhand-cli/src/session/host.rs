//! The process of a kept session: holds the browser, listens on the socket, does one order after the other, and ends when
//! it idles, is told to, or its browser is gone.
//!
//! Status and close are answered at once, whatever is under way. A command that goes away hurts nobody.

use std::{
    fs::{self, File},
    io::{self, BufRead as _, Read as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, BufReader},
    net::{UnixListener, UnixStream, unix::OwnedReadHalf},
    signal::unix::{SignalKind, signal},
    sync::{mpsc, oneshot, watch},
    task::JoinSet,
    time::timeout,
};

use super::{
    Handover,
    client::{NOT_BEGUN, READY},
    line,
    place::{mark_lost, open_lock},
    protocol::{Answer, MAX_ANSWER, MAX_REQUEST, Order, Request, Status, VERSION, Want},
};
use crate::{trouble::Trouble, work::Work};

/// How many orders may wait.
const QUEUE: usize = 16;
/// How many commands may be connected.
const CONNECTIONS: usize = 64;
/// How long a command may take to say what it wants.
const ASKS_WITHIN: Duration = Duration::from_secs(10);
/// How long the last answers may take to go out.
const LEAVES_WITHIN: Duration = Duration::from_secs(5);

/// An order, and where its answer goes.
struct Job {
    order: Order,
    answer: oneshot::Sender<Answer>,
}

/// What all parts of the process know.
#[derive(Clone)]
struct Hall {
    status: Arc<Mutex<Status>>,
    jobs: mpsc::Sender<Job>,
    /// Told when it is to end.
    stop: watch::Sender<bool>,
    /// Told when the browser is gone.
    over: watch::Receiver<bool>,
    handover: Arc<Handover>,
}

/// Writes down that pages were lost, where there were any.
fn note_lost(handover: &Handover, status: &Mutex<Status>, how: &str) {
    let url = status.lock().unwrap_or_else(PoisonError::into_inner).url.clone();
    if !url.is_empty() && url != "about:blank" {
        mark_lost(&handover.lost, how);
    }
}

/// Runs the process until the session ends.
pub(crate) async fn run() -> Result<(), Trouble> {
    let failed = |error: io::Error| Trouble::new("session_start", error.to_string());
    let handover = handover().map_err(failed)?;
    // It leaves the terminal and the group of the command that started it. It has left already where that fails.
    let _ = rustix::process::setsid();
    let (listener, alive) = listen(&handover).await.map_err(failed)?;
    let mut stdout = io::stdout();
    // Nobody may be there to read it any more.
    let _ = writeln!(stdout, "{READY}").and_then(|()| stdout.flush());
    serve(listener, &handover).await;
    drop(alive);
    Ok(())
}

/// What the command that started it hands over: one line.
fn handover() -> io::Result<Handover> {
    let mut line = String::new();
    io::stdin().lock().take(MAX_REQUEST).read_line(&mut line)?;
    serde_json::from_str(&line).map_err(io::Error::other)
}

/// Waits for the end of a process before it, takes its place, and listens.
async fn listen(handover: &Handover) -> io::Result<(UnixListener, File)> {
    let alive = open_lock(&handover.alive)?;
    let alive = tokio::task::spawn_blocking(move || alive.lock().map(|()| alive)).await.map_err(io::Error::other)??;
    match fs::remove_file(&handover.socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&handover.socket)?;
    let _ = fs::remove_file(&handover.lost);
    only_for_this_user(&handover.socket)?;
    Ok((listener, alive))
}

fn only_for_this_user(socket: &std::path::Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(socket, fs::Permissions::from_mode(0o600))
}

async fn serve(listener: UnixListener, handover: &Handover) {
    let (jobs, queue) = mpsc::channel(QUEUE);
    let (stop, stopped) = watch::channel(false);
    let (tell_over, over) = watch::channel(false);
    let status = Status {
        name: handover.name.clone(),
        pid: std::process::id(),
        idle_seconds: handover.idle_seconds,
        ..Status::default()
    };
    let (status, handover) = (Arc::new(Mutex::new(status)), Arc::new(handover.clone()));
    let hall = Hall { status, jobs, stop: stop.clone(), over, handover: Arc::clone(&handover) };
    let worker = Worker { handover: Arc::clone(&handover), status: Arc::clone(&hall.status), work: None };
    let mut commands = JoinSet::new();
    let working = tokio::spawn(async move { worker.run(queue, stopped).await });
    let ends = accept(&listener, &hall, &mut commands, working, &stop).await;
    // From here on the next command finds nobody, and starts a process that waits for our end.
    let _ = fs::remove_file(&handover.socket);
    drop(listener);
    if let Some(working) = ends
        && let Err(error) = working.await
    {
        tracing::error!(%error, "the session's work broke off");
    }
    let _ = tell_over.send(true);
    let _ = timeout(LEAVES_WITHIN, async { while commands.join_next().await.is_some() {} }).await;
}

/// Takes commands in until the session is to end. Gives the work back where it is not over.
async fn accept(
    listener: &UnixListener,
    hall: &Hall,
    commands: &mut JoinSet<()>,
    mut working: tokio::task::JoinHandle<()>,
    stop: &watch::Sender<bool>,
) -> Option<tokio::task::JoinHandle<()>> {
    let mut stopped = stop.subscribe();
    let mut ended = std::pin::pin!(told_to_end());
    loop {
        tokio::select! {
            connected = listener.accept() => match connected {
                Ok((stream, _)) if commands.len() < CONNECTIONS => {
                    let hall = hall.clone();
                    commands.spawn(async move { attend(stream, hall).await });
                }
                Ok(_) => tracing::warn!("too many commands at once; one was turned away"),
                Err(error) => {
                    tracing::error!(%error, "the socket is of no use any more");
                    let _ = stop.send(true);
                }
            },
            Some(_) = commands.join_next() => {}
            () = &mut ended => {
                note_lost(&hall.handover, &hall.status, "its process was told to end");
                let _ = stop.send(true);
            }
            () = told(&mut stopped) => return Some(working),
            worked = &mut working => {
                if let Err(error) = worked {
                    tracing::error!(%error, "the session's work broke off");
                }
                return None;
            }
        }
    }
}

/// Waits until it is said, or nobody is left to say it.
async fn told(word: &mut watch::Receiver<bool>) {
    let _ = word.wait_for(|said| *said).await;
}

/// Waits for a signal to end.
async fn told_to_end() {
    let listen = |kind| signal(kind).ok();
    let (mut ends, mut interrupts) = (listen(SignalKind::terminate()), listen(SignalKind::interrupt()));
    let (Some(ends), Some(interrupts)) = (&mut ends, &mut interrupts) else { return std::future::pending().await };
    tokio::select! {
        _ = ends.recv() => {}
        _ = interrupts.recv() => {}
    }
}

/// Hears one command out and answers it.
async fn attend(stream: UnixStream, hall: Hall) {
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    let answer = match timeout(ASKS_WITHIN, line::read::<Request>(&mut read, MAX_REQUEST)).await {
        Ok(Ok(Some(request))) => match answer(request, &mut read, hall).await {
            Some(answer) => answer,
            None => return,
        },
        Ok(Ok(None)) | Err(_) => return,
        Ok(Err(error)) => Answer::Trouble(Trouble::new("session_request", error.to_string())),
    };
    if let Err(error) = line::write(&mut write, &answer, MAX_ANSWER).await {
        tracing::debug!(%error, "an answer was not taken");
        if error.kind() == io::ErrorKind::InvalidInput {
            let trouble = Trouble::new("too_large", "the answer is too large").hint("ask for less, or for a part");
            let _ = line::write(&mut write, &Answer::Trouble(trouble), MAX_ANSWER).await;
        }
    }
}

/// The answer to a request; `None` where the command went away while its order waited.
async fn answer(request: Request, read: &mut BufReader<OwnedReadHalf>, mut hall: Hall) -> Option<Answer> {
    if request.version != VERSION && !matches!(request.want, Want::Close) {
        let detail = format!("the session runs version {VERSION}, the command is {}", request.version);
        return Some(Answer::Trouble(Trouble::new("session_version", detail).hint("end it with `webhand close`")));
    }
    match request.want {
        Want::Status => Some(Answer::Status(hall.status.lock().unwrap_or_else(PoisonError::into_inner).clone())),
        Want::Close => {
            let _ = hall.stop.send(true);
            told(&mut hall.over).await;
            Some(Answer::Closed)
        }
        Want::Work(_) if request.asks.unmet(&hall.handover.name, &hall.handover.wanted).is_some() => {
            request.asks.unmet(&hall.handover.name, &hall.handover.wanted).map(Answer::Trouble)
        }
        Want::Work(order) => {
            let (answer, mut answered) = oneshot::channel();
            if hall.jobs.try_send(Job { order, answer }).is_err() {
                return Some(Answer::Trouble(busy(&hall)));
            }
            tokio::select! {
                answer = &mut answered => Some(answer.unwrap_or_else(|_| Answer::Trouble(not_begun()))),
                // A single action that is under way goes on to its end; see `stops_with_its_command`.
                _ = read.read_u8() => None,
            }
        }
    }
}

fn busy(hall: &Hall) -> Trouble {
    if hall.jobs.is_closed() {
        return not_begun();
    }
    Trouble::new("session_busy", format!("{QUEUE} orders wait already")).hint("wait for them, or use another --session")
}

/// The order was not begun: another process can take it.
fn not_begun() -> Trouble {
    Trouble { code: NOT_BEGUN.to_owned(), ..ended() }
}

fn ended() -> Trouble {
    Trouble::new("session_ended", "the session was ended").hint("`webhand open ADDRESS` starts a new one")
}

/// Does the work, one order after the other.
struct Worker {
    handover: Arc<Handover>,
    status: Arc<Mutex<Status>>,
    work: Option<Work>,
}

impl Worker {
    async fn run(mut self, mut queue: mpsc::Receiver<Job>, mut stopped: watch::Receiver<bool>) {
        let idle = Duration::from_secs(self.handover.idle_seconds);
        loop {
            let job = tokio::select! {
                job = timeout(idle, queue.recv()) => job,
                () = told(&mut stopped) => break,
                () = lost(self.work.as_ref()) => {
                    self.note_lost("its browser went away");
                    break;
                }
            };
            let Ok(job) = job else {
                self.note_lost(&format!("nobody used it for {} s", idle.as_secs()));
                break;
            };
            let Some(Job { order, mut answer }) = job else { break };
            if answer.is_closed() {
                continue;
            }
            self.note(true).await;
            let stops = order.stops_with_its_command();
            let done = tokio::select! {
                done = self.perform(order) => Some(done),
                () = told(&mut stopped) => Some(Answer::Trouble(ended())),
                () = answer.closed(), if stops => None,
            };
            self.note(false).await;
            if let Some(done) = done {
                let _ = answer.send(done);
            }
            match &self.work {
                None => break,
                Some(work) if work.is_lost() => {
                    self.note_lost("its browser went away");
                    break;
                }
                Some(_) => {}
            }
        }
        queue.close();
        if let Some(work) = self.work.take() {
            work.end().await;
        }
    }

    async fn perform(&mut self, order: Order) -> Answer {
        if self.work.is_none() {
            match Box::pin(Work::begin(&self.handover.wanted)).await {
                Ok(work) => self.work = Some(work),
                Err(trouble) => return Answer::Trouble(trouble),
            }
        }
        match &mut self.work {
            Some(work) => work.perform(order).await,
            None => Answer::Trouble(ended()),
        }
    }

    fn note_lost(&self, how: &str) {
        note_lost(&self.handover, &self.status, how);
    }

    async fn note(&self, busy: bool) {
        let place = match &self.work {
            Some(work) => Some((work.place().await, work.browser())),
            None => None,
        };
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        status.busy = busy;
        if let Some(((url, title), browser)) = place {
            status.url = url;
            status.title = title;
            status.browser.clone_from(&browser.product);
            status.browser_pid = browser.pid;
        }
    }
}

/// Waits until the browser is gone by itself; for ever where there is none.
async fn lost(work: Option<&Work>) {
    match work {
        Some(work) => work.lost().await,
        None => std::future::pending().await,
    }
}
