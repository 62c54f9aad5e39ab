//! Follows the slice through the protocol's references: which types are needed, which have a default, which would be
//! infinitely large without a box. Knows nothing of output text.

use std::collections::{BTreeMap, BTreeSet};

use super::ProtocolError;
use super::schema::{Command, Document, Domain, Event, Field, Slice, Type};

/// The wanted part of the protocol, resolved.
pub(crate) struct Selection<'a> {
    pub(crate) commands: BTreeMap<&'a str, Vec<&'a Command>>,
    pub(crate) events: BTreeMap<&'a str, Vec<&'a Event>>,
    /// Full name (`Page.Frame`) to its description.
    types: BTreeMap<String, &'a Type>,
    /// Types that a command sends: these get a constructor.
    sent: BTreeSet<String>,
    leave_out: &'a BTreeSet<String>,
}

impl<'a> Selection<'a> {
    pub(crate) fn new(documents: &'a [Document], slice: &'a Slice) -> Result<Self, ProtocolError> {
        let mut selection = Selection {
            commands: BTreeMap::new(),
            events: BTreeMap::new(),
            types: BTreeMap::new(),
            sent: BTreeSet::new(),
            leave_out: &slice.leave_out,
        };
        let domains: BTreeMap<&str, &Domain> =
            documents.iter().flat_map(|d| &d.domains).map(|d| (d.domain.as_str(), d)).collect();
        for (name, wanted) in &slice.domains {
            let unknown = |what: &str| ProtocolError::Unknown { name: format!("{name}.{what}") };
            let domain = *domains.get(name.as_str()).ok_or_else(|| unknown("*"))?;
            for wish in &wanted.commands {
                let command = domain.commands.iter().find(|c| c.name == *wish).ok_or_else(|| unknown(wish))?;
                selection.follow_all(&domains, name, wish, &command.parameters, true)?;
                selection.follow_all(&domains, name, wish, &command.returns, false)?;
                selection.commands.entry(name).or_default().push(command);
            }
            for wish in &wanted.events {
                let event = domain.events.iter().find(|e| e.name == *wish).ok_or_else(|| unknown(wish))?;
                selection.follow_all(&domains, name, wish, &event.parameters, false)?;
                selection.events.entry(name).or_default().push(event);
            }
        }
        Ok(selection)
    }

    /// Every domain that has something to write.
    pub(crate) fn domains(&self) -> BTreeSet<&str> {
        let types = self.types.keys().filter_map(|name| name.split('.').next());
        self.commands.keys().chain(self.events.keys()).copied().chain(types).collect()
    }

    /// The selected types of one domain, by name.
    pub(crate) fn types_of(&self, domain: &str) -> Vec<&'a Type> {
        let prefix = format!("{domain}.");
        self.types.iter().filter(|(name, _)| name.starts_with(&prefix)).map(|(_, description)| *description).collect()
    }

    pub(crate) fn find(&self, full: &str) -> Option<&'a Type> {
        self.types.get(full).copied()
    }

    pub(crate) fn is_sent(&self, full: &str) -> bool {
        self.sent.contains(full)
    }

    /// The fields worth writing: neither deprecated nor left out.
    pub(crate) fn fields<'f>(&self, domain: &str, owner: &str, fields: &'f [Field]) -> Vec<&'f Field> {
        fields.iter().filter(|field| self.keeps(domain, owner, field)).collect()
    }

    fn keeps(&self, domain: &str, owner: &str, field: &Field) -> bool {
        let left_out = self.leave_out.contains(&format!("{domain}.{owner}.{}", field.name));
        !(left_out || field.deprecated && field.optional)
    }

    /// Whether a value of this type can stand in for a missing field: identifiers cannot.
    pub(crate) fn has_default(&self, domain: &str, field: &Field) -> bool {
        let Some(reference) = &field.reference else { return true };
        let full = qualified(domain, reference);
        let Some(description) = self.find(&full) else { return false };
        match description.kind.as_str() {
            "string" => description.values.is_some(),
            "integer" => false,
            "object" => {
                let owner_domain = domain_of(&full);
                self.fields(owner_domain, &description.id, &description.properties)
                    .into_iter()
                    .filter(|f| !f.optional && !f.experimental)
                    .all(|f| self.has_default(owner_domain, f))
            }
            _ => true,
        }
    }

    /// Whether `target` holds `owner` in itself without a list between: such a field needs a box.
    pub(crate) fn holds(&self, target: &str, owner: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![target.to_owned()];
        while let Some(name) = open.pop() {
            if name == owner {
                return true;
            }
            let Some(description) = self.find(&name) else { continue };
            if !seen.insert(name.clone()) {
                continue;
            }
            let domain = domain_of(&name);
            let fields = self.fields(domain, &description.id, &description.properties);
            open.extend(fields.iter().filter_map(|f| f.reference.as_ref()).map(|r| qualified(domain, r)));
        }
        false
    }

    fn follow_all(
        &mut self,
        domains: &BTreeMap<&str, &'a Domain>,
        domain: &str,
        owner: &str,
        fields: &'a [Field],
        sent: bool,
    ) -> Result<(), ProtocolError> {
        for field in self.fields(domain, owner, fields) {
            self.follow(domains, domain, field, sent)?;
        }
        Ok(())
    }

    fn follow(
        &mut self,
        domains: &BTreeMap<&str, &'a Domain>,
        domain: &str,
        field: &'a Field,
        sent: bool,
    ) -> Result<(), ProtocolError> {
        if let Some(items) = &field.items {
            self.follow(domains, domain, items, sent)?;
        }
        let Some(reference) = &field.reference else { return Ok(()) };
        let full = qualified(domain, reference);
        let new_as_sent = sent && self.sent.insert(full.clone());
        if self.types.contains_key(&full) && !new_as_sent {
            return Ok(());
        }
        let owner_domain = domain_of(&full).to_owned();
        let name = full.rsplit('.').next().unwrap_or_default();
        let description = domains
            .get(owner_domain.as_str())
            .and_then(|d| d.types.iter().find(|t| t.id == name))
            .ok_or_else(|| ProtocolError::Unknown { name: full.clone() })?;
        self.types.insert(full.clone(), description);
        if let Some(items) = &description.items {
            self.follow(domains, &owner_domain, items, sent)?;
        }
        self.follow_all(domains, &owner_domain, &description.id, &description.properties, sent)
    }
}

/// `Frame` seen from `Page` is `Page.Frame`; `Network.LoaderId` stays.
pub(crate) fn qualified(domain: &str, reference: &str) -> String {
    if reference.contains('.') { reference.to_owned() } else { format!("{domain}.{reference}") }
}

fn domain_of(full: &str) -> &str {
    full.split('.').next().unwrap_or(full)
}
