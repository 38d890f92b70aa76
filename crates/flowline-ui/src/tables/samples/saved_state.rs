//! Saved state of the sample views. Transforms are not saved, because they refer to nodes of one tree; threads are not
//! saved, because they follow the selection.

use super::event_log::LEAST;
use super::state::SampleTrees;
use crate::table_state::{self, Members, Words};
use flowline_index::samples::entries::EntrySet;
use flowline_index::samples::{Grouping, Implementation, Measure, SampleKind};
use flowline_profile::{Ns, Value};

/// Saved names of the function filter.
pub(crate) const FUNCTIONS: Words<Implementation> =
    &[(Implementation::All, "all"), (Implementation::Js, "js"), (Implementation::Native, "native")];
const KINDS: Words<SampleKind> = &[
    (SampleKind::Cpu, "cpu"),
    (SampleKind::JsAllocations, "js_allocations"),
    (SampleKind::NativeAllocations, "allocations"),
    (SampleKind::NativeReleases, "releases"),
    (SampleKind::NativeRetained, "retained"),
    (SampleKind::NativeReleased, "released"),
];
const ENTRIES: Words<Option<EntrySet>> = &[
    (Some(EntrySet::Shown), "shown"),
    (Some(EntrySet::All), "all"),
    (Some(EntrySet::Calls), "calls"),
    (None, "samples"),
];
const MEASURES: Words<Measure> = &[(Measure::Weight, "weight"), (Measure::Time, "time")];
const GROUPS: Words<Grouping> = &[
    (Grouping::None, "none"),
    (Grouping::Category, "category"),
    (Grouping::File, "file"),
    (Grouping::Library, "library"),
    (Grouping::ThirdParty, "third_party"),
];

impl SampleTrees {
    /// State to save: kind of samples, functions, groups, filter and widths.
    pub(crate) fn choices(&self) -> Value {
        let mut members = Members::default();
        members.add("kind", table_state::word(KINDS, &self.kind));
        members.add("entries", self.entries.as_ref().and_then(|entries| table_state::word(ENTRIES, entries)));
        members.add("without_idle", self.without_idle.map(Value::Bool));
        members.add("addresses", self.addresses.then_some(Value::Bool(true)));
        members.add("measure", self.measure.as_ref().and_then(|measure| table_state::word(MEASURES, measure)));
        members.add("functions", table_state::word(FUNCTIONS, &self.implementation));
        members.add("groups", table_state::word(GROUPS, &self.grouping));
        members.text("filter", &self.search);
        members.add("least_ns", (self.least != Ns(0)).then_some(Value::Int(self.least.0)));
        members.add("widths", table_state::widths(&self.widths));
        members.object()
    }

    /// Restores saved state.
    pub(crate) fn set_choices(&mut self, value: &Value) {
        self.kind = table_state::choice(KINDS, value.get("kind")).unwrap_or(self.kind);
        self.entries = table_state::choice(ENTRIES, value.get("entries"));
        self.without_idle = table_state::flag(value, "without_idle");
        self.addresses = table_state::flag(value, "addresses").unwrap_or(false);
        self.measure = table_state::choice(MEASURES, value.get("measure"));
        self.implementation = table_state::choice(FUNCTIONS, value.get("functions")).unwrap_or(self.implementation);
        self.grouping = table_state::choice(GROUPS, value.get("groups")).unwrap_or(self.grouping);
        table_state::string(value, "filter").clone_into(&mut self.search);
        let least = value.get("least_ns").and_then(Value::as_i64).map_or(Ns(0), Ns);
        self.least = LEAST.iter().map(|(known, _)| *known).find(|known| *known == least).unwrap_or(Ns(0));
        self.widths = table_state::read_widths(value);
    }
}
