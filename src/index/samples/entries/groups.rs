//! Where a trace event or call belongs: the address that trees group by.

use super::{EntryId, EntryItem, EntryList};
use crate::profile::{Profile, Value};

/// The address of a script, style sheet or document that an entry worked on; empty if it names none.
///
/// For calls it is the file of the function. For events it is what their arguments say, in the order in which DevTools
/// looks: style sheet, innermost frame of the stack, parsed document, address.
#[must_use]
pub fn event_address(profile: &Profile, list: &EntryList, entry: EntryId) -> String {
    let EntryItem::Marker(marker) = list.item(profile, entry) else {
        let func = crate::profile::FuncId(list.func(entry));
        return profile.stacks.file(func).to_owned();
    };
    let Some((thread, local)) = profile.locate(marker) else { return String::new() };
    let payload = profile.payload(thread, local);
    let data = payload.get("data");
    let text = |value: Option<&Value>, key: &str| value?.get(key)?.as_str().map(str::to_owned);
    let innermost = || {
        let Value::List(frames) = data?.get("stackTrace")? else { return None };
        text(frames.first(), "url")
    };
    text(data, "styleSheetUrl")
        .or_else(innermost)
        .or_else(|| text(payload.get("beginData"), "url"))
        .or_else(|| text(data, "url"))
        .unwrap_or_default()
}
