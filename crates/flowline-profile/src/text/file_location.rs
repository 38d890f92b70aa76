//! Source locations as displayed: `file:line:column`.

use crate::samples::{ANONYMOUS, NONE};
use crate::{FuncId, Profile, StackId};

/// A location in a file. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLocation {
    /// Path or address as written in the recording.
    pub file: String,
    /// Line, if known.
    pub line: Option<u32>,
    /// Column, if known.
    pub column: Option<u32>,
}

impl FileLocation {
    /// Parses a location such as `file:line` or `file:line:column`; `None` if the file or the line is missing.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let split = |text: &str| {
            let (file, number) = text.rsplit_once(':')?;
            Some((file.to_owned(), number.parse::<u32>().ok()?))
        };
        let (file, last) = split(text)?;
        let (file, line, column) = match split(&file) {
            Some((file, line)) => (file, line, Some(last)),
            None => (file, last, None),
        };
        (!file.is_empty()).then_some(Self { file, line: Some(line), column })
    }
}

impl Profile {
    /// The display name of a function.
    #[must_use]
    #[inline]
    pub fn func_name(&self, func: FuncId) -> &str {
        match self.stacks.name(func) {
            "" => ANONYMOUS,
            name => name,
        }
    }

    /// The displayed line and column. They count from 1, even if the format counts from 0; `None` if the line is
    /// unknown.
    #[must_use]
    #[inline]
    pub fn shown_place(&self, line: u32, column: u32) -> Option<(u32, Option<u32>)> {
        let first = u32::from(self.meta.capabilities.lines_from_zero);
        let shown = |number: u32| (number != NONE).then(|| number.saturating_add(first));
        shown(line).map(|line| (line, shown(column)))
    }

    /// Location of the innermost frame of a stack: `file:line:column`. If the frame has no line or column, that of the
    /// function is used. Without a file, it is the name of the library, site or add-on; empty if that is unknown, too.
    #[must_use]
    #[inline]
    pub fn frame_location(&self, stack: StackId) -> String {
        let [line, column] = self.frame_numbers(stack);
        self.place_text(self.stacks.func(stack), line, column)
    }

    /// Line and column of the innermost frame of a stack. If the frame has no line or column, that of the function is
    /// used.
    fn frame_numbers(&self, stack: StackId) -> [u32; 2] {
        let (frame, own) = (self.stacks.frame(stack), &self.stacks.funcs[self.stacks.func(stack).index()]);
        let known = |number: u32, other: u32| if number == NONE { other } else { number };
        [known(frame.line, own.line), known(frame.column, own.column)]
    }

    /// Location of the start of a function; see [`Profile::frame_location`].
    #[must_use]
    #[inline]
    pub fn func_location(&self, func: FuncId) -> String {
        let own = &self.stacks.funcs[func.index()];
        self.place_text(func, own.line, own.column)
    }

    /// File location of the start of a function; `None` if the file is unknown.
    #[must_use]
    #[inline]
    pub fn func_file_location(&self, func: FuncId) -> Option<FileLocation> {
        let own = &self.stacks.funcs[func.index()];
        self.file_place(func, own.line, own.column)
    }

    /// File location of the innermost frame of a stack, as in [`Profile::frame_location`].
    #[must_use]
    #[inline]
    pub fn frame_file_location(&self, stack: StackId) -> Option<FileLocation> {
        let [line, column] = self.frame_numbers(stack);
        self.file_place(self.stacks.func(stack), line, column)
    }

    fn file_place(&self, func: FuncId, line: u32, column: u32) -> Option<FileLocation> {
        let file = Some(self.stacks.file(func)).filter(|file| !file.is_empty())?.to_owned();
        let (line, column) = self.shown_place(line, column).map_or((None, None), |(line, column)| (Some(line), column));
        Some(FileLocation { file, line, column })
    }

    fn place_text(&self, func: FuncId, line: u32, column: u32) -> String {
        match (self.stacks.file(func), self.shown_place(line, column)) {
            ("", _) => self.stacks.resource(func).map_or_else(String::new, |(_, name)| name.to_owned()),
            (file, None) => file.to_owned(),
            (file, Some((line, None))) => format!("{file}:{line}"),
            (file, Some((line, Some(column)))) => format!("{file}:{line}:{column}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FileLocation;
    use crate::samples::{Frame, Func, NONE, Resource, ResourceKind, ScriptSource, StackTablesBuilder};
    use crate::{Profile, StringId};

    #[test]
    fn displayed_locations_can_be_parsed() {
        let place = |file: &str, line, column| Some(FileLocation { file: file.into(), line: Some(line), column });
        assert_eq!(FileLocation::parse("a.js:12"), place("a.js", 12, None));
        assert_eq!(FileLocation::parse("https://x.org/a.js:12:3"), place("https://x.org/a.js", 12, Some(3)));
        for no_place in ["", "blink,v8", "a.js", ":12", "a.js:", "a.js:-1", "a.js:99999999999"] {
            assert_eq!(FileLocation::parse(no_place), None, "{no_place}");
        }
    }

    #[test]
    fn locations_combine_frame_and_function() {
        let mut builder = StackTablesBuilder::default();
        let (file, empty, name) = (builder.text("app.js"), builder.text(""), builder.text("libx.so"));
        let source = builder.source(ScriptSource { file, id: empty });
        let resource = builder.resource(Resource { name, kind: ResourceKind::LIBRARY });
        let unknown = Func::named(StringId::new(0));
        let mut stack = |func: Func, [line, column]: [u32; 2]| {
            let func = builder.func(func);
            let frame = builder.push_frame(Frame { line, column, ..Frame::of(func) });
            builder.push_stack(None, frame)
        };
        let script = Func { source, line: 10, column: 0, resource, ..unknown };
        let stacks = [
            (stack(script, [12, 4]), "app.js:12:4", "app.js:13:5"),
            (stack(script, [12, NONE]), "app.js:12:0", "app.js:13:1"),
            (stack(script, [NONE, NONE]), "app.js:10:0", "app.js:11:1"),
            (stack(Func { source, ..unknown }, [7, NONE]), "app.js:7", "app.js:8"),
            (stack(Func { source, ..unknown }, [NONE, NONE]), "app.js", "app.js"),
            (stack(Func { resource, ..unknown }, [7, 8]), "libx.so", "libx.so"),
            (stack(unknown, [NONE, NONE]), "", ""),
        ];
        let mut profile = Profile { stacks: builder.finish(), ..Profile::default() };
        for from_zero in [false, true] {
            profile.meta.capabilities.lines_from_zero = from_zero;
            for (stack, one, zero) in stacks {
                assert_eq!(profile.frame_location(stack), if from_zero { zero } else { one });
            }
            let place = if from_zero { "app.js:11:1" } else { "app.js:10:0" };
            assert_eq!(profile.func_location(profile.stacks.func(stacks[0].0)), place);
        }
    }
}
