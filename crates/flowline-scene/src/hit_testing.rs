//! What is at a point of the canvas, by the geometry that is drawn.

use crate::layout::{FlowHit, FlowTarget, PointerHits, SceneInput};
use crate::painting::flow_panel::flow_hit;
use crate::painting::path_strip;
use flowline_profile::FlowId;

impl SceneInput<'_> {
    /// The flow whose label in the flow panel is at a point of the canvas.
    #[must_use]
    pub fn flow_label_at(&self, x: f32, y: f32) -> Option<FlowId> {
        let labels = [self.regions.flow_labels, self.regions.pinned_labels];
        let number = labels.iter().position(|labels| labels.contains(x, y))?;
        let area = self.flow_areas()?[number];
        area.part.at(area.scroll + f64::from((y - area.rect.y) / area.scale))?.flow()
    }

    /// The hits at a point of the canvas.
    #[must_use]
    pub fn hits(&self, x: f32, y: f32) -> PointerHits {
        if self.regions.path.contains(x, y) {
            return path_strip::hits(self, x);
        }
        if self.regions.chart.contains(x, y) {
            let at = self.view.scroll + f64::from((y - self.regions.chart.y) / self.scale);
            return self.list.at(at).map(|item| item.kind.hits(self, item, x, y)).unwrap_or_default();
        }
        let on_label = self.flow_label_at(x, y).map(|flow| FlowHit::Flow { flow, target: FlowTarget::Row });
        PointerHits { flow: flow_hit(self, x, y).or(on_label), ..PointerHits::default() }
    }
}
