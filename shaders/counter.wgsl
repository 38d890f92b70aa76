// Area graphs of counters. An instance is a run of columns with the same extent (see `scene::CounterInstance`). All
// edges are whole pixels, so each pixel belongs to exactly one part.

const COUNTER_TOP_LINE: u32 = 256u;
const COUNTER_BOTTOM_LINE: u32 = 512u;
const COUNTER_CURVE: u32 = 1024u;
// Share of the background color in the solid part and in the spread.
const SOLID: f32 = 0.34;
const SPREAD: f32 = 0.56;
// Share of the background color below a curve, and the width of its line in points.
const BELOW: f32 = 0.8;
const CURVE_WIDTH: f32 = 1.5;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Top of the row in device pixels.
    @location(0) @interpolate(flat) top: f32,
    // Device pixels below the row's top: top of the spread, top of the solid part, bottom of the solid part, bottom of
    // the spread.
    @location(1) @interpolate(flat) edges: vec4<f32>,
    @location(2) @interpolate(flat) style: u32,
}

fn halves(word: u32) -> vec2<f32> {
    return vec2<f32>(f32(word & 0xffffu), f32(word >> 16u));
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) instance: vec4<u32>) -> Varying {
    let row = rows[(instance.w >> ROW_SHIFT) & ROW_MASK];
    let span = halves(instance.x);
    let edges = vec4<f32>(halves(instance.y), halves(instance.z));
    let x = select(span.x, span.y, (vertex & 1u) != 0u);
    let y = select(edges.x, edges.w, (vertex >> 1u) != 0u);
    var out: Varying;
    out.position = on_target(vec2<f32>(globals.left + x, row.x + y));
    out.top = row.x;
    out.edges = edges;
    out.style = instance.w;
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let color = globals.fills[in.style & 15u].rgb;
    // Lines stand out like narrow marks.
    let line = globals.marks[in.style & 15u].rgb;
    let y = in.position.y - in.top;
    let is_solid = y > in.edges.y && y < in.edges.z;
    if (in.style & COUNTER_CURVE) != 0u {
        // The line passes through all values of a column.
        let width = floor(CURVE_WIDTH * globals.scale + 0.5);
        let is_line = !is_solid
            || (in.style & COUNTER_TOP_LINE) != 0u && y < in.edges.y + width
            || (in.style & COUNTER_BOTTOM_LINE) != 0u && y > in.edges.z - width;
        return vec4<f32>(select(mix(color, globals.background.rgb, BELOW), line, is_line), 1.0);
    }
    let on_top = (in.style & COUNTER_TOP_LINE) != 0u && y < in.edges.x + globals.line;
    let on_bottom = (in.style & COUNTER_BOTTOM_LINE) != 0u && y > in.edges.w - globals.line;
    if on_top || on_bottom {
        return vec4<f32>(line, 1.0);
    }
    return vec4<f32>(mix(color, globals.background.rgb, select(SPREAD, SOLID, is_solid)), 1.0);
}
