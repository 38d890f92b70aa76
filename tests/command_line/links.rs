//! Links: `render --view` draws exactly the contents of the window; damaged links are refused.

use std::io::BufReader;
use std::path::Path;

use flowline::app::{Headless, RenderOptions};
use flowline::import::{Options, Progress};
use flowline::profile::{FlowId, MarkerId, Ns, ThreadId, TimeRange};
use flowline::ui::TableKind;
use flowline::view::{Command, FlowCommand, FlowLaneCommand, FlowLaneOrder, Measure, PathTarget, RowSelection};
use flowline_load::{Origin, UserRules, load};

use crate::support::program::Program;

fn pixels(path: &str) -> Vec<u8> {
    let file = BufReader::new(std::fs::File::open(path).expect("an image"));
    let mut reader = png::Decoder::new(file).read_info().expect("PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("small")];
    reader.next_frame(&mut rgba).expect("pixels");
    rgba
}

/// A window with the example.
fn window() -> Headless {
    let loaded =
        load(&Origin::Example, Options::default(), &UserRules::built_in(), &Progress::default()).expect("the example");
    let options = RenderOptions { size: [1000, 700], ..RenderOptions::default() };
    let mut window = Headless::new(loaded.index, loaded.setup, Path::new(""), &options).expect("a driver");
    // The notice that only a part is shown belongs to the opening, not to the view: it is in no link.
    window.shell.session_mut().expect("a recording is open").keep_range();
    window
}

#[test]
fn an_image_of_a_link_matches_the_window() {
    let program = Program::new("links");
    let path = program.path("picture.png");
    let box_of = |thread| RowSelection { threads: [ThreadId(thread)].into(), ..RowSelection::default() };
    let range = TimeRange::new(Ns(1_300_000_000), Ns(1_700_000_000));
    let arrangements: [(Vec<Command>, Option<TableKind>); 4] = [
        (vec![], None),
        (
            vec![
                Command::Reveal(MarkerId(40)),
                Command::HideThread(ThreadId(3)),
                Command::TogglePinnedThread(ThreadId(6)),
                Command::ZoomTo(range),
                Command::Measure(Some(Measure::of(range))),
                Command::ZeroAt(Some(MarkerId(11))),
                Command::Scroll(130.0),
            ],
            Some(TableKind::Markers),
        ),
        (
            vec![
                Command::Flow(FlowCommand::Enter(vec![FlowId(3)])),
                Command::Flow(FlowCommand::TogglePin(FlowId(9))),
                Command::Flow(FlowCommand::AllConnections(true)),
                Command::SelectBox(Some(range), box_of(1)),
                Command::ShowPath(Some(PathTarget::end_of(MarkerId(60)))),
                Command::Zoom { pixel: 333.0, factor: 7.7, animated: false },
            ],
            Some(TableKind::Statistics),
        ),
        (
            vec![
                Command::FlowLane(FlowLaneCommand::Order(FlowLaneOrder::Length)),
                Command::FlowLane(FlowLaneCommand::Show(true)),
                Command::Search("paint".into()),
            ],
            Some(TableKind::Network),
        ),
    ];
    for (number, (commands, table)) in arrangements.into_iter().enumerate() {
        let mut window = window();
        for command in commands {
            window.apply(command);
            window.settle();
        }
        window.shell.state.table = table;
        for _ in 0..4 {
            window.settle();
            window.shell.wait();
        }
        window.settle();
        let link = window.shell.saved_view().expect("a recording is open").to_link();
        let word = format!("--view={link}");
        program.good(&["render", "example", "-o", &path, "--size", "1000x700", &word]);
        let shown = window.picture().expect("an image").rgba;
        let drawn = pixels(&path);
        let other = shown.chunks_exact(4).zip(drawn.chunks_exact(4)).filter(|(a, b)| a != b).count();
        assert_eq!(other, 0, "arrangement {number}: number of different pixels");
        // An additional option overrides the link.
        program.good(&["render", "example", "-o", &path, "--size", "1000x700", &word, "--range", "100..200"]);
        assert!(pixels(&path) != drawn, "arrangement {number}");
    }
}

#[test]
fn damaged_links_are_usage_errors() {
    let program = Program::new("damaged links");
    let link = window().shell.saved_view().expect("a recording is open").to_link();
    let path = program.path("picture.png");
    for view in ["", "banana", &link[..link.len() / 2], &format!("{link}x")] {
        let word = format!("--view={view}");
        for arguments in [vec!["example", &word], vec!["render", "example", "-o", &path, &word]] {
            let outcome = program.run(&arguments);
            assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
            assert!(
                outcome.err.contains("--view") && outcome.err.contains("the view text is damaged or incomplete"),
                "{}",
                outcome.err
            );
        }
    }
    assert!(!Path::new(&path).exists());
}
