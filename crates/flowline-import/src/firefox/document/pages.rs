//! `pages`: the windows and their URLs. Each process of a raw profile lists its own pages.

use super::damage::warn_damage;
use super::outline::ignore_wrong_type;
use super::slabs::Slabs;
use crate::firefox::threads::columns::for_each_element;
use flowline_json::{Cursor, decode_value};
use flowline_profile::{Page, TabId, Value, Warnings};

/// Adds the pages at the cursor. Omits pages without an id or a URL.
pub(in crate::firefox) fn read<'a>(
    cursor: Option<Cursor<'a>>,
    slabs: &Slabs<'a>,
    pages: &mut Vec<Page>,
    warnings: &mut Warnings,
) {
    let Some(mut cursor) = cursor else { return };
    let result = for_each_element(&mut cursor, slabs, |cursor| {
        let page = decode_value(cursor)?;
        let window = page.get("innerWindowID").and_then(Value::as_i64);
        let url = page.get("url").and_then(Value::as_str).filter(|url| !url.is_empty());
        if let Some((window, url)) = window.zip(url) {
            let embedder = page.get("embedderInnerWindowID").and_then(Value::as_i64).unwrap_or(0);
            // Old versions call it the browsing context, which is that of the tab.
            let tab = ["tabID", "browsingContextID"].iter().find_map(|key| page.get(key).and_then(Value::as_i64));
            let is_private = page.get("isPrivateBrowsing").is_some_and(Value::is_truthy);
            let tab = tab.filter(|id| *id != 0).map(TabId);
            pages.push(Page { window, url: url.to_owned(), embedder, tab, is_private });
        }
        Ok(())
    });
    if let Err(error) = ignore_wrong_type(result) {
        warn_damage(warnings, error, || "in pages".into());
    }
}

/// Sorts pages by window; the first of several pages of a window wins.
pub(in crate::firefox) fn sorted(mut pages: Vec<Page>) -> Vec<Page> {
    pages.sort_by_key(|page| page.window);
    pages.dedup_by_key(|page| page.window);
    pages
}
