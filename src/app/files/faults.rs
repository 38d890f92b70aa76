//! The files of the user while a system call fails: each is the old or the new one, and nothing in it is lost. `./dev faults`
//! runs this test with a fault at each of its calls.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::notes_files::RecordingId;
use super::{NotesStore, SavedViewFile, SettingsFile, WindowSettings, write_notes};
use crate::app::output::OutputGuard;
use flowline_import::{Progress, read};
use flowline_index::{Arrangement, Index};
use flowline_profile::Ns;
use flowline_profile::notes::{Note, NoteKind};
use flowline_ui::{CollapsedSections, KeyMap, Preferences, SavedView};
use flowline_view::Theme;

const TRACE: &str = r#"[{"name":"A","ph":"X","pid":1,"tid":1,"ts":10,"dur":5}]"#;

/// Does something of the test itself, of which one call may fail, too.
fn retried<T>(action: impl Fn() -> io::Result<T>) -> io::Result<T> {
    action().or_else(|_| action())
}

/// The texts of all files in a folder.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let list = || std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>();
    let files = retried(list).unwrap_or_default();
    let text = |path: PathBuf| {
        let text = retried(|| std::fs::read_to_string(&path)).expect("text");
        (path, text)
    };
    files.into_iter().map(|file| text(file.path())).collect()
}

/// Checks a file that had a member `kept` and was to be changed from `old` to `new`.
fn check(file: &Path, [kept, old, new]: [&str; 3], problem: Option<&str>) {
    let texts = texts(file.parent().expect("a folder"));
    let own = texts.iter().find(|(path, _)| path == file).map(|(_, text)| text.as_str());
    let has = |part: &str| own.is_some_and(|text| text.contains(part));
    assert!(own.is_none_or(|text| serde_json::from_str::<Value>(text).is_ok()), "a partial file: {texts:?}");
    assert!(texts.iter().any(|(_, text)| text.contains(kept)), "{kept} is lost: {texts:?}, {problem:?}");
    match problem {
        None => assert!(has(new), "no message, but the file has not changed: {texts:?}"),
        Some(_) => assert!(has(old) || has(new) || own.is_none(), "{texts:?}, {problem:?}"),
    }
    let is_left = |path: &Path| path.extension().is_some_and(|extension| extension == "part");
    assert!(std::env::var_os("FLOWLINE_FAULT").is_some() || !texts.iter().any(|(path, _)| is_left(path)));
}

fn settings(folder: &Path) -> Option<()> {
    let file = folder.join("settings.json");
    retried(|| std::fs::write(&file, r#"{"later": [1, 2], "theme": "dark"}"#)).ok()?;
    let kept = WindowSettings {
        theme: Theme::Dark,
        scale: 1.0,
        collapsed: CollapsedSections::default(),
        keys: KeyMap::Flowline,
        preferences: Preferences::default(),
    };
    let mut settings = SettingsFile::at(file.clone(), kept.clone());
    let problem = settings.write(WindowSettings { theme: Theme::Light, ..kept });
    check(&file, ["later", r#""dark""#, r#""light""#], problem.as_deref());
    Some(())
}

fn views(folder: &Path, recording: &Path) -> Option<()> {
    let view = |search: &str| SavedView::from_json(format!(r#"{{"version":1,"search":"{search}"}}"#).as_bytes());
    let id = RecordingId::of_file(recording).ok()?;
    let file = folder.join(format!("{}.json", id.0));
    let stored = json!({"version": 1, "search": "one", "later": [1, 2]});
    let stored = json!({"format": "flowline view", "recording": id.0, "view": stored}).to_string();
    retried(|| std::fs::write(&file, &stored)).ok()?;
    let mut views = SavedViewFile::within(recording, folder)?;
    views.assume(view("one").ok());
    let problem = views.write(view("two").ok()?);
    check(&file, ["later", r#""one""#, r#""two""#], problem.as_deref());
    Some(())
}

fn notes(folder: &Path, recording: &Path) -> Option<()> {
    let profile = read(TRACE.as_bytes(), &Progress::default()).expect("a trace").profile;
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    let note = |text: &str| Note { kind: NoteKind::Bookmark(Ns(12)), text: text.to_owned() };
    let id = RecordingId::of_file(recording).ok()?;
    let file = folder.join(format!("{}.json", id.0));
    let write = || write_notes(&OutputGuard::default(), &file, &index, Some(&id), &[note("another window")]);
    retried(write).ok()?;
    let mut store = NotesStore::within(recording, folder)?;
    let problem = store.write(&index, &Arc::new(vec![note("this window")])).problem;
    check(&file, ["another window", "another window", "this window"], problem.as_deref());
    Some(())
}

#[test]
fn the_files_of_the_user() {
    let own = std::env::temp_dir().join(format!("flowline-faults-{}", std::process::id()));
    let folder = std::env::var_os("FLOWLINE_FAULT_FOLDER").map_or_else(|| own.clone(), PathBuf::from);
    let places = ["settings", "views", "notes"].map(|name| folder.join(name));
    let recording = folder.join("recording.json");
    let prepare = || {
        places.iter().try_for_each(std::fs::create_dir_all)?;
        std::fs::write(&recording, TRACE)
    };
    // With a full disk from the start, there is nothing to check.
    if retried(prepare).is_ok() {
        let [in_settings, in_views, in_notes] = &places;
        let checked = [settings(in_settings), views(in_views, &recording), notes(in_notes, &recording)];
        assert!(std::env::var_os("FLOWLINE_FAULT").is_some() || checked == [Some(()); 3]);
    }
    let _other = std::fs::remove_dir_all(own);
}
