//! Flow lanes: which flows have one, their order, and the counts in the type tree.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use flowline::index::Index;
use flowline::index::flows::{FlowRules, LaneData, RuleMatcher, TimelineTotals, type_path};
use flowline::profile::{FlowId, MarkerId, Ns, TimeRange};
use flowline::session::{Session, first_lanes, ordered_lanes};
use flowline::view::{Command, FlowLaneOrder, FlowLaneView, TypeFilter};
use flowline_synth::Format;

use crate::support;

fn recordings() -> Vec<Arc<Index>> {
    let mut all = vec![support::example()];
    all.extend(support::FORMATS.map(|format| support::synthetic(format, 4_000, 3)));
    all
}

struct Known {
    index: Arc<Index>,
    rules: RuleMatcher,
    facts: LaneData,
}

impl Known {
    fn new(index: Arc<Index>) -> Self {
        let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
        let facts = LaneData::build(index.profile(), index.flows(), &rules, &|| true);
        Self { index, rules, facts }
    }

    fn totals(&self, flow: FlowId) -> TimelineTotals {
        self.rules.timeline_totals(self.index.profile(), self.index.flows(), flow)
    }

    /// Path of a flow's type in the tree.
    fn path(&self, flow: FlowId) -> Vec<String> {
        let kind = self.rules.type_of(self.index.profile(), self.index.flows(), flow);
        let path: Vec<String> = type_path(&kind).map(str::to_owned).collect();
        if path.is_empty() { vec!["(unnamed)".into()] } else { path }
    }
}

/// A session with random filters, as used for its layout.
fn narrowed(index: &Arc<Index>, random: &mut fastrand::Rng) -> Session {
    let mut session = Session::new(PathBuf::new(), Arc::clone(index), Arc::new(|| {}));
    session.canvas.regions.chart.height = 400.0;
    session.canvas.regions.chart.width = 800.0;
    let extent = index.extent();
    if random.bool() {
        let start = extent.start + Ns(random.i64(0..extent.len().max(1)));
        session.apply(Command::SelectRange(Some(TimeRange::new(start, start + Ns(extent.len() / 9)))));
    }
    if random.bool() {
        let threads = index.profile().threads_with_ids().map(|(id, _)| id);
        session.apply(Command::PickThreads(threads.filter(|_| random.bool()).collect()));
    }
    if random.bool() {
        session.apply(Command::Search((*["task", "e", "dur:>1ms"].get(random.usize(..3)).expect("three")).into()));
    }
    session.refresh_and_wait();
    session
}

#[test]
fn every_flow_in_scope_has_one_lane_for_all_orders_and_types() {
    let mut random = fastrand::Rng::with_seed(17);
    let mut narrow = 0;
    for known in recordings().into_iter().map(Known::new) {
        let (profile, graph) = (known.index.profile(), known.index.flows());
        for _ in 0..8 {
            let session = narrowed(&known.index, &mut random);
            let scope = session.scope();
            let is_in = |marker: &MarkerId| {
                let (thread, local) = profile.locate(*marker).expect("a marker");
                scope.contains(profile, thread, local)
            };
            let in_scope: BTreeSet<FlowId> =
                graph.iter().filter(|flow| graph.members(*flow).iter().any(is_in)).collect();
            narrow += usize::from(in_scope.len() < graph.len());
            let first = first_lanes(&known.index, scope, true);
            assert!(first.flows().iter().eq(in_scope.iter().take(first.flows().len())), "the earliest flows");
            for order in FlowLaneOrder::ALL {
                let mut ticks = TypeFilter::default();
                let mut switched = Vec::new();
                for _ in 0..random.usize(..3) {
                    let of = FlowId::new(random.usize(..graph.len()));
                    let mut path = known.path(of);
                    path.truncate(random.usize(..=path.len()));
                    let on = random.u8(..4) == 0;
                    ticks.switch(&path, on);
                    switched.push((path, on));
                }
                let is_on = |flow: &FlowId| {
                    let path = known.path(*flow);
                    switched.iter().rev().find(|(at, _)| path.starts_with(at)).is_none_or(|(_, on)| *on)
                };
                let view = FlowLaneView::ordered(order, ticks);
                let flow_lanes = ordered_lanes(&known.index, Some(&known.facts), scope, &view, &|| true);
                let listed: BTreeSet<FlowId> = flow_lanes.flows().iter().copied().collect();
                assert_eq!(listed.len(), flow_lanes.flows().len(), "each once");
                assert_eq!(listed, in_scope.iter().copied().filter(is_on).collect(), "{order:?} {switched:?}");
                for (row, flow) in flow_lanes.flows().iter().enumerate() {
                    assert_eq!(flow_lanes.row(*flow), Some(row));
                }
                let key = |flow: &FlowId| {
                    let totals = known.totals(*flow);
                    let amount = match order {
                        FlowLaneOrder::Start | FlowLaneOrder::Type => 0,
                        FlowLaneOrder::Length => graph.range(profile, *flow).len(),
                        FlowLaneOrder::Wait => totals.wait,
                        FlowLaneOrder::LongestWait => totals.longest_wait,
                        FlowLaneOrder::Run => totals.run,
                    };
                    let path = if order == FlowLaneOrder::Type { known.path(*flow) } else { Vec::new() };
                    (path, std::cmp::Reverse(amount), graph.range(profile, *flow).start, *flow)
                };
                assert!(flow_lanes.flows().is_sorted_by_key(key), "{order:?}");
                for (number, node) in known.facts.types.nodes().iter().enumerate() {
                    let path = known.facts.types.path(number);
                    let below = in_scope.iter().filter(|flow| known.path(**flow).starts_with(&path)).count();
                    assert_eq!(flow_lanes.count(number).map(|count| count as usize), Some(below), "{path:?}");
                    assert!(node.flows >= below);
                    if order != FlowLaneOrder::Start {
                        break;
                    }
                }
            }
        }
    }
    assert!(narrow > 5, "most scopes exclude some flows: {narrow}");
}

