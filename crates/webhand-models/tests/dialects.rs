//! What is sent to each provider, and what is read out of its answers, in the providers' own wire formats.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod server;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use server::{Server, clicks, decided, ok, prompt, seeing, step};
use webhand_action::schema::Shape;
use webhand_agent::{Finish, Model as _};

/// The picture of [`seeing`].
fn picture() -> String {
    STANDARD.encode([0xff, 0xd8, 0xff])
}

fn chat(message: Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952,
        "model": "gpt-4.1-2025-04-14",
        "choices": [{ "index": 0, "message": message, "logprobs": null, "finish_reason": finish }],
        "usage": {
            "prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100,
            "prompt_tokens_details": { "cached_tokens": 400, "audio_tokens": 0 },
            "completion_tokens_details": { "reasoning_tokens": 0 }
        },
        "service_tier": "default"
    })
}

fn said(text: &str) -> Value {
    json!({ "role": "assistant", "content": text, "refusal": null, "annotations": [] })
}

fn called(name: &str, arguments: &str) -> Value {
    json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "call_1", "type": "function", "function": { "name": name, "arguments": arguments } }
    ] })
}

#[tokio::test]
async fn openai_is_asked_for_a_strict_schema_and_counts_are_kept() {
    let server = Server::saying([ok(chat(said(&step().to_string()), "stop"))]).await;
    let model = server.setup("openai/gpt-4.1").temperature(0.5).longest_answer(900).build().unwrap();
    let reply = model.reply(&seeing()).await.unwrap();
    assert!(clicks(&reply));
    assert_eq!(reply.finish, Finish::Stop);
    assert_eq!((reply.usage.input, reply.usage.output, reply.usage.cached), (1_000, 100, 400));
    assert_eq!(reply.usage.micro_usd, Some(600 * 2 + 400 / 2 + 100 * 8));
    assert_eq!(reply.answered_by.as_deref(), Some("gpt-4.1-2025-04-14"));
    let heard = server.only();
    assert_eq!(heard.path, "/v1/chat/completions");
    assert_eq!(heard.header("authorization"), "Bearer k-canary");
    assert_eq!(heard.body["model"], "gpt-4.1");
    assert_eq!(heard.body["temperature"], 0.5);
    assert_eq!(heard.body["max_completion_tokens"], 900);
    assert_eq!(heard.body["response_format"]["type"], "json_schema");
    let wanted = &heard.body["response_format"]["json_schema"];
    assert_eq!((&wanted["strict"], &wanted["name"]), (&json!(true), &json!("step")));
    assert!(wanted["schema"]["properties"]["actions"].is_object());
    assert_eq!(heard.body["messages"][0], json!({ "role": "system", "content": "You are hands on the web." }));
    let parts = &heard.body["messages"][1]["content"];
    assert!(parts[0]["text"].as_str().unwrap().starts_with("# Task\nBuy a lamp\n"));
    assert_eq!(parts[1]["image_url"]["url"], format!("data:image/jpeg;base64,{}", picture()));
    assert!(heard.body.get("tools").is_none());
}

#[tokio::test]
async fn a_refusal_and_a_cut_answer_are_told_apart_from_whole_ones() {
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I'm sorry, I can't help with that." });
    let arguments = "{\"actions\":[{\"type\":\"cl";
    let server = Server::saying([
        ok(chat(refusal, "stop")),
        ok(chat(said("{\"actions\": [{\"ty"), "length")),
        ok(chat(json!({ "role": "assistant", "content": "" }), "content_filter")),
        ok(chat(called("step", arguments), "length")),
    ])
    .await;
    let model = server.model("openai/gpt-4.1");
    let refused = model.reply(&prompt()).await.unwrap();
    assert_eq!((refused.finish, refused.text.as_str()), (Finish::Filtered, "I'm sorry, I can't help with that."));
    assert_eq!(model.reply(&prompt()).await.unwrap().finish, Finish::Length);
    let filtered = model.reply(&prompt()).await.unwrap();
    assert_eq!(filtered.finish, Finish::Filtered);
    assert!(filtered.text.contains("held the answer back"));
    let cut = model.reply(&prompt()).await.unwrap();
    assert_eq!((cut.finish, cut.text.contains("\"cl")), (Finish::Length, true));
}

