// Marker rectangles, and the diamonds of instants that stand alone (see `scene::MarkerInstance`).

// Part of the background in the corners.
const CORNER: f32 = 0.55;
// Sizes of the marks of harm in points: the corner of a long task, and the corner of forced style or layout.
const LONG_WIDTH: f32 = 11.0;
const LONG_HEIGHT: f32 = 10.0;
const FORCED_WIDTH: f32 = 8.0;
const FORCED_HEIGHT: f32 = 7.0;
// Hatching of a long task: the part of the pattern that is a line, and the part of the color of harm in it.
const LONG_LINE: f32 = 0.25;
const LONG_HATCH: f32 = 0.55;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Offset from the rectangle's upper left corner, and its size, in device pixels.
    @location(0) local: vec2<f32>,
    @location(1) @interpolate(flat) extent: vec2<f32>,
    @location(2) @interpolate(flat) style: u32,
    @location(3) @interpolate(flat) entry: u32,
    // Device pixels from the axis' left edge to where a long task has lasted too long.
    @location(4) @interpolate(flat) long_from: f32,
}

// Distance of a diamond's corners from its middle, within a row. The outline of a selected one is part of it.
fn diamond_reach(style: u32, height: f32) -> f32 {
    let outline = select(0.0, 2.0 * globals.line, style >> EMPHASIS_SHIFT == EMPHASIS_SELECTED);
    return min(globals.diamond + outline, floor((height - 1.0) * 0.5));
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) instance: vec4<u32>) -> Varying {
    let row = rows[(instance.w >> ROW_SHIFT) & ROW_MASK];
    let span = columns(instance);
    var start = vec2<f32>(span.x, row.x);
    var extent = vec2<f32>(span.y - span.x, row.y);
    if (instance.w & STYLE_ALONE) != 0u {
        let reach = diamond_reach(instance.w, row.y);
        start = vec2<f32>(span.x - reach, row.x + floor(row.y * 0.5) - reach);
        extent = vec2<f32>(2.0 * reach + 1.0);
    }
    let local = quad_corner(vertex) * extent;
    var out: Varying;
    out.position = on_target(vec2<f32>(globals.left, 0.0) + start + local);
    out.local = local;
    out.extent = extent;
    out.style = instance.w;
    out.entry = entry_of(instance.w, row.z);
    out.long_from = floor(pixel(instance.x, instance.y & 0xffffu)) + globals.long_after;
    return out;
}

// The part of the color of harm at a pixel.
fn harm_at(in: Varying, across: f32) -> f32 {
    // Halves are rounded up, as in drawings; `round` would round them to even numbers.
    let size = floor(vec2<f32>(LONG_WIDTH, LONG_HEIGHT) * globals.scale + 0.5);
    let forced_size = floor(vec2<f32>(FORCED_WIDTH, FORCED_HEIGHT) * globals.scale + 0.5);
    let from_right = floor(in.extent.x - in.local.x);
    let down = floor(in.local.y);
    let up = floor(in.extent.y - in.local.y);
    if (in.style & STYLE_LONG) != 0u {
        if from_right * size.y + down * size.x < size.x * size.y - 0.5 * (size.x + size.y) {
            return 1.0;
        }
        let stripe = fract((across + globals.hatch + down) / globals.hatch_period);
        if across > in.long_from && stripe < LONG_LINE {
            return LONG_HATCH;
        }
    }
    let is_forced = (in.style & STYLE_FORCED) != 0u;
    let area = forced_size.x * forced_size.y - 0.5 * (forced_size.x + forced_size.y);
    return select(0.0, 1.0, is_forced && from_right * forced_size.y + up * forced_size.x < area);
}

// The color of a diamond at a pixel, `distance` from its middle.
fn diamond_color(in: Varying, distance: f32) -> vec3<f32> {
    let emphasis = in.style >> EMPHASIS_SHIFT;
    let reach = (in.extent.x - 1.0) * 0.5;
    let is_selected = emphasis == EMPHASIS_SELECTED;
    if is_selected && distance > reach - 2.0 * globals.line {
        return globals.selected.rgb;
    }
    // The edge is as wide as that of a bordered marker.
    let edge = reach - select(0.0, 2.0 * globals.line, is_selected) - distance;
    return marker_color(in.style & ~STYLE_INSTANT, in.entry, emphasis, true, edge, 0.0, 0.0, in.extent.y - in.local.y, 0.0);
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    if (in.style & STYLE_ALONE) != 0u {
        let middle = (in.extent - 1.0) * 0.5;
        let away = abs(floor(in.local) - middle);
        let distance = away.x + away.y;
        if distance > middle.x {
            discard;
        }
        return vec4<f32>(diamond_color(in, distance), 1.0);
    }
    let to_edge = min(in.local, in.extent - in.local);
    let bordered = in.extent.x >= globals.min_bordered;
    let across = in.position.x - globals.left;
    let edge = min(to_edge.x, to_edge.y);
    let up = in.extent.y - in.local.y;
    var harm = 0.0;
    if (in.style & (STYLE_LONG | STYLE_FORCED)) != 0u {
        harm = harm_at(in, across);
    }
    let emphasis = in.style >> EMPHASIS_SHIFT;
    let color = marker_color(in.style, in.entry, emphasis, bordered, edge, across, in.local.y, up, harm);
    // Corners are rounded by one pixel.
    let is_corner = bordered && max(to_edge.x, to_edge.y) < globals.line;
    return vec4<f32>(select(color, mix(color, globals.background.rgb, CORNER), is_corner), 1.0);
}
