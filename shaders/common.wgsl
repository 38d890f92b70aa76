// Prepended to every shader: the uniforms of a frame, the conversion of ticks to pixel columns, and the marker colors.
// The origin is subtracted from a time as integers; only the difference becomes a float. `columns` has a Rust twin,
// `scene::AxisMap::columns`.

struct Globals {
    // Canvas size in device pixels.
    size: vec2<f32>,
    // Left edge and width of the axis, in device pixels.
    left: f32,
    width: f32,
    // Tick at the left edge, as the low and high words of a signed 64-bit number, plus a fraction of a tick.
    origin: vec2<u32>,
    fraction: f32,
    pixels_per_tick: f32,
    // Device pixels per point; 1 if the background is light.
    scale: f32,
    light: f32,
    // Position of the axis' left edge in the hatch pattern, which is fixed in time, and the pattern's period, in device
    // pixels.
    hatch: f32,
    hatch_period: f32,
    // Width of a thin line and of the narrowest bordered marker, in device pixels.
    line: f32,
    min_bordered: f32,
    // Device pixels of the time after which a task is long, and the reach of the diamond of an instant from its column.
    long_after: f32,
    diamond: f32,
    background: vec4<f32>,
    selected: vec4<f32>,
    fills: array<vec4<f32>, 16>,
    // Borders of slices.
    edges: array<vec4<f32>, 16>,
    // Slices without a border.
    marks: array<vec4<f32>, 16>,
    search_match: vec4<f32>,
    harm: vec4<f32>,
}

@group(0) @binding(0) var<uniform> globals: Globals;
// y and height in device pixels, the palette entry in place of the first one (zero for itself), and an unused float.
@group(0) @binding(1) var<uniform> rows: array<vec4<f32>, 1024>;

const ROW_SHIFT: u32 = 16u;
const ROW_MASK: u32 = 1023u;
const EMPHASIS_SHIFT: u32 = 28u;
const EMPHASIS_DIMMED: u32 = 1u;
const EMPHASIS_HOVERED: u32 = 2u;
const EMPHASIS_SELECTED: u32 = 3u;
const EMPHASIS_FAINT: u32 = 4u;
const EMPHASIS_LINKED: u32 = 5u;
const EMPHASIS_MATCH: u32 = 6u;
const EMPHASIS_ALIKE: u32 = 7u;
const STYLE_INSTANT: u32 = 256u;
const STYLE_INCOMPLETE: u32 = 512u;
const STYLE_POINT_END: u32 = 2048u;
// Bits of the frame: how pale a mark is, marks of harm, and an instant that stands alone.
const FADE_SHIFT: u32 = 4u;
const FADE_MASK: u32 = 15u;
const STYLE_LONG: u32 = 4096u;
const STYLE_FORCED: u32 = 8192u;
const STYLE_ALONE: u32 = 16384u;
// Part of the background in a mark for each step of paleness.
const FADE_STEP: f32 = 0.036666668;
// Columns are clamped to this many device pixels beyond the axis, so that the border of a clamped end stays invisible.
const CLAMP_MARGIN: f32 = 64.0;

// Device pixels from the left edge to a tick, unrounded.
fn pixel(low: u32, high: u32) -> f32 {
    let borrow = select(0u, 1u, low < globals.origin.x);
    var d_low = low - globals.origin.x;
    var d_high = high - globals.origin.y - borrow;
    let negative = (d_high & 0x80000000u) != 0u;
    if negative {
        d_low = ~d_low + 1u;
        d_high = ~d_high + select(0u, 1u, d_low == 0u);
    }
    let length = f32(d_high) * 4294967296.0 + f32(d_low);
    let distance = select(length, -length, negative);
    return (distance - globals.fraction) * globals.pixels_per_tick;
}

// First pixel column and one past the last; always at least one column.
fn columns(instance: vec4<u32>) -> vec2<f32> {
    let lowest = -CLAMP_MARGIN;
    let highest = globals.width + CLAMP_MARGIN;
    let first = clamp(floor(pixel(instance.x, instance.y & 0xffffu)), lowest, highest);
    let last = pixel(instance.z, instance.y >> 16u);
    // A span that ends in a point covers the column of that point, even if the point is exactly on the column's edge.
    let point = select(ceil(last), max(ceil(last), floor(last) + 1.0), (instance.w & STYLE_POINT_END) != 0u);
    return vec2<f32>(first, max(clamp(point, lowest, highest), first + 1.0));
}

// Corner of the unit quad for a vertex of a two-triangle strip, from (0, 0) to (1, 1).
fn quad_corner(vertex: u32) -> vec2<f32> {
    return vec2<f32>(f32(vertex & 1u), f32(vertex >> 1u));
}

// Converts device pixels (y down) to clip coordinates.
fn on_target(place: vec2<f32>) -> vec4<f32> {
    return vec4<f32>(place.x / globals.size.x * 2.0 - 1.0, 1.0 - place.y / globals.size.y * 2.0, 0.0, 1.0);
}

// Palette entry of a marker on a row.
fn entry_of(style: u32, in_place_of_first: f32) -> u32 {
    let entry = style & 15u;
    return select(entry, u32(in_place_of_first), entry == 0u && in_place_of_first > 0.0);
}

// Color of a marker at a pixel: `edge` device pixels from the marker's nearest edge, `across` from the axis' left edge,
// `down` from the marker's top and `up` from its bottom; `harm` is the part of the color of harm. Marker rectangles and row
// textures share it.
fn marker_color(
    style: u32,
    entry: u32,
    emphasis: u32,
    bordered: bool,
    edge: f32,
    across: f32,
    down: f32,
    up: f32,
    harm: f32,
) -> vec3<f32> {
    // Some fills need their edge to stand out; narrow marks consist of it.
    var color = select(globals.marks[entry].rgb, globals.fills[entry].rgb, bordered);
    if (style & STYLE_INSTANT) != 0u {
        // Instants differ slightly from intervals of the same color.
        color = mix(color, vec3<f32>(1.0 - globals.light), 0.18);
    } else if bordered && edge < globals.line {
        color = globals.edges[entry].rgb;
    } else if (style & STYLE_INCOMPLETE) != 0u {
        // One end is unknown, so the marker is hatched. The lines are fixed in time because the start may be far out of
        // view.
        let stripe = fract((across + globals.hatch + floor(down)) / globals.hatch_period);
        color = mix(color, globals.background.rgb, select(0.12, 0.32, stripe < 0.5));
    }
    color = mix(color, globals.background.rgb, f32((style >> FADE_SHIFT) & FADE_MASK) * FADE_STEP);
    color = mix(color, globals.harm.rgb, harm);
    if emphasis == EMPHASIS_DIMMED {
        color = mix(color, globals.background.rgb, 0.75);
    } else if emphasis == EMPHASIS_FAINT {
        color = mix(color, globals.background.rgb, 0.6);
    } else if emphasis == EMPHASIS_MATCH {
        if up < 2.0 * globals.line {
            color = globals.search_match.rgb;
        }
    } else if (emphasis == EMPHASIS_HOVERED || emphasis == EMPHASIS_LINKED) && (!bordered || edge < globals.line) {
        color = mix(color, globals.selected.rgb, 0.6);
    } else if emphasis == EMPHASIS_ALIKE && bordered && edge < globals.line {
        color = mix(color, globals.selected.rgb, 0.5);
    }
    return color;
}
