//! Flows by keyboard only: select a marker, enter its flow, walk along it, pin, enter another flow, unpin; and the
//! state after a restart of the program. Entered and pinned flows are read from the session file, which a restart also
//! reads; the drawn state is read from the screen.

use std::path::Path;

use serde_json::Value;

use super::screen::{Area, Desktop, folder};

/// The lower part of the window, where the flow panel opens.
const PANEL: Area = [240, 780, 1100, 870];
/// The right part of its header for the first entered flow: buttons. The panel is as high as its rows.
const HEADER: Area = [760, 750, 1100, 768];
/// The same, one row higher, when a flow is pinned.
const HEADER_WITH_PIN: Area = [760, 724, 1100, 742];
const CHART: Area = [240, 130, 1100, 560];

/// Flow state saved by the program; null before the first save.
fn session(state: &Path) -> Value {
    super::restart::view(state)["flows"].take()
}

fn names(session: &Value, key: &str) -> Vec<String> {
    let list = session[key].as_array().cloned().unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Waits until the entered and pinned flows satisfy `holds`.
#[track_caller]
fn until(desktop: &mut Desktop, state: &Path, what: &str, holds: impl Fn(&[String], &[String]) -> bool) -> Value {
    desktop.wait(what, |_| {
        let session = session(state);
        holds(&names(&session, "entered"), &names(&session, "pinned")).then_some(session)
    })
}

/// Selects the first hit of a search, then clears the search.
fn select(desktop: &mut Desktop, text: &str) {
    desktop.keys(&["slash"]);
    desktop.stable_screenshot();
    desktop.keys(&["ctrl+a"]);
    desktop.xdotool(&["type", "--delay", "30", text]);
    desktop.stable_screenshot();
    desktop.keys(&["Return"]);
    desktop.stable_screenshot();
    // Return has left the search box, so Escape clears the search.
    desktop.keys(&["Escape"]);
    desktop.stable_screenshot();
}

#[test]
fn flows_work_by_keyboard_and_survive_a_restart() {
    let files = folder("flow-files");
    let recording = files.join("recording.json.gz");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/example.json.gz"), &recording).expect("a copy");
    let (recording, state) = (recording.to_str().expect("UTF-8"), files.join("remembered"));
    let mut desktop = Desktop::open_with("flows", &[recording], Some(&state));
    desktop.shows("the recording", |shot| shot.colorful(CHART) > 0.005);

    select(&mut desktop, "asyncopen");
    let selected = desktop.stable_screenshot();
    desktop.keys(&["Return"]);
    let opened = desktop.shows("Enter opens the flow panel", |shot| {
        shot.change(&selected, PANEL) > 0.2 && shot.change(&selected, HEADER) > 0.7
    });
    let first = names(&until(&mut desktop, &state, "a flow entered", |entered, _| !entered.is_empty()), "entered");

    desktop.keys(&["bracketright", "bracketright"]);
    desktop.shows("] walks along the flow", |shot| shot.change(&opened, [1140, 60, 1430, 400]) > 0.005);
    let walked = names(&session(&state), "entered");
    assert_eq!(walked, first, "walking enters no flow");

    desktop.keys(&["p"]);
    let pinned = names(&until(&mut desktop, &state, "P to pin", |_, pinned| pinned.len() == 1), "pinned");
    assert!(first.contains(&pinned[0]), "the walked flow is pinned");

    select(&mut desktop, "setdisplaylist");
    desktop.keys(&["Return"]);
    let second =
        until(&mut desktop, &state, "another flow entered", |entered, _| !entered.is_empty() && entered != first);
    assert_eq!(names(&second, "pinned"), pinned, "pins stay while other flows are entered");
    let second = names(&second, "entered");

    desktop.keys(&["p"]);
    until(&mut desktop, &state, "a second pin", |_, now| now.len() == 2 && now[0] == pinned[0]);
    desktop.keys(&["p"]);
    until(&mut desktop, &state, "P again to unpin", |_, now| now == pinned);

    desktop.keys(&["alt+Left"]);
    until(&mut desktop, &state, "the way back", |entered, _| entered == first);
    desktop.keys(&["alt+Right"]);
    until(&mut desktop, &state, "the way forth", |entered, _| entered == second);
    desktop.keys(&["alt+Left"]);
    until(&mut desktop, &state, "the way back again", |entered, _| entered == first);
    let left = desktop.stable_screenshot();
    assert!(desktop.close().success());

    let mut desktop = Desktop::open_with("flows-again", &[recording], Some(&state));
    // While the recording loads, there is neither a chart nor a panel.
    desktop.shows("the panel, with nothing pressed", |shot| {
        shot.change(&left, HEADER_WITH_PIN) < 0.3 && shot.change(&selected, HEADER_WITH_PIN) > 0.7
    });
    let remembered = session(&state);
    assert_eq!((names(&remembered, "entered"), names(&remembered, "pinned")), (first, pinned.clone()));
    desktop.keys(&["alt+Right"]);
    until(&mut desktop, &state, "the history of before", |entered, now| entered == second && now == pinned);
    assert!(desktop.close().success());
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}
