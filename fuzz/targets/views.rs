//! Saved views and links: any text is refused with a message or shown, and what is shown can be saved and read again.
#![no_main]

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use flowline_import::{self as import, Progress};
use flowline_index::Index;
use flowline_profile::Arrangement;
use flowline_session::{Session, Wake};
use flowline_ui::{KeyMap, SavedView, Shell};
use flowline_view::Theme;
use libfuzzer_sys::fuzz_target;

/// A recording with several threads and flows.
static RECORDING: &[u8] = include_bytes!("../recording.json");

thread_local! {
    static INDEX: RefCell<Option<Arc<Index>>> = const { RefCell::new(None) };
}

fn index() -> Arc<Index> {
    let build = || {
        let profile = import::read(RECORDING, &Progress::default()).expect("the recording can be read").profile;
        Arc::new(Index::build(Arc::new(profile), Arrangement::ByName))
    };
    INDEX.with(|index| Arc::clone(index.borrow_mut().get_or_insert_with(build)))
}

fuzz_target!(
    init: {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| {
        if let Ok(word) = std::str::from_utf8(bytes) {
            let _ = SavedView::from_link(word);
        }
        let Ok(view) = SavedView::from_json(bytes) else { return };
        let linked = SavedView::from_link(&view.to_link()).expect("a link of a view can be read");
        let mut shell = Shell::new(KeyMap::default(), Theme::default());
        let wake: Wake = Arc::new(|| {});
        shell.open(Session::new(Path::new("").to_owned(), index(), Arc::clone(&wake)), &wake);
        let _missing = shell.show_view(&linked);
        if let Some(session) = shell.session_mut() {
            session.refresh_and_wait();
        }
        let saved = shell.saved_view().expect("a view").to_json();
        let again = SavedView::from_json(saved.as_bytes()).expect("a saved view can be read");
        assert_eq!(again.to_json(), saved);
    }
);
