//! The shaders without a GPU: each one, with what all share before it, is valid, and what Rust and WGSL must agree on is the same on both sides: the
//! uniform block byte by byte, the instances' attributes, the bits of the style word, the lengths of arrays.

use std::collections::BTreeMap;
use std::mem::offset_of;

use flowline::gpu::{
    CELL_BITS, FILL_ATTRIBUTES, Globals, LINK_ATTRIBUTES, LINK_VERTICES, MARKER_ATTRIBUTES, RECT_ATTRIBUTES,
};
use flowline::index::{Packed, Style};
use flowline::scene::{
    BEYOND, BOX_PAD, CounterInstance, EMPHASIS_SHIFT, Emphasis, FlowInstance, FlowShapeKind, LinkInstance, LinkKind,
    MAX_ROWS, MarkerInstance, PALETTE_LEN, ROW_SHIFT, RectInstance, RowPlace, SHAPE_SHIFT,
};
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::naga::{
    ArraySize, Binding, Expression, Handle, Literal, Module, Scalar, ScalarKind, ShaderStage, StructMember, Type,
    TypeInner, VectorSize,
};
use wgpu::{VertexAttribute, VertexFormat};

const MARKER: &str = "marker.wgsl";
const RECT: &str = "rect.wgsl";
const FLOW: &str = "flow.wgsl";
const LINK: &str = "link.wgsl";
const COUNTER: &str = "counter.wgsl";
const FILL: &str = "fill.wgsl";
const STRIP: &str = "strip.wgsl";
/// Stands before every shader.
const COMMON: &str = "common.wgsl";

/// All shaders by file name, parsed as they are compiled: with the common part before them.
fn shaders() -> BTreeMap<String, Module> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shaders");
    let entries = std::fs::read_dir(folder).expect("the folder of shaders");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let common = std::fs::read_to_string(format!("{folder}/{COMMON}")).expect("the common part");
    let module = |path: std::path::PathBuf| {
        let source = common.clone() + &std::fs::read_to_string(&path).expect("a readable shader");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let parsed = wgpu::naga::front::wgsl::parse_str(&source);
        let module = parsed.unwrap_or_else(|error| panic!("{name}:\n{}", error.emit_to_string(&source)));
        (name, module)
    };
    let wgsl = |path: &std::path::PathBuf| path.extension().is_some_and(|extension| extension == "wgsl");
    paths.filter(wgsl).filter(|path| !path.ends_with(COMMON)).map(module).collect()
}

/// The members of a named struct, and its size.
fn members<'a>(module: &'a Module, name: &str) -> (&'a [StructMember], u32) {
    let named = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    match named.map(|(_, ty)| &ty.inner) {
        Some(TypeInner::Struct { members, span }) => (members, *span),
        _ => panic!("no struct {name}"),
    }
}

/// Number of elements of an array, and bytes from one to the next.
fn array(module: &Module, ty: Handle<Type>) -> (usize, usize) {
    match module.types[ty].inner {
        TypeInner::Array { size: ArraySize::Constant(length), stride, .. } => (length.get() as usize, stride as usize),
        ref other => panic!("not an array of a fixed length: {other:?}"),
    }
}

/// All constants by name.
fn constants(module: &Module) -> BTreeMap<&str, Literal> {
    let value = |init| match module.global_expressions[init] {
        Expression::Literal(value) => value,
        ref other => panic!("not a plain number: {other:?}"),
    };
    let named = module.constants.iter().filter_map(|(_, constant)| Some((constant.name.as_deref()?, constant.init)));
    named.map(|(name, init)| (name, value(init))).collect()
}

/// Location and type of everything the vertex stage reads from instances.
fn inputs(module: &Module) -> BTreeMap<u32, TypeInner> {
    let entry = module.entry_points.iter().find(|entry| entry.stage == ShaderStage::Vertex).expect("a vertex stage");
    let mut found = BTreeMap::new();
    let mut note = |binding: Option<&Binding>, ty: Handle<Type>| {
        if let Some(Binding::Location { location, .. }) = binding {
            found.insert(*location, module.types[ty].inner.clone());
        }
    };
    for argument in &entry.function.arguments {
        note(argument.binding.as_ref(), argument.ty);
        if let TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
            members.iter().for_each(|member| note(member.binding.as_ref(), member.ty));
        }
    }
    found
}

