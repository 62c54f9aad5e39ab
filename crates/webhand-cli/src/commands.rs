//! From what was asked for to what is done: one function a command.

use std::{borrow::Cow, io, path::Path};

use clap::ArgMatches;
use serde_json::json;
use webhand::{
    action::{
        catalogue::{Catalogue, Tab},
        decode::{DecodeError, Finish, decode},
        schema::SchemaOptions,
    },
    agent::models::literal,
    engine::install,
    prelude::Action,
};

use crate::{
    args::{Asked, DemoArgs, DoArgs, Fixed, General, SnapshotArgs, command},
    config::{self, Environment, Settings},
    demo, doctor,
    exit::Exit,
    files,
    output::Output,
    person::TerminalPerson,
    picture, runs,
    session::{
        self,
        place::Folder,
        protocol::{Answer, Asks, Order, ReplyOrder, SnapshotOrder, Want},
    },
    trouble::Trouble,
    verbs,
    work::{Wanted, Work},
};

/// The longest reply that is read.
const MAX_REPLY: u64 = 4 << 20;

/// A command, with all that it may need.
struct Desk<'a> {
    catalogue: &'a Catalogue,
    environment: &'a Environment,
    output: Output,
    general: General,
}

/// Does what was asked for, prints what came of it, and says how it ended.
pub(crate) async fn run(
    catalogue: &Catalogue,
    environment: &Environment,
    output: Output,
    general: General,
    asked: Asked,
) -> Exit {
    let desk = Desk { catalogue, environment, output, general };
    match Box::pin(desk.do_it(asked)).await {
        Ok(exit) => exit,
        Err(trouble) => output.trouble(&trouble),
    }
}

