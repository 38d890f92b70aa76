//! Colors of calls: the kind by the category of their stacks, the name, and the file of their function.

use super::entries::color_of_name;
use super::entry_colors::EntryColors;
use super::kind_rules::KindRules;
use flowline_profile::{FuncId, Profile, StackId, StackTables};

/// Palette entries of all categories and functions of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallPalettes {
    by_category: Vec<u8>,
    /// By name and by file.
    by_func: Vec<[u8; 2]>,
}

impl CallPalettes {
    pub(crate) fn new(profile: &Profile) -> Self {
        let (stacks, rules) = (&profile.stacks, KindRules::new(profile));
        let of_func = |func: usize| {
            let func = FuncId::new(func);
            let resource = || stacks.resource(func).map_or("", |(_, name)| name);
            let name = color_of_name(stacks.name(func));
            let file = match (stacks.file(func), resource()) {
                ("", "") => name,
                ("", file) | (file, _) => color_of_name(file),
            };
            [name, file]
        };
        Self {
            by_category: (0..profile.categories.len()).map(|category| rules.category_entry(category)).collect(),
            by_func: (0..stacks.funcs.len()).map(of_func).collect(),
        }
    }

    /// The colors of the calls of a recording.
    pub(crate) const fn palette<'a>(&'a self, stacks: &'a StackTables) -> CallPalette<'a> {
        CallPalette { palettes: self, stacks }
    }
}

/// Colors of the calls of a recording.
#[derive(Clone, Copy)]
pub(crate) struct CallPalette<'a> {
    palettes: &'a CallPalettes,
    stacks: &'a StackTables,
}

impl CallPalette<'_> {
    /// Palette entries of a call, given its stack.
    pub(crate) fn colors(&self, stack: StackId) -> EntryColors {
        let category = usize::from(self.stacks.category[stack.index()]);
        let kind = self.palettes.by_category.get(category).copied().unwrap_or(0);
        let [name, file] = self.palettes.by_func.get(self.stacks.func(stack).index()).copied().unwrap_or_default();
        EntryColors { kind, name, group: file }
    }
}
