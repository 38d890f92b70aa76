//! The colors of groups by name or category: those of their markers in the chart.

use std::borrow::Cow;
use std::collections::BTreeMap;

use flowline_index::KindRules;
use flowline_index::statistics::{Group, Grouping, Key, KeyValue, normalized};
use flowline_profile::Profile;

/// Palette entries of the groups, if their first key is a name or a category.
pub(super) fn swatches(profile: &Profile, grouping: &Grouping, groups: &[Group]) -> Vec<Option<u8>> {
    let entries = match grouping.keys.first() {
        Some(Key::Name) => by_name(profile, grouping.normalize),
        Some(Key::Category) => by_category(profile),
        _ => return Vec::new(),
    };
    let entry = |group: &Group| match group.key.first() {
        Some(KeyValue::Text(text)) => entries.get(text.as_str()).copied(),
        _ => None,
    };
    groups.iter().map(entry).collect()
}

/// Markers with the same name rarely differ in their kind of work; the first ones count.
fn by_name(profile: &Profile, normalize: bool) -> BTreeMap<Cow<'_, str>, u8> {
    let (rules, mut entries) = (KindRules::new(profile), BTreeMap::new());
    for thread in &profile.threads {
        let attributes = thread.markers.attributes();
        for own in attributes.items() {
            let name = profile.strings.get(own.name);
            let name = if normalize { Cow::Owned(normalized(name)) } else { Cow::Borrowed(name) };
            entries.entry(name).or_insert_with(|| rules.marker_entry(thread, own));
        }
    }
    entries
}

fn by_category(profile: &Profile) -> BTreeMap<Cow<'_, str>, u8> {
    let rules = KindRules::new(profile);
    let entry = |(number, name): (usize, &str)| (Cow::Owned(name.to_owned()), rules.category_entry(number));
    profile.categories.iter().map(|category| category.name.as_str()).enumerate().map(entry).collect()
}
