// Marker rectangles (see `scene::MarkerInstance`).

// Part of the background in the corners.
const CORNER: f32 = 0.55;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Offset from the rectangle's upper left corner, and its size, in device pixels.
    @location(0) local: vec2<f32>,
    @location(1) @interpolate(flat) extent: vec2<f32>,
    @location(2) @interpolate(flat) style: u32,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) instance: vec4<u32>) -> Varying {
    let row = rows[(instance.w >> ROW_SHIFT) & ROW_MASK];
    let span = columns(instance);
    let extent = vec2<f32>(span.y - span.x, row.y);
    let corner = quad_corner(vertex);
    let local = corner * extent;
    let place = vec2<f32>(globals.left + span.x, row.x) + local;
    var out: Varying;
    out.position = on_target(place);
    out.local = local;
    out.extent = extent;
    out.style = instance.w;
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let to_edge = min(in.local, in.extent - in.local);
    let bordered = in.extent.x >= globals.min_bordered;
    let across = in.position.x - globals.left;
    let edge = min(to_edge.x, to_edge.y);
    let up = in.extent.y - in.local.y;
    let color = marker_color(in.style, in.style >> EMPHASIS_SHIFT, bordered, edge, across, in.local.y, up);
    // Corners are rounded by one pixel.
    let is_corner = bordered && max(to_edge.x, to_edge.y) < globals.line;
    return vec4<f32>(select(color, mix(color, globals.background.rgb, CORNER), is_corner), 1.0);
}
