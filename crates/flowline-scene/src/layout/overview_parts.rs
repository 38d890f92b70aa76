//! The lanes of the overview, from top to bottom: long tasks, CPU, network, screens. Lanes without data are absent.

use super::regions::OVERVIEW_HEIGHT;
use super::scene_input::SceneInput;
use crate::geometry::PixelRect;
use flowline_index::Derived;
use flowline_insights::page_load::Screenshots;

/// Heights in points.
const TASKS: f32 = 14.0;
const CPU: f32 = 30.0;
const NETWORK: f32 = 14.0;
const SCREENS: f32 = 32.0;
/// Space above the first and below the last lane in points.
const MARGIN: f32 = 3.0;

/// Vertical parts of the overview in device pixels, as wide as the overview.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverviewParts {
    /// Long tasks.
    pub tasks: Option<PixelRect>,
    /// CPU use.
    pub cpu: Option<PixelRect>,
    /// Network requests.
    pub network: Option<PixelRect>,
    /// Screenshots.
    pub screens: Option<PixelRect>,
}

impl OverviewParts {
    /// Divides the overview. CPU use has the height that is left.
    fn divide(region: PixelRect, scale: f32, [tasks, network, screens]: [bool; 3]) -> Self {
        let points = |points: f32| (points * scale).round();
        let (mut top, mut bottom) = (region.y + points(MARGIN), region.bottom() - points(MARGIN));
        let lane = |y: f32, height: f32| PixelRect::new(region.x, y, region.width, height);
        if bottom - top < points(CPU) {
            let room = (region.height - 2.0).max(0.0);
            return Self { cpu: (room >= 1.0).then(|| lane(region.y + 1.0, room)), ..Self::default() };
        }
        let mut parts = Self::default();
        let is_tall = region.height > points(OVERVIEW_HEIGHT) + 1.0;
        if screens && is_tall {
            bottom -= points(SCREENS);
            parts.screens = Some(lane(bottom, points(SCREENS)));
        }
        if network {
            bottom -= points(NETWORK);
            parts.network = Some(lane(bottom, points(NETWORK)));
        }
        if tasks {
            parts.tasks = Some(lane(top, points(TASKS)));
            top += points(TASKS);
        }
        parts.cpu = Some(lane(top, (bottom - top).max(0.0)));
        parts
    }
}

impl SceneInput<'_> {
    /// The lanes of the overview.
    #[must_use]
    pub fn overview_parts(&self) -> OverviewParts {
        let region = self.regions.overview;
        let Some(lanes) = self.scope.lanes().filter(|_| region.height >= 1.0) else { return OverviewParts::default() };
        let screens = Screenshots::if_built(self.index).is_some_and(|screens| !screens.list().is_empty());
        let has = [lanes.responsiveness.is_some(), lanes.network.is_some(), screens];
        let parts = OverviewParts::divide(region, self.scale, has);
        // A lane without data is absent; the overview keeps its height for the handles of the visible range.
        OverviewParts { cpu: parts.cpu.filter(|_| !lanes.cpu.is_empty()), ..parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fill_the_overview_in_order() {
        for (scale, height) in [(1.0, 96.0), (1.25, 80.0), (2.0, 128.0), (1.0, 26.0)] {
            let region = PixelRect::new(10.0, 20.0, 500.0, height);
            for case in 0..8 {
                let has = [1, 2, 4].map(|bit| case & bit > 0);
                let parts = OverviewParts::divide(region, scale, has);
                let lanes = [parts.tasks, parts.cpu, parts.network, parts.screens];
                let mut y = region.y;
                for lane in lanes.into_iter().flatten() {
                    assert!(lane.y >= y && lane.bottom() <= region.bottom(), "{lane:?} of {parts:?}");
                    assert_eq!(lane.y, lane.y.round());
                    y = lane.bottom();
                }
                assert!(parts.cpu.is_some_and(|cpu| cpu.height >= 20.0), "{parts:?}");
            }
        }
    }
}
