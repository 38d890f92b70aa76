//! The time beside the name of a thread, a group of threads or a process, and its explanation. A name has no time until the
//! times are measured, because reading those of slices takes long.

use crate::layout::SceneInput;
use flowline_format::{format_counted, format_percent};
use flowline_index::{Derived, Measure, ProcessTime, ThreadTimes};
use flowline_profile::{Ns, ThreadId};

/// Less than this share of unmeasured time is left unsaid.
const MEASURED: f64 = 0.999;
/// At most this many parts of a sum are listed.
const PARTS: usize = 5;

impl SceneInput<'_> {
    /// The times of all threads in the committed range, else in the whole recording; `None` until they are measured.
    #[must_use]
    pub fn times(&self) -> Option<&ThreadTimes> {
        match self.scope.committed() {
            Some(_) => self.scope.counted_times(),
            None => ThreadTimes::if_built(self.index),
        }
    }

    /// A time beside a name; empty if there is none. With `counts_threads`, a sum states its number of threads.
    #[must_use]
    pub fn figure_text(&self, figure: Option<ProcessTime>, counts_threads: bool) -> String {
        let Some(figure) = figure.filter(|figure| figure.time.0 > 0) else { return String::new() };
        let bound = if is_partial(figure) { "≥\u{202f}" } else { "" };
        let time = self.view.clock().length(figure.time.0);
        match counts_threads && figure.threads > 1 && figure.measure != Measure::Gpu {
            true => format!("{bound}{time} on {}", self.counted(figure)),
            false => format!("{bound}{time}"),
        }
    }

    fn counted(&self, figure: ProcessTime) -> String {
        let of = match figure.measure {
            Measure::Gpu => "stream",
            Measure::Core => "core",
            Measure::Cpu | Measure::Busy | Measure::Covered | Measure::Amount => "thread",
        };
        format_counted(figure.threads as u64, of)
    }

    /// The explanation of a time: its measure, what is unknown, and the largest of its `parts`.
    #[must_use]
    pub fn figure_tooltip(&self, figure: ProcessTime, parts: &[(ThreadId, Ns)]) -> String {
        let time = self.view.clock().length(figure.time.0);
        let sum = if figure.threads > 1 { format!(" on {}", self.counted(figure)) } else { String::new() };
        let amount = match (is_partial(figure), figure.is_estimate) {
            (true, _) => format!("at least {time}{sum}, {} measured", format_percent(figure.measured_share())),
            (false, true) => format!("about {time}{sum}: slices that the range cuts count in proportion"),
            (false, false) => format!("{time}{sum}"),
        };
        let mut text = format!("{}: {amount}", figure.measure.label());
        if let Some(meaning) = meaning(figure.measure) {
            text.push('\n');
            text.push_str(meaning);
        }
        for (thread, time) in parts.iter().take(PARTS) {
            let name = self.index.profile().long_name(*thread).into_owned();
            text.push_str(&format!("\n{name}: {}", self.view.clock().length(time.0)));
        }
        if parts.len() > PARTS {
            text.push_str(&format!("\n{} more", parts.len() - PARTS));
        }
        text
    }
}

fn is_partial(figure: ProcessTime) -> bool {
    figure.measured_share() < MEASURED
}

/// The definition of a measure that its name does not state.
const fn meaning(measure: Measure) -> Option<&'static str> {
    match measure {
        Measure::Cpu | Measure::Amount => None,
        Measure::Busy => Some("Time with slices, or with samples that are not idle; no CPU time was recorded"),
        Measure::Gpu => Some("Time with kernels, copies or fills on any stream"),
        Measure::Core => Some("Time in which threads ran"),
        Measure::Covered => Some("Time with at least one operation"),
    }
}