#[tokio::test]
async fn every_host_of_the_same_dialect_is_asked_as_it_wants_it() {
    let arguments = step().to_string();
    for (spec, path, form) in [
        ("groq/openai/gpt-oss-120b", "/v1/chat/completions", "schema"),
        ("xai/grok-4", "/v1/chat/completions", "schema"),
        ("mistral/mistral-large-latest", "/v1/chat/completions", "schema"),
        ("openrouter/qwen/qwen-max", "/v1/chat/completions", "schema"),
        ("deepseek/deepseek-chat", "/v1/chat/completions", "tool"),
        ("local/qwen3", "/v1/chat/completions", "schema"),
        ("azure/my-gpt", "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21", "schema"),
    ] {
        let answer = match form {
            "tool" => chat(called("step", &arguments), "tool_calls"),
            _ => chat(said(&arguments), "stop"),
        };
        let server = Server::saying([ok(answer)]).await;
        let model = server.setup(spec).longest_answer(700).build().unwrap();
        let reply = model.reply(&prompt()).await.unwrap();
        assert!(clicks(&reply), "{spec}");
        let heard = server.only();
        assert_eq!(heard.path, path, "{spec}");
        let name = spec.split_once('/').unwrap().1;
        assert_eq!(heard.body["model"], name, "names are sent as they are");
        let key =
            if spec.starts_with("azure") { ("api-key", "k-canary") } else { ("authorization", "Bearer k-canary") };
        assert_eq!(heard.header(key.0), key.1, "{spec}");
        let limit = if spec.starts_with("azure") { "max_completion_tokens" } else { "max_tokens" };
        assert_eq!(heard.body[limit], 700, "{spec}");
        match form {
            "tool" => {
                assert_eq!(heard.body["tools"][0]["function"]["name"], "step");
                assert_eq!(heard.body["tool_choice"]["function"]["name"], "step");
            }
            _ => assert_eq!(heard.body["response_format"]["json_schema"]["strict"], true, "{spec}"),
        }
        let routed = heard.body["provider"]["require_parameters"] == true;
        assert_eq!(routed, spec.starts_with("openrouter"), "{spec}");
        // a server of one's own shows the model nothing of a schema
        let told = heard.body["messages"][0]["content"].as_str().unwrap().contains("JSON Schema");
        assert_eq!(told, spec.starts_with("local"), "{spec}");
    }
}

#[tokio::test]
async fn thoughts_are_no_part_of_the_text_and_costs_are_taken_from_who_says_them() {
    let mut routed = chat(json!({ "role": "assistant", "content": "{\"a\":1}", "reasoning": "let me think" }), "stop");
    routed["usage"]["cost"] = json!(0.00512);
    let chunks = json!({ "role": "assistant", "content": [
        { "type": "thinking", "thinking": [{ "type": "text", "text": "hm" }] }, { "type": "text", "text": "{\"b\":2}" }
    ] });
    let deep = json!({ "role": "assistant", "content": "{}", "reasoning_content": "so" });
    let server = Server::saying([ok(routed), ok(chat(chunks, "stop")), ok(chat(deep, "stop"))]).await;
    let reply = server.model("openrouter/x/y").reply(&prompt()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.micro_usd), ("{\"a\":1}", Some(5_120)));
    let reply = server.model("mistral/magistral-medium").reply(&prompt()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.usage.micro_usd), ("{\"b\":2}", None));
    assert_eq!(server.model("deepseek/deepseek-reasoner").reply(&prompt()).await.unwrap().text, "{}");
}

#[tokio::test]
async fn one_tool_an_action_where_that_is_asked_for() {
    let message = json!({ "role": "assistant", "content": "I fill it and press.", "tool_calls": [
        { "id": "1", "type": "function",
          "function": { "name": "fill", "arguments": "{\"ref\":\"I1\",\"text\":\"lamp\"}" } },
        { "id": "2", "type": "function", "function": { "name": "click", "arguments": "{\"ref\":\"B5\"}" } }
    ] });
    let server = Server::saying([ok(chat(message, "tool_calls"))]).await;
    let model = server.setup("local/qwen3").shape(Shape::Tools).build().unwrap();
    let reply = model.reply(&prompt()).await.unwrap();
    let names: Vec<String> = decided(&reply).actions.iter().map(|action| action.name().to_owned()).collect();
    assert_eq!(names, ["fill", "click"]);
    assert_eq!(reply.finish, Finish::ToolCalls);
    let heard = server.only();
    let tools = heard.body["tools"].as_array().unwrap();
    assert!(tools.len() >= 3 && tools.iter().any(|tool| tool["function"]["name"] == "click"));
    assert_eq!(heard.body["tool_choice"], "required");
}

fn message(content: Value, stop: &str) -> Value {
    json!({
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant",
        "model": "claude-sonnet-4-5-20250929", "content": content, "stop_reason": stop, "stop_sequence": null,
        "usage": { "input_tokens": 100, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 700,
                   "output_tokens": 50 }
    })
}

