//! State of the layout *By object*: whether it is shown, the order of its tapes, and the types that are switched off.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flowline_profile::{FlowId, MarkerId};

/// The order of tapes. Equal ones stand in the order of their starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TapeOrder {
    /// The earliest first.
    #[default]
    Start,
    /// The longest first.
    Length,
    /// Those that waited longest in all first.
    Wait,
    /// Those with the longest single wait first.
    LongestWait,
    /// Those that ran longest first.
    Run,
    /// By type path, below headings that fold.
    Type,
}

impl TapeOrder {
    /// All of them, as menus list them.
    pub const ALL: [Self; 6] = [Self::Start, Self::Length, Self::Wait, Self::LongestWait, Self::Run, Self::Type];

    /// Whether every flow must be looked at to sort them.
    #[must_use]
    pub const fn needs_facts(self) -> bool {
        !matches!(self, Self::Start)
    }

    /// Its name in menus.
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

/// How much of a namespace is switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticked {
    /// All of it.
    All,
    /// Parts of it.
    Some,
    /// Nothing.
    None,
}

/// Which types are switched on. Namespaces are paths of parts; the longest path that a type begins with decides, and without
/// any it is on. So a namespace of thousands of types is one entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeTicks {
    switched: BTreeMap<Vec<String>, bool>,
}

impl TypeTicks {
    /// Whether everything is on.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.switched.is_empty()
    }

    /// Whether a type is on.
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

    /// The entries below a path, without its own.
    fn below<'a>(&'a self, path: &'a [String]) -> impl Iterator<Item = (&'a Vec<String>, bool)> {
        let range = self.switched.range::<[String], _>((std::ops::Bound::Excluded(path), std::ops::Bound::Unbounded));
        range.take_while(move |(key, _)| key.starts_with(path)).map(|(key, on)| (key, *on))
    }

    /// How much of a namespace is on.
    #[must_use]
    pub fn state(&self, path: &[String]) -> Ticked {
        let on = self.decided(path);
        // An entry exists only where it differs from what is around it.
        match (on, self.below(path).next().is_some()) {
            (_, true) => Ticked::Some,
            (true, false) => Ticked::All,
            (false, false) => Ticked::None,
        }
    }

    /// What was switched: paths with whether they are on. Switching them in this order leads here again.
    pub fn switched(&self) -> impl Iterator<Item = (&[String], bool)> {
        self.switched.iter().map(|(path, on)| (path.as_slice(), *on))
    }

    /// Switches a namespace as a whole on or off; the empty path is everything.
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

/// A change of the tapes.
#[derive(Clone, Debug, PartialEq)]
pub enum TapeCommand {
    /// Show tapes, or the rows of threads again.
    Show(bool),
    /// Change the order.
    Order(TapeOrder),
    /// Switch a namespace on or off; the empty path is everything.
    Switch {
        /// The parts of its path.
        path: Vec<String>,
        /// Whether it is shown.
        on: bool,
    },
    /// Fold or unfold a heading: the number of its node in the tree of types.
    Fold(u32),
    /// Select a marker of a flow, choose the flow, and bring both into view.
    Select(FlowId, MarkerId),
}

/// State of the tapes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TapeView {
    /// Whether the chart shows tapes.
    pub shown: bool,
    /// Their order.
    pub order: TapeOrder,
    /// The types that are switched on; copied on change, because the frame on screen shares it.
    pub ticks: Arc<TypeTicks>,
    /// The headings that are folded, by their nodes in the tree of types; copied on change.
    pub folded: Arc<BTreeSet<u32>>,
    /// Scroll of the other layout while this one is shown, and of this one while it is not, in points.
    pub(super) other_scroll: f64,
    revision: u64,
}

impl TapeView {
    /// Tapes in an order, of the types that are switched on.
    #[must_use]
    pub fn ordered(order: TapeOrder, ticks: TypeTicks) -> Self {
        Self { shown: true, order, ticks: Arc::new(ticks), ..Self::default() }
    }

    /// Counts changes of ticks and folds; what is computed from them compares it.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Scroll of the layout that is not shown, in points.
    #[must_use]
    pub const fn other_scroll(&self) -> f64 {
        self.other_scroll
    }

    /// Makes everything as it was written down.
    pub fn restore(&mut self, shown: bool, order: TapeOrder, ticks: TypeTicks, other_scroll: f64) {
        (self.shown, self.order, self.ticks) = (shown, order, Arc::new(ticks));
        self.other_scroll = if other_scroll.is_finite() { other_scroll.max(0.0) } else { 0.0 };
        self.revision += 1;
    }

    pub(super) fn fold(&mut self, node: u32) {
        let folded = Arc::make_mut(&mut self.folded);
        if !folded.remove(&node) {
            folded.insert(node);
        }
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
    fn a_namespace_is_switched_with_all_that_is_in_it() {
        let mut ticks = TypeTicks::default();
        let has = |ticks: &TypeTicks, text: &str| ticks.has(&path(text));
        ticks.switch(&path("net"), false);
        assert!(!has(&ticks, "net.http.Open") && has(&ticks, "network") && has(&ticks, "dom.Fetch"));
        ticks.switch(&path("net.http"), true);
        assert!(has(&ticks, "net.http.Open") && !has(&ticks, "net.ftp"));
        let states = |ticks: &TypeTicks| ["", "net", "net.http", "net.ftp", "dom"].map(|text| ticks.state(&path(text)));
        assert_eq!(states(&ticks), [Ticked::Some, Ticked::Some, Ticked::All, Ticked::None, Ticked::All]);
        ticks.switch(&path("net"), true);
        assert!(ticks.is_everything(), "{ticks:?}");
        ticks.switch(&[], false);
        ticks.switch(&path("dom"), true);
        assert_eq!(states(&ticks), [Ticked::Some, Ticked::None, Ticked::None, Ticked::None, Ticked::All]);
    }

    #[test]
    fn what_was_switched_last_decides_whatever_was_before() {
        let names = ["", "a", "b", "a.a", "a.b", "b.a", "a.a.a", "a.a.b", "a.b.a"];
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let mut ticks = TypeTicks::default();
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
