//! The schemas that models are given: kept as snapshots, within their budget, and true to what strict modes accept.

use serde_json::Value;
use webhand_action::{
    catalogue::Catalogue,
    schema::{PageNeeds, SchemaOptions, Shape, token_bound},
};

const SHAPES: [Shape; 3] = [Shape::Union, Shape::Keyed, Shape::Tools];

/// The tokens that the actions of an ordinary page may take, and those that all may.
const BUDGET: usize = 2_500;
const BUDGET_OF_ALL: usize = 3_500;

#[test]
fn every_shape_stays_within_its_budget() {
    let catalogue = Catalogue::built_in();
    let ordinary = catalogue.offered(&PageNeeds::default());
    for shape in SHAPES {
        let options = SchemaOptions::new(shape);
        let all = token_bound(&catalogue.schema(&options));
        let offered = token_bound(&catalogue.schema(&options.offer(ordinary.clone())));
        assert!(offered <= BUDGET, "{}: {offered} tokens on an ordinary page", shape.as_str());
        assert!(all <= BUDGET_OF_ALL, "{}: {all} tokens for all", shape.as_str());
    }
}

/// Calls `look` with every schema object in a value.
fn each_object(value: &Value, look: &mut impl FnMut(&Value)) {
    match value {
        Value::Object(fields) => {
            look(value);
            fields.values().for_each(|inner| each_object(inner, look));
        }
        Value::Array(items) => items.iter().for_each(|inner| each_object(inner, look)),
        _ => {}
    }
}

#[test]
fn strict_modes_accept_every_shape() {
    const ALLOWED: &[&str] =
        &["type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description"];
    for shape in SHAPES {
        let schema = Catalogue::built_in().schema(&SchemaOptions::new(shape));
        each_object(&schema, &mut |object| {
            let Some(properties) = object.get("properties").and_then(Value::as_object) else { return };
            if !object.get("required").is_some_and(Value::is_array) {
                return;
            }
            assert_eq!(object["additionalProperties"], false, "{object}");
            let required: Vec<&str> = object["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            assert_eq!(required, properties.keys().map(String::as_str).collect::<Vec<_>>(), "all keys are required");
            for key in object.as_object().unwrap().keys() {
                assert!(ALLOWED.contains(&key.as_str()), "{key}");
            }
            for (name, property) in properties {
                for key in property.as_object().unwrap().keys() {
                    assert!(ALLOWED.contains(&key.as_str()), "{name}: {key}");
                }
                assert_ne!(name, "selector", "selectors are for scripts");
            }
        });
    }
}

#[test]
fn only_what_is_offered_is_asked_for() {
    let catalogue = Catalogue::built_in();
    assert!(!catalogue.offered(&PageNeeds::default()).contains(&"dialog"));
    assert!(catalogue.offered(&PageNeeds::with_dialog(true)).contains(&"dialog"));
    let plain = catalogue.offered(&PageNeeds::default());
    let all = PageNeeds::with_dialog(true).and_uploads(true).and_folder(true).and_history(true, true);
    let all = all.and_person(true).and_captcha(true).and_codes(true);
    let all = all.and_scripts(true).and_viewport(true).and_extractor(true);
    assert_eq!(catalogue.offered(&all).len(), catalogue.specs().len());
    for (needs, names) in [
        (PageNeeds::default().and_uploads(true), &["upload"][..]),
        (PageNeeds::default().and_folder(true), &["file", "pdf"]),
        (PageNeeds::default().and_history(true, false), &["back"]),
        (PageNeeds::default().and_scripts(true), &["evaluate"]),
        (PageNeeds::default().and_viewport(true), &["viewport"]),
        (PageNeeds::default().and_extractor(true), &["extract"]),
        (PageNeeds::default().and_history(false, true), &["forward"]),
        (PageNeeds::default().and_person(true), &["ask_human"]),
        (PageNeeds::default().and_captcha(true), &["solve_captcha"]),
        (PageNeeds::default().and_codes(true), &["one_time_code"]),
    ] {
        for name in names {
            assert!(!plain.contains(name) && catalogue.offered(&needs).contains(name), "{name}");
        }
    }
    let options = SchemaOptions::new(Shape::Tools).offer(["click", "done"]);
    let names: Vec<Value> =
        catalogue.schema(&options).as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["click", "done"]);
}

#[test]
fn data_is_asked_for_where_the_task_has_a_schema() {
    let data = serde_json::json!({"type": "object", "properties": {"price": {"type": "number", "minimum": 0}}});
    let options = SchemaOptions::new(Shape::Tools).offer(["done"]).done_data(data);
    let tools = Catalogue::built_in().schema(&options);
    let asked = tools.pointer("/0/parameters/properties/data").unwrap();
    assert_eq!(
        *asked,
        serde_json::json!({"type": "object", "required": ["price"], "properties": {"price": {"type": ["number", "null"]}},
            "additionalProperties": false})
    );
}

#[test]
fn the_schemas_are_as_they_were_reviewed() {
    for shape in SHAPES {
        let schema = Catalogue::built_in().schema(&SchemaOptions::new(shape));
        insta::assert_snapshot!(format!("schema_{}", shape.as_str()), format!("{schema:#}"));
    }
}

#[test]
fn the_parameters_are_as_they_were_reviewed() {
    let mut table = String::new();
    for spec in Catalogue::built_in().specs() {
        let aliases: Vec<&str> = spec.aliases.iter().map(|alias| alias.name).collect();
        table += &format!("{} [{}] {}\n  also: {}\n", spec.name, spec.risk, spec.doc, aliases.join(", "));
        for param in &spec.params {
            let default = param.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
            let mark = if param.required {
                "!"
            } else if param.default.is_some() {
                ""
            } else {
                "?"
            };
            table += &format!("  {}{mark}: {:?}{default} {:?}\n", param.name, param.kind, param.choices);
        }
    }
    insta::assert_snapshot!("catalogue", table);
}
