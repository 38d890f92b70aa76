//! The background jobs of an open recording, and the loops over them.

use std::sync::Arc;

use super::open_recording::Session;
use crate::tasks::Job;

/// The purpose of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The rows that the chart lists.
    Rows,
    /// The rows of the flow panel.
    FlowPanel,
    /// Texts, counts and paths that are looked up for what is shown.
    LookUp,
    /// Answers of the query engine, which is another program.
    Query,
}

/// The jobs of a session with their purposes, in the order in which they depend on each other: a search changes the listed
/// threads, newly built rows restart it, and everything else is looked up for what is listed.
macro_rules! jobs {
    ($session:expr $(, $mutable:tt)?) => {{
        let session = $session;
        let jobs: [(Purpose, &$($mutable)? dyn Job); 19] = [
            (Purpose::Rows, &$($mutable)? session.rows),
            (Purpose::LookUp, &$($mutable)? session.hidden),
            (Purpose::Rows, &$($mutable)? session.search_task),
            (Purpose::LookUp, &$($mutable)? session.scope_counter),
            (Purpose::LookUp, &$($mutable)? session.opening_part),
            (Purpose::LookUp, &$($mutable)? session.overview),
            (Purpose::LookUp, &$($mutable)? session.flow_lanes),
            (Purpose::FlowPanel, &$($mutable)? session.flows),
            (Purpose::LookUp, &$($mutable)? session.critical),
            (Purpose::LookUp, &$($mutable)? session.cards),
            (Purpose::LookUp, &$($mutable)? session.slice),
            (Purpose::LookUp, &$($mutable)? session.glance),
            (Purpose::LookUp, &$($mutable)? session.async_stack),
            (Purpose::LookUp, &$($mutable)? session.timelines),
            (Purpose::LookUp, &$($mutable)? session.screens),
            (Purpose::LookUp, &$($mutable)? session.report),
            (Purpose::LookUp, &$($mutable)? session.warnings),
            (Purpose::Query, &$($mutable)? session.query),
            (Purpose::Rows, &$($mutable)? session.query_tracks),
        ];
        jobs
    }};
}

impl Session {
    /// Takes the results that have arrived.
    pub(crate) fn poll_jobs(&mut self) {
        let index = Arc::clone(&self.index);
        for (_, job) in jobs!(self, mut) {
            job.poll(&index);
        }
    }

    /// True while something is looked up for what is shown.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let looks_up = |purpose: Purpose| matches!(purpose, Purpose::LookUp | Purpose::Query);
        jobs!(self).iter().any(|(purpose, job)| looks_up(*purpose) && job.is_busy())
    }

    /// True while any background work of the recording is running.
    #[must_use]
    pub fn has_background_work(&self) -> bool {
        jobs!(self).iter().any(|(_, job)| job.is_busy())
    }

    /// True while background work other than queries is running. Query tracks wait for queries.
    #[must_use]
    pub fn has_work_besides_queries(&self) -> bool {
        jobs!(self).iter().any(|(purpose, job)| *purpose != Purpose::Query && job.is_busy())
    }

    /// True while rows of the flow panel or the details of the selection are being looked up.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.flows.is_busy() || self.cards.is_busy() || self.slice.is_reading()
    }

    /// Like [`Session::refresh`], but waits for all background work; for screenshots and tests.
    pub fn refresh_and_wait(&mut self) {
        self.refresh();
        while self.wait_for_next() {
            self.refresh();
        }
    }

    /// Waits for the first busy job; returns false if there is none.
    fn wait_for_next(&mut self) -> bool {
        let index = Arc::clone(&self.index);
        let busy = jobs!(self, mut).into_iter().find(|(_, job)| job.is_busy());
        busy.map(|(_, job)| job.wait(&index)).is_some()
    }
}
