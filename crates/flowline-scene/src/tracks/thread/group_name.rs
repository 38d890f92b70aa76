//! Names of groups of rows.

use crate::layout::SceneInput;
use flowline_index::GroupKind;

pub(super) fn group_name<'a>(input: &SceneInput<'a>, kind: GroupKind) -> &'a str {
    match kind {
        GroupKind::Name(name) | GroupKind::Operations(name) => input.index.profile().strings.get(name),
        GroupKind::Network => "Network Requests",
        GroupKind::Stack => "Stack",
        GroupKind::Internals => "Internals",
    }
}
