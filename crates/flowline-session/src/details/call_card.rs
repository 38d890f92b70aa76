//! Text of a call of a stack chart (function, source location, times) for tooltip and details.

use super::key_fact::KeyFact;
use super::marker_card::{MarkerCard, place_text, subtitle};
use crate::recording::Session;
use flowline_format::{format_count, format_counted, format_duration_ns};
use flowline_index::Index;
use flowline_index::samples::arguments::arguments_of;
use flowline_index::samples::{Cost, SampleKind, SampleSelection, folded_frames, func_name, is_library, named_func};
use flowline_profile::samples::CallTable;
use flowline_profile::text::FileLocation;
use flowline_profile::{
    CallRef, Direction, DisplayClock, FuncId, Implementation, Ns, Profile, SelectedCall, StackId, ThreadId, TimeRange,
};
use flowline_scene::CallRow;

/// Label of the arguments of a call.
pub const ARGUMENTS: &str = "Arguments";
/// Costs of a function are summed only if the thread's samples plus the recording's stacks do not exceed this number.
const MAX_SUMMED: usize = 500_000;

/// Category and subcategory of a stack.
fn category_text(profile: &Profile, stack: StackId) -> String {
    let category = profile.stacks.category_of(stack);
    let subcategory = usize::from(profile.stacks.subcategory[stack.index()]);
    let names = profile.categories.get(category.index()).map_or(&[][..], |category| &category.subcategories);
    match names.get(subcategory).filter(|name| subcategory > 0 && !name.is_empty()) {
        Some(name) => format!("{}: {name}", profile.category_name(category)),
        None => profile.category_name(category).to_owned(),
    }
}

/// Costs of a function in the samples of a thread: total and self. `None` if summing would take too long.
fn costs_of(profile: &Profile, thread: ThreadId, func: FuncId, range: Option<TimeRange>) -> Option<[Cost; 2]> {
    let (stacks, kind) = (&profile.stacks, SampleKind::Cpu);
    let samples = kind.table(profile, thread)?;
    if samples.is_empty() || samples.len() + stacks.len() > MAX_SUMMED {
        return None;
    }
    let mut has = Vec::with_capacity(stacks.len());
    for (stack, prefix) in stacks.prefix.iter().enumerate() {
        let of_caller = has.get(*prefix as usize).copied().unwrap_or(false);
        has.push(of_caller || stacks.func(StackId::new(stack)) == func);
    }
    let mut costs = [Cost::default(); 2];
    SampleSelection { profile, threads: &[thread], kind, range }.each(|_, stack, cost| {
        if has[stack.index()] {
            costs[0] += cost;
        }
        if stacks.func(stack) == func {
            costs[1] += cost;
        }
    });
    Some(costs)
}

/// The arguments of a call: one line if it has at most one, else one for each.
fn argument_lines(profile: &Profile, thread: ThreadId, (calls, at): (&CallTable, usize)) -> Vec<(String, String)> {
    let Some(arguments) = arguments_of(profile, thread, calls, at) else { return Vec::new() };
    if arguments.values.len() + arguments.more as usize <= 1 {
        let text = arguments.text();
        let text = if text.is_empty() { "none".to_owned() } else { text };
        return vec![(ARGUMENTS.to_owned(), text)];
    }
    let mut lines = vec![(ARGUMENTS.to_owned(), arguments.text())];
    let values = arguments.values.into_iter().zip(1..);
    lines.extend(values.map(|(value, number)| (format!("Argument {number}"), value)));
    lines
}

fn cost_text(cost: Cost, has_time: bool, clock: DisplayClock) -> String {
    match has_time {
        true => format_duration_ns(cost.time.0),
        false if clock.unit.is_time() => format_counted(cost.samples, "sample"),
        false => clock.unit.amount(cost.weight),
    }
}

