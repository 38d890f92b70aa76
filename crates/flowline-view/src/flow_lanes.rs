//! State of the layout "By object": whether it is shown, the order of its flow lanes, and the type filter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flowline_profile::{FlowId, MarkerId};

/// Sort order of flow lanes. Ties are sorted by start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FlowLaneOrder {
    /// Earliest first.
    Start,
    /// Longest first.
    Length,
    /// Longest total wait first.
    Wait,
    /// Longest single wait first.
    #[default]
    LongestWait,
    /// Longest total run time first.
    Run,
    /// By type path, under collapsible headings.
    Type,
}

impl FlowLaneOrder {
    /// All orders, in menu order.
    pub const ALL: [Self; 6] = [Self::Start, Self::Length, Self::Wait, Self::LongestWait, Self::Run, Self::Type];

    /// True if sorting requires facts about every flow.
    #[must_use]
    #[inline]
    pub const fn needs_facts(self) -> bool {
        !matches!(self, Self::Start)
    }

    /// Name in menus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Length => "Length",
            Self::Wait => "Wait",
            Self::LongestWait => "Longest wait",
            Self::Run => "Run",
            Self::Type => "Type",
        }
    }
}

/// State of a namespace's checkbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    /// All types are shown.
    All,
    /// Some types are shown.
    Some,
    /// No types are shown.
    None,
}

/// The type filter. An entry is a namespace path and its state. The longest entry that is a prefix of a type's path
/// applies; types without an entry are shown. A namespace with thousands of types therefore needs only one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeFilter {
    switched: BTreeMap<Vec<String>, bool>,
}

impl TypeFilter {
    /// True if all types are shown.
    #[must_use]
    #[inline]
    pub fn is_everything(&self) -> bool {
        self.switched.is_empty()
    }

    /// True if a type is shown.
    #[must_use]
    pub fn has<S: AsRef<str>>(&self, path: &[S]) -> bool {
        if self.switched.is_empty() {
            return true;
        }
        let path: Vec<String> = path.iter().map(|part| part.as_ref().to_owned()).collect();
        self.decided(&path)
    }

    fn decided(&self, path: &[String]) -> bool {
        (0..=path.len()).rev().find_map(|length| self.switched.get(&path[..length])).copied().unwrap_or(true)
    }

    /// The entries strictly below a path.
    fn below<'a>(&'a self, path: &'a [String]) -> impl Iterator<Item = (&'a Vec<String>, bool)> {
        let range = self.switched.range::<[String], _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
        range.take_while(move |(key, _)| key.starts_with(path)).map(|(key, on)| (key, *on))
    }

    /// Checkbox state of a namespace.
    #[must_use]
    pub fn state(&self, path: &[String]) -> CheckState {
        let on = self.decided(path);
        // An entry exists only if it differs from its parent.
        match (on, self.below(path).next().is_some()) {
            (_, true) => CheckState::Some,
            (true, false) => CheckState::All,
            (false, false) => CheckState::None,
        }
    }

    /// The entries: paths and their states. Applying them in this order restores the filter.
    #[inline]
    pub fn switched(&self) -> impl Iterator<Item = (&[String], bool)> {
        self.switched.iter().map(|(path, on)| (path.as_slice(), *on))
    }

    /// Shows or hides a whole namespace; the empty path means all types.
    pub fn switch(&mut self, path: &[String], on: bool) {
        let below: Vec<Vec<String>> = self.below(path).map(|(key, _)| key.clone()).collect();
        for key in below {
            self.switched.remove(&key);
        }
        self.switched.remove(path);
        if self.decided(path) != on {
            self.switched.insert(path.to_vec(), on);
        }
    }
}

/// A change of the layout "By object".
#[derive(Clone, Debug, PartialEq)]
pub enum FlowLaneCommand {
    /// Show flow lanes, or the rows of threads.
    Show(bool),
    /// Change the sort order.
    Order(FlowLaneOrder),
    /// Show or hide a namespace; the empty path means all types.
    Switch {
        /// The components of its path.
        path: Vec<String>,
        /// True to show it.
        on: bool,
    },
    /// Show or hide the flows that take no time.
    ShowInstants(bool),
    /// Show or hide the lanes without content in the visible range.
    ShowOutside(bool),
    /// Group the lanes by the thread that executes them, or not.
    GroupByThread(bool),
    /// Collapse or expand a heading, by its node.
    Collapse(u32),
    /// Select a marker of a flow, select the flow, and bring both into view.
    Select(FlowId, MarkerId),
}

/// Which lanes the layout "By object" lists, and how it groups them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct FlowLaneChoices {
    /// True if the chart shows flow lanes.
    pub shown: bool,
    /// True if flows that take no time are listed.
    pub instants: bool,
    /// True if lanes without content in the visible range are listed.
    pub outside: bool,
    /// True if lanes are grouped by the thread that executes them.
    pub by_thread: bool,
}

