//! Screenshots on the graphics card.

use egui::{ColorImage, Context, TextureHandle, TextureOptions, Vec2};

use flowline_profile::MarkerId;
use flowline_session::Session;

/// At most this many textures are kept.
const MAX_TEXTURES: usize = 96;

/// The textures of screenshots, the most recently used ones last.
#[derive(Default)]
pub(crate) struct ScreenTextures(Vec<(MarkerId, TextureHandle)>);

impl ScreenTextures {
    /// The texture of a screenshot; `None` until it is decoded, or if it cannot be decoded.
    pub(crate) fn get(&mut self, context: &Context, session: &Session, marker: MarkerId) -> Option<TextureHandle> {
        if let Some(at) = self.0.iter().position(|(own, _)| *own == marker) {
            self.0[at..].rotate_left(1);
            return self.0.last().map(|(_, texture)| texture.clone());
        }
        let picture = session.screens.picture(&session.index, marker)??;
        if self.0.len() >= MAX_TEXTURES {
            drop(self.0.remove(0));
        }
        let image = ColorImage::from_rgba_unmultiplied([picture.width, picture.height], &picture.pixels);
        let texture = context.load_texture(format!("screenshot {}", marker.0), image, TextureOptions::LINEAR);
        self.0.push((marker, texture.clone()));
        Some(texture)
    }

    /// The size of one of them in pixels.
    pub(crate) fn any_size(&self) -> Option<Vec2> {
        self.0.first().map(|(_, texture)| texture.size_vec2())
    }

    /// Drops all textures.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Size in points of a texture that fills a space without distortion, at most at its own size.
pub(crate) fn size_within(texture: &TextureHandle, space: Vec2) -> Vec2 {
    let size = texture.size_vec2();
    let factor = (space.x / size.x.max(1.0)).min(space.y / size.y.max(1.0)).min(1.0);
    (size * factor).round()
}
