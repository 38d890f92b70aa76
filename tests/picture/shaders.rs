//! Shaders without a GPU. Every shader of the registered pipelines is valid, and Rust and WGSL agree on the bytes of
//! the uniform block, the attributes of instances, the bits of style words, and the lengths of arrays.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;

use flowline::gpu::{CELL_BITS, Globals, pipeline_specs, vertex_attributes};
use flowline::index::{Packed, Style};
use flowline::scene::{
    BOX_OPACITY, BOX_PAD, BarInstance, CLAMP_MARGIN, CounterInstance, EMPHASIS_SHIFT, Emphasis, FlowInstance,
    FlowShapeKind, LinkInstance, LinkKind, MAX_ROWS, MarkerInstance, PALETTE_LEN, PipelineSpec, Primitive,
    PrimitiveKind, ROW_SHIFT, RectInstance, RowBounds, SHAPE_SHIFT,
};
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use wgpu::naga::{
    ArraySize, Binding, Expression, Handle, Literal, Module, Scalar, ScalarKind, ShaderStage, StructMember, Type,
    TypeInner, VectorSize,
};
use wgpu::{VertexAttribute, VertexFormat};

const MARKER: &str = "marker.wgsl";
const FLOW: &str = "flow.wgsl";
const LINK: &str = "link.wgsl";
const BAR: &str = "bar.wgsl";
const COUNTER: &str = "counter.wgsl";
const STRIP: &str = "strip.wgsl";
/// Precedes every shader.
const COMMON: &str = "common.wgsl";

/// All shaders by file name, parsed as the pipelines compile them.
fn shaders() -> BTreeMap<&'static str, Module> {
    let module = |spec: &PipelineSpec| {
        let parsed = wgpu::naga::front::wgsl::parse_str(spec.source);
        parsed.unwrap_or_else(|error| panic!("{}:\n{}", spec.file, error.emit_to_string(spec.source)))
    };
    pipeline_specs().map(|spec| (spec.file, module(spec))).collect()
}

/// Members and size of a named struct.
fn members<'a>(module: &'a Module, name: &str) -> (&'a [StructMember], u32) {
    let named = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
    match named.map(|(_, ty)| &ty.inner) {
        Some(TypeInner::Struct { members, span }) => (members, *span),
        _ => panic!("no struct {name}"),
    }
}

/// Number of elements of an array, and the stride in bytes.
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

/// Location and type of every instance input of the vertex stage.
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

/// The WGSL type that a vertex format is read as.
fn arrives_as(format: VertexFormat) -> TypeInner {
    let (kind, size) = match format {
        VertexFormat::Float32 => return TypeInner::Scalar(Scalar { kind: ScalarKind::Float, width: 4 }),
        VertexFormat::Uint32 => return TypeInner::Scalar(Scalar { kind: ScalarKind::Uint, width: 4 }),
        VertexFormat::Float32x2 => (ScalarKind::Float, VectorSize::Bi),
        VertexFormat::Float32x4 | VertexFormat::Unorm8x4 => (ScalarKind::Float, VectorSize::Quad),
        VertexFormat::Uint32x4 => (ScalarKind::Uint, VectorSize::Quad),
        other => panic!("add the WGSL type of {other:?} here"),
    };
    TypeInner::Vector { size, scalar: Scalar { kind, width: 4 } }
}

/// Number of instance bytes covered by attributes. Asserts that the attributes are contiguous.
fn covered(attributes: &[VertexAttribute]) -> usize {
    let bytes = |bytes: u64| usize::try_from(bytes).expect("a few bytes");
    attributes.iter().fold(0, |end, attribute| {
        assert_eq!(bytes(attribute.offset), end, "{attributes:?}");
        end + bytes(attribute.format.size())
    })
}

#[test]
fn every_shader_is_valid_and_used_by_a_pipeline() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders")).expect("the folder of shaders");
    let names = folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let files: BTreeSet<String> = names.filter(|name| name != COMMON).collect();
    let shaders = shaders();
    assert!(shaders.keys().eq(files.iter()), "{files:?}");
    for (name, module) in &shaders {
        let checked = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
        assert!(checked.is_ok(), "{name}: {checked:?}");
        let stages: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(stages, ["vs_main", "fs_main"], "{name}");
    }
}