/// The WGSL type that a vertex format arrives as.
fn arrives_as(format: VertexFormat) -> TypeInner {
    let (kind, size) = match format {
        VertexFormat::Float32 => return TypeInner::Scalar(Scalar { kind: ScalarKind::Float, width: 4 }),
        VertexFormat::Uint32 => return TypeInner::Scalar(Scalar { kind: ScalarKind::Uint, width: 4 }),
        VertexFormat::Float32x2 => (ScalarKind::Float, VectorSize::Bi),
        VertexFormat::Float32x4 | VertexFormat::Unorm8x4 => (ScalarKind::Float, VectorSize::Quad),
        VertexFormat::Uint32x4 => (ScalarKind::Uint, VectorSize::Quad),
        other => panic!("say here what {other:?} arrives as"),
    };
    TypeInner::Vector { size, scalar: Scalar { kind, width: 4 } }
}

/// Attributes lie back to back, fill an instance and match what the shader reads.
fn check_attributes(module: &Module, attributes: &[VertexAttribute], offsets: &[usize], instance: usize) {
    let bytes = |bytes: u64| usize::try_from(bytes).expect("a few bytes");
    assert_eq!(attributes.iter().map(|attribute| bytes(attribute.offset)).collect::<Vec<_>>(), offsets);
    assert_eq!(attributes.iter().map(|attribute| bytes(attribute.format.size())).sum::<usize>(), instance);
    let read: BTreeMap<u32, TypeInner> =
        attributes.iter().map(|attribute| (attribute.shader_location, arrives_as(attribute.format))).collect();
    assert_eq!(inputs(module), read);
}

#[test]
fn every_shader_is_valid() {
    let shaders = shaders();
    assert_eq!(
        shaders.keys().map(String::as_str).collect::<Vec<_>>(),
        [COUNTER, FILL, FLOW, LINK, MARKER, RECT, STRIP]
    );
    for (name, module) in &shaders {
        let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
        assert!(checked.is_ok(), "{name}: {checked:?}");
        let stages: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(stages, ["vs_main", "fs_main"], "{name}");
    }
}

#[test]
fn the_uniform_block_has_one_layout() {
    for (name, module) in &shaders() {
        let (members, span) = members(module, "Globals");
        let seen: Vec<(&str, usize)> =
            members.iter().map(|member| (member.name.as_deref().unwrap_or_default(), member.offset as usize)).collect();
        assert_eq!(seen, Globals::FIELDS, "{name}");
        assert_eq!(span as usize, size_of::<Globals>(), "{name}");
        let fills = members.last().expect("members").ty;
        assert_eq!(array(module, fills), (PALETTE_LEN, size_of::<[f32; 4]>()), "{name}");
    }
}

#[test]
fn row_places_have_one_layout() {
    let shaders = shaders();
    let module = &shaders[MARKER];
    let rows = module.global_variables.iter().find(|(_, variable)| variable.name.as_deref() == Some("rows"));
    let (_, rows) = rows.expect("the places of rows");
    assert_eq!(array(module, rows.ty), (MAX_ROWS, size_of::<RowPlace>()));
    assert_eq!((offset_of!(RowPlace, y), offset_of!(RowPlace, height)), (0, 4), "x and y of a row's vector");
}

#[test]
fn instances_are_read_as_they_are_written() {
    let shaders = shaders();
    let rect = [
        offset_of!(RectInstance, rect),
        offset_of!(RectInstance, fill),
        offset_of!(RectInstance, border),
        offset_of!(RectInstance, radius),
    ];
    check_attributes(&shaders[RECT], &RECT_ATTRIBUTES, &rect, size_of::<RectInstance>());
    assert_eq!(offset_of!(RectInstance, border_width), offset_of!(RectInstance, radius) + 4, "read as one vector");
    // Plain rectangles lie among the others; what they do not have is passed over.
    check_attributes(&shaders[FILL], &FILL_ATTRIBUTES, &rect[..2], offset_of!(RectInstance, border));
    check_attributes(&shaders[STRIP], &MARKER_ATTRIBUTES, &[0], size_of::<[u32; 4]>());
    check_attributes(&shaders[MARKER], &MARKER_ATTRIBUTES, &[0], size_of::<MarkerInstance>());
    assert_eq!(size_of::<MarkerInstance>(), size_of::<Packed>());
    check_attributes(&shaders[FLOW], &MARKER_ATTRIBUTES, &[0], size_of::<FlowInstance>());
    check_attributes(&shaders[COUNTER], &MARKER_ATTRIBUTES, &[0], size_of::<CounterInstance>());
    let link = [
        offset_of!(LinkInstance, from),
        offset_of!(LinkInstance, color),
        offset_of!(LinkInstance, width),
        offset_of!(LinkInstance, kind),
    ];
    check_attributes(&shaders[LINK], &LINK_ATTRIBUTES, &link, size_of::<LinkInstance>());
    assert_eq!(offset_of!(LinkInstance, to), offset_of!(LinkInstance, from) + 8, "read as one vector");
}

