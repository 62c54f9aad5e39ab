//! Whether what was asked can be asked: types, bounds, addresses and refs, before anything runs.
//!
//! Every fault is named at once, with its path, in words that a model can act on. Pure.

mod fault;
mod fit;
mod refs;
mod url;

use serde_json::{Map, Value};

pub(crate) use self::refs::nearest_by_number;
pub use self::{
    fault::{Fault, FaultCode, ParamFault},
    refs::validate_refs,
    url::UrlForm,
};
use crate::catalogue::{Action, ActionSpec, Catalogue};

/// The action of these parameters, or all that is wrong with them.
pub(crate) fn action(spec: &ActionSpec, params: Map<String, Value>) -> Result<Action, Vec<ParamFault>> {
    action_with(spec, params, &[])
}

/// The same, where some parameters were given but have a fault already.
pub(crate) fn action_with(
    spec: &ActionSpec,
    params: Map<String, Value>,
    spoiled: &[String],
) -> Result<Action, Vec<ParamFault>> {
    let mut faults = Vec::new();
    let mut fitted = Map::new();
    let mut given: Vec<String> = spoiled.to_vec();
    for (name, value) in params {
        if value.is_null() {
            continue;
        }
        given.push(name.clone());
        match spec.param(&name) {
            Some(param) => {
                if let Some(value) = fit::fit(param, value, &mut faults) {
                    fitted.insert(name, value);
                }
            }
            None => faults.push(unknown_param(spec, &name)),
        }
    }
    for param in spec.params.iter().filter(|param| param.required && !given.contains(&param.name)) {
        faults.push(ParamFault::missing(&param.name, param.doc.trim_end_matches('.')));
    }
    faults.extend(element_fault(spec, &given));
    if !faults.is_empty() {
        return Err(faults);
    }
    if spoiled.is_empty() { spec.build(fitted) } else { Err(faults) }
}

/// What is wrong with how the element is named: it takes exactly one way.
fn element_fault(spec: &ActionSpec, given: &[String]) -> Option<ParamFault> {
    let has = |name: &str| given.iter().any(|given| given == name);
    let knows_point = spec.param("x").is_some() && spec.param("y").is_some();
    let point = knows_point && (has("x") || has("y"));
    let selector = spec.param("selector").is_some_and(|param| param.script_only) && has("selector");
    let ways = usize::from(has("ref")) + usize::from(selector) + usize::from(point);
    if spec.needs_element && ways == 0 {
        let what = if knows_point { "the element's ref, or x and y" } else { "the element's ref" };
        return Some(ParamFault::missing("ref", what));
    }
    if ways > 1 && (spec.needs_element || selector) {
        return Some(
            ParamFault::bad("ref", "stands beside another way of naming the element")
                .hint("name it once, by ref or by x and y"),
        );
    }
    match (point && spec.needs_element, has("x"), has("y")) {
        (true, true, false) => Some(ParamFault::missing("y", "a point needs both x and y")),
        (true, false, true) => Some(ParamFault::missing("x", "a point needs both x and y")),
        _ => None,
    }
}

fn unknown_param(spec: &ActionSpec, name: &str) -> ParamFault {
    let shown: String = name.chars().take(40).collect();
    let fault = ParamFault::bad(&shown, format!("{} has no such parameter", spec.name));
    if spec.name == "type" && ["ref", "index", "element", "id"].contains(&name) {
        return fault.hint("type writes into what has the focus; use fill to write into a ref");
    }
    let offered = spec.params.iter().filter(|param| !param.script_only);
    let nearest = offered.clone().map(|param| (strsim::osa_distance(&param.name, &shown), &param.name)).min();
    if let Some((distance, nearest)) = nearest
        && distance <= 2
        && distance < nearest.len()
    {
        return fault.hint(format!("did you mean {nearest}?"));
    }
    let names: Vec<&str> = offered.map(|param| param.name.as_str()).collect();
    fault.hint(format!("it takes {}", names.join(", ")))
}

/// The fault of a name that the catalogue does not have.
pub(crate) fn unknown_action(catalogue: &Catalogue, name: &str, path: &str) -> Fault {
    let shown: String = name.chars().take(60).collect();
    let hint = match catalogue.nearest(name) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None => {
            let names: Vec<&str> = catalogue.specs().iter().map(|spec| &*spec.name).collect();
            format!("the actions are {}", names.join(", "))
        }
    };
    Fault::new(path, FaultCode::UnknownAction, format!("{shown:?} is not an action")).hint(hint)
}
