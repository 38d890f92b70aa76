//! The presets of the user.

use std::sync::Arc;

use super::preset::Preset;
use super::preset_format::PresetFormat;
use flowline_profile::SourceKind;

/// Presets by format and name, in the order of their names within a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presets {
    list: Vec<Arc<Preset>>,
}

impl Presets {
    /// Presets for a format.
    pub fn of_format(&self, kind: SourceKind) -> impl Iterator<Item = &Arc<Preset>> {
        let format = PresetFormat::of(kind);
        self.list.iter().filter(move |preset| preset.format == format)
    }

    /// All presets.
    pub fn iter(&self) -> impl Iterator<Item = &Preset> {
        self.list.iter().map(Arc::as_ref)
    }

    /// The preset for a format with a name.
    #[must_use]
    pub fn get(&self, kind: SourceKind, name: &str) -> Option<&Arc<Preset>> {
        self.of_format(kind).find(|preset| preset.name == name)
    }

    /// Adds a preset. It replaces one of the same format and name.
    pub fn set(&mut self, preset: Preset) {
        let key = |preset: &Preset| (preset.format.clone(), preset.name.to_lowercase(), preset.name.clone());
        match self.list.binary_search_by_key(&key(&preset), |other| key(other)) {
            Ok(at) => self.list[at] = Arc::new(preset),
            Err(at) => self.list.insert(at, Arc::new(preset)),
        }
    }

    /// Removes a preset.
    pub fn remove(&mut self, preset: &Preset) {
        self.list.retain(|other| (&other.format, &other.name) != (&preset.format, &preset.name));
    }
}

impl FromIterator<Preset> for Presets {
    fn from_iter<T: IntoIterator<Item = Preset>>(presets: T) -> Self {
        let mut list = Self::default();
        presets.into_iter().for_each(|preset| list.set(preset));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::super::preset::PresetThreads;
    use super::*;

    #[test]
    fn names_are_unique_within_a_format_and_sorted() {
        let preset = |kind, name: &str, search: &str| Preset {
            format: PresetFormat::of(kind),
            name: name.to_owned(),
            search: search.to_owned(),
            threads: PresetThreads::All,
        };
        let (raw, processed, chrome) = (SourceKind::FirefoxRaw, SourceKind::FirefoxProcessed, SourceKind::ChromeTrace);
        let mut presets: Presets =
            [preset(raw, "b", "1"), preset(chrome, "b", "2"), preset(processed, "b", "3"), preset(raw, "A", "4")]
                .into_iter()
                .collect();
        let searches = |presets: &Presets, kind| {
            presets.of_format(kind).map(|preset| preset.search.clone()).collect::<Vec<_>>().concat()
        };
        assert_eq!(
            (searches(&presets, processed).as_str(), searches(&presets, SourceKind::PerfettoTrace).as_str()),
            ("43", "2")
        );
        let own = presets.get(raw, "b").cloned().expect("a preset");
        presets.remove(&own);
        assert_eq!((searches(&presets, raw).as_str(), presets.iter().count()), ("4", 2));
    }
}
