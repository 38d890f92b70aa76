//! Details of the selected marker's slice and event: ancestors, contents, stacks, and members of the event besides its
//! payload. They are looked up when a marker is selected. Quick lookups run immediately. Slices with a million
//! children, missing rows and the table of all stack frames are left to the pool; the panel shows partial details
//! meanwhile.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::nesting::{Contents, is_nested};
use flowline_index::{Arrangement, Index, Nesting, ThreadRows};
use flowline_profile::stack::{FrameTable, StackRefs, StackTrace};
use flowline_profile::{LocalMarker, MarkerId, Profile, ThreadId, Value, no_blocking_io};

/// Maximum steps of a search for children within a frame.
const QUICK_STEPS: usize = 4_000;
/// Maximum steps for a tooltip, in every frame.
const TOOLTIP_STEPS: usize = 2_000;
/// Maximum rows among which a slice's ancestors are searched within a frame.
const QUICK_ROWS: usize = 4_000;
/// Maximum markers of a thread whose rows are built or searched within a frame.
const QUICK_MARKERS: usize = 3_000;
/// Maximum number of stored children per name.
pub const MAX_CHILDREN_PER_NAME: usize = 1_000;

/// Members of events that the details show elsewhere.
const MEMBERS_SHOWN_ELSEWHERE: [&str; 12] =
    ["ph", "name", "cat", "ts", "dur", "pid", "tid", "tts", "tdur", "ph (end)", "ts (end)", "tts (end)"];
/// Members that refer to stacks.
const STACK_MEMBERS: [&str; 6] = ["sf", "stack", "esf", "estack", "sf (end)", "stack (end)"];

/// Result of a slice search.
#[derive(Debug, Default)]
struct SliceSearch {
    ancestors: Vec<LocalMarker>,
    contents: Option<Contents>,
}

/// Texts of an event.
struct EventTexts {
    /// Members besides the payload.
    members: Vec<(String, Value)>,
    stacks: StackRefs,
}

impl EventTexts {
    fn read(profile: &Profile, (thread, local): (ThreadId, LocalMarker)) -> Self {
        let mut members = profile.event_members(thread, local);
        members.retain(|(key, _)| !MEMBERS_SHOWN_ELSEWHERE.contains(&key.as_str()));
        let stacks = profile.stack_refs(thread, local, &profile.payload(thread, local));
        Self { members, stacks }
    }
}

/// Details of the selected marker; empty while none is selected.
pub struct SliceDetails {
    /// The marker with its thread and its number in the thread.
    pub marker: Option<(MarkerId, ThreadId, LocalMarker)>,
    /// Enclosing slices, innermost first.
    pub ancestors: Vec<LocalMarker>,
    /// Contents of the slice; `None` for a marker that is not a slice, and while the search runs.
    pub contents: Option<Contents>,
    /// Stacks of the event.
    pub stacks: Vec<StackTrace>,
    /// The event's members besides its payload: an object.
    pub event: Value,
    /// Reads the texts of the event, if they must be read from disk.
    texts: Task<MarkerId, EventTexts>,
    slices: Task<MarkerId, SliceSearch>,
    /// Rows of the last thread for which the index has no stack arrangement.
    rows: Option<(ThreadId, Arc<ThreadRows>)>,
    row_builds: Task<ThreadId, Arc<ThreadRows>>,
    /// The table of all stack frames; built on first use.
    table: Option<FrameTable>,
    table_builds: Task<(), FrameTable>,
    /// Stacks to resolve once the table is built.
    names: Option<StackRefs>,
    revision: u64,
}

