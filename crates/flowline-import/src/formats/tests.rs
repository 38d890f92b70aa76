//! The desktop files and the documentation list the formats of the table.

use super::*;

/// A file of the repository.
fn repository_file(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_kind_of_recording_has_one_format() {
    for kind in SourceKind::ALL {
        assert_eq!(FORMATS.iter().filter(|format| format.kinds.contains(&kind)).count(), 1, "{kind:?}");
    }
}

#[test]
fn the_desktop_opens_files_with_specific_endings() {
    let glob = |ending: &str| {
        // A compressed recording is preferred to other compressed files.
        let weight = if ending.ends_with(".gz") { r#" weight="60""# } else { "" };
        format!(r#"<glob pattern="*{ending}"{weight}/>"#)
    };
    let mut types: Vec<&str> = FORMATS.iter().map(|format| format.mime_type).collect();
    types.dedup();
    let registered = repository_file("desktop/flowline-mime.xml");
    let mut expected = Vec::new();
    for name in &types {
        expected.push(format!(r#"<mime-type type="{name}">"#));
        let formats = FORMATS.iter().filter(|format| format.mime_type == *name);
        expected.extend(formats.flat_map(|format| format.endings).map(|ending| glob(ending)));
    }
    let relevant = |line: &&str| line.starts_with("<mime-type ") || line.starts_with("<glob ");
    let found: Vec<&str> = registered.lines().map(str::trim).filter(relevant).collect();
    assert_eq!(found, expected);

    let entry = repository_file("desktop/flowline.desktop");
    let line = entry.lines().find_map(|line| line.strip_prefix("MimeType=")).expect("MIME types");
    assert_eq!(line, format!("{};application/json;application/gzip;", types.join(";")));
}

#[test]
fn the_documentation_lists_all_formats() {
    let row = |format: &Format| {
        let endings = format.endings.iter().chain(format.shared_endings).map(|ending| format!("`{ending}`"));
        let cut = if format.can_cut() { "yes" } else { "no" };
        format!("| {} | {} | {cut} |", format.name, endings.collect::<Vec<_>>().join(", "))
    };
    let text = repository_file("docs/formats.md");
    let table = text.lines().skip_while(|line| !line.starts_with("| format |")).skip(2);
    let found: Vec<&str> = table.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(found, FORMATS.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn lists_are_sentences() {
    assert_eq!(list([].into_iter()), "");
    assert_eq!(list(["a"].into_iter()), "a");
    assert_eq!(list(["a", "b", "c"].into_iter()), "a, b and c");
    assert!(format_names().ends_with("perf script output and collapsed stacks"));
    assert_eq!(cut_format_names(), "Firefox Profiler profiles, Chrome trace events and Perfetto traces");
}
