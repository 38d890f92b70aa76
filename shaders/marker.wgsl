// Marker rectangles: one instance a span, four words each (see `index::Packed` and `scene::MarkerInstance`).

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Device pixels from the rectangle's upper left corner, and its size.
    @location(0) local: vec2<f32>,
    @location(1) @interpolate(flat) extent: vec2<f32>,
    @location(2) @interpolate(flat) style: u32,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) instance: vec4<u32>) -> Varying {
    let row = rows[(instance.w >> ROW_SHIFT) & ROW_MASK];
    let span = columns(instance);
    let extent = vec2<f32>(span.y - span.x, row.y);
    let corner = vec2<f32>(f32(vertex & 1u), f32(vertex >> 1u));
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
    let emphasis = in.style >> EMPHASIS_SHIFT;
    var color = globals.fills[in.style & 15u].rgb;
    let line = max(1.0, round(globals.scale));
    let to_edge = min(in.local, in.extent - in.local);
    let edge = min(to_edge.x, to_edge.y);
    let wide = in.extent.x >= 4.0 * line;

    if (in.style & STYLE_INSTANT) != 0u {
        // Points stand out a little from intervals of the same colour.
        color = mix(color, vec3<f32>(1.0 - globals.light), 0.18);
    } else if wide && edge < line {
        color = mix(color, globals.background.rgb, 0.34);
    } else if (in.style & STYLE_INCOMPLETE) != 0u {
        // One end was made up: hatched. Lines stand in time, not on the marker, whose start may be far outside.
        let across = in.position.x - globals.left + globals.hatch + floor(in.local.y);
        let stripe = fract(across / globals.hatch_period);
        color = mix(color, globals.background.rgb, select(0.12, 0.32, stripe < 0.5));
    }
    if emphasis == EMPHASIS_DIMMED {
        color = mix(color, globals.background.rgb, 0.78);
    } else if emphasis == EMPHASIS_FAINT {
        color = mix(color, globals.background.rgb, 0.6);
    } else if emphasis == EMPHASIS_HOVERED {
        color = mix(color, vec3<f32>(1.0 - globals.light), 0.28);
        if wide && edge < line {
            color = mix(color, globals.selected.rgb, 0.6);
        }
    } else if emphasis == EMPHASIS_SELECTED {
        if !wide || edge < 2.0 * line {
            color = globals.selected.rgb;
        } else {
            color = mix(color, vec3<f32>(1.0), 0.22);
        }
    }
    return vec4<f32>(color, 1.0);
}