impl SliceDetails {
    /// `wake` is called when the pool has a result.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            marker: None,
            ancestors: Vec::new(),
            contents: None,
            stacks: Vec::new(),
            event: Value::Null,
            texts: Task::new(Arc::clone(&wake)),
            slices: Task::new(Arc::clone(&wake)),
            rows: None,
            row_builds: Task::new(Arc::clone(&wake)),
            table: None,
            table_builds: Task::new(wake),
            names: None,
            revision: 0,
        }
    }

    /// Changes whenever the details change.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// True while the texts of the event are being read.
    pub const fn is_reading(&self) -> bool {
        self.texts.is_running()
    }

    /// True while the lookup of ancestors or contents is running.
    pub const fn is_counting(&self) -> bool {
        self.slices.is_running() || self.row_builds.is_running()
    }

    /// The contents of a marker, if the details belong to it and it is a slice.
    pub fn contents_for(&self, marker: MarkerId) -> Option<&Contents> {
        self.contents.as_ref().filter(|_| self.marker.is_some_and(|(known, ..)| known == marker))
    }

    /// The stacks of a marker's event, if the details belong to it.
    pub fn stacks_for(&self, marker: MarkerId) -> &[StackTrace] {
        if self.marker.is_some_and(|(known, ..)| known == marker) { &self.stacks } else { &[] }
    }

    /// Updates the details for the selected marker.
    pub fn follow(&mut self, index: &Arc<Index>, marker: MarkerId) {
        if self.marker.is_none_or(|(known, ..)| known != marker) {
            self.begin(index, marker);
        }
    }

    fn take(
        &mut self,
        index: &Arc<Index>,
        found: Option<SliceSearch>,
        rows: Option<Arc<ThreadRows>>,
        table: Option<FrameTable>,
    ) {
        if let Some(found) = found {
            (self.ancestors, self.contents) = (found.ancestors, found.contents);
            self.revision += 1;
        }
        if let Some(rows) = rows
            && let Some((marker, thread, local)) = self.marker.filter(|(_, thread, _)| self.row_builds.is_for(thread))
        {
            self.rows = Some((thread, rows));
            self.find_slices(index, marker, (thread, local));
            self.revision += 1;
        }
        if let Some(table) = table {
            let names = self.names.take().unwrap_or_default();
            self.set_stacks(index, names.resolve(&index.profile().source, &table));
            self.table = Some(table);
            self.revision += 1;
        }
    }

    /// Stores the stacks. The members that refer to them are removed from the event.
    fn set_stacks(&mut self, index: &Index, stacks: Vec<StackTrace>) {
        if let (false, Value::Object(members)) = (stacks.is_empty(), &mut self.event) {
            members.retain(|(key, _)| !STACK_MEMBERS.contains(&key.as_str()));
        }
        let own = self.marker.and_then(|(_, thread, local)| index.profile().marker_stack(thread, local));
        self.stacks = own.into_iter().chain(stacks).collect();
    }

    fn begin(&mut self, index: &Arc<Index>, marker: MarkerId) {
        self.slices.cancel();
        self.texts.cancel();
        self.names = None;
        (self.ancestors, self.contents, self.stacks) = (Vec::new(), None, Vec::new());
        (self.event, self.marker) = (Value::Null, None);
        self.revision += 1;
        let profile = index.profile();
        let Some((thread, local)) = profile.locate(marker) else { return };
        self.marker = Some((marker, thread, local));
        self.find_slices(index, marker, (thread, local));
        match no_blocking_io(|| EventTexts::read(profile, (thread, local))) {
            Some(texts) => self.take_texts(index, texts),
            None => {
                let index = Arc::clone(index);
                self.texts.add_reading(marker, move |_| EventTexts::read(index.profile(), (thread, local)));
            }
        }
    }

    fn take_texts(&mut self, index: &Arc<Index>, texts: EventTexts) {
        self.event = Value::Object(texts.members);
        self.find_stacks(index, texts.stacks);
        self.revision += 1;
    }

    fn find_slices(&mut self, index: &Arc<Index>, marker: MarkerId, (id, local): (ThreadId, LocalMarker)) {
        let thread = index.profile().thread(id);
        let built = index.layout(Arrangement::Stack).if_built(id).map(|made| &made.rows);
        if built.is_none() && !self.build_rows(index, id) {
            return;
        }
        let kept = self.rows.as_ref().filter(|(known, _)| *known == id).map(|(_, rows)| Arc::clone(rows));
        let Some(rows) = built.or(kept.as_deref()) else { return };
        if thread.groups.len() <= QUICK_MARKERS && rows.len() <= QUICK_ROWS {
            let nesting = Nesting::for_marker(thread, rows, local);
            self.ancestors = nesting.ancestors(local);
            let mut steps = 0;
            let mut go_on = || {
                steps += 1;
                steps <= QUICK_STEPS
            };
            if !is_nested(thread, local) {
                return;
            }
            self.contents = nesting.contents(local, MAX_CHILDREN_PER_NAME, &mut go_on);
            if self.contents.is_some() {
                return;
            }
        }
        let index = Arc::clone(index);
        self.slices.replace(marker, move |running| {
            let thread = index.profile().thread(id);
            let built = index.layout(Arrangement::Stack).if_built(id).map(|made| &made.rows);
            let Some(rows) = built.or(kept.as_deref()) else { return SliceSearch::default() };
            let nesting = Nesting::for_marker(thread, rows, local);
            let ancestors = nesting.ancestors(local);
            let is_slice = is_nested(thread, local);
            let contents =
                is_slice.then(|| nesting.contents(local, MAX_CHILDREN_PER_NAME, &mut || running.is_wanted())).flatten();
            SliceSearch { ancestors, contents }
        });
    }

    /// Returns true if the rows of a thread exist. Large ones are built on the pool, once, even if the selection
    /// changes meanwhile.
    fn build_rows(&mut self, index: &Arc<Index>, id: ThreadId) -> bool {
        if self.rows.as_ref().is_some_and(|(known, _)| *known == id) {
            return true;
        }
        let make = move |index: &Index| {
            Arc::new(ThreadRows::build(index.profile(), index.profile().thread(id), Arrangement::Stack))
        };
        if index.profile().thread(id).markers.len() <= QUICK_MARKERS {
            self.row_builds.cancel();
            self.rows = Some((id, make(index)));
            return true;
        }
        if !(self.row_builds.is_running() && self.row_builds.is_for(&id)) {
            let index = Arc::clone(index);
            self.row_builds.replace(id, move |_| make(&index));
        }
        false
    }

    fn find_stacks(&mut self, index: &Arc<Index>, names: StackRefs) {
        if names.is_empty() {
            return self.set_stacks(index, Vec::new());
        }
        let profile = index.profile();
        let none = FrameTable::default();
        let is_known = !names.need_table() || profile.part("stackFrames").is_none();
        if let Some(table) = self.table.as_ref().or(is_known.then_some(&none)) {
            let stacks = names.resolve(&profile.source, table);
            return self.set_stacks(index, stacks);
        }
        self.set_stacks(index, Vec::new());
        self.names = Some(names);
        if !self.table_builds.is_running() {
            let index = Arc::clone(index);
            self.table_builds.replace((), move |_| FrameTable::build(index.profile()));
        }
    }
}

