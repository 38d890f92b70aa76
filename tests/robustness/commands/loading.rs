//! Random commands on a recording that loads in stages: its beginning, then all markers, then the flows.

use std::sync::Arc;

use flowline::import::{self, Options, Progress};
use flowline::index::Index;
use flowline::index::flows::FlowRules;
use flowline::session::Session;
use flowline::ui::KeyMap;
use flowline_synth::{self as synth, Format};

use super::{Fuzzer, STEPS, fuzz_with};

impl Fuzzer {
    /// From time to time opens the next stage of the recording, and after the last stage its beginning again.
    pub(super) fn load_more(&mut self) {
        if self.stages.is_empty() || self.random.u8(..60) > 0 {
            return;
        }
        let open = &self.window.session().index;
        let at = self.stages.iter().position(|stage| Arc::ptr_eq(stage, open)).expect("the open index is a stage");
        let next = Arc::clone(&self.stages[(at + 1) % self.stages.len()]);
        self.note(format!("stage {} is followed", at));
        let before = visible_state(self.window.session());
        self.window.open_next_stage(Arc::clone(&next));
        if Arc::ptr_eq(next.profile(), self.index.profile()) {
            assert_eq!(visible_state(self.window.session()), before, "loading flows does not change the view");
        }
        self.index = next;
    }
}

/// Marker-related state that the user sees or has set.
fn visible_state(session: &Session) -> impl PartialEq + std::fmt::Debug + use<> {
    let view = &session.view;
    let flags = (view.arrangement, view.flow_lanes.shown, view.tracks.hide_empty_rows, view.path, view.zero);
    let chosen = (view.selected, view.selected_call, view.range, view.measure, view.search.clone(), view.scroll);
    let open = (view.tracks.expanded.clone(), view.tracks.collapsed_groups.clone(), view.tracks.hidden.clone());
    (view.axis.visible(), view.breadcrumbs.committed(), view.is_moving(), flags, chosen, open)
}

/// The beginning of a recording, all its markers, and the complete index.
fn stages(format: Format) -> Vec<Arc<Index>> {
    let options = synth::Options { markers: 12_000, format, threads: None, flows: None, samples: 0, seed: 9 };
    let mut text = Vec::new();
    synth::write(&options, &mut text).expect("writing to memory succeeds");
    let path = std::env::temp_dir().join(format!("flowline-stages-{}-{format:?}", std::process::id()));
    std::fs::write(&path, &text).expect("a file");
    let progress = Progress::default();
    let beginning = import::open_partial(&path, text.len() / 2, &Options::default(), &progress);
    let whole = import::open(&path, &Options::default(), &progress);
    std::fs::remove_file(&path).expect("is removed");
    let picture = |profile: flowline::profile::Profile| {
        let arrangement = profile.meta.arrangement();
        Index::without_flows(Arc::new(profile), arrangement)
    };
    let rules = FlowRules::built_in();
    let beginning = picture(beginning.expect("a beginning").profile).with_flows(&rules);
    let markers = picture(whole.expect("a recording").profile);
    let whole = markers.with_flows(&rules);
    [beginning, markers, whole].map(Arc::new).into()
}

#[test]
fn random_commands_while_a_recording_loads() {
    fuzz_with(stages(Format::Firefox), None, KeyMap::Firefox, (20_261_126, STEPS / 2));
    fuzz_with(stages(Format::Chrome), None, KeyMap::Flowline, (20_261_127, STEPS / 2));
}
