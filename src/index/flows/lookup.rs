//! Flows by name: `ID;TIME` is the flow with that id whose [start, start of the next one) holds the time, in
//! milliseconds on the displayed clock; `ID` alone means all flows with that id.

use super::{FlowGraph, FlowId};
use crate::profile::{Ns, Profile, Unit, parse_decimal};

/// A flow as people and scripts name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowName {
    /// The id's text.
    pub id: String,
    /// A time on the displayed clock.
    pub time: Option<Ns>,
}

impl FlowName {
    /// Reads `ID;TIME` or `ID`. What stands after the last semicolon is a time only if it reads as one.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some((id, time)) = text.rsplit_once(';')
            && let Some(time) = parse_decimal(time.trim().trim_end_matches("ms").trim_end().as_bytes(), Unit::Millis)
        {
            return Self { id: id.to_owned(), time: Some(time) };
        }
        Self { id: text.to_owned(), time: None }
    }
}

impl std::fmt::Display for FlowName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.id)?;
        let Some(time) = self.time else { return Ok(()) };
        let ns = time.0.unsigned_abs();
        let sign = if time.0 < 0 { "-" } else { "" };
        let fraction = format!("{:06}", ns % 1_000_000);
        write!(f, ";{sign}{}", ns / 1_000_000)?;
        match fraction.trim_end_matches('0') {
            "" => Ok(()),
            digits => write!(f, ".{digits}"),
        }
    }
}

impl FlowGraph {
    /// The text of a flow's id.
    #[must_use]
    pub fn id_text(&self, profile: &Profile, flow: FlowId) -> String {
        self.flows.id_of.get(flow.index()).map_or_else(String::new, |id| self.ids.text(profile.source.bytes(), *id))
    }

    /// The name of a flow: its id and its start.
    #[must_use]
    pub fn name(&self, profile: &Profile, flow: FlowId) -> FlowName {
        let time = profile.displayed(self.range(profile, flow).start);
        FlowName { id: self.id_text(profile, flow), time: Some(time) }
    }

    /// All flows with the id of this text, in start order.
    #[must_use]
    pub fn with_id(&self, profile: &Profile, id: &str) -> Vec<FlowId> {
        let found = self.ids.find(profile.source.bytes(), id);
        let first = found.and_then(|id| self.first_of_id.get(id as usize)).copied();
        std::iter::successors(first.filter(|flow| self.contains(*flow)), |flow| self.next_use(*flow)).collect()
    }

    /// The next flow with the same id.
    #[must_use]
    pub fn next_use(&self, flow: FlowId) -> Option<FlowId> {
        let found = self.next_of_id.binary_search_by_key(&flow, |(before, _)| *before).ok()?;
        Some(self.next_of_id[found].1)
    }

    /// The flows of a name: with a time at most one, without all of that id.
    #[must_use]
    pub fn find(&self, profile: &Profile, name: &FlowName) -> Vec<FlowId> {
        let mut flows = self.with_id(profile, &name.id);
        if flows.is_empty() && name.time.is_some() {
            // The id itself may hold a semicolon and digits.
            return self.with_id(profile, &name.to_string());
        }
        if let Some(time) = name.time {
            let time = profile.meta.range.start + time;
            let after = flows.partition_point(|flow| self.range(profile, *flow).start <= time);
            flows = after.checked_sub(1).map(|at| vec![flows[at]]).unwrap_or_default();
        }
        flows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let name = |id: &str, ns: Option<i64>| FlowName { id: id.into(), time: ns.map(Ns) };
        for (text, expected) in [
            ("10924c9c0;10213.54", name("10924c9c0", Some(10_213_540_000))),
            ("a;0", name("a", Some(0))),
            ("a;-1.000001", name("a", Some(-1_000_001))),
            ("a", name("a", None)),
            ("a;b", name("a;b", None)),
            ("a;b;7", name("a;b", Some(7_000_000))),
            (";3", name("", Some(3_000_000))),
        ] {
            let parsed = FlowName::parse(text);
            assert_eq!(parsed, expected, "{text}");
            assert_eq!(parsed.to_string(), text);
        }
    }
}
