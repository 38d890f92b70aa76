//! The legend of kinds of work in the menu *View*.

use egui::accesskit::Role;
use flowline::index::KindRules;
use flowline::profile::{Kind, LocalMarker};

use crate::harness::window::Window;

fn opened() -> Window {
    let mut window = Window::example();
    window.press("View");
    window.wait("the sums", |window| window.nodes_with_prefix(Role::CheckBox, "Scripting, ").len() == 1);
    window
}

/// The names of the legend that state a time in view.
fn timed(window: &Window) -> usize {
    let kinds = Kind::ALL.iter();
    kinds.filter(|kind| !window.nodes_with_prefix(Role::CheckBox, &format!("{}, ", kind.title())).is_empty()).count()
}

#[test]
fn the_legend_states_the_time_in_view_and_its_eyes_hide_kinds() {
    let mut window = opened();
    let all = timed(&window);
    assert!(all > 2, "{:#?}", window.texts());
    let whole = window.node_with_prefix(Role::CheckBox, "Scripting, ").text;
    window.click(Role::CheckBox, &whole);
    window.settle();
    assert_eq!(window.view().search, "-work:=scripting");
    window.wait_for_search("-work:=scripting");
    let (profile, rules) = (window.profile(), KindRules::new(window.session().index.profile()));
    let hits = window.session().hits().expect("hits").clone();
    let mut counts = [0_usize; 2];
    for (id, thread) in profile.threads_with_ids() {
        for at in 0..thread.markers.len() {
            let entry = rules.marker_entry(thread, &thread.markers.attributes().at(at));
            let is_hit = hits.thread(id).binary_search(&LocalMarker::new(at)).is_ok();
            assert_eq!(is_hit, entry != Kind::Script as u8, "{id:?} {at}");
            counts[usize::from(is_hit)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    let hidden = window.node_with_prefix(Role::CheckBox, "Scripting");
    window.click_at(hidden.rect.center());
    window.settle();
    assert!(window.view().search.is_empty());
}
