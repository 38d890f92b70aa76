//! Compares trees with naive reference trees, which process lists of functions sample by sample.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod over_time;

use super::*;
use flowline_profile::samples::{Frame, Func, FuncFlags, NONE, Resource, ResourceKind, StackTablesBuilder};
use flowline_profile::{
    Category, FuncId, Ns, Profile, SampleTable, StackId, StackTables, Thread, ThreadId, ThreadSamples, TimeRange,
};

const FUNCS: u32 = 6;
const LIBRARY: u32 = 0;

/// Random stacks of few functions, so that recursion is common: 0 and 1 are script functions, 2 is a label for scripts,
/// 3 is an address outside any library, 4 and 5 belong to one library.
fn random_profile(random: &mut fastrand::Rng) -> Profile {
    let mut builder = StackTablesBuilder::default();
    let library = Resource { name: builder.text("libx.so"), kind: ResourceKind::LIBRARY };
    assert_eq!(builder.resource(library), LIBRARY);
    let names = ["run", "Run", "label", "0x12", "alloc", "free"];
    let frames: Vec<_> = (0..FUNCS)
        .map(|at| {
            let name = builder.text(names[at as usize]);
            let flags = match at {
                0 | 1 => FuncFlags::IS_JS,
                2 => FuncFlags::RELEVANT_FOR_JS,
                _ => FuncFlags::default(),
            };
            let resource = if at >= 4 { LIBRARY } else { NONE };
            let func = builder.func(Func { flags, resource, ..Func::named(name) });
            assert_eq!(func, FuncId(at));
            let category = [u16::MAX, 0, 1][random.usize(..3)];
            [0, 1].map(|line| builder.push_frame(Frame { category, line, ..Frame::of(func) }))
        })
        .collect();
    let mut stacks: Vec<StackId> = Vec::new();
    for _ in 0..random.usize(1..40) {
        let caller =
            if stacks.is_empty() || random.u8(..8) == 0 { None } else { Some(stacks[random.usize(..stacks.len())]) };
        let frame = frames[random.usize(..frames.len())][random.usize(..2)];
        stacks.push(builder.push_stack(caller, frame));
    }
    let thread = |random: &mut fastrand::Rng| {
        let count = random.usize(..40);
        let time = (0..count).map(|_| Ns(random.i64(0..100))).collect();
        let stack = (0..count).map(|_| if random.u8(..6) == 0 { NONE } else { stacks[random.usize(..stacks.len())].0 });
        let cpu = SampleTable::new(time, stack.collect());
        Thread { samples: Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() })), ..Thread::default() }
    };
    let threads = vec![thread(random), thread(random)];
    let category = |name: &str| Category { name: name.into(), color: "grey".into(), subcategories: Vec::new() };
    let categories = vec![category("Other"), category("Work")];
    let mut profile = Profile { stacks: builder.finish(), threads, categories, ..Profile::default() };
    profile.meta.interval = Ns(5);
    profile
}

/// Functions of a stack, root first, each with its category.
fn list(tables: &StackTables, stack: StackId) -> Vec<(u32, u16)> {
    let mut list: Vec<_> =
        tables.walk(stack).map(|stack| (tables.func(stack).0, tables.category[stack.index()])).collect();
    list.reverse();
    list
}

fn is_shown(func: u32, implementation: Implementation) -> bool {
    match implementation {
        Implementation::All | Implementation::Folded => true,
        Implementation::Js => func <= 2,
        // The collapsed library is native.
        Implementation::Native => func == 2 || func >= 4,
    }
}

type List = Vec<(u32, u16)>;

/// Merges runs into one call, like `collapse`, on a list.
fn naive_collapse(list: List, is_part: impl Fn(u32) -> bool, func: u32, joins: impl Fn(u32) -> bool) -> List {
    let mut result: List = Vec::new();
    let mut run: Option<usize> = None;
    for (own, category) in list {
        if is_part(own) {
            let begin = run.unwrap_or(result.len());
            result.truncate(begin);
            run = Some(begin);
            result.push((func, category));
            continue;
        }
        if !joins(own) {
            run = None;
        }
        result.push((own, category));
    }
    result
}

