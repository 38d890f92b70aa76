//! Character set: was the encoding of the document known before it was parsed?

use super::requested::{NO_DOCUMENT, NO_HEADERS, document, hard};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::DocumentEvents;
use crate::requests::Headers;
use flowline_index::Derived;

/// Where a meta element must state the encoding.
const EARLY: &str = "found-in-first-1024-bytes";
/// Reason without the event that states what the meta elements say.
const NO_CHECK: &str = "no MetaCharsetCheck of this document: record the category loading";

/// See the module.
pub(super) struct CharacterSetRule;

impl Rule for CharacterSetRule {
    fn name(&self) -> InsightName {
        InsightName::CharacterSet
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        hard(period)?;
        let Some(document) = document(context, period) else { return Some(Finding::unknown(NO_DOCUMENT)) };
        let times = (period.times.start, period.times.end);
        let check = DocumentEvents::of(context.index).charsets(times).last();
        let headers = document.fact.response.and_then(|response| Headers::read(context.profile(), response));
        let kind = headers.as_ref().and_then(|headers| headers.get("content-type"));
        let is_in_header = kind.is_some_and(|kind| states_charset(&kind));
        let is_early = check.is_some_and(|check| check.value == EARLY);
        let (state, summary) = match (is_in_header, is_early) {
            (true, _) => (InsightState::Pass, "The response states the encoding"),
            (_, true) => (InsightState::Pass, "A meta element at the beginning states the encoding"),
            _ if headers.is_none() => (InsightState::Unknown, NO_HEADERS),
            _ if check.is_none() => (InsightState::Unknown, NO_CHECK),
            _ => (InsightState::Fail, "Neither the response nor the first 1,024 bytes state the encoding"),
        };
        let missing = [(headers.is_none(), NO_HEADERS), (check.is_none(), NO_CHECK)];
        let missing = missing.into_iter().filter(|(is_missing, _)| *is_missing && state != InsightState::Pass);
        let data = vec![
            ("http", Fact::known(headers, |_| Fact::Flag(is_in_header))),
            ("meta", Fact::known(check, |check| Fact::Text(check.value.clone()))),
        ];
        let finding = Finding {
            unknown: missing.map(|(_, reason)| reason.to_owned()).collect(),
            range: Some(document.times()),
            late: document.fact.finish.or(Some(document.request.marker)),
            data,
            ..Finding::new(state, summary)
        };
        Some(finding.with_markers([document.request.marker].into_iter().chain(check.map(|check| check.marker))))
    }
}

/// True if a content type names an encoding of two characters or more.
fn states_charset(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    let after = kind.split("charset").skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('=')).any(|rest| {
        let name = rest.trim_start().trim_start_matches(['"', '\'']);
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.()".contains(byte);
        name.bytes().take_while(is_part).count() >= 2
    })
}

#[cfg(test)]
mod tests {
    use super::states_charset;

    #[test]
    fn content_types_state_encodings() {
        for kind in ["text/html; charset=utf-8", "text/html;CharSet = \"latin1\"", "a; charset=x; charset=gb"] {
            assert!(states_charset(kind), "{kind}");
        }
        for kind in ["text/html", "", "text/html; charset=", "text/html; charset=u", "text/html; charset utf-8"] {
            assert!(!states_charset(kind), "{kind}");
        }
    }
}
