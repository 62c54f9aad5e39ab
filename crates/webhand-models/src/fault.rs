//! What a provider's refusal means: a fault in plain words, or that it wants to be asked in another way. Pure.

use std::time::SystemTime;

use reqwest::{StatusCode, header::HeaderMap};
use webhand_agent::{ModelError, SetUpFault};

use crate::{
    complaint::Complaint,
    order::{Form, Order},
    wait,
};

/// What follows from a refusal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// It does not take the form in which the answer is asked for.
    Form(String),
    /// It takes no temperature.
    Temperature,
    /// It has another name for the longest answer.
    Limit,
    /// It takes no pictures.
    Images,
    /// It does not answer that.
    Filtered(String),
    /// What the model wrote, which the provider did not take for the form it should have.
    Written(String),
    /// There is no answer.
    Fault(ModelError),
}

/// A refusal as it came.
#[derive(Debug)]
pub(crate) struct Refusal<'a> {
    pub(crate) status: StatusCode,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) complaint: Complaint,
}

const NO_CREDIT: &[&str] = &[
    "insufficient_quota",
    "insufficient balance",
    "insufficient credits",
    "insufficient_credits",
    "credit balance is too low",
    "billing_error",
    "billing_not_active",
    "billing_hard_limit",
    "used all available credits",
    "spending limit",
    "spending-limit",
    "payment required",
];

const BAD_KEY: &[&str] = &[
    "api key not valid",
    "api_key_invalid",
    "invalid_api_key",
    "incorrect api key",
    "invalid api key",
    "authentication_error",
    "api key expired",
    "unrecognizedclient",
    "security token included in the request is invalid",
];

const NO_MODEL: &[&str] = &[
    "model_not_found",
    "modelnotfound",
    "invalid_model",
    "invalid model",
    "not a valid model",
    "model identifier is invalid",
    "deploymentnotfound",
    "unknown model",
    "unknown_model",
    "model not exist",
    "model does not exist",
    "model_not_available",
    "model_decommissioned",
];

const TOO_LONG: &[&str] = &[
    "context_length_exceeded",
    "context length",
    "context window",
    "context_window",
    "context size",
    "exceed_context_size",
    "prompt is too long",
    "prompt too long",
    "prompt length",
    "input is too long",
    "input length",
    "input token count",
    "too many input tokens",
    "too many tokens",
    "too large for model",
    "request too large",
    "request_too_large",
    "reduce the length",
    "string_above_max_length",
    "maximum number of tokens",
    "string too long",
];

const FORM: &[&str] = &[
    "response_format",
    "response format",
    "responseformat",
    "responsejsonschema",
    "response_json_schema",
    "responsemimetype",
    "response_mime_type",
    "response mime type",
    "json_object",
    "json mode",
    "schema",
    "output_config",
    "output_format",
    "structured output",
    "too many states",
    "grammar",
    "guided",
    "tool",
    "function",
];

/// What a refusal to that order means.
pub(crate) fn judge(name: &str, order: &Order<'_>, refusal: Refusal<'_>) -> Trouble {
    let Refusal { status, headers, complaint } = refusal;
    let all = complaint.all();
    let says = |list: &[&str]| list.iter().any(|word| all.contains(word));
    if let Some(trouble) = asks_otherwise(order, status, &complaint, &all) {
        return trouble;
    }
    let reason = if complaint.words.is_empty() { words_of(status) } else { complaint.words.clone() };
    let set_up = |fault| Trouble::Fault(ModelError::SetUp { name: name.to_owned(), fault, reason: reason.clone() });
    let too_long = || Trouble::Fault(ModelError::TooLong { name: name.to_owned(), reason: reason.clone() });
    let unreachable = || Trouble::Fault(ModelError::Unreachable { name: name.to_owned(), reason: reason.clone() });
    let garbled = || {
        let reason = format!("status {}, {reason}", status.as_u16());
        Trouble::Fault(ModelError::Garbled { name: name.to_owned(), reason })
    };
    match status.as_u16() {
        300..=399 => set_up(SetUpFault::BadAddress),
        401 => set_up(SetUpFault::BadKey),
        402 => set_up(SetUpFault::NoCredit),
        413 => too_long(),
        403 | 429 if says(NO_CREDIT) => set_up(SetUpFault::NoCredit),
        403 if complaint.html => garbled(),
        403 => set_up(SetUpFault::BadKey),
        // a whole minute's tokens would not be enough: it is the prompt that is too large
        429 if all.contains("request too large") => too_long(),
        429 => {
            let again_after = wait::again_after(headers, complaint.again_after, &complaint.words, SystemTime::now());
            Trouble::Fault(ModelError::Limited { name: name.to_owned(), reason, again_after })
        }
        404 if complaint.json && (all.contains("model") || says(NO_MODEL)) => set_up(SetUpFault::NoModel),
        404 | 405 => set_up(SetUpFault::BadAddress),
        408 | 409 | 421 | 425 | 499 => unreachable(),
        400..=499 if says(BAD_KEY) => set_up(SetUpFault::BadKey),
        400..=499 if says(NO_CREDIT) => set_up(SetUpFault::NoCredit),
        400..=499 if says(NO_MODEL) => set_up(SetUpFault::NoModel),
        400..=599 if says(TOO_LONG) => too_long(),
        400..=499 if complaint.html => garbled(),
        400..=499 => set_up(SetUpFault::BadRequest),
        500..=599 => unreachable(),
        _ => garbled(),
    }
}

/// What the provider wants to be asked in another way, where it says so.
fn asks_otherwise(order: &Order<'_>, status: StatusCode, complaint: &Complaint, all: &str) -> Option<Trouble> {
    let says = |list: &[&str]| list.iter().any(|word| all.contains(word));
    let code = status.as_u16();
    if let Some(written) = &complaint.written {
        return Some(Trouble::Written(written.clone()));
    }
    let stands = !says(TOO_LONG) && !says(BAD_KEY) && !says(NO_CREDIT) && !says(NO_MODEL);
    let formed = order.form != Form::Words;
    match code {
        400 | 403 if says(&["content_filter", "content management policy", "content_policy_violation"]) => {
            Some(Trouble::Filtered(complaint.words.clone()))
        }
        // a router that finds no host for what was asked for
        404 if all.contains("endpoints found") && all.contains("image") && !order.images.is_empty() => {
            Some(Trouble::Images)
        }
        404 if formed && all.contains("endpoints found") && says(&["parameter", "tool", "response", "structured"]) => {
            Some(Trouble::Form(complaint.words.clone()))
        }
        400 | 422 if !stands => None,
        400 | 422 if order.temperature.is_some() && all.contains("temperature") => Some(Trouble::Temperature),
        400 | 422
            if order.longest_answer.is_some()
                && all.contains("max_tokens")
                && all.contains("max_completion_tokens") =>
        {
            Some(Trouble::Limit)
        }
        400 | 422 if !order.images.is_empty() && says(&["image", "vision", "multimodal"]) => Some(Trouble::Images),
        400 | 404 | 422 if code != 404 && says(FORM) => Some(Trouble::Form(complaint.words.clone())),
        500 | 501 if formed && says(&["grammar", "schema", "tools param", "tool_choice", "response_format"]) => {
            Some(Trouble::Form(complaint.words.clone()))
        }
        _ => None,
    }
}

fn words_of(status: StatusCode) -> String {
    let words = status.canonical_reason().unwrap_or("an unknown status");
    format!("status {} ({words})", status.as_u16())
}
