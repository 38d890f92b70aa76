//! Texts written by users: searches and flow rules. The first byte selects the kind of the rest.
#![no_main]

use std::cell::RefCell;
use std::sync::Arc;

use flowline_import::{self as import, Progress};
use flowline_index::flows::{FlowName, FlowRules, FlowSetup, RuleMatcher};
use flowline_index::search::{self, Query, Test};
use flowline_index::{FlowGraph, Index};
use flowline_profile::Arrangement;
use libfuzzer_sys::fuzz_target;

/// A recording with every kind of payload field and several flows.
static RECORDING: &[u8] = include_bytes!("../recording.json");

thread_local! {
    static INDEX: RefCell<Option<Arc<Index>>> = const { RefCell::new(None) };
}

fn index() -> Arc<Index> {
    let build = || {
        let profile = import::read(RECORDING, &Progress::default()).expect("the recording can be read").profile;
        assert!(profile.marker_count() > 10);
        Arc::new(Index::build(Arc::new(profile), Arrangement::ByName))
    };
    INDEX.with(|index| Arc::clone(index.borrow_mut().get_or_insert_with(build)))
}

/// Every text is a search that terminates; the search for a flow parses to that flow.
fn try_search(index: &Index, text: &str) {
    let query = Query::parse(text);
    assert_eq!(query, Query::parse(text));
    let found = search::run(index.profile(), index.flows(), &query, &|| true).expect("the search is not canceled");
    let count = found.iter(index.profile()).count();
    assert!(count <= index.profile().marker_count());
    assert!(!query.is_empty() || count == index.profile().marker_count());
    let _ = search::parse_duration(text);
    // The search for a flow parses to the same flow.
    let name = FlowName::parse(text);
    let query = Query::parse(&search::flow_query(&name));
    let mut flows = query.any.iter().filter_map(|term| match &term.test {
        Test::Flow(name) => Some(name),
        _ => None,
    });
    let again = flows.next().map(|flow| (&flow.id, flow.time));
    assert_eq!(again, Some((&name.id, name.time)), "{text:?}");
}

/// Rules always parse, and apply to every flow.
fn try_rules(index: &Index, text: &str) {
    let (rules, messages) = FlowRules::parse(text);
    assert!(messages.iter().all(|message| !message.is_empty()));
    let graph: &FlowGraph = index.flows();
    for rules in [rules.clone(), FlowRules::built_in().with_user(rules)] {
        let matcher = RuleMatcher::new(rules, index.profile());
        for flow in graph.iter() {
            let _ = matcher.appearance(index.profile(), graph, index.source().styles, flow);
        }
        let _ = FlowSetup::new(index, matcher, messages.clone());
    }
}

fuzz_target!(
    init: {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| {
        let Some((which, text)) = bytes.split_first() else { return };
        let text = String::from_utf8_lossy(text);
        let index = index();
        if *which == b'{' {
            try_rules(&index, &format!("{{{text}"));
        } else {
            try_search(&index, &text);
        }
    }
);