impl Job for SliceDetails {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.texts, &self.slices, &self.row_builds, &self.table_builds]
    }

    fn poll(&mut self, index: &Arc<Index>) {
        if let Some(texts) = self.texts.poll_newest() {
            self.take_texts(index, texts);
        }
        let (found, rows) = (self.slices.poll_newest(), self.row_builds.poll_newest());
        let table = self.table_builds.poll_newest();
        self.take(index, found, rows, table);
    }
}

/// A slice's self time with its percentage of the duration; `None` for instants.
pub fn self_text(profile: &Profile, (thread, marker): (ThreadId, LocalMarker), contents: &Contents) -> Option<String> {
    let markers = &profile.thread(thread).markers;
    let length = (markers.end(marker) - markers.start(marker)).0;
    let time = flowline_format::format_duration_ns(contents.self_time.0);
    (length > 0).then(|| format!("{time} ({})", percent_text(contents.self_time.0, length)))
}

/// A part of a duration as a percentage.
pub fn percent_text(part: i64, whole: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a percentage")]
    let part = part as f64 / whole.max(1) as f64;
    flowline_format::format_percent(part)
}

/// A slice's self time, if it is quick to compute.
pub fn quick_self_text(index: &Index, marker: MarkerId) -> Option<String> {
    let profile = index.profile();
    let (id, local) = profile.locate(marker)?;
    let thread = profile.thread(id);
    let rows = &index.layout(Arrangement::Stack).if_built(id)?.rows;
    if !is_nested(thread, local) || rows.len() > TOOLTIP_STEPS || thread.groups.len() > QUICK_MARKERS {
        return None;
    }
    let mut steps = 0;
    let mut go_on = || {
        steps += 1;
        steps <= TOOLTIP_STEPS
    };
    let contents = Nesting::for_marker(thread, rows, local).contents(local, 0, &mut go_on)?;
    self_text(profile, (id, local), &contents).filter(|_| contents.children > 0)
}
