// Connections of flows: lines, curves and arrow heads (see `scene::LinkInstance`). Each is a strip of vertex pairs
// along its center line, with antialiased sides.

const KIND_CURVE: u32 = 1u;
const KIND_HEAD: u32 = 2u;
// Vertex pairs along a connection: half of the pipeline's vertex count.
const PAIRS: u32 = 25u;

struct Instance {
    // x and y of the start and of the end, in device pixels.
    @location(0) ends: vec4<f32>,
    @location(1) color: vec4<f32>,
    @location(2) width: f32,
    @location(3) kind: u32,
}

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Distance from the center line, and half the width there, in device pixels.
    @location(0) across: f32,
    @location(1) half_width: f32,
    @location(2) @interpolate(flat) color: vec4<f32>,
}

// Distance from the ends of a curve to its control points.
fn reach(ends: vec4<f32>) -> f32 {
    let away = abs(ends.zw - ends.xy);
    return clamp(away.x * 0.5 + away.y * 0.05, 8.0 * globals.scale, 120.0 * globals.scale);
}

fn point(ends: vec4<f32>, kind: u32, t: f32) -> vec2<f32> {
    if kind != KIND_CURVE {
        return mix(ends.xy, ends.zw, t);
    }
    let r = reach(ends);
    let a = ends.xy;
    let b = ends.xy + vec2<f32>(r, 0.0);
    let c = ends.zw - vec2<f32>(r, 0.0);
    let d = ends.zw;
    let s = 1.0 - t;
    return a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t);
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varying {
    let t = f32(vertex / 2u) / f32(PAIRS - 1u);
    let side = f32(vertex & 1u) * 2.0 - 1.0;
    let middle = point(instance.ends, instance.kind, t);
    let step = 0.5 / f32(PAIRS - 1u);
    let before = point(instance.ends, instance.kind, max(t - step, 0.0));
    let after = point(instance.ends, instance.kind, min(t + step, 1.0));
    let along = after - before;
    let length = max(length(along), 1e-4);
    let normal = vec2<f32>(-along.y, along.x) / length;
    let taper = select(1.0, 1.0 - t, instance.kind == KIND_HEAD);
    let half_width = instance.width * 0.5 * taper;
    let across = side * (half_width + 1.0);
    let place = middle + normal * across;
    var out: Varying;
    out.position = on_target(place);
    out.across = across;
    out.half_width = half_width;
    out.color = instance.color;
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let alpha = in.color.a * clamp(in.half_width + 0.5 - abs(in.across), 0.0, 1.0);
    return vec4<f32>(in.color.rgb * alpha, alpha);
}
