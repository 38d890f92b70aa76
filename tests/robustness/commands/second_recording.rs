//! Random commands on two recordings, while the second one is opened, aligned and closed.

use std::sync::Arc;

use flowline::profile::Ns;
use flowline::session::{Alignment, Session, Wake};
use flowline::ui::KeyMap;
use flowline::view::Pane;
use flowline_synth::Format;

use super::{Fuzzer, STEPS, fuzz_with};
use crate::support;

impl Fuzzer {
    /// Opens, aligns or closes the second recording, and selects the recording that receives the next commands.
    pub(super) fn choose_pane(&mut self) {
        let Some(second) = self.second.clone() else { return };
        let alignment = match self.random.u8(..5) {
            0 => Alignment::Start,
            1 => Alignment::Zero,
            2 => Alignment::Moments { a: self.range().start, b: self.range().start },
            3 => Alignment::Offset(Ns(self.random.i64(..))),
            _ => Alignment::Offset(Ns(self.random.i64(..1 << 30))),
        };
        let is_open = self.window.shell.compares();
        match self.random.u8(..200) {
            0 if is_open => {
                self.note("close the second recording".into());
                self.window.shell.close_second_recording();
            }
            1 | 2 if is_open => {
                self.note(format!("{alignment:?}"));
                self.window.shell.align(alignment);
            }
            3 if is_open => {
                self.note("compare".into());
                self.window.shell.compare_recordings();
            }
            4..20 if !is_open => {
                self.note(format!("open a second recording: {alignment:?}"));
                let session = Session::new("second".into(), second, Arc::new(|| {}));
                self.window.shell.open_second_recording(session, alignment, &(Arc::new(|| {}) as Wake));
            }
            _ => {}
        }
        let is_second = self.window.shell.compares() && self.random.bool();
        self.pane = if is_second { Pane::B } else { Pane::A };
        self.index = Arc::clone(&self.window.shell.session_of(self.pane).expect("the second recording is open").index);
    }
}

#[test]
fn random_commands_on_two_recordings() {
    let second = support::sampled(Format::Chrome, 6_000, 11);
    fuzz_with(
        vec![support::sampled(Format::Firefox, 6_000, 7)],
        Some(second),
        KeyMap::Firefox,
        (20_261_125, STEPS / 2),
    );
}
