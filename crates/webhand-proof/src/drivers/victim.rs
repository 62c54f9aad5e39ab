//! A browser that can be hurt: its pages' processes and itself killed, the connection to it severed.
//!
//! It is either launched by webhand, or started here as a person would, with webhand connected to it through a relay whose
//! connections can be cut.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    net::{TcpListener, TcpStream},
    process::{Child, Command},
    task::{AbortHandle, JoinHandle},
};
use webhand::{
    Browser,
    engine::{Find, Headless, Launch},
};

use crate::fault::{Fault, Hold};

/// How long a browser may take to say where it listens.
const LISTENS_WITHIN: Duration = Duration::from_secs(30);

/// A browser of its own.
#[derive(Debug)]
pub struct Victim {
    browser: Browser,
    outside: Option<Outside>,
}

/// A browser that was started here, and the relay to it.
#[derive(Debug)]
struct Outside {
    process: Child,
    group: u32,
    relay: Relay,
    _profile: TempDir,
}

impl Victim {
    /// Starts one.
    ///
    /// # Errors
    /// In words, where it does not start.
    pub async fn start(headless: Headless, hold: Hold) -> Result<Self, String> {
        if hold != Hold::Attached {
            let launch = Launch::from_env().headless(headless);
            let browser = Browser::launch(launch).await.map_err(|error| error.to_string())?;
            return Ok(Self { browser, outside: None });
        }
        let (outside, address) = Outside::start(headless).await.map_err(|error| error.to_string())?;
        let browser = Browser::connect(&address).await.map_err(|error| error.to_string())?;
        Ok(Self { browser, outside: Some(outside) })
    }

    /// Webhand's handle to it.
    #[must_use]
    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// The number of its group of processes.
    #[must_use]
    pub fn group(&self) -> Option<u32> {
        self.outside.as_ref().map_or_else(|| self.browser.info().pid, |outside| Some(outside.group))
    }

    /// Hurts it. A browser that was launched has no connection but its pipe, which is closed.
    ///
    /// # Errors
    /// In words, where there is nothing to be hurt.
    pub fn hurt(&self, fault: Fault) -> Result<(), String> {
        match (fault, &self.outside) {
            (Fault::Socket, Some(outside)) => outside.relay.sever(),
            (Fault::Socket, None) => self.browser.engine().connection().close(),
            (Fault::Browser, Some(_)) => return Err("a browser of somebody else does not come again".to_owned()),
            (Fault::Browser, None) => {
                let group = self.group().and_then(pid_of).ok_or("no browser")?;
                kill_process_group(group, Signal::KILL).map_err(|error| error.to_string())?;
            }
            (Fault::Tab, _) => {
                let group = self.group().ok_or("no browser")?;
                for renderer in renderers(group) {
                    // it may have gone by itself
                    let _ = kill_process(renderer, Signal::KILL);
                }
            }
        }
        Ok(())
    }

    /// Ends it.
    pub async fn close(mut self) {
        self.browser.close().await;
        if let Some(outside) = &mut self.outside {
            outside.end();
            let _ = outside.process.wait().await;
        }
    }
}

fn pid_of(number: u32) -> Option<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw)
}

/// The processes of that group in which pages live.
fn renderers(group: u32) -> Vec<Pid> {
    let numbers = processes(group).into_iter().filter(|pid| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("--type=renderer")
    });
    numbers.filter_map(pid_of).collect()
}

/// The processes of a group that are alive.
#[must_use]
pub fn processes(group: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // after the name: state, parent, group
            let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
            let alive = !matches!(fields.next(), None | Some("" | "Z" | "X"));
            alive && fields.nth(1).and_then(|field| field.parse().ok()) == Some(group)
        })
        .collect()
}

impl Outside {
    async fn start(headless: Headless) -> io::Result<(Self, String)> {
        let found = Find::from_env().headless(headless).first().map_err(io::Error::other)?;
        let profile = tempfile::Builder::new().prefix("webhand-victim-").tempdir()?;
        let mut command = Command::new(found.path);
        command.arg(if headless == Headless::New { "--headless=new" } else { "--headless" });
        command.args(["--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "about:blank"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).process_group(0);
        let mut process = command.spawn()?;
        let group = process.id().ok_or_else(|| io::Error::other("it ended at once"))?;
        let stderr = process.stderr.take().ok_or_else(|| io::Error::other("it cannot be heard"))?;
        let mut said = BufReader::new(stderr).lines();
        let listens = async {
            while let Some(line) = said.next_line().await? {
                if let Some((_, address)) = line.split_once("DevTools listening on ") {
                    return Ok(address.trim().to_owned());
                }
            }
            Err(io::Error::other("it does not say where it listens"))
        };
        let listens = tokio::time::timeout(LISTENS_WITHIN, listens).await;
        let address = listens.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut)));
        let relayed = match address {
            Ok(address) => Relay::start(&address).await,
            Err(error) => Err(error),
        };
        let (relay, address) = match relayed {
            Ok(relayed) => relayed,
            Err(error) => {
                let _ = pid_of(group).map(|group| kill_process_group(group, Signal::KILL));
                return Err(error);
            }
        };
        // it goes on to speak: somebody must listen
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Ok((Self { process, group, relay, _profile: profile }, address))
    }

    fn end(&self) {
        let _ = pid_of(self.group).map(|group| kill_process_group(group, Signal::KILL));
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        self.end();
    }
}

/// Hands every byte on, until it is severed.
#[derive(Debug)]
struct Relay {
    listening: JoinHandle<()>,
    open: Arc<Mutex<Vec<AbortHandle>>>,
}

impl Relay {
    /// Before the browser at that WebSocket address; gives its own.
    async fn start(address: &str) -> io::Result<(Self, String)> {
        let rest = address.strip_prefix("ws://").ok_or_else(|| io::Error::other("not a ws:// address"))?;
        let (host, path) = rest.split_once('/').ok_or_else(|| io::Error::other("an address without a path"))?;
        let to: SocketAddr = host.parse().map_err(io::Error::other)?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let own = format!("ws://{}/{path}", listener.local_addr()?);
        let open: Arc<Mutex<Vec<AbortHandle>>> = Arc::default();
        let opened = Arc::clone(&open);
        let listening = tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let relayed = tokio::spawn(async move {
                    if let Ok(mut far) = TcpStream::connect(to).await {
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    }
                });
                opened.lock().unwrap_or_else(PoisonError::into_inner).push(relayed.abort_handle());
            }
        });
        Ok((Self { listening, open }, own))
    }

    /// Cuts what goes through it. What comes next goes through again.
    fn sever(&self) {
        for open in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            open.abort();
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.listening.abort();
        self.sever();
    }
}