impl Desk<'_> {
    async fn do_it(self, asked: Asked) -> Result<Exit, Trouble> {
        match asked {
            Asked::Verb(verb, matches) => Box::pin(self.verb(&verb, &matches)).await,
            Asked::Fixed(Fixed::Demo(args)) => self.demo(args).await,
            Asked::Fixed(Fixed::Resume { id }) => {
                let wanted = self.settings()?.wanted();
                Box::pin(runs::resume(self.output, self.environment, &wanted, &id)).await
            }
            Asked::Fixed(Fixed::Runs) => runs::list(self.output, self.environment),
            Asked::Fixed(Fixed::Show(args)) => runs::show(self.output, self.environment, &args),
            Asked::Fixed(Fixed::Do(args)) => Box::pin(self.reply(&args)).await,
            Asked::Fixed(Fixed::Snapshot(SnapshotArgs { format, max_tokens, diff })) => {
                self.order(Order::Snapshot(SnapshotOrder { format, max_tokens, diff })).await
            }
            Asked::Fixed(Fixed::Act { task }) => {
                // Read before a browser starts: what cannot be understood needs none.
                literal::parse(&task).map_err(|error| not_literal(&error))?;
                self.order(Order::Literal { task }).await
            }
            Asked::Fixed(Fixed::Tabs) => self.order(Order::Act(Tab::list().into())).await,
            Asked::Fixed(Fixed::Close { all }) => self.close(all).await,
            Asked::Fixed(Fixed::Sessions) => self.sessions().await,
            Asked::Fixed(Fixed::Schema { shape, action }) => {
                self.schema(SchemaOptions::new(shape.into()), action).await
            }
            Asked::Fixed(Fixed::Doctor) => {
                let settings = self.settings();
                Ok(Box::pin(doctor::run(self.output, self.environment, settings)).await)
            }
            Asked::Fixed(Fixed::Install) => self.install().await,
            Asked::Fixed(Fixed::Config) => self.config(),
            Asked::Fixed(Fixed::Completions { shell }) => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut command(self.catalogue), "webhand", &mut script);
                self.output.bytes(&script);
                Ok(Exit::Ok)
            }
            Asked::Fixed(Fixed::Host) => host().await,
        }
    }

    fn settings(&self) -> Result<Settings, Trouble> {
        Settings::read(self.environment, &self.general)
    }

    async fn verb(self, verb: &str, matches: &ArgMatches) -> Result<Exit, Trouble> {
        let mut action = verbs::action(self.catalogue, verb, matches)?;
        if let Action::Upload(upload) = &mut action {
            for path in &mut upload.paths {
                *path = from_here(&self.environment.folder, path);
            }
        }
        if !matches!(action, Action::Screenshot(_)) {
            return self.order(Order::Act(action)).await;
        }
        let out = matches.try_get_one::<std::path::PathBuf>(verbs::OUT).ok().flatten().cloned();
        let form = picture::Form::of(out.as_deref())?;
        let answer = self.ask(Order::Act(action)).await?;
        self.picture(answer, out.as_deref(), form)
    }

    /// Puts a screenshot where it belongs; what is printed then is where that is.
    fn picture(&self, mut answer: Answer, out: Option<&Path>, form: picture::Form) -> Result<Exit, Trouble> {
        let Answer::Outcome(outcome) = &mut answer else { return Ok(self.output.answer(&answer)) };
        let Some(png) = picture::of(outcome) else { return Ok(self.output.answer(&answer)) };
        let bytes = form.encode(png)?;
        if out == Some(Path::new("-")) {
            self.output.bytes(&bytes);
            return Ok(Exit::Ok);
        }
        let path = picture::write(&bytes, out, &self.environment.folder)?;
        if self.output.json {
            outcome.data = Some(json!({ "path": path, "bytes": bytes.len() }));
        } else {
            outcome.data = Some(json!(path));
        }
        Ok(self.output.answer(&answer))
    }

    async fn reply(self, args: &DoArgs) -> Result<Exit, Trouble> {
        let text = read_reply(&args.file)?;
        let catalogue = self.whole_catalogue().await?;
        let decision = decode(&text, Finish::Stop, &catalogue).map_err(|error| undecoded(error, &text))?;
        for note in &decision.notes {
            self.output.aside(&format!("note: {note}"));
        }
        let DoArgs { continue_after, allow, .. } = args.clone();
        self.order(Order::Reply(ReplyOrder { actions: decision.actions, continue_after, allow })).await
    }

    /// Has an order carried out, and prints what came of it.
    async fn order(self, order: Order) -> Result<Exit, Trouble> {
        let answer = self.ask(order).await?;
        Ok(self.output.answer(&answer))
    }

    /// Has an order carried out: in a browser of its own where an address was given, else in the kept session.
    async fn ask(&self, order: Order) -> Result<Answer, Trouble> {
        let settings = self.settings()?;
        let Some(url) = &self.general.url else {
            let place = Folder::open(self.environment)?.session(&settings.session.value)?;
            let asked = Asks { window: self.general.headed, attach: self.general.cdp.clone() };
            return session::client::ask(&place, &settings, Want::Work(order), &asked).await;
        };
        let url = whole_address(self.catalogue, url)?;
        let wanted = Wanted { asks_at_terminal: TerminalPerson::is_there(), ..settings.wanted() };
        let mut work = Box::pin(Work::begin(&wanted)).await?;
        let answer = tokio::select! {
            answer = alone(&mut work, &url, order) => answer,
            _ = tokio::signal::ctrl_c() => Err(Trouble::new("interrupted", "interrupted")),
        };
        work.end().await;
        answer
    }

    async fn close(self, all: bool) -> Result<Exit, Trouble> {
        let folder = Folder::open(self.environment)?;
        let names = if all { folder.names() } else { vec![self.settings()?.session.value] };
        for name in names {
            let place = folder.session(&name)?;
            let closed = session::client::ask_running(&place, Want::Close).await?.is_some();
            if self.output.json {
                self.output.object(&json!({ "ok": true, "session": name, "closed": closed }));
            } else {
                self.output.text(&format!("session {name}: {}", if closed { "ended" } else { "there was none" }));
            }
        }
        Ok(Exit::Ok)
    }

    async fn sessions(self) -> Result<Exit, Trouble> {
        let folder = Folder::open(self.environment)?;
        for name in folder.names() {
            match session::client::ask_running(&folder.session(&name)?, Want::Status).await {
                Ok(Some(answer)) => {
                    self.output.answer(&answer);
                }
                Ok(None) => {}
                Err(trouble) => {
                    self.output.trouble(&trouble);
                }
            }
        }
        Ok(Exit::Ok)
    }

    /// All actions, the tools of servers too, which have to be asked for theirs.
    async fn whole_catalogue(&self) -> Result<Cow<'_, Catalogue>, Trouble> {
        let actions = self.settings()?.actions.value;
        if !actions.has_servers() {
            return Ok(Cow::Borrowed(self.catalogue));
        }
        Box::pin(actions.with_servers()).await.map(Cow::Owned).map_err(|detail| Trouble::new("mcp", detail))
    }

    async fn schema(self, mut options: SchemaOptions, action: Option<String>) -> Result<Exit, Trouble> {
        let catalogue = self.whole_catalogue().await?;
        if let Some(name) = action {
            let Some((spec, _)) = catalogue.lookup(&name) else {
                let hint = match catalogue.nearest(&name) {
                    Some(nearest) => format!("did you mean {nearest}?"),
                    None => "`webhand --help` lists the actions".to_owned(),
                };
                return Err(Trouble::usage(format!("{name:?} is not an action")).hint(hint));
            };
            options = options.offer([&*spec.name]);
        }
        let schema = catalogue.schema(&options);
        if self.output.json {
            self.output.object(&schema);
        } else {
            self.output.text(&format!("{schema:#}"));
        }
        Ok(Exit::Ok)
    }

    async fn install(self) -> Result<Exit, Trouble> {
        let wanted = self.settings()?.wanted();
        self.output.aside("looking for a browser, and installing one where there is none");
        let installed = install(&wanted.find()).await.map_err(|error| wanted.trouble(error))?;
        let path = installed.found.path;
        if self.output.json {
            self.output.object(&json!({ "ok": true, "path": path, "fresh": installed.fresh }));
        } else {
            let what = if installed.fresh { "installed" } else { "there already" };
            self.output.text(&format!("{} ({what})", path.display()));
        }
        Ok(Exit::Ok)
    }

    fn config(self) -> Result<Exit, Trouble> {
        let looked_for = config::looked_for(self.environment);
        for (name, value, source) in self.settings()?.rows() {
            if self.output.json {
                self.output.object(&json!({ "setting": name, "value": value, "source": source }));
            } else {
                self.output.text(&format!("{name:<17} {value:<28} {source}"));
            }
        }
        for (place, found) in looked_for {
            if self.output.json {
                self.output.object(&json!({ "looked_for": place, "found": found == "read" }));
            } else {
                self.output.text(&format!("looked for        {place}: {found}"));
            }
        }
        Ok(Exit::Ok)
    }

    async fn demo(self, args: DemoArgs) -> Result<Exit, Trouble> {
        let writer: Box<dyn io::Write + Send> =
            if self.output.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        let url = self.general.url.as_deref().map(|url| whole_address(self.catalogue, url)).transpose()?;
        if self.general.cdp.is_some() {
            return Err(Trouble::usage("the demo drives a browser of its own").hint("leave --cdp out"));
        }
        let settings = self.settings()?;
        let options = demo::DemoOptions {
            wanted: settings.wanted(),
            url,
            task: args.task,
            model: args.model,
            out: args.out,
            slow: args.slow.unwrap_or_default(),
            journal: Some(runs::folder(self.environment)?),
            writer,
        };
        let report = Box::pin(demo::run(options)).await.map_err(|error| runs::demo_trouble(&error))?;
        Ok(runs::demo_told(self.output, &report))
    }
}

