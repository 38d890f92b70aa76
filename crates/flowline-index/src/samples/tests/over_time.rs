//! Compares groups of trees, and costs over time, with naive sums.

use super::*;

#[test]
fn groups_are_the_sums_of_their_functions() {
    each_random(|profile, request| {
        for grouping in Grouping::ALL {
            let request = TreeRequest { grouping, ..request.clone() };
            let tree = Arc::new(request.tree(profile, Arc::new(request.nodes(profile))));
            let Some(groups) = Groups::new(profile, grouping, &tree) else { continue };
            let group = |node: NodeId| groups.of_leaf(&tree.nodes, node);
            let calls = tree.children(None).into_iter();
            let calls = groups_of(
                calls.map(|root| {
                    (root, groups.of_root(&tree.nodes, root), [tree.total[root as usize], tree.own[root as usize]])
                }),
                Measure::Weight,
            );
            let sum = |costs: &mut dyn Iterator<Item = Cost>| {
                costs.fold(Cost::default(), |mut sum, cost| {
                    sum += cost;
                    sum
                })
            };
            assert_eq!(sum(&mut calls.iter().map(|group| group.total)), tree.whole, "{grouping:?}");
            // The cost of a group of either tree is the self cost of its nodes.
            let mut expected: BTreeMap<u32, Cost> = BTreeMap::new();
            for (node, _) in tree.walk().filter(|(node, _)| !tree.own[*node as usize].is_zero()) {
                *expected.entry(group(node)).or_default() += tree.own[node as usize];
            }
            let totals: BTreeMap<u32, Cost> = calls.iter().map(|group| (group.group, group.total)).collect();
            assert_eq!(totals, expected, "{grouping:?} {request:?}");
            let mut inverted = InvertedTree::grouped(Arc::clone(&tree), Some(&groups));
            let roots = inverted.children(None).to_vec().into_iter();
            let costs = |root| (root, inverted.group(root), [inverted.total(root), inverted.own(root)]);
            let found = groups_of(roots.map(costs), Measure::Weight);
            let sizes: Vec<f64> = found.iter().map(|group| group.total.weight).collect();
            assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]), "largest first");
            assert!(found.iter().all(|group| group.total == group.own));
            let found: BTreeMap<u32, Cost> = found.iter().map(|group| (group.group, group.total)).collect();
            assert_eq!(found, expected, "{grouping:?} {request:?}");
        }
    });
}

/// Costs over time of the samples for which `is_wanted` is true, sample by sample.
fn naive_parts(
    samples: &[(Ns, Vec<u32>, Cost)],
    range: TimeRange,
    measure: Measure,
    is_wanted: impl Fn(&[u32]) -> bool,
) -> Parts {
    let mut parts = [0.0; PARTS];
    let length = (range.end - range.start).0.max(1);
    // A part begins at the first nanosecond at or after its exact start.
    let part = |time: i64| {
        let since = (time - range.start.0).clamp(0, length);
        usize::try_from(since * 48 / length).expect("a part").min(PARTS - 1)
    };
    for (time, _, cost) in samples.iter().filter(|(_, list, _)| is_wanted(list)) {
        match measure {
            Measure::Weight => parts[part(time.0)] += cost.weight,
            Measure::Time => (time.0..time.0 + cost.time.0).for_each(|ns| parts[part(ns)] += 1.0),
        }
    }
    parts
}

#[test]
fn costs_over_time_equal_naive_sums() {
    let mut request_number = 0;
    each_random(|profile, request| {
        request_number += 1;
        let measure = [Measure::Weight, Measure::Time][request_number % 2];
        let request = TreeRequest { measure, ..request.clone() };
        let tree = Arc::new(request.tree(profile, Arc::new(request.nodes(profile))));
        let spread = Spread::new(&tree, &request.selection(profile));
        let samples = naive_samples(profile, &request);
        let naive = |is_wanted: &dyn Fn(&[u32]) -> bool| naive_parts(&samples, spread.range, measure, is_wanted);
        let sum = |parts: Parts| parts.iter().sum::<f64>();
        for (node, _) in tree.walk() {
            let path = tree.nodes.path(node);
            let parts = spread.subtree(node);
            assert_eq!(parts, naive(&|list| list.starts_with(&path)), "{request:?} {path:?}");
            assert!(
                (sum(parts) - tree.total[node as usize].size(measure)).abs() < f64::EPSILON,
                "parts add up to the total"
            );
        }
        let mut inverted = InvertedTree::new(Arc::clone(&tree));
        let mut pending: Vec<NodeId> = inverted.children(None).to_vec();
        while let Some(node) = pending.pop() {
            let path: Vec<u32> = inverted.path(node).into_iter().rev().collect();
            assert_eq!(spread.self_costs(inverted.leaves(node)), naive(&|list| list.ends_with(&path)), "{path:?}");
            pending.extend(inverted.children(Some(node)).to_vec());
        }
        let outermost = OutermostCalls::new(&tree.nodes);
        for row in FunctionList::new(&tree).rows {
            let parts = spread.subtrees(outermost.of(row.func));
            assert_eq!(parts, naive(&|list| list.contains(&row.func)), "function {}", row.func);
        }
        assert!((1..PARTS).all(|part| spread.time(part - 1).end == spread.time(part).start));
    });
}

#[test]
fn large_subtrees_equal_the_sum_of_their_parts() {
    // More costs than `subtree` adds up one by one.
    let mut builder = StackTablesBuilder::default();
    let names: Vec<String> = (0..2_000).map(|at| format!("f{at}")).collect();
    let stacks: Vec<u32> = names.iter().map(|name| builder.named_stack(["main", name]).expect("frames").0).collect();
    let stack: Vec<u32> = (0..10_000).map(|at| stacks[at * 7 % 2_000]).collect();
    let cpu = SampleTable::new((0..10_000).map(Ns).collect(), stack);
    let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
    let threads = vec![Thread { samples, ..Thread::default() }];
    let mut profile = Profile { stacks: builder.finish(), threads, ..Profile::default() };
    profile.meta.interval = Ns(1);
    let request = TreeRequest { threads: vec![ThreadId(0)], ..TreeRequest::default() };
    let tree = request.tree(&profile, Arc::new(request.nodes(&profile)));
    let spread = Spread::new(&tree, &request.selection(&profile));
    let main = tree.children(None)[0];
    let parts = spread.subtree(main);
    assert!(parts.iter().all(|part| (208.0..=209.0).contains(part)), "{parts:?}");
    assert_eq!(parts, spread.subtrees(&tree.children(Some(main))));
    assert_eq!(parts, spread.self_costs(tree.children(Some(main)).into_iter()));
}
