//! The search box: filtering, walking the hits, leaving it.

use crate::harness::window::{Window, found};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use flowline::format::format_count;
use flowline::profile::{Direction, MarkerId};
use flowline::view::Command;

#[test]
fn typing_filters_the_tracks_and_counts() {
    let mut window = Window::tall();
    window.list_idle_threads();
    let profile = window.profile();
    let of_all = format!("of {}", format_count(profile.marker_count() as u64));
    window.event(Event::Text("/".into()));
    window.settle();
    assert!(window.get(Role::TextInput, "Search markers").focused, "/ focuses the search box");
    assert_eq!(window.view().search, "", "/ is not typed");
    let mut text = String::new();
    for more in ["styles", ", dur:>2ms", "  "] {
        window.type_text(more);
        text += more;
        window.wait_for_search(&text);
        let hits = found(&profile, &text);
        assert!(hits.total() > 0 && hits.total() < profile.marker_count(), "\"{text}\" narrows");
        assert!(window.says(&format!("{} {of_all}", hits.total())), "{:#?}", window.texts());
        let headings: Vec<String> = window.headings().into_iter().map(|heading| heading.text).collect();
        for (id, _) in profile.threads_with_ids() {
            let expanded = window.view().tracks.expanded.contains(&id);
            let (count, heading) = (hits.thread(id).len(), |count| window.heading(id, "hits", count, expanded));
            assert_eq!(headings.contains(&heading(count)), count > 0, "{} in {headings:#?}", heading(count));
        }
    }
    assert!(window.get(Role::TextInput, "Search markers").focused, "typing can continue");
    window.press("Clear the search");
    window.wait_for_search("");
    assert_eq!(window.headings().len(), profile.threads.len());
    assert!(!window.says(&of_all));
}

#[test]
fn enter_walks_the_hits_in_time_order() {
    let mut window = Window::example();
    let profile = window.profile();
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::F);
    window.type_text("styles");
    window.wait_for_search("styles");
    let hits = found(&profile, "styles");
    let mut order: Vec<MarkerId> = hits.iter(&profile).collect();
    order.sort_by_key(|marker| (window.view().times_of(*marker).expect("a marker").start, *marker));
    for expected in &order[..4] {
        window.key(Key::Enter);
        assert_eq!(window.selected(), *expected);
        assert!(window.details_of(*expected), "{:#?}", window.texts());
        let item = window.session().item_of(*expected).expect("its thread is shown");
        let scroll = window.view().scroll;
        assert!(
            item.y >= scroll && item.y + item.height <= scroll + f64::from(window.chart().height()),
            "the marker is visible"
        );
    }
    for expected in [order[2], order[1], order[0], order[order.len() - 1]] {
        window.chord(Modifiers::SHIFT, Key::Enter);
        assert_eq!(window.selected(), expected);
    }
    window.key(Key::Enter);
    assert_eq!(window.selected(), order[0], "the last is followed by the first");
    assert!(!window.get(Role::TextInput, "Search markers").focused, "keys act on the chart after Enter");
    assert_eq!(window.view().search, "styles");
}

#[test]
fn escape_leaves_the_search_box_and_then_clears() {
    let mut window = Window::example();
    window.type_text("/");
    window.type_text("styles");
    window.wait_for_search("styles");
    window.key(Key::Escape);
    assert!(!window.get(Role::TextInput, "Search markers").focused);
    assert_eq!(window.view().search, "styles", "leaving the box keeps the hits");
    let hits = found(&window.profile(), "styles");
    window.key(Key::Enter);
    assert_eq!(
        Some(window.selected()),
        hits.step(&window.profile(), None, Direction::Forward),
        "Enter goes to hits from the chart too"
    );
    window.key(Key::Escape);
    window.wait_for_search("");
    assert!(window.headings().iter().any(|heading| heading.text.contains("markers")));
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::Z);
    window.wait_for_search("styles");
    window.chord(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    window.wait_for_search("");
}

