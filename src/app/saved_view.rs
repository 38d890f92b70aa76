//! The view state of a recording that is saved between runs: entered and pinned flows, their history, the panel's
//! height, the columns of tables, hidden threads and the order of tracks. Each recording has a small JSON file in the user's state folder, named by a hash of the recording's path and
//! valid only for its size and modification time. Flows are stored by id and start, so versions that number them
//! differently find them again. A lost file is no error.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::saved_tracks;
use crate::cache::user_folders::state_folder;
use crate::cache::{self, FileIdentity};
use crate::index::Index;
use crate::index::flows::FlowName;
use crate::profile::json::{Cursor, decode_value};
use crate::profile::{FlowId, ThreadId, Value};
use crate::session::MarkerColumn;
use crate::ui::{FlowColumn, TableLayouts, Widths};
use crate::view::{FlowView, TrackOrder, Tracks};

/// Maximum number of saved flows per entry of the history.
const MAX_FLOWS: usize = 200;

/// Path of a recording, with length and modification time (in nanoseconds) to detect changes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    path: PathBuf,
    bytes: u64,
    changed: u64,
}

impl Identity {
    fn for_recording(recording: &Path) -> Option<Self> {
        let path = std::fs::canonicalize(recording).ok()?;
        let file = FileIdentity::from_path(&path).ok()?;
        Some(Self { path, bytes: file.length(), changed: file.changed() })
    }

    fn file(&self, folder: &Path) -> PathBuf {
        let name = cache::hash(self.path.as_os_str().as_encoded_bytes());
        folder.join(format!("{name:016x}.json"))
    }
}

/// The file with the saved view of a recording.
#[derive(Clone, Debug)]
pub(super) struct SavedViewFile {
    identity: Identity,
    file: PathBuf,
    /// The fields written last.
    written: Option<SavedFields>,
}

/// Summary of the saved fields, to detect changes quickly. The history only grows or is cut at `at`.
type SavedFields = (Vec<FlowId>, Vec<FlowId>, usize, usize, bool, bool, u32, TableLayouts, u64);

fn saved_fields(view: &FlowView, tracks: &Tracks, height: f32, tables: &TableLayouts) -> SavedFields {
    let FlowView { entered, pinned, history, at, all_connections, path, .. } = view;
    let (height, moved) = (height.to_bits(), tracks.kept_revision());
    (entered.clone(), pinned.clone(), history.len(), *at, *all_connections, *path, height, tables.clone(), moved)
}

/// A saved view.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SavedView {
    pub(super) flows: FlowView,
    /// Height of the flow panel in points.
    pub(super) height: Option<f32>,
    /// The columns of tables, if they were arranged.
    pub(super) tables: Option<TableLayouts>,
    /// Which threads are hidden.
    pub(super) hidden: BTreeSet<ThreadId>,
    /// The order of threads and processes.
    pub(super) order: TrackOrder,
}

impl SavedViewFile {
    /// The file for a recording; `None` without a state folder, or for the bundled example.
    pub(super) fn for_recording(recording: &Path) -> Option<Self> {
        Self::within(recording, &state_folder()?.join("sessions"))
    }

    fn within(recording: &Path, folder: &Path) -> Option<Self> {
        let identity = Identity::for_recording(recording)?;
        let file = identity.file(folder);
        Some(Self { identity, file, written: None })
    }

