//! A real window on a virtual screen: the program runs under Xvfb with a software driver, xdotool sends keys and mouse
//! events, and screenshots show the result. Slow machines only take longer: tests wait for states and measure no times.

#[path = "../support/mod.rs"]
mod support;

mod flows;
mod layout;
mod restart;
mod screen;

use screen::{Area, Desktop, SCREEN, WINDOW, flowline, folder, part, start_screen};

/// The area of the markers: right of the labels, below the ruler and the milestones, left of the details.
const CHART: Area = [258, 148, 1100, 860];
const LABELS: Area = [10, 130, 210, 860];
const OVERVIEW: Area = [10, 60, 1430, 84];
const RULER: Area = [258, 108, 1090, 124];
const BELOW: Area = [258, 680, 1100, 860];
/// The notice of the part that is shown first.
const NOTICE: Area = [475, 834, 880, 860];

#[test]
fn a_session_works_in_a_real_window() {
    let mut desktop = Desktop::open("session", &[]);
    let has_notice = |shot: &screen::Shot| shot.plain(NOTICE) > 0.8;
    let opened = desktop.shows("the page load of the example", |shot| {
        shot.colorful(CHART) > 0.01 && shot.colors(CHART) > 20 && has_notice(shot)
    });
    desktop.keys(&["0"]);
    let first = desktop.shows("0 shows everything", |shot| shot.change(&opened, CHART) > 0.02 && !has_notice(shot));
    assert!(first.change(&opened, RULER) > 0.0);

    desktop.keys(&["w", "w", "w", "w"]);
    let zoomed = desktop.shows("W zooms", |shot| shot.change(&first, CHART) > 0.02 && shot.change(&first, RULER) > 0.0);
    assert!(zoomed.change(&first, LABELS) < 0.01, "the rows do not move");
    assert!(zoomed.change(&first, OVERVIEW) > 0.02, "the overview shows the visible range");

    desktop.drag([900, 500], [700, 500]);
    let panned = desktop.shows("dragging pans", |shot| shot.change(&zoomed, CHART) > 0.002);
    let matches = |shift: usize| {
        let area = [CHART[0], CHART[1], CHART[2] - shift, CHART[3]];
        let moved = [CHART[0] + shift, CHART[1], CHART[2], CHART[3]];
        let same = panned.pixels(area).zip(zoomed.pixels(moved)).filter(|(one, other)| one == other).count();
        part(same, area)
    };
    let (best, same) =
        (100..=300).map(|shift| (shift, matches(shift))).max_by(|a, b| a.1.total_cmp(&b.1)).expect("shifts");
    assert!((199..=201).contains(&best), "the image follows the pointer by 200 pixels, not by {best}");
    assert!(same > 0.97 && same > matches(0), "the rest of the image matches: {same}");

    desktop.keys(&["0"]);
    desktop.shows("0 shows everything again", |shot| shot.change(&first, CHART) < 0.005);

    desktop.point(700, 500);
    desktop.xdotool(&["click", "--repeat", "4", "--delay", "40", "5"]);
    desktop.move_pointer_away();
    let scrolled = desktop.shows("the wheel scrolls rows", |shot| shot.change(&first, LABELS) > 0.02);
    assert!(scrolled.change(&first, RULER) < 0.005, "the time axis is unchanged");
    desktop.point(700, 500);
    desktop.xdotool(&["click", "--repeat", "8", "--delay", "40", "4"]);
    desktop.move_pointer_away();
    desktop.shows("the wheel scrolls back", |shot| shot.change(&first, CHART) < 0.005);

    desktop.keys(&["slash"]);
    desktop.xdotool(&["type", "--delay", "30", "name:refresh"]);
    let found = desktop.shows("a search narrows", |shot| shot.change(&first, LABELS) > 0.05);
    assert!(found.colorful(CHART) > 0.0005, "hits are visible");
    desktop.keys(&["Escape"]);
    desktop.stable_screenshot();
    desktop.keys(&["Escape"]);
    desktop.shows("Escape clears the search", |shot| shot.change(&first, CHART) < 0.005);

    desktop.keys(&["t"]);
    let table = desktop.shows("T opens the table", |shot| shot.change(&first, BELOW) > 0.05);
    let above = [CHART[0], CHART[1], CHART[2], 550];
    assert!(table.change(&first, above) < 0.005, "the chart above is unchanged");
    desktop.keys(&["t"]);
    desktop.shows("T closes the table", |shot| shot.change(&first, CHART) < 0.005);

    for [width, height] in [[1000, 700], [1580, 960], [600, 400], WINDOW] {
        desktop.xdotool(&["windowsize", &desktop.window, &width.to_string(), &height.to_string()]);
        let area = [0, 0, width, height];
        let chart = [240, 130, width - 20, height - 40];
        let resized = desktop.shows("the whole window is drawn at any size", |shot| {
            shot.black(area) < 0.002 && (width > 1500 || shot.black([width + 1, 0, SCREEN[0] - 20, height]) > 0.99)
        });
        assert!(resized.colorful(chart) > 0.005, "{width}x{height} shows markers");
    }
    desktop.shows("the old size shows the old image", |shot| shot.change(&first, CHART) < 0.005);

    assert!(desktop.close().success(), "closing the window exits successfully");
}

