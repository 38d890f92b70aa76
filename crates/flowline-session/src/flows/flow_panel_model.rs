//! Content of the flow panel: sections and rows for the entered flows, shapes for the rows on screen. Quick work runs
//! immediately, so an entered flow appears in the same frame. Slow work (a flow with a million members, a cause with a
//! million effects, a label that must be read from disk) runs elsewhere; the panel shows the available rows meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::flows::{FlowSetup, FlowShape, RuleMatcher};
use flowline_index::waits::{find_flow_requests, held_up_by, knows_flow_requests};
use flowline_profile::{FlowId, StringId, no_blocking_io};
use flowline_scene::{FlowItemKind, FlowList, FlowScene, FlowSections, FlowShapes, ShapeKey};
use flowline_view::{FlowSection, FlowView};

/// Maximum members whose shapes are built per frame without the pool.
const MEMBERS_A_FRAME: usize = 4_000;

/// The entered flows, and the steps back and forward along the chain.
type SectionsKey = (Vec<FlowId>, u16, u16);
/// The inputs of the list besides the sections: pinned flows and expanded groups.
type ListKey = (Vec<FlowId>, BTreeSet<(FlowSection, StringId)>);

fn sections_key(view: &FlowView) -> SectionsKey {
    (view.entered.clone(), view.chain_back, view.chain_forward)
}

/// Content of the flow panel.
pub struct FlowPanelModel {
    /// The listed flows and groups.
    pub sections: FlowSections,
    /// The sections, laid out.
    pub list: FlowList,
    /// Shapes built so far.
    pub shapes: FlowShapes,
    /// Rules for labels and colors of flows.
    pub rules: Arc<RuleMatcher>,
    /// The rules with the flow tracks of the chart.
    pub setup: Arc<FlowSetup>,
    sections_key: Option<SectionsKey>,
    list_key: Option<ListKey>,
    /// Searches for flows connected to the entered ones.
    searches: Task<SectionsKey, FlowSections>,
    /// Searches for flows that the entered ones held up. It reads the rows of threads, so it runs on the pool.
    held_up_searches: Task<SectionsKey, Option<Vec<FlowId>>>,
    /// Builds shapes. Shapes of groups belong to one revision of the sections.
    shape_builds: Task<(ShapeKey, u64), Arc<FlowShape>>,
    /// True if the panel scrolls to the entered flows once it has a height.
    show_entered: bool,
    /// The flows and the scroll offset of a restored view, until their sections are complete and have a height.
    restored: Option<(SectionsKey, f64)>,
    /// The entered flow, with the number of its use of its id (from 1) and the number of uses.
    entered_use: Option<(FlowId, [usize; 2])>,
    /// Revision of the sections.
    number: u64,
}

impl FlowPanelModel {
    /// `wake` is called when the pool has a result.
    #[must_use]
    pub fn new(setup: Arc<FlowSetup>, wake: Wake) -> Self {
        Self {
            sections: FlowSections::default(),
            list: FlowList::default(),
            shapes: FlowShapes::default(),
            rules: Arc::clone(&setup.rules),
            setup,
            sections_key: None,
            list_key: None,
            searches: Task::new(Arc::clone(&wake)),
            held_up_searches: Task::new(Arc::clone(&wake)),
            shape_builds: Task::new(wake),
            show_entered: false,
            restored: None,
            entered_use: None,
            number: 0,
        }
    }

