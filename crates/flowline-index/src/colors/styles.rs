//! Marker styles. The color comes from the schema's color field if there is one, otherwise from the kind of work.

use rayon::prelude::*;

use super::entries::{color_index, color_of_name};
use super::entry_colors::EntryColors;
use super::kind_rules::KindRules;
use crate::rows::Style;
use flowline_profile::persist::persist;
use flowline_profile::{
    Attributes, Column, LocalMarker, MarkerFlags, MarkerId, Profile, Thread, Value, parallel_chunk_size,
};

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
            let by_attributes: Vec<_> = attributes.items().iter().map(|own| rules.style(thread, own)).collect();
            for (marker, (number, bits)) in attributes.numbers().zip(bits).enumerate() {
                let (style, from_payload) = by_attributes[number];
                let own = || payload_color(profile, thread, LocalMarker::new(marker));
                let color = if from_payload { own() } else { None };
                *bits = to_bits(color.map_or(style, |color| style.with_colors(EntryColors::fixed(color))));
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
                let style = Style::from_bits(*bits).with_colors(EntryColors::fixed(color_index(word)));
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
    pub(crate) fn bits_from(&self, first: MarkerId, count: usize) -> &[u16] {
        let bits: &[u16] = &self.0;
        let from = first.index().min(bits.len());
        &bits[from..from.saturating_add(count).min(bits.len())]
    }

    /// Number of markers.
    pub(crate) fn len(&self) -> usize {
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
#[derive(Debug)]
struct StyleRules<'a> {
    kinds: KindRules<'a>,
    /// For each payload type, true if its schema has a color field.
    from_payload: Vec<bool>,
    /// Palette entries of all names.
    by_name: Vec<u8>,
}

impl<'a> StyleRules<'a> {
    fn new(profile: &'a Profile) -> Self {
        Self {
            kinds: KindRules::new(profile),
            from_payload: profile
                .types
                .iter()
                .map(|(_, kind)| kind.schema.as_ref().is_some_and(|schema| schema.color_field.is_some()))
                .collect(),
            by_name: profile.strings.iter().map(|(_, name)| color_of_name(name)).collect(),
        }
    }

    /// The style of markers of a thread with the given attributes, and true if their payloads may override the color.
    fn style(&self, thread: &Thread, of: &Attributes) -> (Style, bool) {
        let kind = self.kinds.marker_entry(thread, of);
        let name = self.by_name.get(of.name.index()).copied().unwrap_or(kind);
        let style = Style::of(EntryColors { kind, name, file: kind }).with_instant(of.flags.has(MarkerFlags::INSTANT));
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
