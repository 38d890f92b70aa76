//! Colors of calls: by the category of their stacks, or by file; functions without a file by name.

use crate::colors::{color_index, color_of_name};
use flowline_profile::{ColorBy, FuncId, Profile, StackId, StackTables};

/// Palette entries of all categories and functions of a recording.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallPalettes {
    by_category: Vec<u8>,
    by_func: Vec<u8>,
}

impl CallPalettes {
    pub(crate) fn new(profile: &Profile) -> Self {
        let stacks = &profile.stacks;
        let of_func = |func: usize| {
            let func = FuncId::new(func);
            let resource = || stacks.resource(func).map_or("", |(_, name)| name);
            match (stacks.file(func), resource()) {
                ("", "") => color_of_name(stacks.name(func)),
                ("", name) | (name, _) => color_of_name(name),
            }
        };
        Self {
            by_category: profile.categories.iter().map(|category| category_entry(category)).collect(),
            by_func: (0..stacks.funcs.len()).map(of_func).collect(),
        }
    }

    /// Palette for a way to color calls.
    pub(crate) const fn palette<'a>(&'a self, stacks: &'a StackTables, colors: ColorBy) -> CallPalette<'a> {
        CallPalette { palettes: self, stacks, colors }
    }
}

/// Palette entries of calls for one way to color them.
#[derive(Clone, Copy)]
pub(crate) struct CallPalette<'a> {
    palettes: &'a CallPalettes,
    stacks: &'a StackTables,
    colors: ColorBy,
}

impl CallPalette<'_> {
    /// The way to color calls.
    pub(crate) const fn colors(&self) -> ColorBy {
        self.colors
    }

    /// Palette entry of a call, given its stack.
    pub(crate) fn color(&self, stack: StackId) -> u8 {
        let color = match self.colors {
            ColorBy::Kind => self.palettes.by_category.get(usize::from(self.stacks.category[stack.index()])),
            ColorBy::File => self.palettes.by_func.get(self.stacks.func(stack).index()),
        };
        color.copied().unwrap_or(0)
    }
}