/// A file that a person names is meant from where the command is given; what is not there, from the folders of the settings.
fn from_here(folder: &Path, path: &str) -> String {
    let here = folder.join(path);
    if here.exists() { here.to_string_lossy().into_owned() } else { path.to_owned() }
}

/// One page, one order.
async fn alone(work: &mut Work, url: &str, order: Order) -> Result<Answer, Trouble> {
    work.open(url).await?;
    let mut answer = work.perform(order).await;
    if let Answer::Outcome(outcome) = &mut answer
        && let Some(error) = outcome.error.as_mut().filter(|error| error.kind.as_deref() == Some("unknown_ref"))
    {
        // A browser that lives for one command has shown nobody its refs.
        error.hint = Some(
            "with --url no refs are known yet: name the element by --selector, or in words: `webhand act 'click …' \
             --url …`; or keep a session with `webhand open`"
                .to_owned(),
        );
    }
    Ok(answer)
}

/// An address as the navigate action takes it: whole, or without its scheme.
fn whole_address(catalogue: &Catalogue, url: &str) -> Result<String, Trouble> {
    let params = [("url".to_owned(), url.into())].into_iter().collect();
    match catalogue.action("navigate", params) {
        Ok(Action::Navigate(navigate)) => Ok(navigate.url),
        Ok(_) => Ok(url.to_owned()),
        Err(faults) => {
            let reasons: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
            let trouble = Trouble::usage(format!("--url {url}: {}", reasons.join("; ")));
            let hint = faults.iter().find_map(|fault| fault.hint.clone());
            Err(trouble.hint(hint.unwrap_or_else(|| "give an address such as https://example.org/".to_owned())))
        }
    }
}

fn not_literal(error: &literal::Unparsable) -> Trouble {
    Trouble::new("not_literal", error.to_string())
        .hint("say it in sentences such as: click the \"Save\" button; `webhand act --help` lists what is understood")
}

/// Why a reply cannot be run; sentences are known for what they are.
fn undecoded(error: DecodeError, text: &str) -> Trouble {
    let trouble = Trouble::from(error);
    let kind = trouble.kind.as_deref();
    if matches!(kind, Some("no_json")) && literal::parse(text).is_ok() {
        return trouble.hint("this is a sentence, not a model's JSON: `webhand act` takes sentences at their word");
    }
    trouble
}

/// The text of a reply, from a file or from standard input.
fn read_reply(file: &Path) -> Result<String, Trouble> {
    let read = if file == Path::new("-") {
        files::read_from(io::stdin().lock(), MAX_REPLY)
    } else {
        files::read(file, MAX_REPLY)
    };
    let bytes = read.map_err(|error| {
        Trouble::new("file", format!("{} cannot be read: {error}", file.display()))
            .hint("name a file, or - for standard input")
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(unix)]
async fn host() -> Result<Exit, Trouble> {
    match session::host::run().await {
        Ok(()) => Ok(Exit::Ok),
        Err(trouble) => {
            // The command that started it reads one line.
            Output { json: false, colour: false }.text(&trouble.detail);
            Err(trouble)
        }
    }
}

#[cfg(not(unix))]
async fn host() -> Result<Exit, Trouble> {
    Err(Trouble::usage("sessions cannot be kept on this system yet"))
}
