//! Places in files, as people read them: `file:line:column`.

use crate::samples::{ANONYMOUS, NONE};
use crate::{FuncId, Profile, StackId};

/// A place in a file. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// Path or address, as the recording writes it.
    pub file: String,
    /// Line, if it is known.
    pub line: Option<u32>,
    /// Column, if it is known.
    pub column: Option<u32>,
}

impl FilePlace {
    /// The place that a text like `file:line` or `file:line:column` names; `None` without a file or a line.
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
    /// The name of a function as shown.
    #[must_use]
    pub fn func_name(&self, func: FuncId) -> &str {
        match self.stacks.name(func) {
            "" => ANONYMOUS,
            name => name,
        }
    }

    /// Line and column as shown. They count from 1, also where the format counts from 0; `None` if the line is unknown.
    #[must_use]
    pub fn shown_place(&self, line: u32, column: u32) -> Option<(u32, Option<u32>)> {
        let first = u32::from(self.meta.places_from_zero);
        let shown = |number: u32| (number != NONE).then(|| number.saturating_add(first));
        shown(line).map(|line| (line, shown(column)))
    }

    /// Where the innermost frame of a stack is: `file:line:column`, with line and column of the frame, each of the function if
    /// the frame has none. Without a file it is the name of the library, site or add-on; empty if that is unknown, too.
    #[must_use]
    pub fn frame_place(&self, stack: StackId) -> String {
        let [line, column] = self.frame_numbers(stack);
        self.place_text(self.stacks.func(stack), line, column)
    }

    /// Line and column of the innermost frame of a stack, each of the function if the frame has none.
    fn frame_numbers(&self, stack: StackId) -> [u32; 2] {
        let (frame, own) = (self.stacks.frame(stack), &self.stacks.funcs[self.stacks.func(stack).index()]);
        let known = |number: u32, other: u32| if number == NONE { other } else { number };
        [known(frame.line, own.line), known(frame.column, own.column)]
    }

    /// Where a function begins; see [`Profile::frame_place`].
    #[must_use]
    pub fn func_place(&self, func: FuncId) -> String {
        let own = &self.stacks.funcs[func.index()];
        self.place_text(func, own.line, own.column)
    }

    /// Where a function begins in its file; `None` if the file is unknown.
    #[must_use]
    pub fn func_file_place(&self, func: FuncId) -> Option<FilePlace> {
        let own = &self.stacks.funcs[func.index()];
        self.file_place(func, own.line, own.column)
    }

    /// Where the innermost frame of a stack is in its file, as [`Profile::frame_place`] says.
    #[must_use]
    pub fn frame_file_place(&self, stack: StackId) -> Option<FilePlace> {
        let [line, column] = self.frame_numbers(stack);
        self.file_place(self.stacks.func(stack), line, column)
    }

    fn file_place(&self, func: FuncId, line: u32, column: u32) -> Option<FilePlace> {
        let file = Some(self.stacks.file(func)).filter(|file| !file.is_empty())?.to_owned();
        let (line, column) = self.shown_place(line, column).map_or((None, None), |(line, column)| (Some(line), column));
        Some(FilePlace { file, line, column })
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
    use super::FilePlace;
    use crate::samples::{Frame, Func, NONE, Resource, ResourceKind, ScriptSource, StackTablesBuilder};
    use crate::{Profile, StringId};

    #[test]
    fn places_are_read_from_what_is_shown() {
        let place = |file: &str, line, column| Some(FilePlace { file: file.into(), line: Some(line), column });
        assert_eq!(FilePlace::parse("a.js:12"), place("a.js", 12, None));
        assert_eq!(FilePlace::parse("https://x.org/a.js:12:3"), place("https://x.org/a.js", 12, Some(3)));
        for no_place in ["", "blink,v8", "a.js", ":12", "a.js:", "a.js:-1", "a.js:99999999999"] {
            assert_eq!(FilePlace::parse(no_place), None, "{no_place}");
        }
    }

    #[test]
    fn places_have_what_is_known_of_frame_and_function() {
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
            profile.meta.places_from_zero = from_zero;
            for (stack, one, zero) in stacks {
                assert_eq!(profile.frame_place(stack), if from_zero { zero } else { one });
            }
            let place = if from_zero { "app.js:11:1" } else { "app.js:10:0" };
            assert_eq!(profile.func_place(profile.stacks.func(stacks[0].0)), place);
        }
    }
}
