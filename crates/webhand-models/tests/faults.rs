//! What goes wrong with providers, in their own words and statuses, and what comes of it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod server;

use proptest::prelude::*;
use serde_json::{Value, json};
use server::{Say, Server, clicks, html, ok, prompt, say, seeing, step};
use std::time::{Duration, UNIX_EPOCH};
use webhand_agent::{Finish, Model as _, ModelError, SetUpFault};
use webhand_models::{Learnt, ModelSetup, Rung};

/// What came of an answer that a provider gave.
async fn error(spec: &str, answer: Say) -> ModelError {
    let server = Server::saying([answer]).await;
    let error = server.model(spec).reply(&prompt()).await.unwrap_err();
    assert_eq!(server.heard().len(), 1, "nothing is asked again by itself: {error}");
    assert!(!format!("{error} {error:?}").contains("canary"), "{error}");
    error
}

fn fault(error: &ModelError) -> Option<SetUpFault> {
    match error {
        ModelError::SetUp { fault, .. } => Some(*fault),
        _ => None,
    }
}

fn openai(message: &str, kind: &str, code: Value) -> Value {
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

fn anthropic(kind: &str, message: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy" })
}

fn gemini(code: u16, status: &str, message: &str) -> Value {
    json!({ "error": { "code": code, "message": message, "status": status } })
}

#[tokio::test]
async fn set_up_faults_are_told_apart() {
    use SetUpFault::*;
    let quota = "You exceeded your current quota, please check your plan and billing details.";
    let gone = "The model `gpt-9` does not exist or you do not have access to it.";
    let key = "Incorrect API key provided: k-canary. You can find your API key at …";
    let expired = json!({ "error": { "code": 400, "message": "API key not valid. Please pass a valid API key.",
        "status": "INVALID_ARGUMENT", "details": [{ "reason": "API_KEY_INVALID" }] } });
    let cases: Vec<(&str, Say, SetUpFault)> = vec![
        ("openai/x", say(401, openai(key, "invalid_request_error", json!("invalid_api_key"))), BadKey),
        ("openai/x", say(404, openai(gone, "invalid_request_error", json!("model_not_found"))), NoModel),
        ("openai/x", say(429, openai(quota, "insufficient_quota", json!("insufficient_quota"))), NoCredit),
        ("openai/x", say(400, openai("n must be 1", "invalid_request_error", Value::Null)), BadRequest),
        ("openai/x", html(404, "<html><title>Not Found</title></html>"), BadAddress),
        ("openai/x", say(302, json!({})).header("location", "http://127.0.0.1:1/"), BadAddress),
        ("anthropic/x", say(401, anthropic("authentication_error", "invalid x-api-key")), BadKey),
        ("anthropic/x", say(403, anthropic("permission_error", "not for this key")), BadKey),
        ("anthropic/x", say(404, anthropic("not_found_error", "model: x")), NoModel),
        (
            "anthropic/x",
            say(400, anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API.")),
            NoCredit,
        ),
        ("gemini/x", say(400, expired), BadKey),
        ("gemini/x", say(404, gemini(404, "NOT_FOUND", "models/x is not found for API version v1beta")), NoModel),
        ("ollama/x", say(404, json!({ "error": "model \"x\" not found, try pulling it first" })), NoModel),
        (
            "openrouter/a/b",
            say(402, json!({ "error": { "code": 402, "message": "This request requires more credits" } })),
            NoCredit,
        ),
        (
            "openrouter/a/b",
            say(400, json!({ "error": { "code": 400, "message": "a/b is not a valid model ID" } })),
            NoModel,
        ),
        (
            "deepseek/x",
            say(402, openai("Insufficient Balance", "unknown_error", json!("invalid_request_error"))),
            NoCredit,
        ),
        ("mistral/x", say(401, json!({ "message": "Unauthorized", "request_id": "1" })), BadKey),
        (
            "mistral/x",
            say(
                400,
                json!({ "object": "error", "message": "Invalid model: x", "type": "invalid_model", "code": "1500" }),
            ),
            NoModel,
        ),
        (
            "xai/x",
            say(
                400,
                json!({ "code": "Client specified an invalid argument", "error": "Incorrect API key provided: k-canary." }),
            ),
            BadKey,
        ),
        (
            "azure/x",
            say(
                404,
                json!({ "error": { "code": "DeploymentNotFound", "message": "The API deployment for this resource does not exist." } }),
            ),
            NoModel,
        ),
        (
            "bedrock/x",
            say(400, json!({ "message": "The provided model identifier is invalid." }))
                .header("x-amzn-errortype", "ValidationException"),
            NoModel,
        ),
        ("bedrock/x", say(403, json!({ "Message": "Bearer token is invalid" })), BadKey),
    ];
    for (spec, answer, expected) in cases {
        let shown = format!("{spec} {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        let error = error(spec, answer).await;
        assert_eq!(fault(&error), Some(expected), "{shown}: {error}");
        assert!(!error.may_pass() && error.hint().is_some());
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_told_whoever_says_it() {
    let long = "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens \
                (129000 in the messages, 1012 in the functions).";
    let minute = "Request too large for gpt-4.1 on tokens per min (TPM): Limit 30000, Requested 50000.";
    let exceeded = json!({ "error": { "code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 9, "n_ctx": 4,
        "message": "the request exceeds the available context size. try increasing the context size or enable shift" } });
    let cases = [
        ("openai/x", say(400, openai(long, "invalid_request_error", json!("context_length_exceeded")))),
        ("openai/x", say(429, openai(minute, "tokens", json!("rate_limit_exceeded")))),
        ("openai/x", html(413, "<html>413 Request Entity Too Large</html>")),
        ("anthropic/x", say(413, anthropic("request_too_large", "Request exceeds the maximum size"))),
        (
            "anthropic/x",
            say(400, anthropic("invalid_request_error", "prompt is too long: 209132 tokens > 200000 maximum")),
        ),
        (
            "gemini/x",
            say(
                400,
                gemini(
                    400,
                    "INVALID_ARGUMENT",
                    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                ),
            ),
        ),
        ("local/x", say(400, exceeded)),
        (
            "mistral/x",
            say(
                400,
                json!({ "object": "error", "type": "invalid_request_error",
                "message": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length" }),
            ),
        ),
        (
            "xai/x",
            say(
                400,
                json!({ "code": "Client specified an invalid argument",
                "error": "This model's maximum prompt length is 131072 but the request contains 140000 tokens." }),
            ),
        ),
        (
            "bedrock/x",
            say(400, json!({ "message": "Input is too long for requested model." }))
                .header("x-amzn-errortype", "ValidationException"),
        ),
    ];
    for (spec, answer) in cases {
        let error = error(spec, answer).await;
        assert_eq!(error.code(), "context_too_long", "{spec}: {error}");
    }
}

#[tokio::test]
async fn whoever_is_asked_too_often_says_when_again() {
    let again = |error: ModelError| match error {
        ModelError::Limited { again_after, .. } => again_after.map(|wait| wait.as_millis()),
        other => panic!("{other}"),
    };
    let limit = || openai("Rate limit reached for requests", "requests", json!("rate_limit_exceeded"));
    assert_eq!(again(error("openai/x", say(429, limit()).header("retry-after", "7")).await), Some(7_000));
    assert_eq!(again(error("openai/x", say(429, limit()).header("retry-after-ms", "120")).await), Some(120));
    let spoken = openai("Rate limit reached. Please try again in 1m2.5s.", "tokens", json!("rate_limit_exceeded"));
    assert_eq!(again(error("groq/x", say(429, spoken)).await), Some(62_500));
    assert_eq!(again(error("openai/x", say(429, limit())).await), None);
    let at = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(30));
    let limited = anthropic("rate_limit_error", "This request would exceed your organization's rate limit");
    let wait = again(error("anthropic/x", say(429, limited).header("retry-after", &at)).await).unwrap();
    assert!((20_000..=30_000).contains(&wait), "{wait}");
    // its words are those with which others say that nothing is paid any more
    let exhausted = json!({ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED",
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "details": [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s" }] } });
    assert_eq!(again(error("gemini/x", say(429, exhausted)).await), Some(34_500));
    let throttled = say(429, json!({ "message": "Too many requests, please wait before trying again." }))
        .header("x-amzn-errortype", "ThrottlingException");
    assert_eq!(again(error("bedrock/x", throttled).await), None);
    let past = httpdate::fmt_http_date(UNIX_EPOCH);
    assert_eq!(again(error("openai/x", say(429, limit()).header("retry-after", &past)).await), Some(0));
}

#[tokio::test]
async fn what_is_down_and_what_is_no_answer() {
    for (spec, answer, code) in [
        ("openai/x", say(500, openai("The server had an error", "server_error", Value::Null)), "model_unreachable"),
        ("openai/x", html(502, "<html><title>502 Bad Gateway</title></html>"), "model_unreachable"),
        ("anthropic/x", say(529, anthropic("overloaded_error", "Overloaded")), "model_unreachable"),
        ("gemini/x", say(503, gemini(503, "UNAVAILABLE", "The model is overloaded.")), "model_unreachable"),
        (
            "local/x",
            say(503, json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } })),
            "model_unreachable",
        ),
        (
            "openrouter/a/b",
            ok(json!({ "error": { "code": 502, "message": "Provider returned error" } })),
            "model_unreachable",
        ),
        ("openrouter/a/b", ok(json!({ "error": { "code": 429, "message": "Rate limited" } })), "model_limited"),
        ("openai/x", html(200, "<!DOCTYPE html><html><title>Sign in</title></html>"), "model_garbled"),
        ("openai/x", html(403, "<!DOCTYPE html><html><title>Just a moment...</title></html>"), "model_garbled"),
        ("openai/x", say(200, json!({ "object": "list", "data": [] })), "model_garbled"),
        ("anthropic/x", ok(json!({})), "model_garbled"),
        ("gemini/x", ok(json!({ "usageMetadata": {} })), "model_garbled"),
        ("openai/x", html(200, ""), "model_garbled"),
        ("openai/x", html(200, "data: {\"choices\":[]}\n\n"), "model_garbled"),
        ("openai/x", html(200, "{\"choices\": [{\"message\": {\"cont"), "model_garbled"),
    ] {
        let error = error(spec, answer).await;
        assert_eq!(error.code(), code, "{spec}: {error}");
        assert!(error.may_pass());
    }
    let page = error("openai/x", html(200, "<!DOCTYPE html><html><title>Sign in</title></html>")).await;
    assert!(page.to_string().contains("a web page titled \"Sign in\""), "{page}");
}

#[tokio::test]
async fn nobody_at_an_address_of_ones_own_is_a_fault_of_set_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let model = ModelSetup::new("local/x").address(address).build().unwrap();
    assert_eq!(fault(&model.reply(&prompt()).await.unwrap_err()), Some(SetUpFault::BadAddress));
    let model = ModelSetup::new("ollama/x").address("http://no-such-host.invalid").build().unwrap();
    assert_eq!(fault(&model.reply(&prompt()).await.unwrap_err()), Some(SetUpFault::BadAddress));
}

fn chat(text: &str) -> Say {
    let message = json!({ "role": "assistant", "content": text });
    ok(json!({ "model": "x", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }))
}

fn no_schema() -> Say {
    let words = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";
    say(400, openai(words, "invalid_request_error", Value::Null))
}

#[tokio::test]
async fn a_refused_schema_leads_one_rung_down_at_once_and_is_remembered() {
    let no_tools = || say(400, openai("tools is not supported in this model.", "invalid_request_error", Value::Null));
    let text = format!("Sure:\n```json\n{}\n```", step());
    let server = Server::saying([no_schema(), no_tools(), chat(&text), chat(&text)]).await;
    let learnt = Learnt::default();
    let model = server.setup("openai/x").learnt(learnt.clone()).build().unwrap();
    assert_eq!(model.rung(&prompt().asked), Rung::Schema);
    assert!(clicks(&model.reply(&prompt()).await.unwrap()));
    assert_eq!(model.rung(&prompt().asked), Rung::Object);
    let heard = server.heard();
    assert_eq!(heard.len(), 3);
    assert_eq!(heard[1].body["tools"][0]["function"]["name"], "step");
    assert!(heard[1].body.get("response_format").is_none());
    assert_eq!(heard[2].body["response_format"], json!({ "type": "json_object" }));
    assert!(heard[2].body["messages"][0]["content"].as_str().unwrap().contains("JSON Schema"));
    // a new model that is handed what was learnt begins where the other ended
    let kept = Learnt::from_json(&learnt.to_json()).unwrap();
    let again = server.setup("openai/x").learnt(kept).build().unwrap();
    assert!(clicks(&again.reply(&prompt()).await.unwrap()));
    assert_eq!(server.heard().len(), 4);
    // other data is asked for in the surest form still
    assert_eq!(again.rung(&webhand_agent::Asked::Words), Rung::Words);
    assert_eq!(learnt.lessons().values().next().unwrap().data, None);
}

#[tokio::test]
async fn where_every_form_is_refused_that_is_a_fault_of_set_up() {
    let server = Server::saying([no_schema(), no_schema(), no_schema(), no_schema()]).await;
    let error = server.model("openai/x").reply(&prompt()).await.unwrap_err();
    assert_eq!(fault(&error), Some(SetUpFault::SchemaRefused));
    assert_eq!(server.heard().len(), 4);
    assert!(server.heard()[3].body.get("response_format").is_none());
}

#[tokio::test]
async fn every_dialect_steps_down_in_its_own_words() {
    let message = |text: &str| {
        ok(json!({ "type": "message", "model": "x", "stop_reason": "end_turn", "usage": {},
                   "content": [{ "type": "text", "text": text }] }))
    };
    let candidate = |text: &str| {
        ok(json!({ "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }] }))
    };
    let text = step().to_string();
    let states = "The specified schema produces a constraint that has too many states for serving.";
    let router = "No endpoints found that can handle the requested parameters.";
    let cases = [
        (
            "anthropic/x",
            vec![
                say(
                    400,
                    anthropic(
                        "invalid_request_error",
                        "tool_choice forces tool use is not compatible with this model.",
                    ),
                ),
                say(400, anthropic("invalid_request_error", "Schemas contains too many parameters with union types")),
                message(&text),
            ],
            Rung::Words,
        ),
        ("gemini/x", vec![say(400, gemini(400, "INVALID_ARGUMENT", states)), candidate(&text)], Rung::Tool),
        (
            "openrouter/a/b",
            vec![say(404, json!({ "error": { "code": 404, "message": router } })), chat(&text)],
            Rung::Tool,
        ),
        (
            "groq/x",
            vec![
                say(
                    400,
                    openai(
                        "This model does not support response format `json_schema`.",
                        "invalid_request_error",
                        Value::Null,
                    ),
                ),
                chat(&text),
            ],
            Rung::Tool,
        ),
        (
            "mistral/x",
            vec![
                say(
                    422,
                    json!({ "detail": [{ "type": "extra_forbidden", "loc": ["body", "response_format", "json_schema"], "msg": "no" }] }),
                ),
                chat(&text),
            ],
            Rung::Tool,
        ),
        (
            "local/x",
            vec![
                say(
                    500,
                    json!({ "error": { "code": 500, "message": "failed to parse grammar", "type": "server_error" } }),
                ),
                chat(&text),
            ],
            Rung::Tool,
        ),
        (
            "bedrock/x",
            vec![
                say(400, json!({ "message": "This model doesn't support tool use." })),
                ok(
                    json!({ "output": { "message": { "content": [{ "text": text }] } }, "stopReason": "end_turn", "usage": {} }),
                ),
            ],
            Rung::Words,
        ),
        (
            "ollama/x",
            vec![
                say(500, json!({ "error": "failed to parse grammar" })),
                ok(
                    json!({ "model": "x", "message": { "role": "assistant", "content": text }, "done": true, "done_reason": "stop" }),
                ),
            ],
            Rung::Object,
        ),
    ];
    for (spec, answers, rung) in cases {
        let asked = answers.len();
        let server = Server::saying(answers).await;
        let model = server.model(spec);
        let reply = model.reply(&prompt()).await.unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert!(clicks(&reply), "{spec}");
        assert_eq!((server.heard().len(), model.rung(&prompt().asked)), (asked, rung), "{spec}");
    }
}

#[tokio::test]
async fn what_else_a_model_does_not_take_is_left_out_and_remembered() {
    let temperature = say(
        400,
        json!({ "error": { "message": "Unsupported value: 'temperature' does not support 0.5 with this model.",
            "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value" } }),
    );
    let limit = say(
        400,
        json!({ "error": { "message": "Unsupported parameter: 'max_completion_tokens' is not supported, use 'max_tokens'.",
            "type": "invalid_request_error", "param": "max_completion_tokens", "code": "unsupported_parameter" } }),
    );
    let images =
        say(400, openai("Invalid content type. image_url is only supported by certain models.", "x", Value::Null));
    let server = Server::saying([temperature, limit, images, chat("{}"), chat("{}")]).await;
    let model = server.setup("openai/x").temperature(0.5).longest_answer(90).images(true).build().unwrap();
    assert!(model.abilities().images);
    model.reply(&seeing()).await.unwrap();
    model.reply(&seeing()).await.unwrap();
    let heard = server.heard();
    assert_eq!(heard.len(), 5);
    for last in &heard[3..] {
        assert!(last.body.get("temperature").is_none() && last.body.get("max_completion_tokens").is_none());
        assert_eq!(last.body["max_tokens"], 90);
        assert!(last.body["messages"][1]["content"].is_string());
        assert_eq!(last.body["response_format"]["type"], "json_schema", "the form was not refused");
    }
    assert!(!model.abilities().images);
}

#[tokio::test]
async fn what_a_provider_holds_back_or_wrote_itself_is_an_answer() {
    let policy = json!({ "error": { "code": "content_filter", "status": 400, "param": "prompt", "type": null,
        "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy." } });
    let server = Server::saying([say(400, policy)]).await;
    let reply = server.model("azure/x").reply(&prompt()).await.unwrap();
    assert_eq!((reply.finish, reply.text.contains("content management policy")), (Finish::Filtered, true));
    let failed = json!({ "error": { "message": "Failed to generate JSON.", "type": "invalid_request_error",
        "code": "json_validate_failed", "failed_generation": format!("```{}", step()) } });
    let server = Server::saying([say(400, failed)]).await;
    assert!(clicks(&server.model("groq/x").reply(&prompt()).await.unwrap()));
}

#[tokio::test]
async fn a_large_answer_is_bounded() {
    let server = Server::saying([html(200, &"x".repeat(17 * 1024 * 1024))]).await;
    let error = server.model("openai/x").reply(&prompt()).await.unwrap_err();
    assert_eq!(error.code(), "model_garbled");
    assert!(error.to_string().contains("larger than"));
}

#[tokio::test]
async fn a_tiny_call_checks_a_model() {
    let server = Server::saying([chat("{\"ready\": true}"), chat("hello"), say(401, json!({ "error": "no" }))]).await;
    let model = server.model("openai/gpt-4.1");
    let checked = webhand_models::check(&model, Duration::from_secs(5)).await.unwrap();
    assert!(checked.understood && checked.answered_by == "x");
    assert!(!webhand_models::check(&model, Duration::from_secs(5)).await.unwrap().understood);
    let error = webhand_models::check(&model, Duration::from_secs(5)).await.unwrap_err();
    assert_eq!(fault(&error), Some(SetUpFault::BadKey));
    assert!(server.heard()[0].body.to_string().len() < 1_000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_with_any_status_are_survived(
        status in 200u16..600,
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        json in proptest::option::of("(\\{|\\[|\"|:|,|\\}|\\]|error|choices|message|content|null|1| ){0,40}"),
        which in 0usize..5,
    ) {
        let spec = ["openai/x", "anthropic/x", "gemini/x", "ollama/x", "bedrock/x"][which];
        let body = json.map(String::into_bytes).unwrap_or(bytes);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let answer = Say { status, headers: Vec::new(), body };
            let server = Server::saying(vec![answer; 8]).await;
            let _ = server.model(spec).reply(&prompt()).await;
        });
    }
}
