// Stacked bars whose segments have palette colors (see `scene::BarInstance`). All edges are whole pixels, so each pixel
// belongs to exactly one segment.

// Opacity of all segments.
const BAR_OPACITY: f32 = 0.9;

struct Instance {
    @location(0) rect: vec4<f32>,
    // Tops of the segments, in device pixels above the bottom of the bar: two per word, in palette order.
    @location(1) first_tops: vec4<u32>,
    @location(2) last_tops: vec4<u32>,
}

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Bottom of the bar in device pixels.
    @location(0) @interpolate(flat) foot: f32,
    @location(1) @interpolate(flat) first_tops: vec4<u32>,
    @location(2) @interpolate(flat) last_tops: vec4<u32>,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varying {
    let corner = quad_corner(vertex);
    var out: Varying;
    out.position = on_target(instance.rect.xy + corner * instance.rect.zw);
    out.foot = instance.rect.y + instance.rect.w;
    out.first_tops = instance.first_tops;
    out.last_tops = instance.last_tops;
    return out;
}

// Number of the eight tops that are at or below a height.
fn reached(tops: vec4<u32>, height: u32) -> u32 {
    let low = select(vec4<u32>(0u), vec4<u32>(1u), (tops & vec4<u32>(0xffffu)) <= vec4<u32>(height));
    let high = select(vec4<u32>(0u), vec4<u32>(1u), (tops >> vec4<u32>(16u)) <= vec4<u32>(height));
    let both = low + high;
    return both.x + both.y + both.z + both.w;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let height = u32(max(in.foot - in.position.y, 0.0));
    let part = reached(in.first_tops, height) + reached(in.last_tops, height);
    return vec4<f32>(globals.fills[min(part, 15u)].rgb * BAR_OPACITY, BAR_OPACITY);
}
