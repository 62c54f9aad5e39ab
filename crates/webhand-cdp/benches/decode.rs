//! A reply of 10 MB: envelope and content in one typed pass, beside the same through `serde_json::Value`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use webhand_cdp::envelope::{reply, route};
use webhand_cdp::framing::Framer;
use webhand_cdp::protocol::accessibility::GetFullAXTreeReply;

const SIZE: usize = 10 * 1024 * 1024;

/// Something like an accessibility tree.
fn message() -> String {
    let mut nodes = String::new();
    while nodes.len() < SIZE {
        let id = nodes.len();
        let comma = if nodes.is_empty() { "" } else { "," };
        nodes.push_str(&format!(
            r#"{comma}{{"nodeId":"{id}","ignored":false,"role":{{"type":"role","value":"button"}},"name":{{"type":"computedString","value":"Save \u4fdd\u5b58 {id}"}},"properties":[{{"name":"focusable","value":{{"type":"booleanOrUndefined","value":true}}}}],"parentId":"1","childIds":["{id}1","{id}2"],"backendDOMNodeId":{id}}}"#
        ));
    }
    format!(r#"{{"id":7,"result":{{"nodes":[{nodes}]}},"sessionId":"S"}}"#)
}

fn decode(criterion: &mut Criterion) {
    let text = message();
    let mut group = criterion.benchmark_group("reply of 10 MB");
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
    group.bench_function("framing", |bencher| {
        let stream = [text.as_bytes(), &[0]].concat();
        let feed = |stream: &[u8]| {
            let mut framer = Framer::new(usize::MAX);
            for chunk in stream.chunks(64 * 1024) {
                framer.buffer().extend_from_slice(chunk);
                if let Some(frame) = framer.next_frame() {
                    return Some(frame);
                }
            }
            None
        };
        bencher.iter(|| feed(&stream));
    });
    group.bench_function("routing", |bencher| bencher.iter(|| route(&text)));
    group.bench_function("typed", |bencher| {
        bencher.iter(|| {
            reply::<GetFullAXTreeReply>(&text, "Accessibility.getFullAXTree", None).map(|tree| tree.nodes.len())
        });
    });
    group.bench_function("untyped", |bencher| {
        bencher.iter(|| serde_json::from_str::<serde_json::Value>(&text).map(|value| value.is_object()));
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
