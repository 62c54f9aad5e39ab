//! How long a snapshot takes to be written: a page of 40,000 nodes, and an ordinary one of 800.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use webhand_page::{Control, FormatOptions, List, Node, Outline, ReadOptions, Role, Search, Snapshot, SnapshotFormat};

fn control(number: usize, family: char) -> Box<Control> {
    let control = serde_json::json!({
        "ref": format!("{family}{number}"), "new": false, "tag": "a", "kind": null, "rect": [0.0, 0.0, 10.0, 10.0],
        "attributes": {}, "item": 0, "guessed_name": false, "state": {},
    });
    serde_json::from_value(control).unwrap_or_else(|error| panic!("the control is not one: {error}"))
}

/// Articles of a heading, twelve texts and a list of three links, the first fifty nodes in view.
fn page(nodes: usize) -> Snapshot {
    let mut page = Snapshot::default();
    page.page.title = "Posts".to_owned();
    page.page.url = "http://posts.example/".to_owned();
    let mut push = |depth: u16, role: &str, name: String, control: Option<Box<Control>>| {
        let mut node = Node::default();
        node.depth = depth;
        node.role = Role::new(role);
        node.name = name.into();
        node.in_view = page.nodes.len() < 50;
        node.control = control.map(Into::into);
        page.nodes.push(node);
        page.nodes.len()
    };
    let mut count = push(0, "main", String::new(), None);
    while count < nodes {
        push(1, "article", String::new(), None);
        push(2, "heading", format!("Post {count}"), None);
        for text in 0..12 {
            push(2, "text", format!("invoice {text} of order {count} delivered"), None);
        }
        push(2, "list", String::new(), None);
        for link in 0..3 {
            push(3, "listitem", String::new(), None);
            count = push(4, "link", format!("Open order {count} part {link}"), Some(control(count + link, 'L')));
        }
    }
    page
}

fn formats(criterion: &mut Criterion) {
    for (name, size) in [("800 nodes", 800), ("40,000 nodes", 40_000)] {
        let page = page(size);
        let mut group = criterion.benchmark_group(name);
        let mut whole = FormatOptions::default();
        whole.max_tokens = 0;
        let limited = FormatOptions::default();
        group.bench_function("outline, no limit", |bench| bench.iter(|| Outline.write(black_box(&page), &whole)));
        group.bench_function("outline, 8,000 tokens", |bench| bench.iter(|| Outline.write(black_box(&page), &limited)));
        group.bench_function("list, no limit", |bench| bench.iter(|| List.write(black_box(&page), &whole)));
        group.bench_function("find", |bench| bench.iter(|| page.find(black_box(&Search::text("order 700 part 2")))));
        group.bench_function("read", |bench| bench.iter(|| page.read(black_box(&ReadOptions::default()))));
        group.finish();
    }
}

criterion_group!(benches, formats);
criterion_main!(benches);