/// State of the layout "By object".
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct FlowLaneView {
    /// True if the chart shows flow lanes.
    pub shown: bool,
    /// Sort order of the lanes.
    pub order: FlowLaneOrder,
    /// True if flows that take no time are listed.
    pub instants: bool,
    /// True if lanes without content in the visible range are listed.
    pub outside: bool,
    /// True if lanes are grouped by the thread that executes them.
    pub by_thread: bool,
    /// The type filter; copied on write, because the frame on screen shares it.
    pub ticks: Arc<TypeFilter>,
    /// The collapsed headings, by their nodes; copied on write.
    pub collapsed: Arc<BTreeSet<u32>>,
    /// Scroll position of the layout that is not shown, in points.
    pub(super) other_scroll: f64,
    revision: u64,
}

impl FlowLaneView {
    /// The lanes of all flows, with a sort order and a type filter.
    #[must_use]
    #[inline]
    pub fn ordered(order: FlowLaneOrder, ticks: TypeFilter) -> Self {
        Self { shown: true, instants: true, outside: true, order, ticks: Arc::new(ticks), ..Self::default() }
    }

    /// Counter of changes of the filter and of collapsed headings, for invalidating derived data.
    #[must_use]
    #[inline]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Scroll position of the layout that is not shown, in points.
    #[must_use]
    #[inline]
    pub const fn other_scroll(&self) -> f64 {
        self.other_scroll
    }

    /// Restores a saved state. The type filter and the order are given apart.
    #[inline]
    pub fn restore(&mut self, saved: FlowLaneChoices, order: FlowLaneOrder, ticks: TypeFilter, other_scroll: f64) {
        let FlowLaneChoices { shown, instants, outside, by_thread } = saved;
        (self.shown, self.instants, self.outside, self.by_thread) = (shown, instants, outside, by_thread);
        (self.order, self.ticks) = (order, Arc::new(ticks));
        self.other_scroll = if other_scroll.is_finite() { other_scroll.max(0.0) } else { 0.0 };
        self.revision += 1;
    }

    pub(super) fn fold(&mut self, node: u32) {
        let collapsed = Arc::make_mut(&mut self.collapsed);
        if !collapsed.remove(&node) {
            collapsed.insert(node);
        }
        self.revision += 1;
    }

    pub(super) fn show_instants(&mut self, shown: bool) {
        self.instants = shown;
        self.revision += 1;
    }

    pub(super) fn group_by_thread(&mut self, by_thread: bool) {
        self.by_thread = by_thread;
        self.revision += 1;
    }

    pub(super) fn switch(&mut self, path: &[String], on: bool) {
        Arc::make_mut(&mut self.ticks).switch(path, on);
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn a_namespace_is_switched_with_its_contents() {
        let mut ticks = TypeFilter::default();
        let has = |ticks: &TypeFilter, text: &str| ticks.has(&path(text));
        ticks.switch(&path("net"), false);
        assert!(!has(&ticks, "net.http.Open") && has(&ticks, "network") && has(&ticks, "dom.Fetch"));
        ticks.switch(&path("net.http"), true);
        assert!(has(&ticks, "net.http.Open") && !has(&ticks, "net.ftp"));
        let states =
            |ticks: &TypeFilter| ["", "net", "net.http", "net.ftp", "dom"].map(|text| ticks.state(&path(text)));
        assert_eq!(
            states(&ticks),
            [CheckState::Some, CheckState::Some, CheckState::All, CheckState::None, CheckState::All]
        );
        ticks.switch(&path("net"), true);
        assert!(ticks.is_everything(), "{ticks:?}");
        ticks.switch(&[], false);
        ticks.switch(&path("dom"), true);
        assert_eq!(
            states(&ticks),
            [CheckState::Some, CheckState::None, CheckState::None, CheckState::None, CheckState::All]
        );
    }

    #[test]
    fn the_last_switch_decides() {
        let names = ["", "a", "b", "a.a", "a.b", "b.a", "a.a.a", "a.a.b", "a.b.a"];
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let mut ticks = TypeFilter::default();
            let mut last: Vec<(Vec<String>, bool)> = Vec::new();
            for _ in 0..random.usize(1..12) {
                let (at, on) = (path(names[random.usize(..names.len())]), random.bool());
                ticks.switch(&at, on);
                last.push((at, on));
            }
            for name in names {
                let name = path(name);
                let expected = last.iter().rev().find(|(at, _)| name.starts_with(at)).is_none_or(|(_, on)| *on);
                assert_eq!(ticks.has(&name), expected, "{name:?} after {last:?}: {ticks:?}");
            }
        }
    }
}
