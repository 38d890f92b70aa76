//! The roles of a flow's markers in its timeline, by its rule, or else by the states that their names state.

use crate::flows::rules::{CompiledRule, FlowState, MemberInfo, NameSet, RuleMatcher, StateNames};
use flowline_profile::{FlowId, MarkerFlags, Ns, Profile, TimeRange};

use crate::flows::graph::FlowGraph;

/// Input for the roles of a flow's markers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowRoles<'a> {
    rule: Option<&'a CompiledRule>,
    postings: &'a NameSet,
    states: &'a StateNames,
}

/// Role of a marker in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The flow runs during it or, if it is an instant, from it on.
    Run,
    /// It posts what comes next.
    Post,
    /// It is over.
    End,
    /// The object was used.
    Use,
}

/// A member of a flow with its role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) info: MemberInfo,
    /// Its time; for an instant from which the flow runs, until the next marker that ends this.
    pub(super) range: TimeRange,
    pub(super) role: Role,
    is_state: bool,
}

impl RuleMatcher {
    /// The roles of a flow's markers.
    pub(crate) fn roles(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId) -> FlowRoles<'_> {
        let rule = self.matching_rule(profile, flows, flow).map(|number| &self.rules[number]);
        FlowRoles { rule, postings: &self.postings, states: &self.states }
    }
}

impl FlowRoles<'_> {
    /// True if a member is an interval that counts as a run.
    #[inline]
    pub(crate) fn runs(&self, flags: MarkerFlags, member: MemberInfo) -> bool {
        !flags.has(MarkerFlags::INSTANT) && self.may_run(member, self.rule.is_none_or(|rule| rule.run.is_empty()))
    }

    /// True if a member counts as a run; `others` applies to names about which neither rule nor states say anything.
    fn may_run(&self, member: MemberInfo, others: bool) -> bool {
        match self.rule {
            Some(rule) => !rule.before.has(member.name) && (others || rule.run.has(member.name)),
            None => self.states.get(member.name).map_or(others, |state| state == FlowState::Exec),
        }
    }

    /// True if a member posts what comes next, as far as its name tells.
    fn posts(&self, flags: MarkerFlags, member: MemberInfo) -> bool {
        let name = member.name;
        let by_rule = |rule: &CompiledRule| {
            let is_last = rule.after.has(name) || rule.until.has(name) || rule.fade.has(name);
            rule.before.has(name) || rule.posts.has(name) && !is_last
        };
        let is_scheduled = || self.rule.is_none() && self.states.get(name) == Some(FlowState::Wait);
        flags.has(MarkerFlags::INSTANT) && self.postings.has(name) || self.rule.is_some_and(by_rule) || is_scheduled()
    }

    fn ends(&self, member: MemberInfo) -> bool {
        match self.rule {
            Some(rule) => rule.after.has(member.name) || rule.until.has(member.name),
            None => self.states.get(member.name) == Some(FlowState::Done),
        }
    }

    /// Adds the roles of members, which are in start order, and finds until when the flow runs from an instant on: to the
    /// next marker that runs, posts or ends, else to `end`.
    pub(super) fn members(&self, profile: &Profile, infos: impl Iterator<Item = MemberInfo>, end: Ns) -> Vec<Member> {
        let member = |info: MemberInfo| {
            let markers = &profile.thread(info.thread).markers;
            let flags = markers.flags(info.local);
            let is_instant = flags.has(MarkerFlags::INSTANT);
            let role = match () {
                () if self.runs(flags, info) || is_instant && self.may_run(info, false) => Role::Run,
                () if self.posts(flags, info) => Role::Post,
                () if self.ends(info) => Role::End,
                () => Role::Use,
            };
            let is_state = self.rule.is_none() && self.states.get(info.name).is_some();
            (Member { info, range: markers.range(info.local), role, is_state }, is_instant)
        };
        let mut members: Vec<(Member, bool)> = infos.map(member).collect();
        let mut next = end;
        for (member, is_instant) in members.iter_mut().rev() {
            if *is_instant && member.role == Role::Run {
                member.range.end = next.max(member.range.start);
            }
            if member.role != Role::Use {
                next = member.range.start;
            }
        }
        members.into_iter().map(|(member, _)| member).collect()
    }

    /// True if a member posts what comes next, also while it runs.
    pub(super) fn posts_next(&self, profile: &Profile, member: &Member) -> bool {
        let flags = profile.thread(member.info.thread).markers.flags(member.info.local);
        member.role == Role::Post || self.posts(flags, member.info)
    }
}

/// The time at which a slice begins to run: at its first step that states so. Before, it waits.
pub(super) fn first_exec(members: &[Member], slice: &Member) -> Option<Ns> {
    if slice.is_state {
        return None;
    }
    let is_inside = |time: Ns| slice.range.start < time && time < slice.range.end;
    let from = members.partition_point(|member| member.range.start <= slice.range.start);
    let steps = members[from..].iter().take_while(|member| member.range.start < slice.range.end);
    let mut execs = steps.filter(|member| member.is_state && member.role == Role::Run);
    execs.find(|member| is_inside(member.range.start)).map(|member| member.range.start)
}
