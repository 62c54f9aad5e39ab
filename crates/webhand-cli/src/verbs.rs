//! Every action of the catalogue as a verb, made of what the catalogue says about it: the element and the main values by
//! place, the rest as flags, the help from the docs.
//!
//! A verb goes through the same checks as a model's reply, with the same faults. It knows no browser.

use std::path::PathBuf;

use clap::{
    Arg, ArgAction, ArgGroup, ArgMatches, Command,
    builder::{PossibleValuesParser, ValueParser},
    parser::ValueSource,
    value_parser,
};
use serde_json::{Map, Value};
use webhand::{
    action::catalogue::{ActionSpec, Alias, Catalogue, ParamKind, ParamSpec},
    prelude::Action,
};

use crate::{
    trouble::Trouble,
    verb_words::{ALSO, EXAMPLES, NOTES, OFF, ON},
};

/// The argument that says where a screenshot goes.
pub(crate) const OUT: &str = "out";

/// Where a parameter stands on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Position,
    Flag,
}

/// The verbs: each action by its name, and, hidden, by the names that say more than it, such as `uncheck`.
pub(crate) fn commands(catalogue: &Catalogue, taken: &dyn Fn(&str) -> bool) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for spec in catalogue.specs() {
        let also: Vec<&'static str> =
            ALSO.iter().filter(|(action, _)| *action == spec.name).map(|(_, verb)| *verb).collect();
        let name = dashed(&spec.name);
        let shown = command(spec, name, None).visible_aliases(also.iter().copied());
        commands.push(match after_help(&spec.name) {
            Some(text) => shown.after_help(text),
            None => shown,
        });
        // A name that says the same as the action's own would only stand in the way of "did you mean".
        for alias in spec.aliases.iter().filter(|alias| !alias.set.is_empty() && !taken(alias.name)) {
            let known = format!("The same as {} under another name", dashed(&spec.name));
            commands.push(command(spec, dashed(alias.name), Some(alias)).about(known).hide(true));
        }
    }
    commands
}

/// What stands below the options.
fn after_help(action: &str) -> Option<String> {
    let note = NOTES.iter().find(|(known, _)| *known == action).map(|(_, note)| (*note).to_owned());
    let examples = EXAMPLES.iter().find(|(known, _)| *known == action);
    let examples = examples.map(|(_, examples)| format!("Examples:\n  webhand {}", examples.join("\n  webhand ")));
    let parts: Vec<String> = note.into_iter().chain(examples).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

fn command(spec: &ActionSpec, name: String, alias: Option<&Alias>) -> Command {
    let mut command = Command::new(name.clone()).about(sentence(&spec.doc));
    let implied =
        |param: &&ParamSpec| !alias.is_some_and(|alias| alias.set.iter().any(|(name, _)| *name == param.name));
    for param in spec.params.iter().filter(implied).filter(|param| !shares_place(spec, param)) {
        let args = args(spec, param);
        if param.kind == ParamKind::Flag && param.required {
            let choice: Vec<clap::Id> = args.iter().map(|arg| arg.get_id().clone()).collect();
            command = command.group(ArgGroup::new(format!("either.{}", param.name)).args(choice).required(true));
        }
        command = command.args(args);
    }
    if spec.needs_element {
        // The element must be named in one way or another.
        let values = spec.params.iter().filter(|param| place(spec, param) == Place::Position).map(|param| {
            let many = if param.kind == ParamKind::List { "..." } else { "" };
            let ways = if is_element(param) { ways_to_name(spec) } else { String::new() };
            let needed = param.required || is_element(param);
            let (open, close) = if needed { ('<', '>') } else { ('[', ']') };
            format!(" {open}{}{ways}{close}{many}", value_name(param))
        });
        command = command.override_usage(format!("webhand {name} [OPTIONS]{}", values.collect::<String>()));
    }
    if spec.name == "screenshot" {
        let help = "The file, or - for standard output [default: the first free screenshot-N here]";
        command =
            command.arg(Arg::new(OUT).long(OUT).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help));
    }
    command
}

/// Whether a parameter names the element that the action is for.
fn is_element(param: &ParamSpec) -> bool {
    param.kind == ParamKind::Ref && param.name == "ref"
}

/// Whether an address may stand where a ref may, and is known from it by its look.
fn shares_place(spec: &ActionSpec, param: &ParamSpec) -> bool {
    param.kind == ParamKind::Url && !param.required && spec.params.iter().any(is_element)
}

