//! Lookup of flows by name. `ID;TIME` is the latest flow with this id that starts at or before the time, in
//! milliseconds on the displayed clock. `ID` alone means all flows with this id.

use crate::flows::graph::FlowGraph;
use flowline_profile::FlowId;
use flowline_profile::{Ns, Profile, Unit, parse_decimal};

/// The name of a flow for people and scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowName {
    /// The id's text.
    pub id: String,
    /// A time on the displayed clock.
    pub time: Option<Ns>,
    /// The whole text as typed, because the part parsed as a time may belong to the id.
    whole: Option<String>,
}

impl FlowName {
    /// Parses `ID;TIME` or `ID`. The text after the last semicolon belongs to the id unless it is a valid time.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if let Some((id, time)) = text.rsplit_once(';')
            && let Some(time) = parse_decimal(time.trim().trim_end_matches("ms").trim_end().as_bytes(), Unit::Millis)
        {
            return Self { id: id.to_owned(), time: Some(time), whole: Some(text.to_owned()) };
        }
        Self::new(text.to_owned(), None)
    }

    /// Names the flow with this id at a time or, without a time, all flows with this id.
    #[must_use]
    #[inline]
    pub const fn new(id: String, time: Option<Ns>) -> Self {
        Self { id, time, whole: None }
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
    /// Text of a flow's id.
    #[must_use]
    #[inline]
    pub fn id_text(&self, profile: &Profile, flow: FlowId) -> String {
        self.flows.id_of.get(flow.index()).map_or_else(String::new, |id| self.ids.text(&profile.source, *id))
    }

    /// Name of a flow: its id and its start.
    #[must_use]
    #[inline]
    pub fn name(&self, profile: &Profile, flow: FlowId) -> FlowName {
        let time = profile.clock().show(self.range(profile, flow).start);
        FlowName::new(self.id_text(profile, flow), Some(time))
    }

    /// All flows with this id, in start order.
    #[must_use]
    #[inline]
    pub fn with_id(&self, profile: &Profile, id: &str) -> Vec<FlowId> {
        let id = self.ids.find(profile.source.bytes(), id);
        id.map(|id| self.id_uses.of(id).to_vec()).unwrap_or_default()
    }

    /// All flows with the same id as a flow, in start order. Does not read the id's text.
    #[must_use]
    #[inline]
    pub fn uses_of(&self, flow: FlowId) -> &[FlowId] {
        self.flows.id_of.get(flow.index()).map_or(&[], |id| self.id_uses.of(*id))
    }

    /// The next flow with the same id.
    #[must_use]
    #[inline]
    pub fn next_use(&self, flow: FlowId) -> Option<FlowId> {
        let uses = self.uses_of(flow);
        uses.get(uses.binary_search(&flow).ok()? + 1).copied()
    }

    /// Flows with a name: at most one if the name has a time, otherwise all flows with the id.
    #[must_use]
    pub fn find(&self, profile: &Profile, name: &FlowName) -> Vec<FlowId> {
        let mut flows = self.with_id(profile, &name.id);
        if let Some(whole) = name.whole.as_ref().filter(|_| flows.is_empty()) {
            return self.with_id(profile, whole);
        }
        if let Some(time) = name.time {
            let time = profile.time_zero() + time;
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
    fn names_survive_a_round_trip() {
        for (text, expected) in [
            ("10924c9c0;10213.54", ("10924c9c0", Some(10_213_540_000))),
            ("a;0", ("a", Some(0))),
            ("a;-1.000001", ("a", Some(-1_000_001))),
            ("a", ("a", None)),
            ("a;b", ("a;b", None)),
            ("a;b;7", ("a;b", Some(7_000_000))),
            (";3", ("", Some(3_000_000))),
        ] {
            let parsed = FlowName::parse(text);
            assert_eq!((parsed.id.as_str(), parsed.time.map(|time| time.0)), expected, "{text}");
            assert_eq!(parsed.to_string(), text);
        }
    }
}
