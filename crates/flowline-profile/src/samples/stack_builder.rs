//! Builds [`StackTables`]: deduplicates functions, scripts and resources, and ensures that callers precede callees.

use std::collections::HashMap;
use std::hash::Hash;

use bytemuck::Pod;

use super::missing::NONE;
use super::stacks::{Frame, Func, NativeSymbol, Resource, ScriptSource, StackTables};
use crate::Column;
use crate::{FrameId, FuncId, StackId, StringId};

/// Numbers of distinct items.
#[derive(Debug)]
struct Numbers<T>(HashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Pod + Eq + Hash> Numbers<T> {
    fn intern(&mut self, item: T, list: &mut Column<T>) -> u32 {
        *self.0.entry(item).or_insert_with(|| {
            list.push(item);
            u32::try_from(list.len() - 1).unwrap_or(NONE)
        })
    }
}

/// Builds [`StackTables`].
#[derive(Debug, Default)]
pub struct StackTablesBuilder {
    tables: StackTables,
    texts: HashMap<Box<str>, StringId>,
    funcs: Numbers<Func>,
    sources: Numbers<ScriptSource>,
    resources: Numbers<Resource>,
    native_symbols: Numbers<NativeSymbol>,
    /// Stacks from [`StackTablesBuilder::stack`], by caller and frame.
    stacks: HashMap<(u32, FrameId), StackId>,
    frames: HashMap<Frame, FrameId>,
    /// Category of frames without one whose callers have none either.
    default_category: u16,
}

impl StackTablesBuilder {
    /// A builder; stacks without a category get the default category.
    #[must_use]
    #[inline]
    pub fn new(default_category: u16) -> Self {
        Self { default_category, ..Self::default() }
    }

    /// The number of a text.
    pub fn text(&mut self, text: &str) -> StringId {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let id = self.tables.strings.push(text);
        self.texts.insert(text.into(), id);
        id
    }

    /// The number of a function; equal functions share one number.
    #[inline]
    pub fn func(&mut self, func: Func) -> FuncId {
        FuncId(self.funcs.intern(func, &mut self.tables.funcs))
    }

    /// Adds a function without deduplication. Formats that number functions themselves distinguish equal ones.
    #[inline]
    pub fn push_func(&mut self, func: Func) -> FuncId {
        self.tables.funcs.push(func);
        FuncId::new(self.tables.funcs.len() - 1)
    }

    /// Adds a script without deduplication.
    #[inline]
    pub fn push_source(&mut self, source: ScriptSource) -> u32 {
        self.tables.sources.push(source);
        u32::try_from(self.tables.sources.len() - 1).unwrap_or(NONE)
    }

    /// Adds a resource without deduplication.
    #[inline]
    pub fn push_resource(&mut self, resource: Resource) -> u32 {
        self.tables.resources.push(resource);
        u32::try_from(self.tables.resources.len() - 1).unwrap_or(NONE)
    }

    /// The number of a script.
    #[inline]
    pub fn source(&mut self, source: ScriptSource) -> u32 {
        self.sources.intern(source, &mut self.tables.sources)
    }

    /// The number of a resource.
    #[inline]
    pub fn resource(&mut self, resource: Resource) -> u32 {
        self.resources.intern(resource, &mut self.tables.resources)
    }

    /// The number of a compiled function.
    #[inline]
    pub fn native_symbol(&mut self, symbol: NativeSymbol) -> u32 {
        self.native_symbols.intern(symbol, &mut self.tables.native_symbols)
    }

    /// Adds a frame without deduplication. Its function must already exist.
    #[inline]
    pub fn push_frame(&mut self, frame: Frame) -> FrameId {
        self.tables.frames.push(frame);
        FrameId::new(self.tables.frames.len() - 1)
    }

    /// The number of a frame; equal frames share one number.
    pub fn frame(&mut self, frame: Frame) -> FrameId {
        if let Some(known) = self.frames.get(&frame) {
            return *known;
        }
        let id = self.push_frame(frame);
        self.frames.insert(frame, id);
        id
    }

    /// Adds a stack without deduplication.
    ///
    /// # Panics
    /// If the caller or the frame does not exist.
    pub fn push_stack(&mut self, caller: Option<StackId>, frame: FrameId) -> StackId {
        let tables = &mut self.tables;
        let id = StackId::new(tables.prefix.len());
        let own = &tables.frames[frame.index()];
        let (category, subcategory) = match (own.category, caller) {
            (u16::MAX, Some(caller)) => (tables.category[caller.index()], tables.subcategory[caller.index()]),
            (u16::MAX, None) => (self.default_category, 0),
            (category, _) => (category, own.subcategory),
        };
        tables.prefix.push(caller.map_or(NONE, |caller| caller.0));
        tables.frame.push(frame);
        tables.category.push(category);
        tables.subcategory.push(subcategory);
        id
    }

    /// Sets the number that the recording uses for an existing stack.
    pub fn set_node_id(&mut self, stack: StackId, id: u32) {
        let ids = self.tables.node_id.make_mut();
        if ids.len() <= stack.index() {
            ids.resize(stack.index() + 1, NONE);
        }
        ids[stack.index()] = id;
    }

    /// The stack of a caller and a frame; equal stacks share one number.
    pub fn stack(&mut self, caller: Option<StackId>, frame: FrameId) -> StackId {
        let key = (caller.map_or(NONE, |caller| caller.0), frame);
        if let Some(known) = self.stacks.get(&key) {
            return *known;
        }
        let id = self.push_stack(caller, frame);
        self.stacks.insert(key, id);
        id
    }

    /// The stack of functions with only a name, starting at the root. `None` for an empty list.
    pub fn named_stack<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> Option<StackId> {
        names.into_iter().fold(None, |caller, name| {
            let func = Func::named(self.text(name));
            let func = self.func(func);
            let frame = self.frame(Frame::of(func));
            Some(self.stack(caller, frame))
        })
    }

    /// The tables built so far.
    #[must_use]
    #[inline]
    pub const fn tables(&self) -> &StackTables {
        &self.tables
    }

    /// Returns the finished tables.
    #[must_use]
    #[inline]
    pub fn finish(mut self) -> StackTables {
        if !self.tables.node_id.is_empty() {
            self.tables.node_id.make_mut().resize(self.tables.prefix.len(), NONE);
        }
        self.tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_and_stacks_share_one_number() {
        let mut builder = StackTablesBuilder::default();
        let [first, second, other] = [["a", "b"], ["a", "b"], ["a", "c"]].map(|names| builder.named_stack(names));
        assert_eq!(first, second);
        assert_ne!(first, other);
        let tables = builder.finish();
        assert_eq!((tables.funcs.len(), tables.frames.len(), tables.len()), (3, 3, 3));
        assert!(tables.is_consistent());
        let names: Vec<&str> = tables.walk(first.expect("two")).map(|stack| tables.name(tables.func(stack))).collect();
        assert_eq!(names, ["b", "a"]);
    }

    #[test]
    fn a_frame_without_a_category_inherits_it() {
        let mut builder = StackTablesBuilder::new(7);
        let name = builder.text("f");
        let func = builder.func(Func::named(name));
        let plain = builder.push_frame(Frame::of(func));
        let own = builder.push_frame(Frame { category: 3, subcategory: 2, ..Frame::of(func) });
        let root = builder.push_stack(None, plain);
        let middle = builder.push_stack(Some(root), own);
        builder.push_stack(Some(middle), plain);
        let tables = builder.finish();
        assert_eq!((&tables.category[..], &tables.subcategory[..]), (&[7, 3, 3][..], &[0, 2, 2][..]));
    }
}
