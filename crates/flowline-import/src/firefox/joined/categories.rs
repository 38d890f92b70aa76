//! The categories of all processes as one list.

use std::collections::HashMap;

use crate::firefox::document::meta::Meta;
use flowline_profile::{Category, CategoryId};

/// Recording-wide numbers of a process's categories.
#[derive(Debug, Default)]
pub(in crate::firefox) struct CategoryMap {
    /// Indexed by the process's category number.
    pub(in crate::firefox) ids: Vec<CategoryId>,
    /// Numbers of subcategories, indexed by the process's category and subcategory numbers.
    subcategories: Vec<Vec<u16>>,
}

impl CategoryMap {
    /// The recording-wide number of a subcategory; 0 for an unknown one.
    pub(in crate::firefox) fn subcategory(&self, category: u32, subcategory: u32) -> u16 {
        let known = self.subcategories.get(category as usize).and_then(|known| known.get(subcategory as usize));
        known.copied().unwrap_or(0)
    }
}

/// Merges all categories and their subcategories by name. Returns the numbers for each process.
pub(in crate::firefox) fn merge(metas: &[Meta], all: &mut Vec<Category>) -> Vec<CategoryMap> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut number = |map: &mut CategoryMap, category: &Category| {
        let id = *seen.entry(category.name.clone()).or_insert_with(|| {
            all.push(category.clone());
            all.len() - 1
        });
        let merged = &mut all[id].subcategories;
        let places = if *merged == category.subcategories {
            (0..merged.len()).collect()
        } else {
            category.subcategories.iter().map(|name| place(merged, name)).collect::<Vec<_>>()
        };
        let narrow = |place| u16::try_from(place).unwrap_or(0);
        map.ids.push(CategoryId::new(id));
        map.subcategories.push(places.into_iter().map(narrow).collect());
    };
    let maps = metas.iter().map(|meta| {
        let mut map = CategoryMap::default();
        meta.categories.iter().for_each(|category| number(&mut map, category));
        map
    });
    let maps = maps.collect();
    if all.is_empty() {
        all.push(Category { name: "Other".into(), color: "grey".into(), subcategories: Vec::new() });
    }
    maps
}

/// The index of a name in a list; adds the name if it is missing.
fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// The number of the category for stacks without one: the first gray category.
pub(in crate::firefox) fn default_category(all: &[Category]) -> u16 {
    let grey = all.iter().position(|category| category.color == "grey");
    grey.and_then(|place| u16::try_from(place).ok()).unwrap_or(0)
}

/// The category of compiled scripts, if frames contain the compiler in a separate column instead of a subcategory:
/// before version 54, in recordings whose categories have no subcategories of their own.
pub(in crate::firefox) fn compiled_scripts(all: &[Category]) -> Option<usize> {
    let plain = all.iter().all(|category| category.subcategories.len() <= 1);
    if plain { all.iter().position(|category| category.name == "JavaScript") } else { None }
}

/// The subcategory of scripts compiled by the compiler `name`; adds it if it is missing.
pub(in crate::firefox) fn compiled_by(category: &mut Category, name: &str) -> u16 {
    if category.subcategories.is_empty() {
        category.subcategories.push("Other".into());
    }
    u16::try_from(place(&mut category.subcategories, &format!("JIT ({name})"))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(categories: &[(&str, &[&str])]) -> Meta {
        let category = |(name, subcategories): &(&str, &[&str])| Category {
            name: (*name).into(),
            color: if *name == "Other" { "grey" } else { "blue" }.into(),
            subcategories: subcategories.iter().map(|name| (*name).to_owned()).collect(),
        };
        Meta { categories: categories.iter().map(category).collect(), ..Meta::default() }
    }

    #[test]
    fn each_process_has_its_own_category_numbers() {
        let metas = [
            meta(&[("DOM", &["Other", "A"]), ("Other", &["Other"])]),
            meta(&[("Other", &["Other", "B"]), ("DOM", &["A", "Other"])]),
        ];
        let mut all = Vec::new();
        let maps = merge(&metas, &mut all);
        let ids: Vec<Vec<u32>> = maps.iter().map(|map| map.ids.iter().map(|id| id.0).collect()).collect();
        assert_eq!(ids, [[0, 1], [1, 0]]);
        assert_eq!(all[1].subcategories, ["Other", "B"]);
        assert_eq!((maps[1].subcategory(1, 0), maps[1].subcategory(0, 1), maps[0].subcategory(0, 9)), (1, 1, 0));
        assert_eq!(default_category(&all), 1);
        assert_eq!(compiled_scripts(&all), None);
    }

    #[test]
    fn script_compilers_become_subcategories() {
        let mut all = meta(&[("Other", &["Other"]), ("JavaScript", &[])]).categories;
        let scripts = compiled_scripts(&all).expect("plain categories");
        assert_eq!([compiled_by(&mut all[scripts], "ion"), compiled_by(&mut all[scripts], "ion")], [1, 1]);
        assert_eq!(all[1].subcategories, ["Other", "JIT (ion)"]);
    }
}