/// A sample's functions after a transform; `None` excludes the sample.
fn naive(transform: &Transform, list: &List) -> Option<List> {
    let first = |func: u32| list.iter().position(|(own, _)| *own == func);
    // Positions of the functions that pass an implementation filter.
    let visible = |implementation: Implementation| -> Vec<usize> {
        (0..list.len()).filter(|at| is_shown(list[*at].0, implementation)).collect()
    };
    match transform {
        Transform::FocusFunction(func) => Some(list[first(*func)?..].to_vec()),
        Transform::FocusSelf(func, implementation) => {
            let innermost = list.iter().rposition(|(own, _)| own == func || is_shown(*own, *implementation))?;
            (list[innermost].0 == *func).then(|| list[innermost..].to_vec())
        }
        Transform::FocusSubtree(path, implementation) => {
            let visible = visible(*implementation);
            let begins =
                visible.len() >= path.len() && path.iter().zip(&visible).all(|(func, at)| list[*at].0 == *func);
            begins.then(|| list[visible[path.len() - 1]..].to_vec())
        }
        Transform::FocusInvertedSubtree(path, implementation) => {
            let visible: Vec<usize> = visible(*implementation).into_iter().rev().collect();
            let ends = visible.len() >= path.len() && path.iter().zip(&visible).all(|(func, at)| list[*at].0 == *func);
            ends.then(|| list[..=visible[path.len() - 1]].to_vec())
        }
        Transform::FocusCategory(category) => Some(list.iter().copied().filter(|(_, own)| own == category).collect()),
        Transform::MergeFunction(func) => Some(list.iter().copied().filter(|(own, _)| own != func).collect()),
        Transform::MergeCallNode(path, implementation) => {
            let visible = visible(*implementation);
            let begins =
                visible.len() >= path.len() && path.iter().zip(&visible).all(|(func, at)| list[*at].0 == *func);
            let mut list = list.clone();
            if begins {
                list.remove(visible[path.len() - 1]);
            }
            Some(list)
        }
        Transform::DropFunction(func) => first(*func).is_none().then(|| list.clone()),
        Transform::CollapseFunctionSubtree(func) => {
            Some(first(*func).map_or_else(|| list.clone(), |at| list[..=at].to_vec()))
        }
        Transform::CollapseRecursion(func) => Some(naive_collapse(list.clone(), |own| own == *func, *func, |_| true)),
        Transform::CollapseDirectRecursion(func, implementation) => {
            Some(naive_collapse(list.clone(), |own| own == *func, *func, |own| !is_shown(own, *implementation)))
        }
        Transform::CollapseResource(resource, implementation) => {
            let func = FUNCS + resource;
            let joins = |own| !is_shown(own, *implementation);
            Some(naive_collapse(list.clone(), |own| own == 4 || own == 5, func, joins))
        }
        Transform::FilterSamples(search, implementation) => {
            let shown: Vec<u32> =
                list.iter().map(|(own, _)| *own).filter(|own| is_shown(*own, *implementation)).collect();
            is_found(search, &shown).then(|| list.clone())
        }
    }
}

const SEARCHES: [&str; 6] = ["", "", "RUN", "l", "run,0x", "nothing"];

/// Names of the functions of [`random_profile`] and of the collapsed library.
const NAMES: [&str; 7] = ["run", "run", "label", "0x12", "alloc", "free", "libx.so"];

/// True if a search finds a sample with these functions.
fn is_found(search: &str, list: &[u32]) -> bool {
    let has = |func: &u32, term: &str| NAMES[*func as usize].contains(term) || *func >= 4 && "libx.so".contains(term);
    search.to_lowercase().split(',').all(|term| term.is_empty() || list.iter().any(|func| has(func, term)))
}

fn random_transform(random: &mut fastrand::Rng) -> Transform {
    let func = random.u32(..FUNCS);
    let implementation = Implementation::ALL[random.usize(..3)];
    let path = |random: &mut fastrand::Rng| (0..random.usize(1..3)).map(|_| random.u32(..FUNCS)).collect();
    match random.u8(..13) {
        0 => Transform::FocusFunction(func),
        1 => Transform::FocusSelf(func, implementation),
        2 => Transform::FocusSubtree(path(random), implementation),
        3 => Transform::FocusInvertedSubtree(path(random), implementation),
        4 => Transform::FocusCategory(random.u16(..2)),
        5 => Transform::MergeFunction(func),
        6 => Transform::MergeCallNode(path(random), implementation),
        7 => Transform::DropFunction(func),
        8 => Transform::CollapseFunctionSubtree(func),
        9 => Transform::CollapseRecursion(func),
        10 => Transform::CollapseDirectRecursion(func, implementation),
        11 => Transform::CollapseResource(LIBRARY, implementation),
        _ => Transform::FilterSamples(SEARCHES[random.usize(..SEARCHES.len())].to_owned(), implementation),
    }
}

