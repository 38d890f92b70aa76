//! The importer under test, with its profile and flow graph translated into the naive reader's types.

use std::collections::BTreeMap;

use flowline::import::{Options, Progress, as_text, read_with};
use flowline::index::depths;
use flowline::index::flows::FlowGraph;
use flowline::profile::{LocalMarker, MarkerFlags, Profile, Thread, ThreadId, TrackKind, WarningKind};
use serde_json::Value;

use super::reference::{Counter, Flow, Names, ProcessNames, Read, Reference, Slice, ThreadNames, Track};

/// The importer with its default chunk size.
pub(crate) struct Importer;

impl Read for Importer {
    const NAME: &'static str = "the importer";

    fn read(text: &[u8]) -> Reference {
        read_in_chunks(text, Options::default().chunk)
    }
}

/// The importer's result for a trace, read in chunks of a given size.
pub(crate) fn read_in_chunks(text: &[u8], chunk: usize) -> Reference {
    let options = Options { chunk, ..Options::default() };
    let imported = read_with(text.to_vec(), &options, &Progress::default());
    let Ok(imported) = imported else { return Reference::default() };
    if imported.profile.source.events().is_some() {
        check_binary(text, &imported.profile);
    }
    of(&imported.profile)
}

/// Checks that a binary recording does not depend on chunks, and that its events are the same as text.
fn check_binary(bytes: &[u8], profile: &Profile) {
    let members = |profile: &Profile| -> Vec<_> {
        let of_thread = |(id, thread): (ThreadId, &Thread)| {
            (0..thread.markers.len()).map(|at| profile.event_members(id, LocalMarker::new(at))).collect::<Vec<_>>()
        };
        profile.threads_with_ids().map(of_thread).collect()
    };
    let all = |profile: &Profile| {
        let shown = Reference { warnings: Default::default(), ..of(profile) };
        (format!("{shown:#?}"), format!("{:#?}", members(profile)))
    };
    let shown = all(profile);
    let text = as_text(profile, &Progress::default()).expect("text").expect("the recording is binary");
    let same = |(a, b): (&(String, String), &(String, String)), what: &str| {
        for (a, b) in [(&a.0, &b.0), (&a.1, &b.1)] {
            let line = a.lines().zip(b.lines()).position(|(a, b)| a != b);
            let part = |text: &str| {
                let line = line.unwrap_or_default();
                text.lines().skip(line.saturating_sub(12)).take(16).collect::<Vec<_>>().join("\n")
            };
            assert!(a == b, "{what}: at line {line:?}:\n{}\nis not\n{}", part(a), part(b));
        }
    };
    same((&shown, &all(&text)), "binary and text");
    for chunk in [1, 37, 500, 1 << 16] {
        let options = Options { chunk, ..Options::default() };
        let other = read_with(bytes.to_vec(), &options, &Progress::default()).expect("the same recording").profile;
        same((&all(&other), &shown), &format!("chunks of {chunk} bytes"));
        assert_eq!(warnings(&other), warnings(profile), "chunks of {chunk} bytes");
    }
}

/// True if the text is refused: an array without trace events.
pub(crate) fn is_refused(text: &[u8]) -> bool {
    read_with(text.to_vec(), &Options::default(), &Progress::default()).is_err()
}

fn of(profile: &Profile) -> Reference {
    Reference {
        tracks: profile.threads_with_ids().map(|(id, thread)| track(profile, id, thread)).collect(),
        counters: profile.counters.iter().filter_map(counter).collect(),
        flows: flows(profile),
        names: names(profile),
        not_drawn: profile.meta.not_drawn.iter().map(|(phase, count)| (phase.to_string(), *count)).collect(),
        warnings: warnings(profile),
    }
}

