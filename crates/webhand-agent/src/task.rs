//! What is to be done, what data is to come of it, and what must hold at the end. Pure.

use serde_json::Value;
use webhand_action::DataShape;

use crate::{agent::AgentError, end::Condition};

/// A task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Task {
    pub(crate) text: String,
    /// The schema that the data of the answer must fit.
    pub(crate) output: Option<Value>,
    pub(crate) conditions: Vec<Condition>,
}

impl Task {
    /// Whether it can be begun at all.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        if self.text.trim().is_empty() {
            return Err(AgentError::NoTask);
        }
        match &self.output {
            Some(schema) => DataShape::of(schema).map(drop).map_err(|reason| AgentError::Schema { reason }),
            None => Ok(()),
        }
    }

    /// The data of an answer as the schema has it, or what is wrong with it. Without a schema it is taken as it is.
    pub(crate) fn fit(&self, data: Option<Value>) -> Result<Option<Value>, String> {
        let Some(schema) = &self.output else { return Ok(data) };
        let Some(data) = data else {
            return Err("data is missing: the task asks for data, in the form that the schema says".to_owned());
        };
        let shape = DataShape::of(schema)?;
        let data = shape.exact(data);
        let faults = shape.faults(&data);
        if faults.is_empty() { Ok(Some(data)) } else { Err(format!("data does not fit: {}", faults.join("; "))) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn task() -> Task {
        let schema = json!({
            "type": "object",
            "properties": {"total": {"type": "number"}, "state": {"enum": ["paid", "open"]}},
            "required": ["total"],
            "additionalProperties": false,
        });
        Task { text: "x".to_owned(), output: Some(schema), conditions: Vec::new() }
    }

    #[test]
    fn data_is_made_to_fit_only_where_nothing_is_lost() {
        let fit = |data: Value| task().fit(Some(data));
        assert_eq!(fit(json!({"total": "12.5"})).unwrap(), Some(json!({"total": 12.5})));
        let fault = fit(json!({"total": "twelve"})).unwrap_err();
        assert!(fault.contains("/total"), "{fault}");
        let fault = fit(json!({"total": 1, "state": "PAID"})).unwrap_err();
        assert!(fault.contains("/state"), "{fault}");
        let fault = fit(json!({"total": 1, "more": 2})).unwrap_err();
        assert!(fault.contains("more"), "{fault}");
        assert!(task().fit(None).unwrap_err().contains("missing"));
        assert_eq!(Task::default().fit(Some(json!(5))).unwrap(), Some(json!(5)));
    }

    #[test]
    fn a_schema_that_is_none_is_refused_at_the_start() {
        let broken = Task { output: Some(json!({"type": "nothing"})), ..task() };
        assert_eq!(broken.check().unwrap_err().code(), "bad_schema");
        assert!(task().check().is_ok());
    }
}