/// Where a parameter stands: the element first, then what must be given, and what belongs to a choice before it.
fn place(spec: &ActionSpec, param: &ParamSpec) -> Place {
    let others = || spec.params.iter().filter(|other| other.kind != ParamKind::Ref && other.required);
    let by_place = match param.kind {
        _ if param.script_only => false,
        ParamKind::Flag | ParamKind::Data => false,
        ParamKind::Ref => spec.needs_element || others().next().is_none(),
        _ if param.required => true,
        ParamKind::Text => follows_a_choice(spec, param),
        _ => false,
    };
    if by_place { Place::Position } else { Place::Flag }
}

/// Whether it is the first text after the choice that says what it means, as in `wait text "Saved"`.
fn follows_a_choice(spec: &ActionSpec, param: &ParamSpec) -> bool {
    let chosen = spec.params.iter().any(|other| other.required && other.kind == ParamKind::Choice);
    let first = spec.params.iter().find(|other| !other.required && !other.script_only && other.kind == ParamKind::Text);
    chosen && first.is_some_and(|first| first.name == param.name)
}

/// The arguments of a parameter: one, or two where it must be said with yes or no.
fn args(spec: &ActionSpec, param: &ParamSpec) -> Vec<Arg> {
    let mut help = help(param);
    if param.kind == ParamKind::Flag {
        return flags(spec, param, &help);
    }
    if spec.params.iter().any(|other| shares_place(spec, other)) && is_element(param) {
        help = format!("{help}; or an address");
    }
    if is_element(param) && place(spec, param) == Place::Position && !other_ways(spec).is_empty() {
        let point = if spec.param("x").is_some() { ", or --x and --y" } else { "" };
        help = format!("{help}; instead of it: --selector{point}");
    }
    let mut arg = Arg::new(id(&param.name)).help(help).value_name(value_name(param)).value_parser(parser(param));
    match place(spec, param) {
        Place::Flag => {
            arg = arg.long(dashed(&param.name)).allow_hyphen_values(true);
            if param.kind == ParamKind::List {
                arg = arg.value_delimiter(',').action(ArgAction::Append);
            }
        }
        Place::Position => {
            arg = arg.allow_hyphen_values(matches!(param.kind, ParamKind::Text | ParamKind::List));
            let needed = param.required || is_element(param) && spec.needs_element;
            let other_ways = other_ways(spec);
            arg = match (needed, other_ways.is_empty()) {
                (true, true) => arg.required(true),
                (true, false) => arg.required_unless_present_any(other_ways),
                (false, _) => arg,
            };
            if param.kind == ParamKind::List {
                arg = arg.num_args(1..);
            }
        }
    }
    vec![arg]
}

fn flags(spec: &ActionSpec, param: &ParamSpec, help: &str) -> Vec<Arg> {
    let (yes, no) = (id(&param.name), id(&format!("no_{}", param.name)));
    let say = |id: &str, long: String, help: &str| {
        Arg::new(id.to_owned()).long(long).help(help.to_owned()).action(ArgAction::SetTrue)
    };
    let words = |table: &[(&'static str, &str, &'static str)]| {
        table.iter().find(|(action, name, _)| *action == spec.name && *name == param.name).map(|(_, _, words)| *words)
    };
    let yes_flag = say(&yes, dashed(&param.name), words(ON).unwrap_or(help));
    let no_help = words(OFF).map_or_else(|| format!("The opposite of: {help}"), str::to_owned);
    let no_flag = say(&no, format!("no-{}", dashed(&param.name)), &no_help);
    match param.default.as_ref().and_then(Value::as_bool) {
        None if param.required => vec![yes_flag, no_flag],
        // What is usual can be asked for where it is not always so.
        Some(true) if words(ON).is_some() => vec![yes_flag.conflicts_with(no), no_flag],
        Some(true) => vec![no_flag],
        _ => vec![yes_flag],
    }
}

/// The other ways, as they stand in the usage.
fn ways_to_name(spec: &ActionSpec) -> String {
    let takes = |name: &str| spec.param(name).is_some();
    let selector = if takes("selector") { " | --selector <SELECTOR>" } else { "" };
    let point = if takes("x") && takes("y") { " | --x <NUMBER> --y <NUMBER>" } else { "" };
    format!("{selector}{point}")
}

/// The ways of naming an element other than by its ref.
fn other_ways(spec: &ActionSpec) -> Vec<String> {
    if !spec.needs_element {
        return Vec::new();
    }
    let known = |name: &&str| spec.param(name).is_some();
    ["selector", "x", "y"].into_iter().filter(known).map(id).collect()
}

