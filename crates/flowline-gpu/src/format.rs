//! The format of targets.

/// Format of off-screen targets, and the preferred format on screen.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