    /// Reads the saved view; `None` if the recording has changed.
    pub(super) fn read(&mut self, index: &Index) -> Option<SavedView> {
        let text = std::fs::read(&self.file).ok()?;
        let value = decode_value(&mut Cursor::at(&text, 0)).ok()?;
        let number = |key: &str| value.get(key).and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
        let path = value.get("path").and_then(Value::as_str);
        if path != Some(&*self.identity.path.to_string_lossy())
            || number("bytes") != Some(self.identity.bytes)
            || number("changed") != Some(self.identity.changed)
        {
            return None;
        }
        let flows = |value: Option<&Value>| find_flows(index, value);
        let history: Vec<Vec<FlowId>> = match value.get("history") {
            Some(Value::List(entries)) => {
                entries.iter().map(|entry| flows(Some(entry))).filter(|flows| !flows.is_empty()).collect()
            }
            _ => Vec::new(),
        };
        let at = number("at").and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        let flag = |key: &str| matches!(value.get(key), Some(Value::Bool(true)));
        let mut view =
            FlowView { all_connections: flag("connections"), path: flag("path_shown"), ..FlowView::default() };
        view.restore(flows(value.get("entered")), flows(value.get("pinned")), history, at);
        let height = value.get("height").and_then(Value::as_f64).filter(|height| height.is_finite());
        #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
        let points = |height: f64| height.clamp(0.0, 10_000.0) as f32;
        let tables = value.get("tables").map(read_tables);
        let (hidden, order) = saved_tracks::read(&value, index.profile());
        Some(SavedView { flows: view, height: height.map(points), tables, hidden, order })
    }

    /// Writes the view if it changed. Errors are ignored.
    pub(super) fn write(
        &mut self,
        index: &Index,
        (view, tracks): (&FlowView, &Tracks),
        height: f32,
        tables: &TableLayouts,
    ) {
        let state = saved_fields(view, tracks, height, tables);
        if self.written.as_ref() == Some(&state) {
            return;
        }
        let text = self.to_text(index, (view, tracks), height, tables);
        let write = || -> std::io::Result<()> {
            if let Some(folder) = self.file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            // Concurrent readers see the old file or the new one, never a part.
            let fresh = self.file.with_extension(format!("{}.new", std::process::id()));
            std::fs::write(&fresh, &text)?;
            std::fs::rename(&fresh, &self.file)
        };
        let _forgotten = write();
        self.written = Some(state);
    }

    fn to_text(
        &self,
        index: &Index,
        (view, tracks): (&FlowView, &Tracks),
        height: f32,
        tables: &TableLayouts,
    ) -> String {
        let (profile, graph) = (index.profile(), index.flows());
        let names = |flows: &[FlowId]| {
            let name = |flow: &FlowId| Value::String(graph.name(profile, *flow).to_string());
            Value::List(flows.iter().take(MAX_FLOWS).map(name).collect())
        };
        let member = |key: &str, value: Value| (key.to_owned(), value);
        let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let mut members = vec![
            member("path", Value::String(self.identity.path.to_string_lossy().into_owned())),
            member("bytes", number(self.identity.bytes)),
            member("changed", number(self.identity.changed)),
            member("entered", names(&view.entered)),
            member("pinned", names(&view.pinned)),
            member("history", Value::List(view.history.iter().map(|flows| names(flows)).collect())),
            member("at", number(view.at as u64)),
            member("connections", Value::Bool(view.all_connections)),
            member("path_shown", Value::Bool(view.path)),
            member("height", Value::Number(f64::from(height))),
            member("tables", tables_value(tables)),
        ];
        members.extend(saved_tracks::members(tracks, profile));
        let value = Value::Object(members);
        let mut text = String::new();
        value.to_json(&mut text);
        text
    }
}

/// The keys of the tables' widths.
const TABLES: [&str; 6] = ["markers", "flows", "statistics", "flow_tree", "samples", "network"];

/// The columns of tables as they are written: those of markers and flows by their headings, and the chosen widths.
fn tables_value(tables: &TableLayouts) -> Value {
    let columns = tables.marker_columns.iter().map(|column| Value::String(column.title().to_owned())).collect();
    let widths = |widths: &Widths| {
        Value::Object(
            widths.chosen().map(|(title, width)| (title.to_owned(), Value::Number(f64::from(width)))).collect(),
        )
    };
    let flow_columns = tables.flow_columns.iter().map(|column| Value::String(column.title().to_owned())).collect();
    let mut members =
        vec![("columns".to_owned(), Value::List(columns)), ("flow_columns".to_owned(), Value::List(flow_columns))];
    members.extend(TABLES.iter().zip(&tables.widths).map(|(key, chosen)| ((*key).to_owned(), widths(chosen))));
    Value::Object(members)
}

