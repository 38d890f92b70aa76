//! The style of markers. The palette entry comes from the schema's colour field, else from the category.

use rayon::prelude::*;

use super::span::Style;
use crate::profile::persist::persist;
use crate::profile::{Column, LocalMarker, MarkerFlags, MarkerId, Profile, Thread, Value, max_job_len, name_color};

/// The palette entries, in order. The words are those of Firefox's categories and graph colours.
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

/// Palette entry of a colour word; unknown words are grey.
#[must_use]
pub fn color_index(word: &str) -> u8 {
    let word = match word {
        "gray" => "grey",
        "darkgray" => "darkgrey",
        other => other,
    };
    COLOR_WORDS.iter().position(|known| *known == word).and_then(|index| u8::try_from(index).ok()).unwrap_or(0)
}

/// Palette entry of a name; the same in every recording.
#[must_use]
pub fn color_of_name(name: &str) -> u8 {
    color_index(name_color(name))
}

/// The style of every marker in two bytes, so that frames read neither categories nor payloads.
#[derive(Clone, Debug, Default)]
pub struct Styles(Column<u16>);
persist!(Styles(bits));

impl Styles {
    /// Computes the styles of all markers, threads in parallel.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let rules = StyleRules::new(profile);
        let of_thread = |thread: &Thread| -> Vec<u16> {
            let markers = (0..thread.markers.len()).map(LocalMarker::new);
            let bits = |marker| u16::try_from(rules.style(profile, thread, marker).bits()).unwrap_or(0);
            markers.map(bits).collect()
        };
        let threads = profile.threads.par_iter().with_max_len(max_job_len(profile.threads.len()));
        let parts: Vec<Vec<u16>> = threads.map(of_thread).collect();
        let mut styles = parts.concat();
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
    pub fn get(&self, marker: MarkerId) -> Style {
        Style::from_bits(self.0.get(marker.index()).copied().unwrap_or(0))
    }

    /// The style bits of up to `count` markers, from `first` on.
    pub(super) fn bits_from(&self, first: MarkerId, count: usize) -> &[u16] {
        let bits: &[u16] = &self.0;
        let from = first.index().min(bits.len());
        &bits[from..from.saturating_add(count).min(bits.len())]
    }

    /// Number of markers.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.heap_bytes()
    }
}

/// What decides the colour of a profile's markers.
#[derive(Clone, Debug)]
struct StyleRules {
    by_category: Vec<u8>,
    /// Whether a payload type has a colour field.
    from_payload: Vec<bool>,
    /// Colours by name, for recordings that colour markers by name; otherwise empty.
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
            by_name: match profile.meta.colors_by_name {
                true => profile.strings.iter().map(|(_, name)| color_of_name(name)).collect(),
                false => Vec::new(),
            },
        }
    }

    /// The style of a marker.
    fn style(&self, profile: &Profile, thread: &Thread, marker: LocalMarker) -> Style {
        let markers = &thread.markers;
        let flags = markers.flags(marker);
        let category = self.by_category.get(markers.category(marker).index()).copied().unwrap_or(0);
        let special = markers.kind(marker).filter(|kind| self.from_payload.get(kind.index()) == Some(&true));
        let by_name = self.by_name.get(markers.name(marker).index()).copied();
        let special = special.and_then(|_| payload_color(profile, thread, marker));
        let color = special.or(by_name).unwrap_or(category);
        let style = Style::new(color).with_instant(flags.has(MarkerFlags::INSTANT));
        style.with_incomplete(flags.has(MarkerFlags::INCOMPLETE))
    }
}

/// The palette entry of the colour word in the payload.
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
