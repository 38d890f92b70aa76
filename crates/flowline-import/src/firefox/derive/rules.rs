//! Rules by which the markers of a payload type are derived.

use std::collections::HashMap;

use crate::firefox::threads::raw_thread::RawThread;
use flowline_json::fast_path;
use flowline_profile::Schema;
use flowline_profile::text::Format;

/// The rule by which a payload type is derived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::firefox) enum Rule {
    /// By phase.
    #[default]
    Phase,
    Ipc,
    Network,
    Screenshot,
    /// The end of a window's last screenshot.
    WindowDestroyed,
}

impl Rule {
    fn for_type(kind: &str) -> Self {
        match kind {
            "IPC" => Self::Ipc,
            "Network" => Self::Network,
            _ if !kind.starts_with("CompositorScreenshot") => Self::Phase,
            _ if kind.ends_with("WindowDestroyed") => Self::WindowDestroyed,
            _ => Self::Screenshot,
        }
    }
}

/// Properties of a thread's payload type that the derivation needs.
#[derive(Clone, Debug, Default)]
pub(in crate::firefox) struct PayloadTypeInfo {
    pub(in crate::firefox) name: String,
    pub(in crate::firefox) rule: Rule,
    pub(in crate::firefox) is_stack_based: bool,
    /// Keys of its flow fields, and their words for `json::fast_path`.
    pub(in crate::firefox) flow_keys: Vec<(String, u64)>,
    /// Keys of fields with stacks.
    pub(in crate::firefox) stack_keys: Vec<String>,
}

impl PayloadTypeInfo {
    /// True for screenshots and the ends of their windows.
    pub(in crate::firefox) fn is_screenshot(&self) -> bool {
        matches!(self.rule, Rule::Screenshot | Rule::WindowDestroyed)
    }
}

fn key_with_word(key: &str) -> (String, u64) {
    (key.to_owned(), fast_path::key_word(key.as_bytes()))
}

/// Keys of fields with stacks.
fn stack_keys(schema: &Schema) -> Vec<String> {
    schema.fields.iter().filter(|field| field.format == Format::Stack).map(|field| field.key.clone()).collect()
}

/// The payload types of a thread, by their thread-local numbers.
pub(in crate::firefox) fn payload_type_infos(
    thread: &RawThread,
    schemas: &HashMap<&str, &Schema>,
) -> Vec<PayloadTypeInfo> {
    let info = |name: &String| {
        let schema = schemas.get(name.as_str());
        PayloadTypeInfo {
            name: name.clone(),
            rule: Rule::for_type(name),
            is_stack_based: schema.is_some_and(|schema| schema.is_stack_based),
            flow_keys: schema
                .map(|schema| schema.flow_fields().map(|field| key_with_word(&field.key)).collect())
                .unwrap_or_default(),
            stack_keys: schema.map(|schema| stack_keys(schema)).unwrap_or_default(),
        }
    };
    thread.kinds.names().iter().map(info).collect()
}