fn read_tables(value: &Value) -> TableLayouts {
    let mut tables = TableLayouts::default();
    if let Some(Value::List(titles)) = value.get("columns") {
        let is_shown = |column: &MarkerColumn| titles.iter().any(|title| title.as_str() == Some(column.title()));
        tables.marker_columns = MarkerColumn::ALL.into_iter().filter(is_shown).collect();
    }
    if let Some(Value::List(titles)) = value.get("flow_columns") {
        let is_shown = |column: &FlowColumn| titles.iter().any(|title| title.as_str() == Some(column.title()));
        tables.flow_columns = FlowColumn::ALL.into_iter().filter(is_shown).collect();
    }
    for (key, widths) in TABLES.iter().zip(&mut tables.widths) {
        let Some(Value::Object(members)) = value.get(key) else { continue };
        for (title, width) in members.iter().filter_map(|(title, width)| Some((title, width.as_f64()?))) {
            #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
            widths.set(title, width as f32);
        }
    }
    tables
}

fn find_flows(index: &Index, value: Option<&Value>) -> Vec<FlowId> {
    let Some(Value::List(names)) = value else { return Vec::new() };
    let find = |name: &str| index.flows().find(index.profile(), &FlowName::parse(name)).first().copied();
    names.iter().filter_map(Value::as_str).filter_map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::user_files::UserRules;
    use crate::app::{Origin, load};
    use crate::import::{Options, Progress};
    use crate::view::FlowCommand;

    #[test]
    fn flows_pins_history_height_and_columns_come_back_for_the_same_file_only() {
        let folder = std::env::temp_dir().join(format!("flowline-session-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let recording = folder.join("recording.json.gz");
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/example.json.gz");
        std::fs::copy(example, &recording).expect("a copy");
        let origin = Origin::File(recording.clone());
        let loaded =
            load(&origin, Options::default(), &UserRules::built_in(), &Progress::default()).expect("the example");
        let index = &loaded.index;
        let mut view = FlowView::default();
        for command in [
            FlowCommand::TogglePin(FlowId(7)),
            FlowCommand::TogglePin(FlowId(3)),
            FlowCommand::Enter(vec![FlowId(5)]),
            FlowCommand::Enter(vec![FlowId(9), FlowId(8)]),
            FlowCommand::Enter(vec![FlowId(11)]),
            FlowCommand::Back,
            FlowCommand::AllConnections(true),
            FlowCommand::Path(true),
        ] {
            view.apply(command);
        }
        let mut tables = TableLayouts {
            marker_columns: vec![MarkerColumn::End, MarkerColumn::Name],
            flow_columns: vec![FlowColumn::Label, FlowColumn::LongestWait],
            ..<_>::default()
        };
        tables.widths[0].set("Name", 210.5);
        tables.widths[2].set("p99", 60.0);
        tables.widths[4].set("Function", 99.5);
        let mut tracks = Tracks::default();
        tracks.change(|tracks| {
            tracks.hidden.insert(ThreadId(1));
            tracks.order.pinned = vec![ThreadId(2)];
        });
        let sessions = folder.join("sessions");
        SavedViewFile::within(&recording, &sessions).expect("a place").write(index, (&view, &tracks), 321.0, &tables);
        let read = || SavedViewFile::within(&recording, &sessions).expect("a place").read(index);
        let saved = read().expect("a saved view");
        assert_eq!((saved.flows, saved.height, saved.tables), (view, Some(321.0), Some(tables)));
        assert_eq!((saved.hidden, saved.order), (tracks.hidden, tracks.order));

        std::fs::write(&recording, "changed").expect("another recording");
        assert_eq!(read(), None);
        let file = std::fs::read_dir(&sessions).expect("sessions").next().expect("one").expect("it").path();
        std::fs::write(file, "{\"path\": [").expect("damage");
        assert_eq!(read(), None);
        std::fs::remove_dir_all(&folder).expect("tidied up");
    }
}
