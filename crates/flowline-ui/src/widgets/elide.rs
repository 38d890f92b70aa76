//! Elided single-line text. The ellipsis replaces the end of the text, or the part before the first difference from
//! sibling texts.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Ui};

use flowline_format::{shorten_middle, shortens_in_middle};

/// Maximum laid-out characters. Longer text is never visible, and layout is linear in its length.
const MAX_CHARS: usize = 400;
/// Lengths that are tried to shorten a text in the middle, and the least one.
const MIDDLE_TRIES: usize = 6;
const LEAST_MIDDLE: usize = 8;
/// Characters shown before the first difference.
const BEFORE: usize = 2;

/// Lays text out on one line of at most `width` points. Longer URLs, paths and numbered names are shortened in the middle;
/// other text ends in an ellipsis.
pub(crate) fn elide(ui: &Ui, text: &str, width: f32, font: FontId, color: Color32) -> Arc<Galley> {
    let plain = elide_end(ui, text, width, font.clone(), color);
    if !plain.elided || text.len() > MAX_CHARS || !shortens_in_middle(text) {
        return plain;
    }
    let shown = plain.rows.first().map_or(0, |row| row.glyphs.len());
    // Letters differ in width, so a few lengths are tried.
    let lengths = (shown.saturating_sub(MIDDLE_TRIES)..=shown + 1).rev().filter(|letters| *letters >= LEAST_MIDDLE);
    let mut galleys = lengths.map(|letters| elide_end(ui, &shorten_middle(text, letters), width, font.clone(), color));
    let Some(fitting) = galleys.find(|galley| !galley.elided) else { return plain };
    let mut galley = Galley::clone(&fitting);
    galley.elided = true;
    Arc::new(galley)
}

/// Lays text out on one line of at most `width` points; longer text ends in an ellipsis.
fn elide_end(ui: &Ui, text: &str, width: f32, font: FontId, color: Color32) -> Arc<Galley> {
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
    let mut job = LayoutJob::simple_singleline(text[..end].replace('\n', " "), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Lays text out on at most `rows` lines of `width` points; longer text ends in an ellipsis.
pub(crate) fn clamp_lines(ui: &Ui, text: &str, width: f32, font: FontId, rows: usize) -> Arc<Galley> {
    let end = text.char_indices().nth(MAX_CHARS * rows).map_or(text.len(), |(end, _)| end);
    let mut job = LayoutJob::simple(text[..end].to_owned(), font, ui.visuals().strong_text_color(), width.max(0.0));
    job.wrap.max_rows = rows;
    job.wrap.break_anywhere = text.len() > end;
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Like [`elide`], for a text that shares its first `differs` characters with another text. If the difference would be
/// cut off, the ellipsis moves before it. Also returns true if the text is elided.
pub(crate) fn elide_common(
    ui: &Ui,
    text: &str,
    differs: usize,
    width: f32,
    font: FontId,
    color: Color32,
) -> (Arc<Galley>, bool) {
    let plain = elide(ui, text, width, font.clone(), color);
    let shown = plain.rows.first().map_or(0, |row| row.glyphs.len());
    match shortened_before(text, differs, shown).filter(|_| plain.elided) {
        Some(text) => (elide(ui, &text, width, font, color), true),
        None => {
            let elided = plain.elided;
            (plain, elided)
        }
    }
}

/// Shortens a text to about `shown` characters and keeps the characters from `differs` on: its start, an ellipsis, the
/// rest. `None` if the difference fits without that.
fn shortened_before(text: &str, differs: usize, shown: usize) -> Option<String> {
    // The last character that fits is the ellipsis, and at least one differing character must be visible.
    if differs + 2 < shown {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let head = shown / 3;
    let tail = shown.saturating_sub(head + 1);
    let from = letters.len().saturating_sub(tail).min(differs.saturating_sub(BEFORE));
    (from > head).then(|| letters[..head].iter().chain(['…'].iter()).chain(&letters[from..]).collect())
}

/// For each text, the length in characters of the longest prefix that it shares with a different text.
pub(crate) fn differences(texts: &[&str]) -> Vec<usize> {
    let shared = |one: &str, other: &str| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let mut order: Vec<&str> = texts.to_vec();
    order.sort_unstable();
    order.dedup();
    let of = |text: &&str| {
        let at = order.binary_search(text).unwrap_or(0);
        // In sorted order, the text with the longest shared prefix is adjacent.
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|beside| order.get(beside));
        beside.map(|other| shared(text, other)).max().unwrap_or(0)
    };
    texts.iter().map(of).collect()
}

/// Shortens a source location for a narrow column: a URL becomes its last path segment, with line and column.
pub(crate) fn short_location(place: &str) -> &str {
    let last = place.rsplit('/').next().filter(|last| place.contains("://") && !last.is_empty());
    last.unwrap_or(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_stays_visible() {
        let texts = ["load https://example.com/a/one.js", "load https://example.com/a/two.js", "paint", "paint"];
        assert_eq!(differences(&texts), [27, 27, 0, 0]);
        let short = shortened_before(texts[0], 27, 18).expect("it does not fit");
        assert_eq!(short, "load h…om/a/one.js");
        let short = shortened_before(texts[1], 27, 18).expect("it does not fit");
        assert_eq!(short, "load h…om/a/two.js");
        assert_eq!(shortened_before(texts[0], 27, 40), None, "the text fits");
        assert_eq!(shortened_before("paint", 0, 3), None, "the texts differ from the start");
    }

    #[test]
    fn a_difference_in_the_middle_stays_too() {
        let text = "the same beginning of many, ONE, and then a very long end that all of them share";
        let short = shortened_before(text, 28, 20).expect("it does not fit");
        assert!(short.starts_with("the sa…, ONE, and"), "{short}");
    }

    /// The text that is drawn in a width, and true if it is elided.
    fn drawn(text: &str, width: f32) -> (String, bool) {
        let context = egui::Context::default();
        let mut drawn = None;
        let _output = context.run_ui(egui::RawInput::default(), |ui| {
            let galley = elide(ui, text, width, FontId::proportional(12.0), Color32::WHITE);
            let letters: String = galley.rows.iter().flat_map(|row| row.glyphs.iter().map(|glyph| glyph.chr)).collect();
            drawn = Some((letters, galley.elided));
            assert!(galley.size().x <= width + 0.5, "{text}");
        });
        drawn.expect("one pass")
    }

    #[test]
    fn places_and_numbered_names_are_elided_in_the_middle() {
        for (text, start, end) in [
            ("https://shop.example/static/js/vendor/app.8f3c.js", "https://", "app.8f3c.js"),
            ("ThreadPoolForegroundWorker 27561", "Thread", "27561"),
        ] {
            let (shown, is_elided) = drawn(text, 130.0);
            assert!(is_elided && shown.starts_with(start) && shown.ends_with(end) && shown.contains('…'), "{shown}");
            assert_eq!(drawn(text, 900.0), (text.to_owned(), false));
        }
        let (shown, is_elided) = drawn("hydrateRootAndEverythingBelowIt", 60.0);
        assert!(is_elided && shown.ends_with('…'), "{shown}");
    }
}