#[test]
fn lanes_without_timelines_are_ordered_by_start() {
    let index = support::synthetic(Format::Chrome, 2_000, 5);
    let scope = flowline::scene::Scope::default();
    let flow_lanes = ordered_lanes(
        &index,
        None,
        &scope,
        &FlowLaneView::ordered(FlowLaneOrder::Wait, TypeFilter::default()),
        &|| true,
    );
    assert!(flow_lanes.flows().iter().copied().eq(index.flows().iter()));
    assert_eq!((flow_lanes.count(0), flow_lanes.row(FlowId(u32::MAX))), (None, None));
}

#[test]
fn lanes_are_grouped_below_collapsible_type_headings() {
    for known in recordings().into_iter().map(Known::new) {
        let scope = flowline::scene::Scope::default();
        let flow_lanes = |view: &FlowLaneView| ordered_lanes(&known.index, Some(&known.facts), &scope, view, &|| true);
        let mut view = FlowLaneView::ordered(FlowLaneOrder::Type, TypeFilter::default());
        let all = flow_lanes(&view);
        assert!(all.groups().len() > 1 && all.groups()[0].first == 0, "{:?}", all.groups());
        assert!(all.groups().is_sorted_by_key(|group| group.first));
        // The joined headings around a lane equal its type.
        for (row, flow) in all.flows().iter().enumerate() {
            let mut around: Vec<&flowline::scene::FlowLaneGroup> = Vec::new();
            for group in all.groups().iter().take_while(|group| group.first as usize <= row) {
                around.retain(|outer| outer.depth < group.depth);
                around.push(group);
            }
            let names: Vec<&str> = around.iter().map(|group| group.name.as_str()).collect();
            assert_eq!(names.join("::"), known.path(*flow).join("::"));
            let item = row + all.groups().iter().filter(|group| group.first as usize <= row).count();
            assert_eq!(all.item(*flow), Some(item));
        }
        for group in all.groups() {
            let path = known.facts.types.path(group.node as usize);
            let of_type = |flow: &&FlowId| known.path(**flow).starts_with(&path);
            assert_eq!(group.flow_lanes as usize, all.flows().iter().filter(of_type).count());
            view.collapsed = Arc::new([group.node].into());
            let collapsed = flow_lanes(&view);
            let rest: Vec<FlowId> = all.flows().iter().filter(|flow| !of_type(flow)).copied().collect();
            assert_eq!(collapsed.flows(), rest, "{path:?} is collapsed");
            let heading = collapsed.groups().iter().find(|of| of.node == group.node).expect("its heading remains");
            assert!(heading.collapsed && heading.flow_lanes == group.flow_lanes);
            view.collapsed = Arc::default();
        }
    }
}