fn parser(param: &ParamSpec) -> ValueParser {
    match param.kind {
        ParamKind::Choice => PossibleValuesParser::new(param.choices.clone()).into(),
        ParamKind::List if !param.choices.is_empty() => PossibleValuesParser::new(param.choices.clone()).into(),
        ParamKind::Integer => value_parser!(i64).into(),
        ParamKind::Number => value_parser!(f64).into(),
        _ => ValueParser::string(),
    }
}

fn help(param: &ParamSpec) -> String {
    let mut help = sentence(&param.doc);
    if let (ParamKind::Flag, Some(what)) = (param.kind, help.strip_prefix("Whether to ")) {
        help = recased(what, char::to_uppercase);
    }
    match &param.default {
        Some(Value::Bool(_)) | None => {}
        Some(Value::String(text)) if text.is_empty() => {}
        Some(Value::Array(items)) if items.is_empty() => {}
        Some(Value::String(text)) => help = format!("{help} [default: {text}]"),
        // A whole number without its fraction.
        Some(other) => help = format!("{help} [default: {}]", other.to_string().trim_end_matches(".0")),
    }
    help
}

fn value_name(param: &ParamSpec) -> String {
    match param.kind {
        ParamKind::Ref if is_element(param) => "REF".to_owned(),
        ParamKind::Integer | ParamKind::Number => "NUMBER".to_owned(),
        ParamKind::List => param.name.trim_end_matches('s').to_uppercase(),
        ParamKind::Data => "JSON".to_owned(),
        _ => param.name.to_uppercase(),
    }
}

/// The action that a verb and its arguments stand for.
pub(crate) fn action(catalogue: &Catalogue, verb: &str, matches: &ArgMatches) -> Result<Action, Trouble> {
    let name = verb.replace('-', "_");
    let Some((spec, alias)) = catalogue.lookup(&name) else {
        return Err(Trouble::usage(format!("{verb:?} is not an action")));
    };
    let mut params = Map::new();
    for param in &spec.params {
        if !alias.is_some_and(|alias| alias.set.iter().any(|(name, _)| *name == param.name))
            && let Some(value) = value(param, matches)?
        {
            params.insert(param.name.clone(), value);
        }
    }
    shift(spec, &mut params)?;
    share(spec, &mut params);
    catalogue.action(&name, params).map_err(|mut faults| {
        for fault in &mut faults {
            // With one action, its parameter is place enough.
            fault.path = fault.path.trim_start_matches("action").trim_start_matches('.').to_owned();
        }
        let kind = faults.first().map(|fault| fault.code.as_str()).unwrap_or_default();
        Trouble::of_faults(kind, &faults)
    })
}