#[tokio::test]
async fn anthropic_gets_one_forced_tool_and_marks_of_what_stays() {
    let content = json!([
        { "type": "thinking", "thinking": "hm", "signature": "s" },
        { "type": "text", "text": "I'll buy it." },
        { "type": "tool_use", "id": "toolu_01", "name": "step", "input": step() },
        { "type": "tool_use", "id": "toolu_02", "name": "step", "input": { "actions": [] } }
    ]);
    let server = Server::saying([ok(message(content, "tool_use"))]).await;
    let reply = server.model("anthropic/claude-sonnet-4-5").reply(&seeing()).await.unwrap();
    assert!(clicks(&reply));
    assert_eq!(reply.finish, Finish::ToolCalls);
    assert_eq!((reply.usage.input, reply.usage.cached, reply.usage.output), (1_000, 700, 50));
    assert_eq!(reply.usage.micro_usd, Some(100 * 3 + 210 + 750 + 50 * 15));
    let heard = server.only();
    assert_eq!(heard.path, "/v1/messages");
    assert_eq!((heard.header("x-api-key"), heard.header("anthropic-version")), ("k-canary", "2023-06-01"));
    assert_eq!(heard.header("authorization"), "");
    assert_eq!(heard.body["max_tokens"], 8_192);
    let system = &heard.body["system"][0];
    assert_eq!(system["text"], "You are hands on the web.");
    assert_eq!(system["cache_control"], json!({ "type": "ephemeral" }));
    let parts = &heard.body["messages"][0]["content"];
    assert_eq!(parts[0]["text"], "# Task\nBuy a lamp\n");
    assert_eq!(parts[0]["cache_control"]["type"], "ephemeral");
    let source = json!({ "type": "base64", "media_type": "image/jpeg", "data": picture() });
    assert_eq!(parts[1], json!({ "type": "image", "source": source }));
    assert!(parts[2]["text"].as_str().unwrap().contains("B5 button"));
    assert!(parts[2].get("cache_control").is_none());
    assert_eq!(heard.body["tools"][0]["name"], "step");
    assert_eq!(heard.body["tools"][0]["input_schema"]["type"], "object");
    assert_eq!(heard.body["tool_choice"]["name"], "step");
}

#[tokio::test]
async fn anthropic_says_when_it_is_cut_off_or_refuses() {
    let server = Server::saying([
        ok(message(json!([{ "type": "text", "text": "{\"actions\"" }]), "max_tokens")),
        ok(message(json!([]), "refusal")),
        ok(message(json!([{ "type": "text", "text": "{}" }]), "model_context_window_exceeded")),
    ])
    .await;
    let model = server.model("anthropic/claude-sonnet-4-5");
    assert_eq!(model.reply(&prompt()).await.unwrap().finish, Finish::Length);
    let refused = model.reply(&prompt()).await.unwrap();
    assert_eq!((refused.finish, refused.text.contains("refusal")), (Finish::Filtered, true));
    assert_eq!(model.reply(&prompt()).await.unwrap().finish, Finish::Length);
}

fn candidate(parts: Value, finish: &str) -> Value {
    json!({
        "candidates": [{ "content": { "parts": parts, "role": "model" }, "finishReason": finish, "index": 0 }],
        "usageMetadata": { "promptTokenCount": 1000, "candidatesTokenCount": 60, "thoughtsTokenCount": 40,
                           "cachedContentTokenCount": 500, "totalTokenCount": 1100 },
        "modelVersion": "gemini-2.5-flash", "responseId": "abc"
    })
}

#[tokio::test]
async fn gemini_is_asked_for_a_schema_and_its_thoughts_are_left_out() {
    let parts = json!([{ "text": "thinking…", "thought": true }, { "text": step().to_string() }]);
    let server = Server::saying([ok(candidate(parts, "STOP"))]).await;
    let model = server.setup("gemini/gemini-2.5-flash").longest_answer(500).temperature(0.0).build().unwrap();
    let reply = model.reply(&seeing()).await.unwrap();
    assert!(clicks(&reply));
    assert_eq!((reply.usage.input, reply.usage.output, reply.usage.cached), (1_000, 100, 500));
    assert_eq!(reply.answered_by, None, "the model that was asked");
    let heard = server.only();
    assert_eq!(heard.path, "/v1beta/models/gemini-2.5-flash:generateContent");
    assert_eq!(heard.header("x-goog-api-key"), "k-canary");
    let config = &heard.body["generationConfig"];
    assert_eq!(config["responseMimeType"], "application/json");
    assert!(config["responseJsonSchema"]["properties"]["actions"].is_object());
    assert_eq!((&config["maxOutputTokens"], &config["temperature"]), (&json!(500), &json!(0.0)));
    assert_eq!(heard.body["systemInstruction"]["parts"][0]["text"], "You are hands on the web.");
    let image = &heard.body["contents"][0]["parts"][1]["inlineData"];
    assert_eq!(*image, json!({ "mimeType": "image/jpeg", "data": picture() }));
}

