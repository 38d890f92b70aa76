// Shapes of flow rows (see `scene::FlowInstance`). Times map to columns exactly as for markers, so a dot is in the same
// column as its marker in the chart.

const SHAPE_SHIFT: u32 = 12u;
const SHAPE_MASK: u32 = 15u;
const SHAPE_BOX: u32 = 0u;
const SHAPE_TINT: u32 = 1u;
const SHAPE_DOT: u32 = 2u;
const SHAPE_LINE: u32 = 3u;
const SHAPE_FADE: u32 = 4u;
const SHAPE_HATCH: u32 = 5u;
const SHAPE_WAIT: u32 = 6u;
// In points: horizontal padding of a box around its interval, its corner radius, and the radius of a dot.
const BOX_PAD: f32 = 6.0;
const BOX_RADIUS: f32 = 7.0;
const DOT_RADIUS: f32 = 3.5;
const BOX_OPACITY: f32 = 0.2;
// Height of hatched waits in points.
const HATCH_HEIGHT: f32 = 9.0;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Offset from the shape's center and half its size, in device pixels.
    @location(0) local: vec2<f32>,
    @location(1) @interpolate(flat) half_extent: vec2<f32>,
    @location(2) @interpolate(flat) style: u32,
}

fn shape_of(style: u32) -> u32 {
    return (style >> SHAPE_SHIFT) & SHAPE_MASK;
}

// Center x and y, half width and half height, in device pixels; x is relative to the axis' left edge.
fn place_of(instance: vec4<u32>, row: vec4<f32>) -> vec4<f32> {
    var span = columns(instance);
    if shape_of(instance.w) == SHAPE_HATCH {
        // The instance contains columns instead of ticks.
        span = vec2<f32>(f32(instance.x), f32(instance.z)) - CLAMP_MARGIN;
    }
    let middle = vec2<f32>((span.x + span.y) * 0.5, row.x + row.y * 0.5);
    let half = (span.y - span.x) * 0.5;
        switch shape_of(instance.w) {
        case SHAPE_BOX: {
            return vec4<f32>(middle, half + round(BOX_PAD * globals.scale), row.y * 0.5);
        }
        case SHAPE_DOT: {
            let radius = dot_radius(instance.w);
            return vec4<f32>(middle, half - 0.5 + radius, radius);
        }
        case SHAPE_LINE: {
            return vec4<f32>(middle, half, globals.line);
        }
        case SHAPE_HATCH: {
            // Whole pixels inside the row, so that no pixel center is exactly on a line of the pattern.
            let inset = max(round((row.y - HATCH_HEIGHT * globals.scale) * 0.5), 0.0);
            return vec4<f32>(middle, half, max(row.y * 0.5 - inset, 0.5));
        }
        default: {
            return vec4<f32>(middle, half, max(row.y * 0.5 - globals.line, 1.0));
        }
    }
}

fn dot_radius(style: u32) -> f32 {
    let emphasis = style >> EMPHASIS_SHIFT;
    let marked = emphasis == EMPHASIS_HOVERED || emphasis == EMPHASIS_SELECTED || emphasis == EMPHASIS_LINKED;
    return (DOT_RADIUS + select(0.0, 1.5, marked)) * globals.scale;
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) instance: vec4<u32>) -> Varying {
    let row = rows[(instance.w >> ROW_SHIFT) & ROW_MASK];
    let place = place_of(instance, row);
    let shape = shape_of(instance.w);
    // Antialiased edges extend half a pixel beyond the shape.
    let margin = select(0.0, 1.0, shape == SHAPE_DOT || shape == SHAPE_BOX);
    let corner = quad_corner(vertex) * 2.0 - 1.0;
    let local = corner * (place.zw + margin);
    let at = vec2<f32>(globals.left + place.x, place.y) + local;
    var out: Varying;
    out.position = on_target(at);
    out.local = local;
    out.half_extent = place.zw;
    out.style = instance.w;
    return out;
}

// Signed distance to a rounded rectangle; negative inside.
fn rounded(local: vec2<f32>, half_extent: vec2<f32>, wanted: f32) -> f32 {
    let radius = min(wanted, min(half_extent.x, half_extent.y));
    let q = abs(local) - half_extent + radius;
    return length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0) - radius;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let emphasis = in.style >> EMPHASIS_SHIFT;
    let color = globals.fills[in.style & 15u].rgb;
    // Lines stand out like narrow marks.
    let mark = globals.marks[in.style & 15u].rgb;
    let hovered = emphasis == EMPHASIS_HOVERED;
    let selected = emphasis == EMPHASIS_SELECTED;
    let line = max(1.0, globals.scale);
    // Opacity of a box's fill.
    let fill = select(BOX_OPACITY, 0.34, hovered);
    switch shape_of(in.style) {
        case SHAPE_BOX: {
            let distance = rounded(in.local, in.half_extent, BOX_RADIUS * globals.scale);
            let inside = clamp(0.5 - (distance + 1.2 * line), 0.0, 1.0);
            let alpha = mix(0.95, fill, inside) * clamp(0.5 - distance, 0.0, 1.0);
            return vec4<f32>(color * alpha, alpha);
        }
        case SHAPE_TINT: {
            let edge = min(in.half_extent.x - abs(in.local.x), in.half_extent.y - abs(in.local.y));
            // A whole number, so that no pixel center is exactly on the border's edge.
            if selected && edge < round(1.5 * line) {
                return vec4<f32>(globals.selected.rgb, 1.0);
            }
            let outlined = (hovered || emphasis == EMPHASIS_LINKED) && edge < round(line);
            return vec4<f32>(mix(color, globals.selected.rgb, select(0.0, 0.6, outlined)), 1.0);
        }
        case SHAPE_DOT: {
            let distance = rounded(in.local, in.half_extent, in.half_extent.y);
            let marked = hovered || selected || emphasis == EMPHASIS_LINKED;
            let ring = select(mix(color, vec3<f32>(1.0 - globals.light), 0.25), globals.selected.rgb, marked);
            let centre = select(globals.background.rgb, color, marked);
            let inside = clamp(0.5 - (distance + select(1.3, 2.0, marked) * line), 0.0, 1.0);
            let alpha = clamp(0.5 - distance, 0.0, 1.0);
            return vec4<f32>(mix(ring, centre, inside) * alpha, alpha);
        }
        case SHAPE_HATCH: {
            // The lines are fixed in time, like those of incomplete markers.
            let across = floor(in.position.x) - globals.left + globals.hatch;
            let stripe = fract((across + floor(in.local.y + in.half_extent.y)) / globals.hatch_period);
            let alpha = select(0.15, select(0.8, 1.0, hovered), stripe < 0.4);
            return vec4<f32>(color * alpha, alpha);
        }
        case SHAPE_FADE: {
            // The background color over an opaque box; the low byte of the style is its opacity.
            let alpha = f32(in.style & 255u) / 255.0;
            return vec4<f32>(globals.background.rgb * alpha, alpha);
        }
        case SHAPE_WAIT: {
            // The lines are fixed in time and rise from left to right.
            let across = in.position.x - globals.left;
            let down = floor(in.local.y + in.half_extent.y);
            let stripe = fract((across + globals.hatch + down) / globals.hatch_period);
            let alpha = select(select(0.2, 0.3, hovered), select(0.55, 0.8, hovered), stripe < 0.34);
            return vec4<f32>(mark * alpha, alpha);
        }
        default: {
            let alpha = select(0.6, 0.9, hovered);
            return vec4<f32>(mark * alpha, alpha);
        }
    }
}