/// Time, functions and cost of each sample of a request.
fn naive_samples(profile: &Profile, request: &TreeRequest) -> Vec<(Ns, Vec<u32>, Cost)> {
    let mut samples = Vec::new();
    for thread in &request.threads {
        let table = &profile.thread(*thread).samples.as_ref().expect("samples").cpu;
        let range = request.range.unwrap_or(TimeRange::new(Ns(-1), Ns(1000)));
        let within: Vec<usize> =
            (0..table.len()).filter(|at| range.start <= table.time[*at] && table.time[*at] < range.end).collect();
        for (number, &at) in within.iter().enumerate() {
            let end = within.get(number + 1).map_or(table.time[at] + Ns(5), |next| table.time[*next]);
            let list = table.stack(at).map(|stack| list(&profile.stacks, stack));
            let list = request.transforms.iter().fold(list, |list, transform| {
                // A sample without frames has no stack.
                list.filter(|list| !list.is_empty()).and_then(|list| naive(transform, &list))
            });
            let Some(list) = list else { continue };
            let list: Vec<u32> =
                list.into_iter().map(|(func, _)| func).filter(|func| is_shown(*func, request.implementation)).collect();
            if !list.is_empty() && is_found(&request.search, &list) {
                samples.push((table.time[at], list, Cost { weight: 1.0, time: end - table.time[at], samples: 1 }));
            }
        }
    }
    samples
}

fn random_request(random: &mut fastrand::Rng) -> TreeRequest {
    let (from, to) = (random.i64(-5..60), random.i64(0..60));
    TreeRequest {
        threads: [vec![ThreadId(0)], vec![ThreadId(1)], vec![ThreadId(0), ThreadId(1)]][random.usize(..3)].clone(),
        range: random.bool().then(|| TimeRange::new(Ns(from), Ns(from + to))),
        transforms: (0..random.usize(..3)).map(|_| random_transform(random)).collect(),
        implementation: Implementation::ALL[random.usize(..3)],
        search: SEARCHES[random.usize(..SEARCHES.len())].to_owned(),
        ..TreeRequest::default()
    }
}

fn each_random(mut check: impl FnMut(&Profile, &TreeRequest)) {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..3000 {
        let profile = random_profile(&mut random);
        check(&profile, &random_request(&mut random));
    }
}

#[test]
fn trees_equal_naive_trees() {
    each_random(|profile, request| {
        let tree = request.tree(profile, Arc::new(request.nodes(profile)));
        let mut expected: BTreeMap<Vec<u32>, [Cost; 2]> = BTreeMap::new();
        for (_, list, cost) in naive_samples(profile, request) {
            for end in 1..=list.len() {
                let node = expected.entry(list[..end].to_vec()).or_default();
                node[0] += cost;
                if end == list.len() {
                    node[1] += cost;
                }
            }
        }
        let found: BTreeMap<Vec<u32>, [Cost; 2]> = tree
            .walk()
            .map(|(node, _)| (tree.nodes.path(node), [tree.total[node as usize], tree.own[node as usize]]))
            .collect();
        assert_eq!(found, expected, "{request:?}");
        let roots: f64 = tree.children(None).iter().map(|root| tree.total[*root as usize].weight).sum();
        assert!((roots - tree.whole.weight).abs() < f64::EPSILON, "self costs add up to the total of the roots");
    });
}