    /// True while the search for connected flows is running.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        self.searches.is_running()
    }

    /// Input of the scene.
    #[must_use]
    pub const fn scene(&self) -> FlowScene<'_> {
        FlowScene { list: &self.list, shapes: &self.shapes }
    }

    /// Updates sections and list for the view, and shapes for the rows on screen. `main` and `pinned` are the heights
    /// of the panel's areas in points.
    pub fn refresh(&mut self, index: &Arc<Index>, view: &mut FlowView, main: f64, pinned: f64) {
        self.follow(index, view);
        self.count_uses(index, view);
        let key = (view.pinned.clone(), view.open_groups.clone());
        if self.list_key.as_ref() != Some(&key) {
            self.list = FlowList::build(&self.sections, view);
            self.list_key = Some(key);
        }
        self.keep_restored_scroll(view, main);
        if main >= 1.0 && std::mem::take(&mut self.show_entered) {
            view.scroll = self.scroll_to_entered(main);
        }
        view.scroll = view.scroll.clamp(0.0, (self.list.main.height() - main).max(0.0));
        view.pinned_scroll = view.pinned_scroll.clamp(0.0, (self.list.pinned.height() - pinned).max(0.0));
        self.make_shapes(index, view, main, pinned);
    }

    /// Keeps the scroll offset of a restored view instead of scrolling to the entered flows.
    pub fn restore_scroll(&mut self, view: &FlowView) {
        self.restored = Some((sections_key(view), view.scroll));
    }

    fn keep_restored_scroll(&mut self, view: &mut FlowView, main: f64) {
        let Some((_, scroll)) = self.restored.take_if(|(key, _)| *key == sections_key(view)) else {
            // Other flows were entered in the meantime.
            return self.restored = None;
        };
        view.scroll = scroll;
        self.show_entered = false;
        if main < 1.0 || self.searches.is_running() {
            self.restored = Some((sections_key(view), scroll));
        }
    }

    /// The scroll offset that shows the entered flows in the upper half, below some of their causes.
    fn scroll_to_entered(&self, main: f64) -> f64 {
        let entered = self.list.main.items().iter().find(|item| item.section() == FlowSection::Entered);
        entered.map_or(0.0, |item| (item.y - main * 0.45).max(0.0))
    }

    /// The number of the entered flow's use of its id (from 1), and the number of uses; `None` unless one flow is
    /// entered.
    #[must_use]
    pub fn entered_use(&self, flow: FlowId) -> Option<[usize; 2]> {
        self.entered_use.filter(|(entered, _)| *entered == flow).map(|(_, uses)| uses)
    }

    fn count_uses(&mut self, index: &Index, view: &FlowView) {
        let [flow] = *view.entered.as_slice() else { return self.entered_use = None };
        if self.entered_use.is_none_or(|(known, _)| known != flow) {
            let uses = index.flows().uses_of(flow);
            let number = uses.binary_search(&flow).unwrap_or(0) + 1;
            self.entered_use = Some((flow, [number, uses.len()]));
        }
    }

    fn take_sections(&mut self, index: &Arc<Index>, key: &SectionsKey, sections: FlowSections) {
        if self.sections_key.as_ref() == Some(key) {
            self.set_sections(sections);
            self.search_held_up(index, key.clone());
        }
    }

    /// Searches for flows that the entered ones held up, once their other relations are known.
    fn search_held_up(&mut self, index: &Arc<Index>, key: SectionsKey) {
        let (index, rules, entered) = (Arc::clone(index), Arc::clone(&self.rules), key.0.clone());
        if !entered.is_empty() {
            self.held_up_searches.replace(key, move |running| {
                // The colors of waits depend on them.
                find_flow_requests(&index);
                held_up_by(&index, &rules, &entered, &|| running.is_wanted())
            });
        }
    }

    /// Lists flows that were held up below all others, so nothing moves.
    fn take_held_up(&mut self, index: &Index, key: &SectionsKey, flows: Vec<FlowId>) {
        if self.sections_key.as_ref() == Some(key) && !flows.is_empty() {
            self.sections.add_held_up(index, flows);
            self.list_key = None;
        }
    }

    fn take_shape(&mut self, (key, number): (ShapeKey, u64), shape: Arc<FlowShape>) {
        if number == self.number || matches!(key, ShapeKey::Flow(_)) {
            self.shapes.insert(key, shape);
        }
    }

    fn set_sections(&mut self, sections: FlowSections) {
        // New rows above must not push the entered flows off the screen.
        self.show_entered = true;
        self.sections = sections;
        self.list_key = None;
        self.number += 1;
        self.shapes.drop_groups();
    }

    /// Searches for connected flows if the entered flows changed.
    fn follow(&mut self, index: &Arc<Index>, view: &FlowView) {
        let key = sections_key(view);
        if self.sections_key.as_ref() == Some(&key) {
            return;
        }
        let same_flows = self.sections_key.as_ref().is_some_and(|before| before.0 == key.0);
        self.sections_key = Some(key.clone());
        self.searches.cancel();
        self.held_up_searches.cancel();
        let (entered, back, forward) = key.clone();
        if FlowSections::is_quick(index, &entered, back, forward) {
            self.set_sections(FlowSections::build(index, &entered, back, forward));
            self.search_held_up(index, key);
            return;
        }
        if !same_flows {
            self.set_sections(FlowSections::entered_only(index, &entered));
        }
        let index = Arc::clone(index);
        self.searches.replace(key, move |_| FlowSections::build(&index, &entered, back, forward));
    }

    /// Builds the missing shapes of the rows on screen.
    fn make_shapes(&mut self, index: &Arc<Index>, view: &FlowView, main: f64, pinned: f64) {
        self.shapes.begin_round();
        if knows_flow_requests(index) {
            // Their waits have the right colors when they are built again.
            self.shapes.drop_without_requests();
        }
        let mut budget = MEMBERS_A_FRAME;
        let on_screen = [(&self.list.main, view.scroll, main), (&self.list.pinned, view.pinned_scroll, pinned)];
        let kinds: Vec<FlowItemKind> = on_screen
            .iter()
            .flat_map(|(part, scroll, height)| part.visible(*scroll, scroll + height))
            .map(|item| item.kind)
            .collect();
        let key = |kind| match kind {
            FlowItemKind::Flow { flow, .. } => ShapeKey::Flow(flow),
            FlowItemKind::Group { section, name, .. } => ShapeKey::Group(section, name),
        };
        // The header shows the entered flow even when its row is scrolled out of view.
        let entered = view.entered.first().map(|flow| ShapeKey::Flow(*flow));
        let wanted: Vec<ShapeKey> = entered.into_iter().chain(kinds.into_iter().map(key)).collect();
        for key in wanted {
            if self.shapes.touch(key) || self.shape_builds.is_running_for(&(key, self.number)) {
                continue;
            }
            let cost = match key {
                ShapeKey::Flow(flow) => index.flows().members(flow).len(),
                ShapeKey::Group(section, name) => self.sections.group(section, name).len(),
            };
            let job = self.job(index, key);
            if cost > budget {
                self.shape_builds.add((key, self.number), move |_| Arc::new(job()));
                continue;
            }
            budget -= cost;
            match no_blocking_io(&job) {
                Some(shape) => self.shapes.insert(key, Arc::new(shape)),
                None => self.shape_builds.add_reading((key, self.number), move |_| Arc::new(job())),
            }
        }
    }

    /// The job that builds a shape.
    fn job(&self, index: &Arc<Index>, key: ShapeKey) -> Box<dyn Fn() -> FlowShape + Send> {
        let (index, rules) = (Arc::clone(index), Arc::clone(&self.rules));
        match key {
            ShapeKey::Flow(flow) => Box::new(move || FlowShape::for_flow(&index, &rules, flow)),
            ShapeKey::Group(section, name) => {
                let flows = self.sections.group(section, name).to_vec();
                let label = index.profile().strings.get(name).to_owned();
                Box::new(move || FlowShape::for_group(&index, label.clone(), &flows))
            }
        }
    }
}

impl Job for FlowPanelModel {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.searches, &self.held_up_searches, &self.shape_builds]
    }

    fn poll(&mut self, index: &Arc<Index>) {
        while let Some((key, sections)) = self.searches.poll() {
            self.take_sections(index, &key, sections);
        }
        while let Some((key, flows)) = self.held_up_searches.poll() {
            self.take_held_up(index, &key, flows.unwrap_or_default());
        }
        while let Some((key, shape)) = self.shape_builds.poll() {
            self.take_shape(key, shape);
        }
    }
}
