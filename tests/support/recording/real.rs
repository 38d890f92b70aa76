//! Real recordings and reference results of another program. They are stored beside the project (`../shared`), not in
//! it. If they are missing, a test prints a notice and checks its own recording instead.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flowline::import::{self, ImportError, Progress};
use flowline::profile::{Ns, Profile, Thread, ThreadId};
use serde_json::Value;

use super::{Recording, read};

/// A file or folder beside the project, if it exists.
#[expect(clippy::print_stdout, reason = "reports missing files")]
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    println!("{path} was not found beside the project; checking a synthetic recording instead");
    None
}

/// Reads a file.
pub(crate) fn open(path: &Path) -> Result<Profile, ImportError> {
    import::open(path, &import::Options::default(), &Progress::default()).map(|imported| imported.profile)
}

/// The one-second recording in a form. Requires the reference results too, because it is useless without them.
fn one_second(form: &str) -> Option<PathBuf> {
    shared("cases/real")?;
    shared(&format!("profiles/firefox-153-{form}-1s.json.gz"))
}

/// The one-second recording in raw and processed form; `own` if one of them is missing.
pub(crate) fn both_forms(own: fn() -> Recording) -> &'static (Profile, Profile) {
    static READ: OnceLock<(Profile, Profile)> = OnceLock::new();
    READ.get_or_init(|| match (one_second("raw"), one_second("processed")) {
        (Some(raw), Some(processed)) => (open(&raw).expect("readable"), open(&processed).expect("readable")),
        _ => {
            let own = own();
            (read(&own.raw()), read(&own.processed()))
        }
    })
}

/// Reference results for the one-second recording; `None` if they or the recording are missing.
pub(crate) fn expected(name: &str) -> Option<Value> {
    let text = std::fs::read(shared(&format!("cases/real/{name}.expected.json"))?).expect("readable");
    one_second("raw").zip(one_second("processed"))?;
    Some(serde_json::from_slice(&text).expect("JSON"))
}

/// Threads by the reference's key, without its process number.
pub(crate) fn by_key(profile: &Profile) -> BTreeMap<String, ThreadId> {
    let key = |(id, thread): (ThreadId, &Thread)| {
        (format!("{}/{}/{}", profile.process_of(id).pid, thread.tid, thread.name), id)
    };
    let keys: BTreeMap<_, _> = profile.threads_with_ids().map(key).collect();
    assert_eq!(keys.len(), profile.threads.len(), "keys are unique");
    keys
}

/// The thread of a key of the reference.
pub(crate) fn thread_of(keys: &BTreeMap<String, ThreadId>, key: &Value) -> ThreadId {
    let key = key.as_str().and_then(|key| key.split_once('/')).expect("a key").1;
    *keys.get(key).unwrap_or_else(|| panic!("thread {key} is missing"))
}

/// A list in the reference.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

/// A time in the reference.
pub(crate) fn ns(ms: &Value) -> Option<Ns> {
    ms.as_f64().and_then(Ns::from_ms)
}
