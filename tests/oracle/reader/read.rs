//! Choice of the reader of a format.

use serde_json::Value;

use super::figures::PlainThread;
use super::{chrome, cpu_profile, firefox, firefox_requests};

/// The format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Firefox,
    Trace,
    CpuProfile,
}

/// The contents of a recording that figures are derived from.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) form: Form,
    pub(crate) threads: Vec<PlainThread>,
    /// The number of requests; `None` if the format has none.
    pub(crate) requests: Option<usize>,
    /// True if threads of a trace can have samples, which the reader does not derive.
    pub(crate) has_other_samples: bool,
}

/// Reads a recording; `None` if it has another format, or is damaged.
pub(crate) fn read(text: &[u8]) -> Option<Plain> {
    let root: Value = serde_json::from_slice(text).ok()?;
    if firefox::is_profile(&root) {
        let (threads, requests) = (firefox::threads(&root), Some(firefox_requests::requests(&root)));
        return Some(Plain { form: Form::Firefox, threads, requests, has_other_samples: false });
    }
    if cpu_profile::is_profile(&root) {
        let threads = vec![cpu_profile::thread(&root)];
        return Some(Plain { form: Form::CpuProfile, threads, requests: None, has_other_samples: false });
    }
    let events = chrome::events(&root)?;
    Some(Plain {
        form: Form::Trace,
        threads: chrome::threads(events),
        requests: Some(chrome::requests(events)),
        has_other_samples: chrome::has_samples(events),
    })
}