#[test]
fn the_uniform_block_has_the_same_layout_on_both_sides() {
    for (name, module) in &shaders() {
        let (members, span) = members(module, "Globals");
        let seen: Vec<(&str, usize)> =
            members.iter().map(|member| (member.name.as_deref().unwrap_or_default(), member.offset as usize)).collect();
        assert_eq!(seen, Globals::FIELDS, "{name}");
        assert_eq!(span as usize, size_of::<Globals>(), "{name}");
        for colors in ["fills", "edges", "marks"] {
            let member = members.iter().find(|member| member.name.as_deref() == Some(colors)).expect("colors");
            assert_eq!(array(module, member.ty), (PALETTE_LEN, size_of::<[f32; 4]>()), "{name}");
        }
    }
}

#[test]
fn row_positions_have_the_same_layout_on_both_sides() {
    let shaders = shaders();
    let module = &shaders[MARKER];
    let rows = module.global_variables.iter().find(|(_, variable)| variable.name.as_deref() == Some("rows"));
    let (_, rows) = rows.expect("the row positions");
    assert_eq!(array(module, rows.ty), (MAX_ROWS, size_of::<RowBounds>()));
    assert_eq!(
        (offset_of!(RowBounds, y), offset_of!(RowBounds, height), offset_of!(RowBounds, system)),
        (0, 4, 8),
        "the fields are x, y and z of the row's vector"
    );
}

#[test]
fn instance_attributes_match_the_shader_inputs() {
    let shaders = shaders();
    for spec in pipeline_specs() {
        let attributes = vertex_attributes(spec);
        let read: BTreeMap<u32, TypeInner> =
            attributes.iter().map(|attribute| (attribute.shader_location, arrives_as(attribute.format))).collect();
        assert_eq!(inputs(&shaders[spec.file]), read, "{}", spec.file);
        let covered = covered(&attributes);
        // The rectangle shader reads only the first part of an instance.
        let whole = if spec.file == "fill.wgsl" { offset_of!(RectInstance, border) } else { spec.stride };
        assert_eq!(covered, whole, "{}", spec.file);
    }
    let strides = |kind: PrimitiveKind| kind.pipelines().iter().map(|spec| spec.stride).collect::<Vec<_>>();
    assert_eq!(strides(PrimitiveKind::Rect), [size_of::<RectInstance>(); 3]);
    assert_eq!(strides(PrimitiveKind::Marker), [size_of::<MarkerInstance>()]);
    assert_eq!(size_of::<MarkerInstance>(), size_of::<Packed>());
    assert_eq!(strides(PrimitiveKind::FlowShape), [size_of::<FlowInstance>()]);
    assert_eq!(strides(PrimitiveKind::Counter), [size_of::<CounterInstance>()]);
    assert_eq!(strides(PrimitiveKind::Link), [size_of::<LinkInstance>()]);
    assert_eq!(strides(PrimitiveKind::Bar), [size_of::<BarInstance>()]);
    assert_eq!(offset_of!(RectInstance, border_width), offset_of!(RectInstance, radius) + 4, "read as one vector");
    assert_eq!(offset_of!(LinkInstance, to), offset_of!(LinkInstance, from) + 8, "read as one vector");
}

