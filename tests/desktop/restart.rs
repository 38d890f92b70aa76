//! The arrangement of a real window survives a restart of the program: rows, range, panels, colors and scale. The saved
//! state is read from the files, which a restart also reads; the drawn state is read from the screen.

use std::path::Path;

use serde_json::Value;

use super::screen::{Area, Desktop, folder};

const CHART: Area = [260, 130, 1100, 560];
const ALL: Area = [10, 50, 1430, 860];

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

/// View state saved by the program; null before the first save.
pub(crate) fn view(state: &Path) -> Value {
    let Ok(files) = std::fs::read_dir(state.join("flowline/sessions")) else { return Value::Null };
    let file = files.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|end| end == "json"));
    file.map(|file| read(&file)["view"].take()).unwrap_or_default()
}

#[test]
fn the_arrangement_survives_a_restart() {
    let files = folder("remembered-files");
    let recording = files.join("recording.json.gz");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/example.json.gz"), &recording).expect("a copy");
    let (recording, state) = (recording.to_str().expect("UTF-8"), files.join("state"));
    let mut desktop = Desktop::open_with("remembered", &[recording], Some(&state));
    let first = desktop.shows("the recording", |shot| shot.colorful(CHART) > 0.005 && shot.colors(CHART) > 20);

    // Other rows, a closer zoom, no overview, a table, and a drag of the label column's edge.
    desktop.keys(&["l", "w", "w"]);
    desktop.shows("another layout, closer", |shot| shot.change(&first, CHART) > 0.02);
    desktop.keys(&["alt+1", "shift+n"]);
    desktop.stable_screenshot();
    desktop.drag([221, 400], [300, 400]);
    desktop.keys(&["ctrl+shift+l", "ctrl+plus"]);
    desktop.move_pointer_away();
    let before = desktop.stable_screenshot();
    desktop.wait("the state to be written", |_| {
        let view = view(&state);
        let is_written = view["window"]["table"] == "network"
            && view["window"]["hidden"]["overview"] == true
            && view["window"]["sizes"]["labels"].as_f64().is_some_and(|width| width > 250.0);
        is_written.then_some(())
    });
    assert!(desktop.close().success());
    let written = view(&state);

    let settings = read(&state.join("flowline/settings.json"));
    assert_eq!(settings, Value::Null, "settings are not part of the state");
    let mut desktop = Desktop::open_with("remembered", &[recording], Some(&state));
    let again = desktop.shows("the same, but for colours and scale", |shot| shot.colorful(CHART) > 0.0005);
    // Each run has its own configuration folder: colors and scale come from the settings.
    assert!(again.change(&before, ALL) > 0.1);
    desktop.keys(&["ctrl+shift+l", "ctrl+plus"]);
    desktop.move_pointer_away();
    desktop.shows("the same", |shot| shot.change(&before, ALL) < 0.01);
    assert!(desktop.close().success());
    let kept = view(&state);
    for part in ["times", "layout", "tracks", "window", "tables"] {
        assert_eq!(kept[part], written[part], "{part}");
    }
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}
