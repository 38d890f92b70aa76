//! The view of a recording's beginning carries over to the whole recording.

use std::sync::Arc;

use super::*;
use flowline_index::{Group, Index};
use flowline_profile::{GroupKind, MarkerId, Ns, Profile, ThreadId, TimeRange};
use flowline_session::{Session, transfer_view};
use flowline_synth as synth;
use flowline_view::{Command, FlowCommand, RowSelection};

fn session(profile: Profile) -> Session {
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(Arc::new(profile), arrangement));
    Session::new(std::path::PathBuf::new(), index, Arc::new(|| {}))
}

/// Returns the same recording before and after its flows are analyzed.
fn without_flows(profile: Profile) -> [Session; 2] {
    let arrangement = profile.meta.arrangement();
    let picture = Index::without_flows(Arc::new(profile), arrangement);
    let whole = picture.with_flows(&flowline_index::flows::FlowRules::built_in());
    [picture, whole].map(|index| Session::new(std::path::PathBuf::new(), Arc::new(index), Arc::new(|| {})))
}

/// Returns a trace of `count` slices, one per millisecond; if `is_split`, also a slice on another clock.
fn trace(count: usize, is_split: bool) -> Session {
    let slice = |at: usize| format!(r#"{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{},"dur":500}}"#, at * 1000);
    let mut events: Vec<String> = (0..count).map(slice).collect();
    if is_split {
        events.push(slice(1 << 40));
    }
    let text = format!("[{}]", events.join(","));
    session(flowline_import::read(text.into_bytes(), &Progress::default()).expect("a trace").profile)
}

#[test]
fn an_untouched_view_becomes_the_view_of_the_whole() {
    for is_split in [false, true] {
        let (from, mut to) = (trace(100, is_split), trace(1000, is_split));
        let (whole, committed) = (to.view.axis.visible(), to.view.breadcrumbs.committed());
        assert_eq!(committed.is_some(), is_split, "the main cluster is committed");
        transfer_view(&from, &mut to);
        assert_eq!((to.view.axis.visible(), to.view.breadcrumbs.committed()), (whole, committed));
    }
    // The window gets its width after a recording is opened.
    for width in [200.0, 1109.0, 3000.0] {
        let (mut from, mut to) = (trace(100, false), trace(1000, false));
        from.view.axis.set_width(width);
        transfer_view(&from, &mut to);
        let (shown, whole) = (to.view.axis.visible(), to.index.extent());
        assert!(shown.start <= whole.start && whole.end <= shown.end, "{width}: {shown:?} of {whole:?}");
    }
    let (mut from, mut to) = (trace(100, false), trace(1000, false));
    let part = TimeRange { start: Ns(10_000_000), end: Ns(20_000_000) };
    from.apply(Command::Show(part));
    transfer_view(&from, &mut to);
    assert_eq!(to.view.axis.visible(), part);
}

#[test]
fn selected_rows_belong_to_the_same_groups() {
    // One name comes first only in the whole recording; `a` has two rows.
    let text = |count: usize| {
        let early = if count > 100 {
            vec![r#"{"ph":"X","name":"A","pid":1,"tid":1,"ts":1,"dur":1}"#.to_owned()]
        } else {
            Vec::new()
        };
        let of = |name: &str, at: usize| {
            format!(r#"{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{},"dur":1500}}"#, at * 1000)
        };
        let rest = (0..count).flat_map(|at| [of("a", at), of("b", at)]);
        format!("[{}]", early.into_iter().chain(rest).collect::<Vec<_>>().join(","))
    };
    let read = |count| {
        session(flowline_import::read(text(count).into_bytes(), &Progress::default()).expect("a trace").profile)
    };
    let (mut from, mut to) = (read(100), read(1000));
    let thread = ThreadId(0);
    let arrangement = flowline_index::Arrangement::ByName;
    let names = |session: &Session| -> Vec<(String, usize)> {
        let (profile, layout) = (session.index.profile(), session.index.layout(arrangement));
        let rows = &layout.thread(thread).rows;
        let chosen = session.view.chosen.rows.rows.get(&(thread, arrangement));
        let of_group = |group: &Group| {
            let GroupKind::Name(name) = group.kind else { return (String::new(), 0) };
            let all = group.first_row..group.first_row + group.rows;
            (profile.strings.get(name).to_owned(), chosen.map_or(0, |chosen| chosen.count_in(&all)))
        };
        rows.groups.iter().map(of_group).collect()
    };
    let own = from.index.layout(arrangement).thread(thread).rows.groups.clone();
    assert_eq!((own.len(), own[0].rows), (2, 2));
    // The second row of one group and all of the other.
    let mut rows = RowSelection::default();
    rows.add_rows(thread, arrangement, own[0].first_row + 1..own[0].first_row + 2);
    rows.add_rows(thread, arrangement, own[1].first_row..own[1].first_row + 2);
    from.apply(Command::ToggleRows(rows));
    let expected = names(&from);
    transfer_view(&from, &mut to);
    let mut found = names(&to);
    found.retain(|(name, _)| name != "A");
    found.sort();
    assert_eq!(found, [("a".to_owned(), expected[0].1), ("b".to_owned(), expected[1].1)]);
    assert_eq!(names(&to).len(), 3);
}

#[test]
fn names_not_loaded_yet_are_not_shown_as_unknown() {
    let mut strings = Strings::default();
    let ids = ["Paint", flowline_import::UNKNOWN_NAME, "GCMajor"].map(|text| strings.intern(text));
    let renamed = with_name_placeholders(&strings);
    assert_eq!(ids.map(|id| renamed.get(id)), ["Paint", NAME_PLACEHOLDER, "GCMajor"]);
    strings.intern(NAME_PLACEHOLDER);
    let kept = with_name_placeholders(&strings);
    assert!(kept.iter().eq(strings.iter()));
}

#[test]
fn a_beginning_is_extended_until_it_has_markers() {
    let rows = |value: &dyn Fn(usize) -> String| (0..2000).map(value).collect::<Vec<_>>().join(",");
    let data = rows(&|row| format!(r#"{{"type":"T","row":{row}}}"#));
    let [names, starts, ends] =
        [rows(&|_| "0".into()), rows(&|row| row.to_string()), rows(&|row| (row + 1).to_string())];
    let [phases, categories] = [rows(&|_| "1".into()), rows(&|_| "0".into())];
    let text = format!(
        r#"{{"meta":{{"version":24,"preprocessedProfileVersion":60,"interval":1}},"shared":{{"stringArray":["Paint"]}},
        "threads":[{{"name":"GeckoMain","pid":"1","tid":2,"markers":{{"data":[{data}],"name":[{names}],
        "startTime":[{starts}],"endTime":[{ends}],"phase":[{phases}],"category":[{categories}]}}}}]}}"#
    );
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, text.as_bytes()).expect("memory does not fail");
    let path = std::env::temp_dir().join(format!("flowline-extended-{}.gz", std::process::id()));
    std::fs::write(&path, packed.finish().expect("memory does not fail")).expect("a file");
    let open = |limits| open_beginning(&path, limits, &Options::default(), &Progress::default());
    let part = text.find("\"name\":[").expect("names") / 2;
    assert!(open([part, part]).is_none(), "payloads only");
    let extended = open([part, 8 * part]).expect("markers");
    std::fs::remove_file(&path).expect("is removed");
    assert_eq!(extended.profile.marker_count(), 2000);
}

#[test]
fn the_view_of_the_beginning_carries_over_to_the_whole() {
    for format in [synth::Format::Firefox, synth::Format::Chrome] {
        let options = synth::Options { markers: 30_000, format, threads: None, flows: None, samples: 0, seed: 3 };
        let mut text = Vec::new();
        synth::write(&options, &mut text).expect("memory does not fail");
        let path = std::env::temp_dir().join(format!("flowline-beginning-{}-{format:?}", std::process::id()));
        std::fs::write(&path, &text).expect("a file");
        let progress = Progress::default();
        let part = flowline_import::open_partial(&path, text.len() / 2, &Options::default(), &progress);
        let whole = flowline_import::open(&path, &Options::default(), &progress);
        std::fs::remove_file(&path).expect("is removed");
        let (part, whole) = (part.expect("a beginning").profile, whole.expect("whole").profile);
        let count = part.marker_count();
        assert!(count > 5_000 && count < whole.marker_count(), "{count} of {}", whole.marker_count());
        let (mut from, mut to) = (session(part), session(whole));
        let marker = MarkerId::new(count / 2);
        let seen = TimeRange::new(from.index.extent().start, from.index.extent().start + Ns(1_000_000));
        from.apply(Command::Show(seen));
        from.apply(Command::SelectRange(Some(seen)));
        from.apply(Command::ZoomToSelection);
        from.apply(Command::Search("paint".into()));
        from.apply(Command::Select(Some(marker)));
        transfer_view(&from, &mut to);
        assert_eq!(to.view.axis.visible(), from.view.axis.visible());
        assert_eq!((to.view.breadcrumbs.ranges(), from.view.breadcrumbs.committed()), (&[seen][..], Some(seen)));
        assert_eq!(to.view.search, "paint");
        let facts = |session: &Session| {
            let profile = session.index.profile();
            let (thread, local) = profile.locate(session.view.selected?)?;
            let markers = &profile.thread(thread).markers;
            let names = (profile.thread(thread).name.clone(), profile.strings.get(markers.name(local)));
            Some((names.0, names.1.to_owned(), markers.start(local), markers.payload(local)))
        };
        assert_eq!(facts(&from).map(|facts| facts.2), facts(&to).map(|facts| facts.2));
        assert_eq!(facts(&from), facts(&to));
    }
}

#[test]
fn the_view_from_before_flow_analysis_is_kept() {
    let options = synth::Options {
        markers: 5_000,
        format: synth::Format::Firefox,
        threads: None,
        flows: None,
        samples: 0,
        seed: 5,
    };
    let mut text = Vec::new();
    synth::write(&options, &mut text).expect("memory does not fail");
    let profile = flowline_import::read(text, &Progress::default()).expect("a profile").profile;
    let count = profile.marker_count();
    let [mut from, mut to] = without_flows(profile);
    assert!(!from.index.flows().is_known() && from.index.flows().is_empty());
    assert!(to.index.flows().is_known() && !to.index.flows().is_empty());
    assert!(Arc::ptr_eq(from.index.profile(), to.index.profile()) && from.index.id() != to.index.id());
    assert_eq!(to.index.timings.rows, from.index.timings.rows, "only the flows were built");
    let marker = MarkerId::new(count / 3);
    let thread = from.index.profile().locate(marker).expect("a marker").0;
    let seen = TimeRange::new(from.index.extent().start, from.index.extent().start + Ns(1_000_000));
    from.apply(Command::Show(seen));
    let was_expanded = from.view.tracks.expanded.contains(&thread);
    from.apply(Command::ToggleThread(thread));
    from.apply(Command::Select(Some(marker)));
    from.apply(Command::Search("flow:nobody".into()));
    transfer_view(&from, &mut to);
    assert_eq!((to.view.axis.visible(), to.view.selected), (seen, Some(marker)));
    assert_eq!(to.view.tracks.expanded.contains(&thread), !was_expanded);
    assert_eq!(to.view.search, "flow:nobody");
}

#[test]
fn flows_of_the_beginning_are_shown_again_after_analysis() {
    let options = synth::Options {
        markers: 5_000,
        format: synth::Format::Firefox,
        threads: None,
        flows: None,
        samples: 0,
        seed: 5,
    };
    let mut text = Vec::new();
    synth::write(&options, &mut text).expect("memory does not fail");
    let read = || flowline_import::read(text.clone(), &Progress::default()).expect("a profile").profile;
    let mut beginning = session(read());
    let [mut markers, mut whole] = without_flows(read());
    let flows = [1, 3].map(flowline_profile::FlowId::new);
    beginning.apply(Command::Flow(FlowCommand::TogglePin(flows[0])));
    beginning.apply(Command::Flow(FlowCommand::Enter(vec![flows[1]])));
    let end = beginning.index.extent().end;
    let far = TimeRange::new(end - Ns(1_000_000), end);
    beginning.apply(Command::Show(far));
    let target = flowline_view::PathTarget::end_of(MarkerId::new(7));
    transfer_view(&beginning, &mut markers);
    assert!(markers.view.flows.pinned.is_empty() && markers.view.flows.entered.is_empty(), "no flows are analyzed yet");
    markers.apply(Command::ShowPath(Some(target)));
    markers.apply(Command::ZeroAt(Some(MarkerId::new(3))));
    // Showing a path brings it into view; the user moves away again.
    markers.apply(Command::Show(far));
    transfer_view(&markers, &mut whole);
    assert_eq!((&whole.view.flows.pinned[..], &whole.view.flows.entered[..]), (&flows[..1], &flows[1..]));
    assert_eq!((whole.view.path, whole.view.zero), (Some(target), Some(MarkerId::new(3))));
    assert_eq!(
        (whole.view.axis, whole.view.is_moving()),
        (markers.view.axis, false),
        "entering does not move the view"
    );
}

#[test]
fn network_requests_are_found_after_flow_analysis() {
    let event = |name: &str, ts: u32| {
        let data = r#""requestId":"1","url":"https://a.example/","requestMethod":"GET""#;
        format!(r#"{{"ph":"I","s":"t","name":"{name}","pid":1,"tid":1,"ts":{ts},"args":{{"data":{{{data}}}}}}}"#)
    };
    let text = format!("[{},{}]", event("ResourceSendRequest", 1), event("ResourceFinish", 9));
    let found = |session: &Session| session.index.network_if_built().map(|network| network.requests().len());
    for is_cancelled in [false, true] {
        let profile = flowline_import::read(text.clone().into_bytes(), &Progress::default()).expect("a trace").profile;
        let [mut markers, mut whole] = without_flows(profile);
        markers.refresh_and_wait();
        assert_eq!(found(&markers), None, "finding requests would compete with flow analysis");
        let goes_on = if is_cancelled { &mut markers } else { &mut whole };
        goes_on.stop_awaiting_flows();
        goes_on.refresh_and_wait();
        assert_eq!(found(goes_on), Some(1));
    }
}