#[test]
fn typing_in_the_search_box_triggers_no_shortcuts() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    window.type_text("/");
    let (axis, scroll, arrangement) = (window.view().axis, window.view().scroll, window.view().arrangement);
    let text = "wasdqe0flt?/+-";
    window.type_text(text);
    for key in [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown, Key::End, Key::PageDown, Key::PageUp] {
        window.key(key);
    }
    assert_eq!(window.view().search, text);
    window.key(Key::Backspace);
    assert_eq!(window.view().search, &text[..text.len() - 1]);
    assert!(window.get(Role::TextInput, "Search markers").focused);
    assert_eq!(window.view().axis, axis, "neither zoom nor pan");
    assert_eq!(window.view().arrangement, arrangement);
    assert_eq!(window.view().selected, Some(marker));
    // A search without hits leaves no rows to scroll.
    assert!(window.view().scroll <= scroll);
    assert!(window.shell().state.table.is_none() && !window.shell().state.show_help);
}

#[test]
fn invalid_terms_are_reported_below_the_field() {
    let mut window = Window::example();
    window.type_text("/");
    for (text, expected_text) in [
        ("dur:>", "“dur:>” is missing a number and is ignored."),
        ("dur:>x", "“dur:>x” is not a valid time comparison"),
        ("name:", "“name:” is missing a value and is ignored."),
        ("latenzy:5", "No marker has a field “latenzy”."),
        ("flow:nobody", "“flow:nobody” matches no flow"),
    ] {
        window.apply(Command::Search(text.into()));
        window.wait("the sentence", |window| window.says(expected_text));
    }
    let expected_text =
        window.nodes().into_iter().find(|node| node.text.contains("matches no flow")).expect("the message was shown");
    let field = window.get(Role::TextInput, "Search markers").rect;
    assert!(
        expected_text.rect.min.y > field.max.y && expected_text.rect.min.x < field.max.x,
        "{expected_text:?} {field:?}"
    );
    window.apply(Command::Search("thread:gecko dur:>2ms".into()));
    window.wait_for_search("thread:gecko dur:>2ms");
    assert!(!window.says("matches no flow") && !window.says("“"), "{:#?}", window.texts());
    let profile = window.profile();
    let slow =
        profile.threads.iter().filter(|thread| thread.name.to_lowercase().contains("gecko")).flat_map(|thread| {
            let lengths = thread.markers.times().ranges().map(|range| range.len());
            lengths.filter(|length| *length > 2_000_000)
        });
    let count = slow.count();
    let all = format_count(profile.marker_count() as u64);
    assert!(count > 3 && window.says(&format!("{count} of {all} markers")), "{count}: {:#?}", window.texts());
}

#[test]
fn an_empty_result_shows_a_message_and_a_clear_button() {
    let mut window = Window::example();
    let text = "styles \"no marker says this\"";
    window.apply(Command::Search(text.into()));
    window.wait_for_search(text);
    window.wait("the sentence", |window| window.says("No marker and no function matches “styles"));
    assert!(window.headings().is_empty());
    window.press("Clear search");
    window.wait_for_search("");
    assert!(!window.headings().is_empty() && !window.says("No marker and no function matches"));
}

#[test]
fn a_key_without_a_value_shows_everything() {
    let mut window = Window::example();
    let headings = window.headings();
    for text in ["name:", "thread:", "res:", "-cat:", "dur:"] {
        window.apply(Command::Search(text.into()));
        window.settle();
        assert!(window.session().hits().is_none() && !window.session().is_searching(), "{text}");
        assert_eq!(window.headings().len(), headings.len(), "{text}");
    }
}

