//! Marker styles. The palette entry comes from the schema's color field if there is one, otherwise from the category.

use rayon::prelude::*;

use crate::rows::Style;
use flowline_profile::persist::persist;
use flowline_profile::{
    Attributes, Column, LocalMarker, MarkerFlags, MarkerId, Profile, Thread, Value, name_color, parallel_chunk_size,
};

/// The palette entries, in order. The words are Firefox's names for category and graph colors.
pub const COLOR_WORDS: [&str; 16] = [
    "grey",
    "darkgrey",
    "purple",
    "yellow",
    "orange",
    "lightblue",
    "green",
    "blue",
    "red",
    "magenta",
    "brown",
    "lightgreen",
    "lightred",
    "transparent",
    "ink",
    "teal",
];

/// Palette entry of a color word; unknown words map to gray.
#[must_use]
pub fn color_index(word: &str) -> u8 {
    let word = match word {
        "gray" => "grey",
        "darkgray" => "darkgrey",
        other => other,
    };
    COLOR_WORDS.iter().position(|known| *known == word).and_then(|index| u8::try_from(index).ok()).unwrap_or(0)
}

/// Palette entry of a name. It is the same in every recording.
#[must_use]
#[inline]
pub fn color_of_name(name: &str) -> u8 {
    color_index(name_color(name))
}

/// The style of every marker in two bytes, so that drawing a frame reads neither categories nor payloads.
#[derive(Clone, Debug, Default)]
pub struct Styles(Column<u16>);
persist!(Styles(bits));

impl Styles {
    /// Computes the styles of all markers, threads in parallel.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let rules = StyleRules::new(profile);
        let to_bits = |style: Style| u16::try_from(style.bits()).unwrap_or(0);
        let style_thread = |(thread, bits): (&Thread, &mut [u16])| {
            let attributes = thread.markers.attributes();
            // Markers with equal attributes share a style, unless their payloads contain colors.
            let by_attributes: Vec<_> = attributes.items().iter().map(|own| rules.style(own)).collect();
            for (marker, (number, bits)) in attributes.numbers().zip(bits).enumerate() {
                let (style, from_payload) = by_attributes[number];
                let own = || payload_color(profile, thread, LocalMarker::new(marker));
                let color = if from_payload { own() } else { None };
                *bits = to_bits(color.map_or(style, |color| style.with_color(color)));
            }
        };
        let mut styles = vec![0_u16; profile.marker_count()];
        let (mut left, mut parts) = (&mut styles[..], Vec::new());
        for thread in &profile.threads {
            let (own, others) = left.split_at_mut(thread.markers.len());
            left = others;
            parts.push((thread, own));
        }
        parts.into_par_iter().with_max_len(parallel_chunk_size(profile.threads.len())).for_each(style_thread);
        for (marker, word) in profile.marker_colors.iter() {
            if let Some(bits) = styles.get_mut(marker.index()) {
                let style = Style::from_bits(*bits).with_color(color_index(word));
                *bits = u16::try_from(style.bits()).unwrap_or(*bits);
            }
        }
        Self(styles.into())
    }

    /// The style of a marker.
    #[must_use]
    #[inline]
    pub fn get(&self, marker: MarkerId) -> Style {
        Style::from_bits(self.0.get(marker.index()).copied().unwrap_or(0))
    }

    /// The style bits of up to `count` markers, starting with `first`.
    pub(super) fn bits_from(&self, first: MarkerId, count: usize) -> &[u16] {
        let bits: &[u16] = &self.0;
        let from = first.index().min(bits.len());
        &bits[from..from.saturating_add(count).min(bits.len())]
    }

    /// Number of markers.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Heap bytes used.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

/// Rules that determine the colors of a profile's markers.
#[derive(Clone, Debug)]
struct StyleRules {
    by_category: Vec<u8>,
    /// For each payload type, true if its schema has a color field.
    from_payload: Vec<bool>,
    /// Colors by name, for recordings that color markers by name; otherwise empty.
    by_name: Vec<u8>,
}

impl StyleRules {
    fn new(profile: &Profile) -> Self {
        Self {
            by_category: profile.categories.iter().map(|category| color_index(&category.color)).collect(),
            from_payload: profile
                .types
                .iter()
                .map(|(_, kind)| kind.schema.as_ref().is_some_and(|schema| schema.color_field.is_some()))
                .collect(),
            by_name: match profile.meta.capabilities.color_by_name {
                true => profile.strings.iter().map(|(_, name)| color_of_name(name)).collect(),
                false => Vec::new(),
            },
        }
    }

    /// The style of markers with the given attributes, and true if their payloads may override the color.
    fn style(&self, of: &Attributes) -> (Style, bool) {
        let by_category = || self.by_category.get(of.category().index()).copied().unwrap_or(0);
        let color = self.by_name.get(of.name.index()).copied().unwrap_or_else(by_category);
        let style = Style::new(color).with_instant(of.flags.has(MarkerFlags::INSTANT));
        let from_payload = of.kind().is_some_and(|kind| self.from_payload.get(kind.index()) == Some(&true));
        (style.with_incomplete(of.flags.has(MarkerFlags::INCOMPLETE)), from_payload)
    }
}

/// The palette entry of the color word in the payload.
fn payload_color(profile: &Profile, thread: &Thread, marker: LocalMarker) -> Option<u8> {
    let schema = profile.types.schema(thread.markers.kind(marker)?)?;
    let key = schema.color_field.as_deref()?;
    let payload = profile.payload_in(thread, marker);
    match payload.get(key)? {
        Value::String(word) => Some(color_index(word)),
        Value::Int(index) => {
            let index = u64::try_from(*index).ok()?;
            Some(color_index(&thread.strings.get(profile.source.bytes(), index)?))
        }
        _ => None,
    }
}
