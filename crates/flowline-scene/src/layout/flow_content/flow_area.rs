//! Where the flow panel's rows are.

use super::flow_list::{FlowItem, FlowPart};
use crate::geometry::PixelRect;
use crate::layout::scene_input::SceneInput;
use crate::primitives::RowBounds;

/// Points between the edges of a row and its bars.
const BOX_INSET: f64 = 4.5;

/// One of the panel's two parts on screen.
#[derive(Clone, Copy)]
pub struct Area<'a> {
    /// Content of the part.
    pub part: &'a FlowPart,
    /// Rectangle in device pixels.
    pub rect: PixelRect,
    /// Scroll offset in points.
    pub scroll: f64,
    /// Device pixels per point.
    pub scale: f32,
}

impl Area<'_> {
    /// Top of an item in device pixels, on a whole pixel.
    #[must_use]
    pub fn y(&self, item: &FlowItem) -> f32 {
        self.pixel(item.y)
    }

    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn pixel(&self, y: f64) -> f32 {
        let pixel = ((y - self.scroll) * f64::from(self.scale)).round();
        self.rect.y + pixel.clamp(-1e6, 1e6) as f32
    }

    /// Height of an item in device pixels.
    #[must_use]
    pub fn height(&self, item: &FlowItem) -> f32 {
        self.pixel(item.y + item.height) - self.pixel(item.y)
    }

    /// Position of a row's box.
    #[must_use]
    pub fn place(&self, item: &FlowItem) -> RowBounds {
        let (top, bottom) = (self.pixel(item.y + BOX_INSET), self.pixel(item.y + item.height - BOX_INSET));
        RowBounds::new(top, (bottom - top).max(1.0))
    }

    /// The items on screen.
    #[must_use]
    pub fn visible(&self) -> &[FlowItem] {
        self.part.visible(self.scroll, self.scroll + f64::from(self.rect.height / self.scale))
    }
}

impl<'a> SceneInput<'a> {
    /// The panel's parts on screen: the entered flows with their connected flows, and the pinned flows.
    #[must_use]
    pub fn flow_areas(&self) -> Option<[Area<'a>; 2]> {
        let scene = self.flows?;
        let area = |part, rect, scroll| Area { part, rect, scroll, scale: self.scale };
        Some([
            area(&scene.list.main, self.regions.flows, self.view.flows.scroll),
            area(&scene.list.pinned, self.regions.pinned, self.view.flows.pinned_scroll),
        ])
    }
}
