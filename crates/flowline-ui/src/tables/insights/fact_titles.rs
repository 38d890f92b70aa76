//! Titles of facts. Facts are named by their keys in output, which end in a unit.

use std::borrow::Cow;

/// Endings of keys that state the unit.
const UNITS: [&str; 3] = ["_ns", "_s", "_bytes"];

/// Title of a fact.
pub(super) fn fact_title(key: &str) -> Cow<'static, str> {
    if let Some(title) = known(key) {
        return Cow::Borrowed(title);
    }
    let stem = UNITS.iter().find_map(|unit| key.strip_suffix(unit)).unwrap_or(key);
    let words = stem.replace('_', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    Cow::Owned(first + letters.as_str())
}

/// Titles of the keys whose words would not do.
fn known(key: &str) -> Option<&'static str> {
    Some(match key {
        "lcp_ns" => "LCP",
        "inp_ns" => "INP",
        "cls" => "CLS",
        "ttfb_ns" => "Time to first byte",
        "url" => "Address",
        "t_ns" => "Time",
        "dur_ns" => "Duration",
        "total_ns" => "Total",
        "ttl_s" => "Lifetime",
        "bytes" => "Transferred",
        "pid" => "Process id",
        "tid" => "Thread id",
        "gc_ns" => "Garbage collection",
        "interaction_id" => "Interaction",
        "priority_hinted" => "High priority requested",
        "discoverable" => "Named in the document",
        "eager" => "Loaded eagerly",
        "no_redirects" => "Without redirects",
        "redirect_ns" => "Redirects",
        "fast" => "Fast server",
        "by_frame" | "by_function" => "By function",
        "top" => "Top function",
        "longest_requests" => "Longest chain",
        "large" => "Long layouts and styles",
        "children" => "Most children",
        "style_sheet_id" => "Style sheet",
        "main_thread_ns" => "Main thread",
        "iframes" => "Frames",
        "unsized_images" => "Images without size",
        "worst" => "Worst cluster",
        "http" => "In the response header",
        "meta" => "In the document",
        "sync_reflow_ns" => "Sync reflows, total",
        "forced_ns" => "Forced flushes, total",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_words_without_units() {
        let titles = ["lcp_ns", "load_delay_ns", "ttl_s", "wasted_bytes", "count", "x"].map(fact_title);
        assert_eq!(titles, ["LCP", "Load delay", "Lifetime", "Wasted", "Count", "X"].map(Cow::Borrowed));
        assert_eq!(fact_title(""), "");
    }
}
