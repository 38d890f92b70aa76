//! Palette words for the reserved color names of trace events (`cname`).

/// Returns the palette word for a reserved color name; `None` for an unknown name.
pub(in crate::trace_events) fn for_cname(cname: &str) -> Option<&'static str> {
    Some(match cname {
        "good" | "rail_animation" | "cq_build_passed" | "thread_state_running" | "startup" => "green",
        "vsync_highlight_color" | "rail_response" | "detailed_memory_dump" | "generic_work" => "blue",
        "bad" | "rail_idle" | "cq_build_running" | "thread_state_uninterruptible" | "yellow" => "yellow",
        "terrible" | "cq_build_failed" | "cq_build_abandoned" => "red",
        "thread_state_iowait" | "rail_load" | "olive" => "orange",
        "thread_state_runnable" | "light_memory_dump" | "background_memory_dump" | "heap_dump_stack_frame" => {
            "lightblue"
        }
        // Pale: a thread that sleeps does nothing.
        "thread_state_sleeping" | "thread_state_unknown" => "transparent",
        "grey" | "cq_build_attempt_passed" | "white" => "grey",
        "black" | "cq_build_attempt_runnig" => "darkgrey",
        "cq_build_attempt_failed" | "heap_dump_object_type" => "brown",
        "heap_dump_child_node_arrow" | "generic" => "ink",
        _ => return None,
    })
}
