//! Stack categories for the activity of a thread, in the colors of DevTools.

use flowline_profile::{Category, Column, Profile, StackTables};

/// Functions of scripts.
pub(super) const JAVASCRIPT: u16 = 0;
/// Nothing runs.
pub(super) const IDLE: u16 = 1;
/// The program itself, outside scripts.
pub(super) const PROGRAM: u16 = 2;
/// Garbage collection.
pub(super) const GARBAGE: u16 = 3;
/// Samples of other profilers.
pub(crate) const OTHER: u16 = 4;

/// Names and palette colors, indexed by the constants above.
const CATEGORIES: [(&str, &str); 5] = [
    ("JavaScript", "yellow"),
    ("Idle", "transparent"),
    ("Program", "grey"),
    ("Garbage collection", "orange"),
    ("Other", "grey"),
];

/// Adds the stacks to a profile. Replaces the constants above, which the stacks use as categories, with categories of
/// the recording, and adds the categories in use.
pub(crate) fn add_stacks(profile: &mut Profile, mut stacks: StackTables) {
    let mut numbers = [u16::MAX; CATEGORIES.len()];
    let mut renumber = |category: &mut u16| {
        let Some(number) = numbers.get_mut(usize::from(*category)) else { return };
        if *number == u16::MAX {
            let (name, color) = CATEGORIES[usize::from(*category)];
            let list = &mut profile.categories;
            let at = list.iter().position(|known| known.name == name).unwrap_or_else(|| {
                list.push(Category { name: name.into(), color: color.into(), subcategories: Vec::new() });
                list.len() - 1
            });
            *number = u16::try_from(at).unwrap_or(u16::MAX);
        }
        *category = *number;
    };
    Column::make_mut(&mut stacks.category).iter_mut().for_each(&mut renumber);
    stacks.frames.make_mut().iter_mut().for_each(|frame| renumber(&mut frame.category));
    profile.stacks = stacks;
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::StackTablesBuilder;
    use flowline_profile::samples::{Frame, Func};

    #[test]
    fn categories_in_use_become_categories_of_the_recording() {
        let mut stacks = StackTablesBuilder::new(OTHER);
        let name = stacks.text("f");
        let func = stacks.func(Func::named(name));
        for category in [IDLE, JAVASCRIPT, u16::MAX] {
            let frame = stacks.push_frame(Frame { category, ..Frame::of(func) });
            stacks.push_stack(None, frame);
        }
        let own = Category { name: "JavaScript".into(), color: "red".into(), subcategories: Vec::new() };
        let mut profile = Profile { categories: vec![own], ..Profile::default() };
        add_stacks(&mut profile, stacks.finish());
        let names: Vec<&str> = profile.categories.iter().map(|category| category.name.as_str()).collect();
        assert_eq!(names, ["JavaScript", "Idle", "Other"]);
        assert_eq!(profile.stacks.category[..], [1, 0, 2]);
        let of_frames: Vec<u16> = profile.stacks.frames.iter().map(|frame| frame.category).collect();
        assert_eq!(of_frames, [1, 0, u16::MAX], "a frame without a category still has none");
    }
}