#[test]
fn inverted_trees_and_function_lists_equal_naive_ones() {
    each_random(|profile, request| {
        let tree = Arc::new(request.tree(profile, Arc::new(request.nodes(profile))));
        let mut by_path: BTreeMap<Vec<u32>, Cost> = BTreeMap::new();
        let mut by_func: BTreeMap<u32, [Cost; 2]> = BTreeMap::new();
        for (_, list, cost) in naive_samples(profile, request) {
            let reversed: Vec<u32> = list.iter().rev().copied().collect();
            for end in 1..=reversed.len() {
                *by_path.entry(reversed[..end].to_vec()).or_default() += cost;
            }
            for func in list.iter().collect::<BTreeSet<_>>() {
                by_func.entry(*func).or_default()[0] += cost;
            }
            by_func.entry(reversed[0]).or_default()[1] += cost;
        }
        let mut inverted = InvertedTree::new(Arc::clone(&tree));
        let mut found = BTreeMap::new();
        let mut pending: Vec<NodeId> = inverted.children(None).to_vec();
        while let Some(node) = pending.pop() {
            found.insert(inverted.path(node), inverted.total(node));
            let children = inverted.children(Some(node)).to_vec();
            assert_eq!(inverted.has_children(node), !children.is_empty());
            pending.extend(children);
        }
        assert_eq!(found, by_path, "{request:?}");
        let rows = FunctionList::new(&tree).rows;
        let found: BTreeMap<u32, [Cost; 2]> = rows.iter().map(|row| (row.func, [row.total, row.own])).collect();
        assert_eq!(found, by_func, "{request:?}");
        for root in inverted.children(None).to_vec() {
            let own = rows.iter().find(|row| row.func == inverted.func(root)).expect("a function").own;
            assert_eq!(inverted.total(root), own, "the total of a root is the self cost of its function");
        }
    });
}

#[test]
fn calls_partition_the_sampled_time() {
    each_random(|profile, request| {
        let thread = &profile.thread(request.threads[0]).samples.as_ref().expect("samples").cpu;
        let calls = calls::from_samples(&profile.stacks, thread, Ns(5));
        // The time of calls at each depth is the time of the samples with at least that depth.
        let mut expected: BTreeMap<u32, i64> = BTreeMap::new();
        for sample in 0..thread.len() {
            let end = thread.time.get(sample + 1).map_or(thread.time[sample] + Ns(5), |next| *next);
            let depth = thread.stack(sample).map_or(0, |stack| list(&profile.stacks, stack).len());
            for depth in (0..).take(depth) {
                *expected.entry(depth).or_default() += (end - thread.time[sample]).0;
            }
        }
        let mut found: BTreeMap<u32, i64> = BTreeMap::new();
        let mut last: BTreeMap<u32, Ns> = BTreeMap::new();
        for call in 0..calls.len() {
            let (start, end, depth) = (calls.start[call], calls.end[call], calls.depth[call]);
            *found.entry(depth).or_default() += (end - start).0;
            assert!(last.insert(depth, end).is_none_or(|before| before <= start), "calls of one depth do not overlap");
            let stack = profile.stacks.walk(calls.stack[call]).count();
            assert_eq!(stack, depth as usize + 1);
        }
        assert_eq!(found, expected);
        let order: Vec<(Ns, u32)> = calls.start.iter().copied().zip(calls.depth.iter().copied()).collect();
        assert!(order.windows(2).all(|pair| pair[0].0 <= pair[1].0), "by start");
    });
}

#[test]
fn stacks_of_a_million_frames_are_supported() {
    let mut builder = StackTablesBuilder::default();
    let names = ["a", "b"].map(|name| builder.text(name));
    let frames = names.map(|name| {
        let func = builder.func(Func::named(name));
        builder.push_frame(Frame::of(func))
    });
    let mut stack = None;
    for at in 0..1_000_000 {
        stack = Some(builder.push_stack(stack, frames[at % 2]));
    }
    let leaf = stack.expect("a stack").0;
    let cpu = SampleTable::new(vec![Ns(0), Ns(1), Ns(2)], vec![leaf, leaf - 1, NONE]);
    let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
    let thread = Thread { samples, ..Thread::default() };
    let profile = Profile { stacks: builder.finish(), threads: vec![thread], ..Profile::default() };
    let request = TreeRequest { threads: vec![ThreadId(0)], ..TreeRequest::default() };
    let tree = Arc::new(request.tree(&profile, Arc::new(request.nodes(&profile))));
    assert_eq!(tree.walk().count(), 1_000_000);
    assert_eq!(FunctionList::new(&tree).rows.len(), 2);
    let collapsed = TreeRequest { transforms: vec![Transform::CollapseRecursion(0)], ..request.clone() };
    let tree = collapsed.tree(&profile, Arc::new(collapsed.nodes(&profile)));
    assert_eq!(tree.walk().count(), 2);
    let table = &profile.threads[0].samples.as_ref().expect("samples").cpu;
    assert_eq!(calls::from_samples(&profile.stacks, table, Ns(1)).len(), 1_000_000);
}
