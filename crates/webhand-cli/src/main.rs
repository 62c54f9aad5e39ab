//! `webhand`, the command line: a thin face over the library.
//!
//! The way of a command: the arguments ([`args`], [`verbs`]) and the settings ([`config`]) say what is wanted; it is done
//! in a browser of its own ([`work`]) or by the process of a kept session ([`session`]); what came of it is printed
//! ([`output`]) and becomes an exit code ([`exit`]). It knows no protocol of browsers and no page.

mod args;
mod commands;
mod config;
#[allow(unreachable_pub, unused_imports, reason = "written with a public face, as a library would be")]
mod demo;
mod doctor;
mod exit;
mod files;
mod output;
mod person;
mod picture;
mod runs;
mod session;
mod trouble;
mod verb_words;
mod verbs;
mod work;

use std::process::ExitCode;

use crate::{
    config::{Environment, Settings},
    exit::Exit,
    output::Output,
    trouble::Trouble,
};

fn main() -> ExitCode {
    let environment = Environment::read();
    log(environment.log.as_deref());
    let catalogue = Settings::verbs(&environment);
    let matches = match args::command(&catalogue).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return refused(&error).into(),
    };
    let (general, asked) = match args::asked(&matches) {
        Ok(asked) => asked,
        Err(error) => return refused(&error).into(),
    };
    let output = Output::new(general.json, environment.no_color);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return output.trouble(&Trouble::new("internal", error.to_string())).into(),
    };
    let exit = runtime.block_on(commands::run(&catalogue, &environment, output, general, asked));
    // A lock that is still waited for must not keep a command that is over.
    runtime.shutdown_background();
    exit.into()
}

/// Help and version are what was asked for; the rest is a mistake, which is said in the form that was asked for.
fn refused(error: &clap::Error) -> Exit {
    if error.use_stderr() && std::env::args_os().any(|arg| arg == "--json") {
        let text = error.render().to_string();
        let detail =
            text.trim_start_matches("error: ").split("\n\nUsage:").next().unwrap_or_default().trim().to_owned();
        return Output::new(true, true).trouble(&Trouble::usage(detail).hint("see --help"));
    }
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Ok }
}

fn log(filter: Option<&str>) {
    let Some(filter) = filter else { return };
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}
