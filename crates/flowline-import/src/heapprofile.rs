//! `.heapprofile` files: the sampled allocations of V8, as saved by DevTools and `node --heap-prof`.
//!
//! The nodes below `head` contain the bytes that their function allocated and that were still in use. The profile has
//! no times, so it becomes one thread with one sample per node, whose weight is that number of bytes, and the axis counts
//! bytes.

use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::json_rest::{warn_of_escapes, warn_of_rest};
use crate::progress::Phase;
use crate::sampled::{Sampled, SampledThread, WeightClock, number, warn_json};
use crate::text_start::json_start;
use crate::v8::{self, Head, HeapNodes, OTHER};
use flowline_json::Problem;
use flowline_profile::samples::{StackTablesBuilder, WeightUnit};
use flowline_profile::{Ns, Process, Profile, SampleTable, Source, SourceKind, Stopwatch, ThreadSamples, TimeRange};

/// Upper bound of the memory per byte of text.
const BYTES_PER_BYTE: u64 = 2;

/// The importer of `.heapprofile` files.
pub(super) struct HeapProfile;

impl Importer for HeapProfile {
    /// Length of the complete text, which [`Importer::finish`] parses.
    type Parsed = usize;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        let FormatProbe::Member(b"head", value) = probe else { return Detection::No };
        match v8::head_of(*value) {
            Ok(head) => (head == Head::Heap).into(),
            Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
            Err(_) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<usize, ImportError> {
        // Waits for the complete text.
        let (bytes, _) = text.available_after(usize::MAX);
        context.options.budget.check(bytes.len() as u64 * BYTES_PER_BYTE)?;
        if context.progress.is_cancelled() { Err(ImportError::Cancelled) } else { Ok(bytes.len()) }
    }

    fn finish(length: usize, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let (step, progress) = (Stopwatch::start(), context.progress);
        let text = source.bytes().get(..length).unwrap_or_default();
        progress.begin(Phase::Parse, length as u64);
        let mut nodes = HeapNodes::default();
        let mut cursor = json_start(text);
        match nodes.read(&mut cursor, &mut context.warnings) {
            Ok(()) => warn_of_rest(text, cursor.offset(), &mut context.warnings),
            Err(error) => warn_json(&mut context.warnings, error, || "the heap profile".to_owned()),
        }
        warn_of_escapes(text, 0..cursor.offset().min(length), &mut context.warnings);
        progress.advance(length as u64);
        let mut tables = StackTablesBuilder::new(OTHER);
        let mut clock = WeightClock::new(WeightUnit::Bytes, Ns(0));
        let (mut time, mut stack, mut weight) = (Vec::new(), Vec::new(), Vec::new());
        for (of_node, bytes) in nodes.samples(&mut tables, &mut context.warnings) {
            let Some(number) = number(bytes).filter(|number| *number != 0.0) else { continue };
            time.push(clock.advance(clock.length(bytes)));
            stack.push(of_node);
            weight.push(number);
        }
        let mut recording = Sampled::new(SourceKind::HeapProfile);
        recording.categories.clear();
        recording.processes.push(Process { pid: "1".into(), name: "Heap profile".into() });
        recording.threads.push(SampledThread {
            tid: "1".to_owned(),
            name: "JavaScript".to_owned(),
            is_main: true,
            range: TimeRange { start: Ns(0), end: clock.now },
            samples: ThreadSamples {
                cpu: SampleTable::with_columns(time, stack, Vec::new(), weight, WeightUnit::Bytes),
                ..ThreadSamples::default()
            },
            ..SampledThread::default()
        });
        recording.interval = recording.last_length();
        recording.set_axis_of_weights();
        recording.check_memory(context)?;
        let mut profile = recording.into_profile(source);
        profile.meta.capabilities.lines_from_zero = true;
        v8::add_stacks(&mut profile, tables.finish());
        context.timings.parse = step.elapsed();
        Ok(profile)
    }
}
