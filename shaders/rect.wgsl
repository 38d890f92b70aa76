// Rectangles with rounded corners and a border, drawn by signed distance (see `scene::RectInstance`). A rectangle
// without a radius fills exactly the pixels whose centers it contains.

struct Instance {
    @location(0) rect: vec4<f32>,
    @location(1) fill: vec4<f32>,
    @location(2) border: vec4<f32>,
    // Corner radius, border width.
    @location(3) shape: vec2<f32>,
}

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Offset from the rectangle's center in device pixels.
    @location(0) local: vec2<f32>,
    @location(1) @interpolate(flat) half_extent: vec2<f32>,
    @location(2) @interpolate(flat) fill: vec4<f32>,
    @location(3) @interpolate(flat) border: vec4<f32>,
    @location(4) @interpolate(flat) shape: vec2<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varying {
    let corner = quad_corner(vertex);
    let place = instance.rect.xy + corner * instance.rect.zw;
    var out: Varying;
    out.position = on_target(place);
    out.half_extent = instance.rect.zw * 0.5;
    out.local = (corner - 0.5) * instance.rect.zw;
    out.fill = instance.fill;
    out.border = instance.border;
    out.shape = instance.shape;
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let radius = min(in.shape.x, min(in.half_extent.x, in.half_extent.y));
    let q = abs(in.local) - in.half_extent + radius;
    let distance = length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0) - radius;
    var color = vec4<f32>(in.fill.rgb * in.fill.a, in.fill.a);
    if in.shape.y > 0.0 {
        let inside = clamp(0.5 - (distance + in.shape.y), 0.0, 1.0);
        color = mix(vec4<f32>(in.border.rgb * in.border.a, in.border.a), color, inside);
    }
    let covered = select(1.0, clamp(0.5 - distance, 0.0, 1.0), radius > 0.0);
    return color * covered;
}
