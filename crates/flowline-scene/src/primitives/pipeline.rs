//! Pipelines as plain data: the shader, the layout of instances, blending.

/// Type of a vertex attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeFormat {
    /// One float.
    Float32,
    /// Two floats.
    Float32x2,
    /// Four floats.
    Float32x4,
    /// One 32-bit word.
    Uint32,
    /// Four 32-bit words.
    Uint32x4,
    /// Four bytes, read as floats from 0 to 1.
    Unorm8x4,
}

impl AttributeFormat {
    /// Size in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Float32 | Self::Uint32 | Self::Unorm8x4 => 4,
            Self::Float32x2 => 8,
            Self::Float32x4 | Self::Uint32x4 => 16,
        }
    }
}

/// A part of an instance that the shader reads; its shader location is its position in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Type.
    pub format: AttributeFormat,
    /// Byte offset in the instance.
    pub offset: usize,
}

impl Attribute {
    /// An attribute at a byte offset.
    #[must_use]
    pub const fn new(format: AttributeFormat, offset: usize) -> Self {
        Self { format, offset }
    }

    /// An instance of four words, which the shader unpacks itself.
    pub const FOUR_WORDS: [Self; 1] = [Self::new(AttributeFormat::Uint32x4, 0)];
}

/// Blend mode of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// Fragments replace the target, which is not read.
    Opaque,
    /// Fragments have premultiplied alpha.
    Alpha,
}

/// A pipeline that draws instances as triangle strips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PipelineSpec {
    /// Name in error messages and debuggers.
    pub label: &'static str,
    /// File name of the shader in `shaders/`.
    pub file: &'static str,
    /// Shader source, appended to that of `common.wgsl`.
    pub source: &'static str,
    /// Blending.
    pub blending: Blending,
    /// Vertices per instance.
    pub vertices: u32,
    /// Byte distance between instances.
    pub stride: usize,
    /// The attributes that the shader reads.
    pub attributes: &'static [Attribute],
}

impl PipelineSpec {
    /// Vertices of a rectangle.
    pub const QUAD: u32 = 4;
}

/// File name and source of a shader. The source is appended to `common.wgsl`, which all shaders share.
#[macro_export]
macro_rules! shader {
    ($file:literal) => {
        (
            $file,
            concat!(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders/common.wgsl")),
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shaders/", $file))
            ),
        )
    };
}
pub use shader;