/// The card of a call; `None` if the calls are derived from samples and the chart is not built. With a range, the costs
/// of its function include only samples in the range. The self time is available once the chart is built.
#[must_use]
pub fn call_card(index: &Index, call: CallRef, range: Option<TimeRange>, clock: DisplayClock) -> Option<MarkerCard> {
    let profile = index.profile();
    let charts = index.charts().showing(call.functions);
    let (calls, at) = (charts.calls(call.thread)?, call.call as usize);
    let start = *calls.start.get(at)?;
    let times = TimeRange { start, end: calls.end[at].max(start) };
    let stack = calls.stack[at];
    let func = profile.stacks.func(stack);
    let line = |label: &str, value: String| (label.to_owned(), value);
    // Amounts have no start.
    let is_timed = clock.unit.is_time();
    let [length_name, own_name] = if is_timed { ["Duration", "Self time"] } else { ["Total", "Self"] };
    let mut lines: Vec<_> = is_timed.then(|| line("Start", clock.position(times.start))).into_iter().collect();
    lines.push(line(length_name, clock.full_length(times.len())));
    let own = charts.if_built(call.thread).and_then(|chart| chart.self_time(call.call));
    lines.extend(own.map(|time| line(own_name, clock.full_length(time.0))));
    let table = SampleKind::Cpu.table(profile, call.thread);
    let before = |time| table.map_or(0, |table| table.time.partition_point(|other| *other < time));
    let samples = before(times.end) - before(times.start);
    if samples > 0 && is_timed {
        lines.push(line("Samples", format_count(samples as u64)));
    }
    lines.extend(argument_lines(profile, call.thread, (calls, at)));
    lines.push(line("Category", category_text(profile, stack)));
    let place = profile.frame_location(stack);
    let resource = profile.stacks.resource(func).map_or("", |(_, name)| name);
    if !place.is_empty() && place != resource {
        lines.push(line("File", place));
    }
    if !resource.is_empty() {
        lines.push(line("Resource", resource.to_owned()));
    }
    if let Some([total, own]) = costs_of(profile, call.thread, func, range) {
        let has_time = total.time > Ns(0);
        let within = if range.is_some() { "in the range" } else { "in this thread" };
        lines.push(line(
            "Function",
            format!("total {}, self {} {within}", cost_text(total, has_time, clock), cost_text(own, has_time, clock)),
        ));
    }
    let folded = if call.functions == Implementation::Folded { folded_frames(&profile.stacks, stack) } else { 0 };
    let name = profile.func_name(func);
    let heading = match folded {
        0 => match named_func(&profile.stacks, func) {
            // The address is below the heading, like every raw name.
            library if is_library(&profile.stacks, library) => func_name(&profile.stacks, library).to_owned(),
            _ => profile.func_title(func),
        },
        count => format!("{} native", format_count(count as u64)),
    };
    if folded > 0 {
        lines.insert(0, line("Innermost", profile.func_title(func)));
    }
    let length = times.len();
    let mut key_facts = vec![KeyFact::whole(clock.length(length), length_name)];
    key_facts.extend(own.map(|time| KeyFact::part(clock.length(time.0), "Self", time.0, length)));
    let (place, color) = (place_text(profile, call.thread), index.charts().colors(stack).kind);
    Some(MarkerCard {
        name: (heading != name).then(|| name.to_owned()),
        heading,
        subtitle: subtitle(color, &place),
        duration: clock.length(length),
        place,
        facts: lines.len(),
        own_facts: lines.len(),
        key_facts,
        cpu: None,
        forced_by: None,
        lines,
        color,
        description: None,
    })
}

impl Session {
    /// Source location of the selected call's function, as on its card.
    #[must_use]
    pub fn selected_call_place(&self) -> Option<FileLocation> {
        let CallRef { thread, functions, call } = self.view.selected_call?.call;
        let calls = self.index.charts().showing(functions).calls(thread)?;
        self.index.profile().frame_file_location(*calls.stack.get(call as usize)?)
    }

    /// A call with its times; `None` if its chart is not built.
    #[must_use]
    pub fn call_at(&self, call: CallRef) -> Option<SelectedCall> {
        let chart = self.index.charts().showing(call.functions).if_built(call.thread)?;
        Some(SelectedCall { call, times: chart.times(self.index.profile(), call.call)? })
    }

    /// The first call of a row on screen that ends after a time. Also `None` if the shown functions have changed since
    /// the layout, because commands of a frame are applied before its keys.
    #[must_use]
    pub fn first_call(&self, CallRow { thread, row }: CallRow, time: Ns) -> Option<SelectedCall> {
        let functions = Some(self.layout.view().call_functions).filter(|shown| *shown == self.view.call_functions)?;
        let chart = self.list().shown().chart(&self.index, functions, thread)?;
        let (calls, order) = (chart.calls(self.index.profile()), chart.rows().row(row as usize));
        let first = order.partition_point(|call| calls.end[*call as usize] < time);
        self.call_at(CallRef { thread, functions, call: *order.get(first)? })
    }

    /// The previous or next call on the row of the selected call.
    #[must_use]
    pub fn next_call(&self, direction: Direction) -> Option<SelectedCall> {
        let CallRef { thread, functions, call } = self.view.selected_call?.call;
        let chart = self.list().shown().chart(&self.index, functions, thread)?;
        let (row, position) = chart.find(self.index.profile(), call)?;
        let next = match direction {
            Direction::Forward => position.checked_add(1)?,
            Direction::Back => position.checked_sub(1)?,
        };
        let call = *chart.rows().row(row).get(next)?;
        self.call_at(CallRef { thread, functions, call })
    }

    /// The caller of the selected call, or (forward) its first callee.
    #[must_use]
    pub fn nested_call(&self, direction: Direction) -> Option<SelectedCall> {
        let SelectedCall { call: CallRef { thread, functions, call }, times } = self.view.selected_call?;
        let profile = self.index.profile();
        let chart = self.list().shown().chart(&self.index, functions, thread)?;
        let (row, _) = chart.find(profile, call)?;
        let row = match direction {
            Direction::Forward => row.checked_add(1).filter(|row| *row < chart.rows().len())?,
            Direction::Back => row.checked_sub(1)?,
        };
        let (calls, order) = (chart.calls(profile), chart.rows().row(row));
        let found = match direction {
            Direction::Forward => order.partition_point(|call| calls.start[*call as usize] < times.start),
            Direction::Back => {
                order.partition_point(|call| calls.start[*call as usize] <= times.start).checked_sub(1)?
            }
        };
        let found = self.call_at(CallRef { thread, functions, call: *order.get(found)? })?;
        found.times.overlaps(times.start, times.end).then_some(found)
    }
}