#[tokio::test]
async fn gemini_says_what_it_blocks() {
    let blocked = json!({
        "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 8, "totalTokenCount": 8 }, "modelVersion": "gemini-2.5-flash"
    });
    let silent = json!({ "candidates": [{ "finishReason": "SAFETY", "index": 0 }], "usageMetadata": {} });
    let server = Server::saying([
        ok(blocked),
        ok(silent),
        ok(candidate(json!([{ "text": "{\"act" }]), "MAX_TOKENS")),
        ok(candidate(json!([{ "functionCall": { "name": "step", "args": step() } }]), "STOP")),
    ])
    .await;
    let model = server.model("gemini/gemini-2.5-flash");
    for why in ["PROHIBITED_CONTENT", "SAFETY"] {
        let reply = model.reply(&prompt()).await.unwrap();
        assert_eq!((reply.finish, reply.text.contains(why)), (Finish::Filtered, true), "{}", reply.text);
    }
    assert_eq!(model.reply(&prompt()).await.unwrap().finish, Finish::Length);
    let reply = model.reply(&prompt()).await.unwrap();
    assert!(clicks(&reply) && reply.finish == Finish::ToolCalls);
}

#[tokio::test]
async fn ollama_is_told_the_window_that_it_must_have() {
    let answer = json!({
        "model": "qwen3", "created_at": "2025-07-01T12:00:00Z",
        "message": { "role": "assistant", "content": step().to_string(), "thinking": "hm" },
        "done": true, "done_reason": "stop", "total_duration": 1, "prompt_eval_count": 900, "eval_count": 80
    });
    let mut cut = answer.clone();
    cut["done_reason"] = json!("length");
    let half = json!({ "model": "qwen3", "message": { "role": "assistant", "content": "{" }, "done": false });
    let server = Server::saying([ok(answer), ok(cut), ok(half)]).await;
    let model = server.setup("ollama/qwen3").images(true).longest_answer(300).build().unwrap();
    let reply = model.reply(&seeing()).await.unwrap();
    assert!(clicks(&reply));
    assert_eq!((reply.usage.input, reply.usage.output, reply.usage.micro_usd), (900, 80, None));
    assert_eq!(model.reply(&seeing()).await.unwrap().finish, Finish::Length);
    assert_eq!(model.reply(&seeing()).await.unwrap_err().code(), "model_garbled");
    let heard = server.heard().remove(0);
    assert_eq!((heard.path.as_str(), &heard.body["stream"]), ("/api/chat", &json!(false)));
    assert_eq!(
        (&heard.body["options"]["num_ctx"], &heard.body["options"]["num_predict"]),
        (&json!(16_384), &json!(300))
    );
    assert!(heard.body["format"]["properties"]["actions"].is_object());
    assert_eq!(heard.body["messages"][1]["images"], json!([picture()]));
    assert!(heard.body["messages"][0]["content"].as_str().unwrap().contains("JSON Schema"));
}

#[tokio::test]
async fn bedrock_converses() {
    let answer = |content: Value, stop: &str| {
        ok(json!({
            "output": { "message": { "role": "assistant", "content": content } }, "stopReason": stop,
            "usage": { "inputTokens": 300, "outputTokens": 20, "totalTokens": 1020, "cacheReadInputTokens": 700 },
            "metrics": { "latencyMs": 1275 }
        }))
    };
    let call = json!([{ "text": "ok" }, { "toolUse": { "toolUseId": "t1", "name": "step", "input": step() } }]);
    let server = Server::saying([answer(call, "tool_use"), answer(json!([]), "guardrail_intervened")]).await;
    let model = server.setup("bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0").longest_answer(256).build().unwrap();
    let reply = model.reply(&seeing()).await.unwrap();
    assert!(clicks(&reply));
    assert_eq!((reply.usage.input, reply.usage.cached, reply.usage.output), (1_000, 700, 20));
    assert_eq!(model.reply(&prompt()).await.unwrap().finish, Finish::Filtered);
    let heard = server.heard().remove(0);
    assert_eq!(heard.path, "/model/us.anthropic.claude-sonnet-4-20250514-v1:0/converse");
    assert_eq!(heard.header("authorization"), "Bearer k-canary");
    assert_eq!(heard.body["inferenceConfig"]["maxTokens"], 256);
    assert_eq!(heard.body["toolConfig"]["toolChoice"]["tool"]["name"], "step");
    assert!(heard.body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"].is_object());
    assert_eq!(heard.body["messages"][0]["content"][1]["image"]["source"]["bytes"], picture());
}

#[tokio::test]
async fn pictures_go_only_to_models_that_see() {
    let server = Server::saying([ok(chat(said("{}"), "stop"))]).await;
    server.model("openai/some-new-one").reply(&seeing()).await.unwrap();
    assert!(server.only().body["messages"][1]["content"].is_string());
}
