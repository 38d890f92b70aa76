// Filled rectangles without rounded corners or borders (see `scene::RectInstance`).

struct Instance {
    @location(0) rect: vec4<f32>,
    @location(1) fill: vec4<f32>,
}

struct Varying {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) fill: vec4<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varying {
    let corner = quad_corner(vertex);
    var out: Varying;
    out.position = on_target(instance.rect.xy + corner * instance.rect.zw);
    out.fill = vec4<f32>(instance.fill.rgb * instance.fill.a, instance.fill.a);
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    return in.fill;
}