#[test]
fn constants_are_the_same_on_both_sides() {
    let plain = Style::new(0, false, false);
    let row_mask = u32::try_from(MAX_ROWS).expect("small") - 1;
    let words = [
        ("ROW_SHIFT", ROW_SHIFT),
        ("ROW_MASK", row_mask),
        ("EMPHASIS_SHIFT", EMPHASIS_SHIFT),
        ("EMPHASIS_DIMMED", Emphasis::Dimmed as u32),
        ("EMPHASIS_HOVERED", Emphasis::Hovered as u32),
        ("EMPHASIS_SELECTED", Emphasis::Selected as u32),
        ("EMPHASIS_FAINT", Emphasis::Faint as u32),
        ("STYLE_INSTANT", Style::new(0, true, false).bits()),
        ("STYLE_INCOMPLETE", Style::new(0, false, true).bits()),
        ("STYLE_POINT_END", plain.with_point_end(true).bits()),
    ];
    let words = words.map(|(name, value)| (name, Literal::U32(value)));
    let expected: BTreeMap<&str, Literal> = words.into_iter().chain([("BEYOND", Literal::F32(BEYOND))]).collect();
    let shaders = shaders();
    assert_eq!(constants(&shaders[MARKER]), expected);
    // What a shader has beside the common constants.
    let own = |name: &str| -> BTreeMap<String, Literal> {
        let all = constants(&shaders[name]);
        all.into_iter()
            .filter(|(name, _)| !expected.contains_key(name))
            .map(|(name, value)| (name.into(), value))
            .collect()
    };
    let shape = |name: &str, kind: FlowShapeKind| (name.to_owned(), Literal::U32(kind as u32));
    let mut flow = own(FLOW);
    // These are the shader's alone.
    for name in ["BOX_RADIUS", "DOT_RADIUS"] {
        assert!(flow.remove(name).is_some(), "{name}");
    }
    let wanted = [
        ("SHAPE_SHIFT".to_owned(), Literal::U32(SHAPE_SHIFT)),
        ("SHAPE_MASK".to_owned(), Literal::U32((1 << (ROW_SHIFT - SHAPE_SHIFT)) - 1)),
        shape("SHAPE_BOX", FlowShapeKind::Box),
        shape("SHAPE_TINT", FlowShapeKind::Tint),
        shape("SHAPE_DOT", FlowShapeKind::Dot),
        shape("SHAPE_LINE", FlowShapeKind::Line),
        shape("SHAPE_VEIL", FlowShapeKind::Veil),
        ("BOX_PAD".to_owned(), Literal::F32(BOX_PAD)),
    ];
    assert_eq!(flow, BTreeMap::from(wanted));
    let wanted = [
        ("KIND_CURVE".to_owned(), Literal::U32(LinkKind::Curve as u32)),
        ("KIND_HEAD".to_owned(), Literal::U32(LinkKind::Head as u32)),
        ("PAIRS".to_owned(), Literal::U32(LINK_VERTICES / 2)),
    ];
    assert_eq!(own(LINK), BTreeMap::from(wanted));
    let mut counter = own(COUNTER);
    // These are the shader's alone.
    for name in ["SOLID", "SPREAD"] {
        assert!(counter.remove(name).is_some(), "{name}");
    }
    let wanted = [
        ("COUNTER_TOP_LINE".to_owned(), Literal::U32(CounterInstance::TOP_LINE)),
        ("COUNTER_BOTTOM_LINE".to_owned(), Literal::U32(CounterInstance::BOTTOM_LINE)),
    ];
    assert_eq!(counter, BTreeMap::from(wanted));
    let cells = CELL_BITS.map(|(name, value)| (name.to_owned(), Literal::U32(value)));
    assert_eq!(own(STRIP), BTreeMap::from(cells));
    assert_eq!(plain.bits(), 0);
    assert!(
        MAX_ROWS.is_power_of_two() && row_mask << ROW_SHIFT < 1 << EMPHASIS_SHIFT,
        "rows end where emphasis begins"
    );
    assert!(plain.merged().bits() < 1 << ROW_SHIFT, "the style's own bits end where rows begin");
    const { assert!(PALETTE_LEN <= 16, "the shader reads four bits of colour") };
}
