//! Rules out most payloads at once, by finding a term's text in the whole input.
//!
//! Looking into a payload costs some hundred nanoseconds; finding a text in plain bytes is ten times faster. Payloads do not
//! lie inside each other, so a place belongs to the last payload that begins before it. All other payloads cannot match.
//! Those that remain are looked into as before: the filter never decides that one matches.
//!
//! A payload can show a text that its bytes do not hold: through an escape, an index into a string table, the address of a
//! page, a number, or a capital letter whose small form is ASCII. Each of them is asked for, or the filter is not used.

use super::kept_payloads::KeptPayloads;
use super::places::Places;
use super::string_indexes;
use super::term::CompiledTerm;
use crate::flows::FlowGraph;
use crate::search::query::Test;
use flowline_profile::Profile;
use flowline_profile::text::Wanted;

/// The payloads that a term may match; `None` if knowing them would not help, or if `keep_going` returned `false` meanwhile.
pub(super) fn kept_payloads(
    profile: &Profile,
    flows: &FlowGraph,
    term: &CompiledTerm<'_>,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<KeptPayloads> {
    let wanted = Wanted::new(text_of(profile, term)?)?;
    let places = Places::find(profile, &wanted, keep_going)?;
    let mut kept = places.markers(profile);
    string_indexes::add_markers(profile, flows, term, &places, &mut kept, keep_going)?;
    keep_going().then_some(KeptPayloads::new(kept))
}

/// The text that stands in every payload that a term matches, if there is one.
fn text_of<'t>(profile: &Profile, term: &'t CompiledTerm<'_>) -> Option<&'t str> {
    let text = match &term.term.test {
        Test::Anywhere(text) | Test::Field { text, .. } => text,
        Test::Number { .. } | Test::Time { .. } | Test::Flow(_) | Test::Resource(_) => return None,
    };
    let in_literal = term.term.literal.as_ref().is_none_or(|literal| literal.contains(text));
    // Lists are shown with commas between their items, and objects in them as `[object Object]`.
    let in_lists = text.contains(',') || "[object object]".contains(text);
    let in_pages = || profile.pages.iter().any(|page| super::text::contains(page.url.as_bytes(), text));
    (in_literal && !in_lists && !term.numbers && !in_pages()).then_some(text)
}
