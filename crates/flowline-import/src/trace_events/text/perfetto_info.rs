//! Import information in the text of a converted Perfetto trace (see `import::perfetto`).

use flowline_json::{Cursor, decode_value};
use flowline_profile::{Profile, SourceKind, Value, WarningKind, Warnings};

/// Top-level member of the text.
const NAME: &str = "perfetto";
/// Member with the data omitted from the text: kind and count.
const LEFT_OUT: &str = "left_out";

/// Returns true if one of the top-level members of a text states that it is a converted trace.
pub(in crate::trace_events) fn is_in(parts: &[(String, u64)]) -> bool {
    parts.iter().any(|(name, _)| name == NAME)
}

/// Sets the format of a profile converted from a Perfetto trace, and adds warnings for omitted data.
pub(in crate::trace_events) fn take(profile: &mut Profile, warnings: &mut Warnings) {
    let Some(at) = profile.parts.iter().position(|(name, _)| name == NAME) else { return };
    let offset = usize::try_from(profile.parts[at].1).unwrap_or(usize::MAX);
    let Ok(part) = decode_value(&mut Cursor::at(profile.source.bytes(), offset)) else { return };
    let Some(Value::Object(omitted)) = part.get(LEFT_OUT) else { return };
    profile.meta.kind = SourceKind::PerfettoTrace;
    for (what, count) in omitted {
        let count = count.as_i64().and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
        warnings.add_many(WarningKind::NotDrawn, count, || what.to_string());
    }
    profile.parts.remove(at);
}
