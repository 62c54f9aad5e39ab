//! The schemas that models are given: kept as snapshots, within their budget, and true to what strict modes accept.

use serde_json::Value;
use webhand_action::{
    catalogue::Catalogue,
    schema::{PageNeeds, SchemaOptions, Shape, token_bound},
};

const SHAPES: [Shape; 3] = [Shape::Union, Shape::Keyed, Shape::Tools];

#[test]
fn every_shape_stays_within_its_budget() {
    let catalogue = Catalogue::built_in();
    for shape in SHAPES {
        let schema = catalogue.schema(&SchemaOptions::new(shape));
        println!("{}: {} chars, bound {}", shape.as_str(), schema.to_string().len(), token_bound(&schema));
        std::fs::write(format!("/tmp/wh/schema_{}.json", shape.as_str()), schema.to_string()).unwrap();
        assert!(token_bound(&schema) <= 2500, "{}: {}", shape.as_str(), token_bound(&schema));
    }
}
