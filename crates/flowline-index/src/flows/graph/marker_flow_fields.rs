//! Flows of one marker for its tooltip: the field that references each flow, and the marker's position in the flow.

use super::flow_graph::FlowGraph;
use flowline_profile::{FlowId, MarkerId, Profile, Value};

/// A flow of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerFlow {
    /// The flow.
    pub flow: FlowId,
    /// Label of the field that references the flow; for explicit flows, their name.
    pub field: String,
    /// Id of the flow.
    pub id: String,
    /// Position of the marker among the flow's members, from 0.
    pub position: usize,
    /// Number of the flow's members.
    pub count: usize,
}

impl FlowGraph {
    /// At most `limit` flows of a marker, in the order of its schema's fields.
    #[must_use]
    pub fn marker_flows(&self, profile: &Profile, marker: MarkerId, limit: usize) -> Vec<MarkerFlow> {
        let flows = self.flows_of(marker);
        let Some((thread, local)) = profile.locate(marker).filter(|_| !flows.is_empty()) else { return Vec::new() };
        let payload = profile.payload_resolved(thread, local);
        // Order of the field, its label, and an id in it.
        let fields: Vec<(usize, &str, &str)> = profile
            .schema_of(thread, local)
            .into_iter()
            .flat_map(|schema| schema.flow_fields().enumerate())
            .flat_map(|(order, field)| {
                let ids = match payload.get(&field.key) {
                    Some(Value::List(items)) => items.as_slice(),
                    Some(single) => std::slice::from_ref(single),
                    None => &[],
                };
                ids.iter().filter_map(move |id| Some((order, field.label.as_str(), id.as_str()?)))
            })
            .collect();
        let mut named: Vec<(usize, MarkerFlow)> = flows
            .iter()
            .take(limit)
            .map(|flow| {
                let id = self.id_text(profile, *flow);
                let found = fields.iter().find(|(_, _, field_id)| *field_id == id);
                let explicit = self.explicit_name(profile, *flow);
                let unnamed = if explicit.is_empty() { "Flow" } else { explicit };
                let (order, field) = found.map_or((usize::MAX, unnamed), |(order, label, _)| (*order, *label));
                let position = self.position(profile, *flow, marker).unwrap_or(0);
                let count = self.members(*flow).len();
                (order, MarkerFlow { flow: *flow, field: field.to_owned(), id, position, count })
            })
            .collect();
        named.sort_by_key(|(order, named)| (*order, named.flow));
        named.into_iter().map(|(_, named)| named).collect()
    }
}