#[test]
fn the_selected_hit_keeps_its_position_when_the_search_is_cleared() {
    let mut window = Window::example();
    let profile = window.profile();
    let text = "thread:gecko -name:awake";
    window.apply(Command::Search(text.into()));
    window.wait_for_search(text);
    // A hit in the middle of the list.
    let hits = window.session().hits().expect("a search");
    let (thread, _) = profile.threads_with_ids().filter(|(id, _)| !hits.thread(*id).is_empty()).last().expect("hits");
    let marker = profile.thread(thread).global(hits.thread(thread)[0]);
    window.apply(Command::Reveal(marker));
    window.settle();
    let place = |window: &Window| {
        let item = window.session().item_of(marker).expect("listed");
        item.y - window.view().scroll
    };
    let before = place(&window);
    for search in ["", text, "thread:gecko", ""] {
        window.apply(Command::Search(search.into()));
        window.wait_for_search(search);
        window.settle();
        assert!((place(&window) - before).abs() < 1.0, "{search:?}: {before} to {}", place(&window));
    }
}

#[test]
fn enter_right_after_typing_goes_to_a_hit_of_the_typed_text() {
    let mut window = Window::example();
    let profile = window.profile();
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::F);
    window.type_text("styles");
    window.wait_for_search("styles");
    window.key(Key::Enter);
    assert!(found(&profile, "styles").iter(&profile).any(|marker| marker == window.selected()));
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::F);
    // One frame with a new text and Enter: the hits on screen are still those of the text before.
    let select_all = Event::Key {
        key: Key::A,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::CTRL | Modifiers::COMMAND,
    };
    let enter =
        Event::Key { key: Key::Enter, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    window.together([select_all, Event::Text("paint".into()), enter]);
    window.wait_for_search("paint");
    window.settle();
    let hits = found(&profile, "paint");
    assert!(hits.iter(&profile).any(|marker| marker == window.selected()), "{:?}", window.selected());
    assert_eq!(window.view().wanted_hit, None);
}

#[test]
fn a_marker_revealed_under_a_search_is_listed() {
    let mut window = Window::example();
    let profile = window.profile();
    window.apply(Command::Search("styles".to_owned()));
    window.wait_for_search("styles");
    let hits = found(&profile, "styles");
    let is_listed = |window: &Window, marker| window.session().item_of(marker).is_some();
    let ids = profile.threads_with_ids().flat_map(|(id, thread)| {
        (0..thread.markers.len()).map(move |at| (id, flowline::profile::LocalMarker::new(at)))
    });
    let others = ids.filter(|(id, local)| !hits.contains(*id, *local));
    let mut others = others.map(|(id, local)| profile.thread(id).global(local));
    let hidden = others.find(|marker| !is_listed(&window, *marker)).expect("some marker is not listed");
    // Selecting lists nothing; a step to the marker or "Show in chart" does.
    window.apply(Command::Select(Some(hidden)));
    window.settle();
    assert!(!is_listed(&window, hidden));
    window.apply(Command::Reveal(hidden));
    window.settle();
    let item = window.session().item_of(hidden).expect("it is listed");
    let (scroll, height) = (window.view().scroll, f64::from(window.chart().height()));
    assert!(item.y >= scroll && item.y + item.height <= scroll + height, "its row is on screen");
    // Another text forgets it.
    window.apply(Command::Search("paint".to_owned()));
    window.wait_for_search("paint");
    window.settle();
    assert_eq!(window.view().revealed, None);
}

#[test]
fn clearing_a_search_keeps_the_selected_marker_in_view() {
    let mut window = Window::example();
    let profile = window.profile();
    for text in ["styles", "gc", "paint", "network"] {
        window.apply(Command::Search(text.to_owned()));
        window.wait_for_search(text);
        let Some(marker) = found(&profile, text).iter(&profile).last() else { continue };
        window.apply(Command::CollapseAll);
        window.apply(Command::Reveal(marker));
        window.settle();
        window.apply(Command::Search(String::new()));
        window.wait_for_search("");
        window.settle();
        let item = window.session().item_of(marker).expect("it stays listed");
        let (scroll, height) = (window.view().scroll, f64::from(window.chart().height()));
        assert!(item.y + item.height > scroll && item.y < scroll + height, "{text}: its row is on screen");
    }
}