#[test]
fn constants_are_equal_on_both_sides() {
    let plain = Style::new(0);
    let row_mask = u32::try_from(MAX_ROWS).expect("small") - 1;
    let words = [
        ("ROW_SHIFT", ROW_SHIFT),
        ("ROW_MASK", row_mask),
        ("EMPHASIS_SHIFT", EMPHASIS_SHIFT),
        ("EMPHASIS_DIMMED", Emphasis::Dimmed as u32),
        ("EMPHASIS_HOVERED", Emphasis::Hovered as u32),
        ("EMPHASIS_SELECTED", Emphasis::Selected as u32),
        ("EMPHASIS_FAINT", Emphasis::Faint as u32),
        ("EMPHASIS_LINKED", Emphasis::Linked as u32),
        ("EMPHASIS_MATCH", Emphasis::Match as u32),
        ("STYLE_INSTANT", Style::new(0).with_instant(true).bits()),
        ("STYLE_INCOMPLETE", Style::new(0).with_incomplete(true).bits()),
        ("STYLE_POINT_END", plain.with_point_end(true).bits()),
        ("EMPHASIS_ALIKE", Emphasis::Alike as u32),
        ("FADE_SHIFT", MarkerInstance::FADE_SHIFT),
        ("FADE_MASK", MarkerInstance::FADE_MASK),
        ("STYLE_LONG", MarkerInstance::LONG),
        ("STYLE_FORCED", MarkerInstance::FORCED),
        ("STYLE_ALONE", MarkerInstance::ALONE),
    ];
    let words = words.map(|(name, value)| (name, Literal::U32(value)));
    let floats = [("CLAMP_MARGIN", CLAMP_MARGIN), ("FADE_STEP", MarkerInstance::FADE_STEP)];
    let expected: BTreeMap<&str, Literal> =
        words.into_iter().chain(floats.map(|(name, value)| (name, Literal::F32(value)))).collect();
    let shaders = shaders();
    let mut marker = constants(&shaders[MARKER]);
    // These constants exist only in the shader; drawings and the reference are compared with its pixels.
    for name in ["CORNER", "LONG_WIDTH", "LONG_HEIGHT", "FORCED_WIDTH", "FORCED_HEIGHT", "LONG_LINE", "LONG_HATCH"] {
        assert!(marker.remove(name).is_some(), "{name}");
    }
    assert_eq!(marker, expected);
    // Constants of single shaders, in addition to the common ones.
    let own = |name: &str| -> BTreeMap<String, Literal> {
        let all = constants(&shaders[name]);
        all.into_iter()
            .filter(|(name, _)| !expected.contains_key(name))
            .map(|(name, value)| (name.into(), value))
            .collect()
    };
    let shape = |name: &str, kind: FlowShapeKind| (name.to_owned(), Literal::U32(kind as u32));
    let mut flow = own(FLOW);
    // These constants exist only in the shader.
    for name in ["BOX_RADIUS", "DOT_RADIUS", "HATCH_HEIGHT"] {
        assert!(flow.remove(name).is_some(), "{name}");
    }
    let wanted = [
        ("SHAPE_SHIFT".to_owned(), Literal::U32(SHAPE_SHIFT)),
        ("SHAPE_MASK".to_owned(), Literal::U32((1 << (ROW_SHIFT - SHAPE_SHIFT)) - 1)),
        shape("SHAPE_BOX", FlowShapeKind::Box),
        shape("SHAPE_TINT", FlowShapeKind::Tint),
        shape("SHAPE_DOT", FlowShapeKind::Dot),
        shape("SHAPE_LINE", FlowShapeKind::Line),
        shape("SHAPE_FADE", FlowShapeKind::Fade),
        shape("SHAPE_HATCH", FlowShapeKind::Hatch),
        shape("SHAPE_WAIT", FlowShapeKind::Wait),
        ("BOX_PAD".to_owned(), Literal::F32(BOX_PAD)),
        ("BOX_OPACITY".to_owned(), Literal::F32(BOX_OPACITY)),
    ];
    assert_eq!(flow, BTreeMap::from(wanted));
    let wanted = [
        ("KIND_CURVE".to_owned(), Literal::U32(LinkKind::Curve as u32)),
        ("KIND_HEAD".to_owned(), Literal::U32(LinkKind::Head as u32)),
        ("PAIRS".to_owned(), Literal::U32(LinkInstance::PIPELINES[0].vertices / 2)),
    ];
    assert_eq!(own(LINK), BTreeMap::from(wanted));
    let mut counter = own(COUNTER);
    // These constants exist only in the shader.
    for name in ["SOLID", "SPREAD", "BELOW", "CURVE_WIDTH"] {
        assert!(counter.remove(name).is_some(), "{name}");
    }
    let wanted = [
        ("COUNTER_TOP_LINE".to_owned(), Literal::U32(CounterInstance::TOP_LINE)),
        ("COUNTER_BOTTOM_LINE".to_owned(), Literal::U32(CounterInstance::BOTTOM_LINE)),
        ("COUNTER_CURVE".to_owned(), Literal::U32(CounterInstance::CURVE)),
    ];
    assert_eq!(counter, BTreeMap::from(wanted));
    let opacity = ("BAR_OPACITY".to_owned(), Literal::F32(BarInstance::OPACITY));
    assert_eq!(own(BAR), BTreeMap::from([opacity]));
    let cells = CELL_BITS.map(|(name, value)| (name.to_owned(), Literal::U32(value)));
    assert_eq!(own(STRIP), BTreeMap::from(cells));
    assert_eq!(plain.bits(), 0);
    assert!(
        MAX_ROWS.is_power_of_two() && row_mask << ROW_SHIFT < 1 << EMPHASIS_SHIFT,
        "rows end where emphasis begins"
    );
    assert!(plain.merged().bits() < 1 << ROW_SHIFT, "the style bits end where rows begin");
    const { assert!(PALETTE_LEN <= 16, "the shader reads four color bits") };
}