fn track(profile: &Profile, id: ThreadId, thread: &Thread) -> Track {
    let is_global = thread.kind == TrackKind::Global;
    let depths = depths(thread);
    let slice = |at: usize| {
        let (markers, local) = (&thread.markers, LocalMarker::new(at));
        let mut args = String::new();
        profile.payload(id, local).to_json(&mut args);
        Slice {
            start_ns: markers.start(local).0,
            end_ns: (!markers.is_instant(local)).then_some(markers.end(local).0),
            name: profile.marker_name(id, local).to_owned(),
            cat: profile.category_name(markers.category(local)).to_owned(),
            depth: depths[at].map(|depth| usize::try_from(depth).expect("a depth fits")),
            incomplete: markers.flags(local).has(MarkerFlags::INCOMPLETE),
            args: serde_json::from_str(&args).unwrap_or(Value::Null),
            key: None,
            group: thread.groups.get(at).map(u32::to_string),
        }
    };
    Track {
        kind: thread.kind.name(),
        pid: if is_global { String::new() } else { profile.process_of(id).pid.to_string() },
        tid: thread.tid.to_string(),
        slices: (0..thread.markers.len()).map(slice).collect(),
    }
}

/// A counter. The id is the suffix of the name.
fn counter(counter: &flowline::profile::Counter) -> Option<Counter> {
    let split = counter.name.strip_suffix(']').and_then(|name| name.rsplit_once(" ["));
    let (name, id) = split.map_or((counter.name.as_str(), None), |(name, id)| (name, Some(id.to_owned())));
    let series: Vec<_> = counter
        .series
        .iter()
        .map(|series| {
            let samples = series.samples.iter().map(|sample| (sample.time.0, sample.value)).collect();
            (series.name.clone(), samples)
        })
        .collect();
    (!series.is_empty()).then(|| Counter { pid: counter.pid.clone(), name: name.to_owned(), id, series })
}

fn flows(profile: &Profile) -> Vec<Flow> {
    let graph = FlowGraph::build(profile);
    let flow = |flow| {
        let steps: Vec<(i64, usize, usize)> = graph
            .steps(profile, flow)
            .iter()
            .map(|step| {
                let (thread, local) = profile.locate(step.marker).expect("steps refer to markers");
                (step.time.0, thread.index(), local.index())
            })
            .collect();
        let mut of_steps: Vec<(usize, usize)> = steps.iter().map(|(_, thread, at)| (*thread, *at)).collect();
        of_steps.sort_unstable();
        of_steps.dedup();
        let locate = |marker| profile.locate(marker).map(|(thread, local)| (thread.index(), local.index()));
        let mut members: Vec<_> = graph.members(flow).iter().filter_map(|marker| locate(*marker)).collect();
        members.sort_unstable();
        assert_eq!(of_steps, members, "members of a flow equal the markers of its steps");
        assert!(steps.is_sorted_by_key(|step| step.0), "steps are in time order");
        let listed = graph.steps(profile, flow);
        let arrows = (0..steps.len()).filter_map(|at| Some((listed.source(at)?, at))).collect();
        Flow { id: graph.id_text(profile, flow), steps, arrows, loose: false }
    };
    graph.iter().map(flow).collect()
}

/// True for the name of a process or thread that has only an id: the id after a word, or an id that is a name.
fn is_placeholder(name: &str, what: &str, id: &str) -> bool {
    name == format!("{what} {id}") || (name == id && id.parse::<f64>().is_err())
}

/// Names as displayed: placeholders for missing names are omitted, labels follow the name.
fn names(profile: &Profile) -> Names {
    let mut names = Names::default();
    for process in &profile.processes {
        if !is_placeholder(&process.name, "Process", &process.pid) && process.name != "Whole recording" {
            let name = Some(process.name.to_string());
            names.processes.insert(process.pid.to_string(), ProcessNames { name, ..ProcessNames::default() });
        }
    }
    for (id, thread) in profile.threads_with_ids().filter(|(_, thread)| thread.kind == TrackKind::Thread) {
        if !is_placeholder(&thread.name, "Thread", &thread.tid) {
            let key = (profile.process_of(id).pid.to_string(), thread.tid.to_string());
            names.threads.insert(key, ThreadNames { name: Some(thread.name.to_string()), ..ThreadNames::default() });
        }
    }
    names
}

fn warnings(profile: &Profile) -> BTreeMap<&'static str, u64> {
    let mut warnings = BTreeMap::new();
    for warning in profile.warnings.list() {
        let name = match warning.kind {
            // The naive reader checks neither the recording as a whole nor samples.
            WarningKind::Truncated
            | WarningKind::SeveralClocks
            | WarningKind::ExtremeDuration
            | WarningKind::CpuSamples => continue,
            kind => kind.name(),
        };
        *warnings.entry(name).or_default() += warning.count;
    }
    warnings
}