#[test]
fn an_unreadable_file_opens_a_window_with_an_error() {
    let files = folder("broken");
    let file = files.join("broken.json");
    std::fs::write(&file, "not a recording").expect("a file");
    let mut desktop = Desktop::open("error", &[file.to_str().expect("UTF-8")]);
    let middle = [300, 300, 1140, 600];
    let shot = desktop.shows("a message", |shot| shot.colors(middle) > 8);
    desktop.keys(&["w", "d", "t", "question"]);
    desktop.shows("the help", |now| now.change(&shot, middle) > 0.02);
    desktop.keys(&["Escape"]);
    desktop.shows("the message again", |now| now.change(&shot, middle) < 0.001);
    assert!(desktop.close().success());
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}

#[test]
fn without_a_display_one_line_gives_advice() {
    let files = folder("nowhere");
    for (display, arguments) in [(None, vec![]), (None, vec!["example.json"]), (Some(":4711"), vec![])] {
        let mut command = flowline(&files);
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        let output = command.args(&arguments).output().expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains("display") && message.contains("flowline render"), "{message}");
        assert!(output.stdout.is_empty());
    }
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}

/// A screen without a graphics driver: one line says how to install one, in the window as in `render`.
#[test]
fn without_a_driver_one_line_gives_advice() {
    let files = folder("driverless");
    let (_screen, display) = start_screen();
    for arguments in [vec!["example"], vec!["render", "example", "-o", "driverless.png"]] {
        let mut command = flowline(&files);
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES", "LIBGL_DRIVERS_PATH"]
        {
            command.env(variable, "/nonexistent");
        }
        let output = command.env("DISPLAY", &display).args(&arguments).output().expect("the program starts");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        // Drivers may add lines of their own.
        let told = message.lines().filter(|line| line.starts_with("flowline: ")).collect::<Vec<_>>();
        assert!(matches!(&told[..], [line] if line.contains("apt install mesa-vulkan-drivers")), "{message}");
    }
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}

/// The window works without a runtime folder, and nobody has to read about it.
#[test]
fn a_missing_runtime_folder_is_not_mentioned() {
    let files = folder("messages");
    let file = files.join("messages.txt");
    let desktop = Desktop::open_configured("runtime", &[], |program| {
        program.env_remove("XDG_RUNTIME_DIR").stderr(std::fs::File::create(&file).expect("a file"));
    });
    assert!(desktop.close().success());
    let messages = std::fs::read_to_string(&file).expect("UTF-8");
    assert!(!messages.contains("XDG_RUNTIME_DIR"), "{messages}");
    // Leftovers are harmless.
    let _left = std::fs::remove_dir_all(files);
}
