//! Functions, frames and stacks of a recording.

use bytemuck::{Pod, Zeroable};

use super::missing::NONE;
use crate::Column;
use crate::Strings;
use crate::persist::persist;
use crate::{CategoryId, FrameId, FuncId, StackId, StringId};

/// Flags of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct FuncFlags(pub u32);

impl FuncFlags {
    /// A JavaScript function.
    pub const IS_JS: Self = Self(1);
    /// A label that is shown among JavaScript functions.
    pub const RELEVANT_FOR_JS: Self = Self(2);
    /// A kind of trace event instead of a function, so that trees can show events and calls together.
    pub const IS_EVENT: Self = Self(4);

    /// True if all flags of `other` are set.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union with `other`.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A function. Functions with equal fields are the same, unless the recording numbers its functions itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Func {
    /// Name, in [`StackTables::strings`].
    pub name: StringId,
    /// Script that contains it, in [`StackTables::sources`]; [`NONE`] if unknown.
    pub source: u32,
    /// First line, in the format's numbering; [`NONE`] if unknown.
    pub line: u32,
    /// First column, in the format's numbering; [`NONE`] if unknown.
    pub column: u32,
    /// Library, site or add-on that contains it, in [`StackTables::resources`]; [`NONE`] if unknown.
    pub resource: u32,
    /// Flags.
    pub flags: FuncFlags,
}

impl Func {
    /// A function of which only the name is known.
    #[must_use]
    #[inline]
    pub const fn named(name: StringId) -> Self {
        Self { name, source: NONE, line: NONE, column: NONE, resource: NONE, flags: FuncFlags(0) }
    }
}

/// A position in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Frame {
    /// Address in its library; `u64::MAX` if unknown.
    pub address: u64,
    /// Function.
    pub func: FuncId,
    /// Line, in the format's numbering; [`NONE`] if unknown.
    pub line: u32,
    /// Column, in the format's numbering; [`NONE`] if unknown.
    pub column: u32,
    /// Compiled function that contains it, in [`StackTables::native_symbols`]; [`NONE`] if unknown.
    pub native_symbol: u32,
    /// Category; `u16::MAX` to inherit the caller's category.
    pub category: u16,
    /// Subcategory of the category.
    pub subcategory: u16,
    /// Inlining depth; 0 for a real call.
    pub inline_depth: u16,
    /// Unused.
    pub reserved: u16,
}

impl Frame {
    /// A frame of which only the function is known.
    #[must_use]
    pub const fn of(func: FuncId) -> Self {
        Self {
            address: u64::MAX,
            func,
            line: NONE,
            column: NONE,
            native_symbol: NONE,
            category: u16::MAX,
            subcategory: 0,
            inline_depth: 0,
            reserved: 0,
        }
    }
}

/// A script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct ScriptSource {
    /// Address or path.
    pub file: StringId,
    /// Id in the recording; empty if it has none. Scripts with the same address may have different ids.
    pub id: StringId,
}

/// Kind of a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct ResourceKind(pub u32);

impl ResourceKind {
    /// Unknown.
    pub const UNKNOWN: Self = Self(0);
    /// A native library.
    pub const LIBRARY: Self = Self(1);
    /// An add-on.
    pub const ADDON: Self = Self(2);
    /// A web site.
    pub const WEBHOST: Self = Self(3);
    /// Another host.
    pub const OTHERHOST: Self = Self(4);
    /// A URL.
    pub const URL: Self = Self(5);
}

/// A library, site or add-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Resource {
    /// Name.
    pub name: StringId,
    /// Kind.
    pub kind: ResourceKind,
}

/// A compiled function, which may contain inlined ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct NativeSymbol {
    /// Address in its library.
    pub address: u64,
    /// Name.
    pub name: StringId,
    /// Name of its library.
    pub library: StringId,
}

/// The stacks of a recording. Callers precede callees, so a walk to the root always terminates.
#[derive(Clone, Debug, Default)]
pub struct StackTables {
    /// Texts of all tables.
    pub strings: Strings,
    /// Functions. If two have equal fields, they differ in a property that is not stored.
    pub funcs: Column<Func>,
    /// Frames.
    pub frames: Column<Frame>,
    /// Scripts.
    pub sources: Column<ScriptSource>,
    /// Libraries, sites and add-ons.
    pub resources: Column<Resource>,
    /// Compiled functions.
    pub native_symbols: Column<NativeSymbol>,
    /// Caller of each stack; [`NONE`] at a root. Always less than the stack itself.
    pub prefix: Column<u32>,
    /// Innermost frame of each stack.
    pub frame: Column<FrameId>,
    /// Category of each stack: that of its innermost frame with a category, or the default.
    pub category: Column<u16>,
    /// Subcategory of each stack.
    pub subcategory: Column<u16>,
    /// Number of each stack in the recording, [`NONE`] if it has none; empty if the recording does not number stacks.
    /// V8 numbers the nodes of each profile's tree.
    pub node_id: Column<u32>,
}
persist!(StackTables {
    strings,
    funcs,
    frames,
    sources,
    resources,
    native_symbols,
    prefix,
    frame,
    category,
    subcategory,
    node_id
});

