//! One question to a model as plain values, before a dialect writes it down; and what a dialect reads out of the answer.

use serde_json::{Value, json};
use webhand_action::schema::Shape;
use webhand_agent::{Asked, Finish, Image, Prompt};

use crate::{
    ladder::{Lesson, Rung},
    provider::Provider,
};

/// In what form the answer is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// Text.
    Words,
    /// JSON of any form.
    Object,
    /// JSON of that schema.
    Schema { name: String, schema: Value },
    /// Tools of which one must be called. Each has `name`, `description` and `parameters`.
    Tools { tools: Vec<Value>, whole: bool },
}

/// One question.
#[derive(Clone, Debug)]
pub(crate) struct Order<'a> {
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    /// Who the model is and how it answers: the same over a run.
    pub(crate) system: String,
    /// The task: the same over a run.
    pub(crate) task: String,
    /// What differs from step to step.
    pub(crate) rest: String,
    pub(crate) images: &'a [Image],
    pub(crate) form: Form,
    pub(crate) temperature: Option<f64>,
    pub(crate) longest_answer: Option<u64>,
    pub(crate) window: u64,
    /// The provider's other name for the longest answer.
    pub(crate) other_limit: bool,
}

impl Order<'_> {
    /// All of the message as one text.
    pub(crate) fn message(&self) -> String {
        format!("{}{}", self.task, self.rest)
    }
}

/// What was read out of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) finish: Finish,
    pub(crate) input: u64,
    pub(crate) cached: u64,
    /// How many of the prompt's tokens were put into the provider's cache, where that costs more.
    pub(crate) written: u64,
    pub(crate) output: u64,
    /// What it cost, where the provider says so itself.
    pub(crate) micro_usd: Option<u64>,
    pub(crate) model: Option<String>,
}

/// What came instead of an answer, with a status that says "fine".
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Misread {
    /// The provider complains all the same.
    Complaint,
    /// No answer is in it.
    NoAnswer(&'static str),
}

/// The form that an answer is asked for in, on that rung.
pub(crate) fn form(asked: &Asked, rung: Rung, shape: Shape) -> Form {
    let name = asked.name().to_owned();
    let Some(schema) = asked.schema(if shape == Shape::Tools { Shape::Union } else { shape }) else {
        return Form::Words;
    };
    match rung {
        Rung::Tools => match asked.schema(Shape::Tools) {
            Some(Value::Array(tools)) => Form::Tools { tools, whole: false },
            _ => whole_tool(&name, schema),
        },
        Rung::Tool => whole_tool(&name, schema),
        Rung::Schema => Form::Schema { name, schema },
        Rung::Object => Form::Object,
        Rung::Words => Form::Words,
    }
}

fn whole_tool(name: &str, schema: Value) -> Form {
    let tool = json!({ "name": name, "description": "Your whole answer.", "parameters": schema });
    Form::Tools { tools: vec![tool], whole: true }
}

/// The system words, with the schema where the form alone does not tell it to the model.
pub(crate) fn system(prompt: &Prompt, form: &Form, provider: Provider, shape: Shape) -> String {
    let shape = if shape == Shape::Tools { Shape::Union } else { shape };
    // a server of one's own holds an answer to its schema, but the model itself does not see it
    let hidden = match form {
        Form::Words | Form::Object => true,
        Form::Schema { .. } => provider.is_own(),
        Form::Tools { .. } => false,
    };
    match prompt.asked.schema(shape).filter(|_| hidden) {
        None => prompt.system.clone(),
        Some(schema) => format!(
            "{}\n\n# The form of your answer\nAnswer with JSON that fits this JSON Schema, and nothing else:\n{schema}",
            prompt.system
        ),
    }
}

/// The message in two parts: the task, which stays, and the rest.
pub(crate) fn halves(prompt: &Prompt) -> (String, String) {
    let message = prompt.message();
    let task = format!("# Task\n{}\n", prompt.task);
    match message.strip_prefix(&task) {
        Some(rest) => (task, rest.to_owned()),
        None => (message, String::new()),
    }
}

/// What a lesson says of the form of such an answer.
pub(crate) fn learnt(lesson: &Lesson, asked: &Asked) -> Option<Rung> {
    match asked {
        Asked::Actions(_) => lesson.actions,
        Asked::Data { .. } => lesson.data,
        _ => None,
    }
}

/// Tool calls as the text that the decoder reads.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Name, and arguments as they came: an object, or a text that should hold one.
    calls: Vec<(String, Value)>,
}

impl Calls {
    pub(crate) fn add(&mut self, name: &str, arguments: Value) {
        self.calls.push((name.to_owned(), arguments));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// The text of an answer with what was said beside the calls. Of several whole answers the first counts: what comes after
    /// it was written for a page that nobody has seen.
    pub(crate) fn text(mut self, said: String, form: &Form) -> String {
        let whole = match form {
            Form::Tools { tools, whole: true } => tools.first().and_then(|tool| tool["name"].as_str()),
            // some call what they were only asked to write
            Form::Schema { name, .. } => Some(name.as_str()),
            _ => None,
        };
        if let Some(at) = whole.and_then(|whole| self.calls.iter().position(|(name, _)| name == whole)) {
            return match self.calls.swap_remove(at).1 {
                Value::String(text) => text,
                arguments => arguments.to_string(),
            };
        }
        if self.calls.is_empty() {
            return said;
        }
        let calls: Vec<Value> =
            self.calls.into_iter().map(|(name, arguments)| json!({ "name": name, "arguments": arguments })).collect();
        json!({ "tool_calls": calls }).to_string()
    }
}

/// A count in an answer; zero where there is none.
pub(crate) fn count(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}
