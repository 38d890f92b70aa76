//! `pages`: the windows and their URLs. Each process of a raw profile lists its own pages.

use super::damage::warn_damage;
use super::outline::ignore_wrong_type;
use super::slabs::Slabs;
use crate::firefox::threads::columns::for_each_element;
use flowline_json::{Cursor, decode_value};
use flowline_profile::{Page, Value, Warnings};

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
            pages.push(Page { window, url: url.to_owned(), embedder });
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
