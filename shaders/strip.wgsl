// Row textures: the narrow markers of a row, one texel per pixel column (see `gpu::column_strips`).

const CELL_STYLE: u32 = 4095u;
const CELL_EMPHASIS_SHIFT: u32 = 12u;
const CELL_EMPHASIS: u32 = 7u;
const CELL_LIT: u32 = 32768u;

@group(1) @binding(0) var cells: texture_2d<u32>;

struct Varying {
    @builtin(position) position: vec4<f32>,
    // Top of the row in device pixels.
    @location(0) @interpolate(flat) top: f32,
    // Bottom of the row in device pixels.
    @location(2) @interpolate(flat) bottom: f32,
    // Row of the texture.
    @location(1) @interpolate(flat) line: u32,
    // Palette entry in place of the first one.
    @location(3) @interpolate(flat) first_entry: f32,
}

// Track row, row of the texture, first column, one past the last column.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @location(0) strip: vec4<u32>) -> Varying {
    let row = rows[strip.x & ROW_MASK];
    let column = f32(select(strip.z, strip.w, (vertex & 1u) != 0u));
    var out: Varying;
    out.position = on_target(vec2<f32>(globals.left + column, row.x + f32(vertex >> 1u) * row.y));
    out.top = row.x;
    out.bottom = row.x + row.y;
    out.line = strip.y;
    out.first_entry = row.z;
    return out;
}

@fragment
fn fs_main(in: Varying) -> @location(0) vec4<f32> {
    let across = in.position.x - globals.left;
    let cell = textureLoad(cells, vec2<u32>(u32(across), in.line), 0).x;
    if (cell & CELL_LIT) == 0u {
        discard;
    }
    let emphasis = (cell >> CELL_EMPHASIS_SHIFT) & CELL_EMPHASIS;
    let down = in.position.y - in.top;
    let up = in.bottom - in.position.y;
    let style = cell & CELL_STYLE;
    let entry = entry_of(style, in.first_entry);
    return vec4<f32>(marker_color(style, entry, emphasis, false, 0.0, across, down, up, 0.0), 1.0);
}