impl StackTables {
    /// Number of stacks.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.prefix.len()
    }

    /// True if there are no stacks.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty()
    }

    /// The caller of a stack.
    #[must_use]
    #[inline]
    pub fn caller(&self, stack: StackId) -> Option<StackId> {
        let prefix = self.prefix[stack.index()];
        (prefix != NONE).then_some(StackId(prefix))
    }

    /// The innermost frame of a stack.
    #[must_use]
    #[inline]
    pub fn frame(&self, stack: StackId) -> &Frame {
        &self.frames[self.frame[stack.index()].index()]
    }

    /// The innermost function of a stack.
    #[must_use]
    #[inline]
    pub fn func(&self, stack: StackId) -> FuncId {
        self.frame(stack).func
    }

    /// A stack and its callers, innermost first.
    #[inline]
    pub fn walk(&self, stack: StackId) -> impl Iterator<Item = StackId> {
        std::iter::successors(Some(stack), |stack| self.caller(*stack))
    }

    /// Number of a stack in the recording.
    #[must_use]
    #[inline]
    pub fn node_id_of(&self, stack: StackId) -> Option<u32> {
        self.node_id.get(stack.index()).copied().filter(|id| *id != NONE)
    }

    /// Category of a stack.
    #[must_use]
    #[inline]
    pub fn category_of(&self, stack: StackId) -> CategoryId {
        CategoryId(u32::from(self.category[stack.index()]))
    }

    /// Name of a function.
    #[must_use]
    #[inline]
    pub fn name(&self, func: FuncId) -> &str {
        self.strings.get(self.funcs[func.index()].name)
    }

    /// Script that contains a function; empty if unknown.
    #[must_use]
    #[inline]
    pub fn file(&self, func: FuncId) -> &str {
        self.sources.get(self.funcs[func.index()].source as usize).map_or("", |source| self.strings.get(source.file))
    }

    /// Kind and name of the library, site or add-on that contains a function; `None` if unknown.
    #[must_use]
    #[inline]
    pub fn resource(&self, func: FuncId) -> Option<(ResourceKind, &str)> {
        let resource = self.resources.get(self.funcs[func.index()].resource as usize)?;
        Some((resource.kind, self.strings.get(resource.name)))
    }

    /// Adds a kind of trace event as a function, and a stack that consists only of this function.
    pub fn push_event(&mut self, name: &str, category: CategoryId) -> StackId {
        let func = Func { flags: FuncFlags::IS_EVENT, ..Func::named(self.strings.push(name)) };
        let category = u16::try_from(category.0).unwrap_or(0);
        self.funcs.push(func);
        self.frames.push(Frame { category, ..Frame::of(FuncId::new(self.funcs.len() - 1)) });
        self.prefix.push(NONE);
        self.frame.push(FrameId::new(self.frames.len() - 1));
        self.category.push(category);
        self.subcategory.push(0);
        if !self.node_id.is_empty() {
            self.node_id.push(NONE);
        }
        StackId::new(self.prefix.len() - 1)
    }

    /// True if all numbers are within their tables; checked when a recording is restored from a file.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let count = self.prefix.len();
        let columns = [self.frame.len(), self.category.len(), self.subcategory.len()];
        let known = |number: u32, length: usize| number == NONE || (number as usize) < length;
        columns.iter().all(|length| *length == count)
            && (self.node_id.is_empty() || self.node_id.len() == count)
            && (0..).zip(&self.prefix).all(|(at, prefix): (u32, &u32)| *prefix == NONE || *prefix < at)
            && self.frame.iter().all(|frame| frame.index() < self.frames.len())
            && self.frames.iter().all(|frame| {
                frame.func.index() < self.funcs.len() && known(frame.native_symbol, self.native_symbols.len())
            })
            && self
                .funcs
                .iter()
                .all(|func| known(func.source, self.sources.len()) && known(func.resource, self.resources.len()))
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.strings.bytes()
            + self.funcs.heap_bytes()
            + self.frames.heap_bytes()
            + self.sources.heap_bytes()
            + self.resources.heap_bytes()
            + self.native_symbols.heap_bytes()
            + self.prefix.heap_bytes()
            + self.frame.heap_bytes()
            + self.category.heap_bytes()
            + self.subcategory.heap_bytes()
            + self.node_id.heap_bytes()
    }
}