fn value(param: &ParamSpec, matches: &ArgMatches) -> Result<Option<Value>, Trouble> {
    let id = id(&param.name);
    let given = |id: &str| {
        matches.try_contains_id(id).unwrap_or(false) && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    if param.kind == ParamKind::Flag {
        let no = self::id(&format!("no_{}", param.name));
        return Ok(match (given(&id), given(&no)) {
            (_, true) => Some(false.into()),
            (true, false) => Some(true.into()),
            (false, false) => None,
        });
    }
    if !given(&id) {
        return Ok(None);
    }
    Ok(Some(match param.kind {
        ParamKind::Integer => matches.get_one::<i64>(&id).copied().into(),
        ParamKind::Number => matches.get_one::<f64>(&id).copied().into(),
        ParamKind::List => matches.get_many::<String>(&id).into_iter().flatten().cloned().collect(),
        ParamKind::Data => {
            let text = matches.get_one::<String>(&id).map(String::as_str).unwrap_or_default();
            serde_json::from_str(text).map_err(|error| {
                Trouble::usage(format!("--{} is not JSON: {error}", dashed(&param.name)))
                    .hint("put texts in double quotes, and the whole in single ones")
            })?
        }
        _ => matches.get_one::<String>(&id).cloned().into(),
    }))
}

/// What stands where a ref may, and is none, is the address.
fn share(spec: &ActionSpec, params: &mut Map<String, Value>) {
    let Some(shared) = spec.params.iter().find(|param| shares_place(spec, param)) else { return };
    let is_ref = |value: &Value| value.as_str().is_some_and(|text| text.parse::<webhand::page::RefText>().is_ok());
    if params.get("ref").is_some_and(|value| !is_ref(value))
        && let Some(value) = params.remove("ref")
    {
        params.insert(shared.name.clone(), value);
    }
}

/// Where the element is named by a flag, what stands first is the next value, not a ref.
fn shift(spec: &ActionSpec, params: &mut Map<String, Value>) -> Result<(), Trouble> {
    let by_flag = ["selector", "x", "y"].iter().any(|way| params.contains_key(*way));
    let by_place: Vec<&ParamSpec> =
        spec.params.iter().filter(|param| place(spec, param) == Place::Position && !is_element(param)).collect();
    if !by_flag || !spec.needs_element || by_place.is_empty() {
        return Ok(());
    }
    let Some(first) = params.remove("ref") else { return Ok(()) };
    let mut carried = Some(first);
    for param in by_place {
        let Some(value) = carried.take() else { break };
        carried = match (param.kind, params.remove(&param.name)) {
            (ParamKind::List, Some(Value::Array(mut items))) => {
                items.insert(0, value);
                params.insert(param.name.clone(), items.into());
                None
            }
            (ParamKind::List, _) => {
                params.insert(param.name.clone(), Value::Array(vec![value]));
                None
            }
            (_, next) => {
                params.insert(param.name.clone(), value);
                next
            }
        };
    }
    match carried {
        None => Ok(()),
        Some(_) => Err(Trouble::usage("the element is named twice").hint("name it once, by ref or by a flag")),
    }
}

/// Apart from the ids of the arguments that all commands have.
fn id(param: &str) -> String {
    format!("action.{param}")
}

fn dashed(name: &str) -> String {
    name.replace('_', "-")
}

/// Help texts end without a full stop.
fn sentence(doc: &str) -> String {
    doc.trim().trim_end_matches('.').split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The text with another first letter.
fn recased<L: Iterator<Item = char>>(text: &str, case: impl Fn(char) -> L) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| case(first).chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn root() -> Command {
        Command::new("webhand").subcommands(commands(&Catalogue::built_in(), &|_| false))
    }

    fn parsed(line: &[&str]) -> Result<Value, Trouble> {
        let matches = root()
            .try_get_matches_from(std::iter::once(&"webhand").chain(line))
            .map_err(|error| Trouble::usage(error.to_string()))?;
        let (verb, matches) = matches.subcommand().unwrap();
        action(&Catalogue::built_in(), verb, matches).map(|action| action.to_json())
    }

    #[test]
    fn the_whole_command_is_sound() {
        root().debug_assert();
    }

    #[test]
    fn verbs_become_actions() {
        for (line, expected) in [
            (&["click", "B12", "--button", "right"][..], json!({"type": "click", "ref": "B12", "button": "right"})),
            (&["click", "--x", "10", "--y", "20.5"], json!({"type": "click", "x": 10.0, "y": 20.5})),
            (
                &["click", "b12", "--modifiers", "control,shift"],
                json!({"type": "click", "ref": "B12", "modifiers": ["control", "shift"]}),
            ),
            (
                &["fill", "I3", "some text", "--submit"],
                json!({"type": "fill", "ref": "I3", "text": "some text", "submit": true}),
            ),
            (&["fill", "I3", "-5", "--no-clear"], json!({"type": "fill", "ref": "I3", "text": "-5", "clear": false})),
            (&["fill", "I3", ""], json!({"type": "fill", "ref": "I3", "text": ""})),
            (&["fill", "--selector", "#q", "tea"], json!({"type": "fill", "selector": "#q", "text": "tea"})),
            (&["select", "S4", "Red", "Blue"], json!({"type": "select", "ref": "S4", "values": ["Red", "Blue"]})),
            (
                &["select", "--selector", "#s", "Red", "Blue"],
                json!({"type": "select", "selector": "#s", "values": ["Red", "Blue"]}),
            ),
            (&["press", "Control+A", "--ref", "I3"], json!({"type": "press", "keys": "Control+A", "ref": "I3"})),
            (&["type", "null"], json!({"type": "type", "text": "null"})),
            (
                &["wait", "text", "Saved", "--seconds", "5"],
                json!({"type": "wait", "for": "text", "value": "Saved", "seconds": 5.0}),
            ),
            (
                &["wait", "ref_state", "visible", "--ref", "B1"],
                json!({"type": "wait", "for": "ref_state", "value": "visible", "ref": "B1"}),
            ),
            (&["scroll", "down"], json!({"type": "scroll", "to": "down"})),
            (&["scroll", "text", "Terms"], json!({"type": "scroll", "to": "text", "value": "Terms"})),
            (&["dialog", "--accept"], json!({"type": "dialog", "accept": true})),
            (&["dialog", "--no-accept"], json!({"type": "dialog", "accept": false})),
            (&["dismiss-dialog"], json!({"type": "dialog", "accept": false})),
            (&["screenshot", "B4"], json!({"type": "screenshot", "ref": "B4", "marks": false})),
            (&["screenshot", "B4", "--marks"], json!({"type": "screenshot", "ref": "B4"})),
            (&["screenshot", "--no-marks"], json!({"type": "screenshot", "marks": false})),
            (&["uncheck", "C2"], json!({"type": "check", "ref": "C2", "on": false})),
            (&["scroll-down"], json!({"type": "scroll", "to": "down"})),
            (&["read"], json!({"type": "read"})),
            (&["read", "D4", "--format", "text"], json!({"type": "read", "ref": "D4", "format": "text"})),
            (&["find", "--text", "x", "--limit", "3"], json!({"type": "find", "text": "x", "limit": 3})),
            (&["open", "example.org"], json!({"type": "navigate", "url": "https://example.org"})),
            (&["tab", "switch", "t2"], json!({"type": "tab", "op": "switch", "id": "t2"})),
            (
                &["done", "all well", "--success", "--data", "{\"a\": 1}"],
                json!({"type": "done", "text": "all well", "success": true, "data": {"a": 1}}),
            ),
        ] {
            assert_eq!(parsed(line).unwrap_or_else(|trouble| panic!("{line:?}: {trouble:?}")), expected, "{line:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_before_anything_runs() {
        for (line, says) in [
            (&["click"][..], "REF"),
            (&["click", "save button"], "ref"),
            (&["click", "B1", "--button", "top"], "[possible values: left, right, middle]"),
            (&["click", "B1", "--count", "9"], "count"),
            (&["click", "--x", "1"], "y"),
            (&["click", "B1", "--selector", "#a"], "ref"),
            (&["fill", "I3"], "TEXT"),
            (&["fill", "--selector", "#q"], "text"),
            (&["fill", "I3", "a", "--selector", "#q"], "named twice"),
            (&["open", "file:///etc/passwd"], "url"),
            (&["wait", "text"], "value"),
            (&["dialog"], "<--accept|--no-accept>"),
            (&["dialog", "--accept", "--no-accept"], "cannot be used with"),
            (&["done", "x"], "<--success|--no-success>"),
            (&["press", "Bogus+Q"], "not a key"),
            (&["clikc", "B1"], "click"),
            (&["done", "x", "--success", "--data", "{"], "JSON"),
        ] {
            let trouble = parsed(line).expect_err(&format!("{line:?}"));
            assert!(trouble.detail.contains(says), "{line:?}: {}", trouble.detail);
            assert!(!trouble.detail.starts_with("action"), "{}", trouble.detail);
            assert_eq!(trouble.exit() as u8, 2, "{line:?}: {trouble:?}");
        }
    }

    #[test]
    fn the_examples_are_true() {
        for example in EXAMPLES.iter().flat_map(|(_, examples)| *examples) {
            // Quotes as a shell takes them: every other piece stands in them.
            let mut words: Vec<&str> = Vec::new();
            let command = example.split(" > ").next().unwrap();
            for (index, piece) in command.split('\'').enumerate() {
                if index % 2 == 1 { words.push(piece) } else { words.extend(piece.split_whitespace()) }
            }
            assert!(parsed(&words).is_ok(), "{example}: {:?}", parsed(&words));
        }
        let catalogue = Catalogue::built_in();
        let named = EXAMPLES.iter().map(|(action, _)| action).chain(NOTES.iter().map(|(action, _)| action));
        assert!(named.into_iter().all(|action| catalogue.get(action).is_some()));
        let flag = |action: &str, param: &str| catalogue.get(action).and_then(|spec| spec.param(param)).is_some();
        assert!(OFF.iter().chain(ON).all(|(action, param, _)| flag(action, param)));
    }

    #[test]
    fn what_turns_something_off_says_what_it_does() {
        for spec in Catalogue::built_in().specs() {
            for param in spec.params.iter().filter(|param| param.kind == ParamKind::Flag) {
                let on = param.default == Some(Value::Bool(true)) || param.required;
                let said = OFF.iter().any(|(action, name, _)| (*action, *name) == (&*spec.name, param.name.as_str()));
                assert_eq!(on, said, "{} {}", spec.name, param.name);
            }
        }
    }

    #[test]
    fn every_action_of_the_catalogue_is_a_verb() {
        let root = root();
        for spec in Catalogue::built_in().specs() {
            let verb = root.find_subcommand(dashed(&spec.name)).unwrap_or_else(|| panic!("{}", spec.name));
            assert!(verb.get_about().is_some_and(|about| !about.to_string().is_empty()), "{}", spec.name);
            assert!(!verb.is_hide_set(), "{}", spec.name);
        }
    }
}
