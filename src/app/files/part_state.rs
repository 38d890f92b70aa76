//! The state with which a part of a recording opens: at its own range, with the arrangement of the window in which it was saved,
//! and with the notes.

use std::path::Path;

use super::notes_store::NotesStore;
use super::saved_view::SavedViewFile;
use flowline_ui::RecordingPart;

/// Stores the state of the part in a file, before the file is opened for the first time. Returns a message if that fails.
pub(crate) fn store_part_state(file: &Path, part: &RecordingPart) -> Option<String> {
    store(SavedViewFile::for_recording(file), NotesStore::for_recording(file), part)
}

fn store(views: Option<SavedViewFile>, notes: Option<NotesStore>, part: &RecordingPart) -> Option<String> {
    let view = views.zip(part.view.clone()).and_then(|(mut views, view)| views.write(view));
    let notes = notes.filter(|_| part.keeps_notes);
    // Markers have other numbers in the part. Notes are found by thread, name and start.
    let notes = notes.and_then(|mut notes| notes.write(&part.index, &part.notes).problem);
    view.or(notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use flowline_import::{Progress, read};
    use flowline_index::modifications::entry_of_marker;
    use flowline_index::{Arrangement, Index};
    use flowline_profile::notes::{Entry, Note, NoteKind};
    use flowline_profile::{MarkerId, Ns, TimeRange};
    use flowline_ui::SavedView;

    fn index(names: &[(&str, u32)]) -> Arc<Index> {
        let event =
            |(name, at): &(&str, u32)| format!(r#"{{"name":"{name}","ph":"X","pid":1,"tid":1,"ts":{at},"dur":5}}"#);
        let text = format!("[{}]", names.iter().map(event).collect::<Vec<_>>().join(","));
        let profile = read(text.into_bytes(), &Progress::default()).expect("a trace").profile;
        Arc::new(Index::build(Arc::new(profile), Arrangement::Stack))
    }

    #[test]
    fn a_part_has_the_view_and_the_notes_although_its_markers_have_other_numbers() {
        let folder = std::env::temp_dir().join(format!("flowline-part-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("part.json");
        std::fs::write(&file, "the part").expect("written");
        let whole = index(&[("A", 10), ("B", 20), ("C", 30)]);
        let entry = entry_of_marker(whole.profile(), MarkerId(2)).expect("a marker");
        let mut part = RecordingPart {
            index: Arc::clone(&whole),
            range: TimeRange::new(Ns(25_000), Ns(40_000)),
            length: String::new(),
            view: Some(SavedView::from_json(br#"{"version":1,"search":"one"}"#).expect("a view")),
            notes: Arc::new(vec![Note { kind: NoteKind::Label(entry), text: "slow".to_owned() }]),
            keeps_notes: true,
            removes_urls: false,
            removes_screenshots: false,
        };
        let open = |kept: &Path| {
            (SavedViewFile::within(&file, &kept.join("views")), NotesStore::within(&file, &kept.join("notes")))
        };
        let (with, without) = (folder.join("with"), folder.join("without"));
        let (views, notes) = open(&with);
        assert_eq!(store(views, notes, &part), None);
        part.keeps_notes = false;
        let (views, notes) = open(&without);
        assert_eq!(store(views, notes, &part), None);
        let cut = index(&[("C", 30)]);
        let read = open(&with).1.and_then(|mut notes| notes.read(&cut)).expect("notes");
        assert_eq!(read.problems, [""; 0]);
        let marked: Vec<Option<MarkerId>> =
            read.notes.iter().flat_map(|note| note.kind.entries()).map(Entry::marker).collect();
        assert_eq!(marked, [Some(MarkerId(0))]);
        assert_eq!(open(&without).1.and_then(|mut notes| notes.read(&cut)), None);
        for kept in [&with, &without] {
            assert_eq!(open(kept).0.map(|mut views| views.read()), Some(Ok(part.view.clone())));
        }
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
