//! Marker schemas: fields, labels and placement of a payload type.
//! Source: the Firefox Profiler's marker schema, versions 40 to 71 (`data` became `fields` in 55).

use std::collections::HashMap;

use super::field::Field;
use super::schema_fields::SchemaFields;
use crate::persist::{Persist, Reader, Writer, persist};
use crate::text::LabelTemplate;
use crate::{StringId, TypeId};

/// A payload field that is graphed over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Key in the payload.
    pub key: String,
    /// True if a value lasts as long as its marker instead of until the next value.
    pub is_bar: bool,
    /// Palette word; empty if it has none.
    pub color: String,
}
persist!(Graph { key, is_bar, color });

/// The schema of one payload type.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// The payload's `type`.
    pub name: String,
    /// Heading of the tooltip.
    pub tooltip_label: Option<LabelTemplate>,
    /// Text in tables.
    pub table_label: Option<LabelTemplate>,
    /// Label in the chart's rectangles.
    pub chart_label: Option<LabelTemplate>,
    /// Surfaces where the Firefox Profiler shows it (`marker-chart`, `marker-table`, `timeline-overview`, ...).
    pub display: Vec<String>,
    /// Payload fields in order.
    pub fields: SchemaFields,
    /// Meaning of the marker.
    pub description: Option<String>,
    /// Payload key whose value is a color name.
    pub color_field: Option<String>,
    /// True if intervals nest like calls.
    pub is_stack_based: bool,
    /// Fields with their own track.
    pub graphs: Vec<Graph>,
}
persist!(Schema {
    name,
    tooltip_label,
    table_label,
    chart_label,
    display,
    fields,
    description,
    color_field,
    is_stack_based,
    graphs
});

impl Schema {
    /// The first field with this payload key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.with_key(key)
    }

    /// Fields with flow ids, in order.
    #[inline]
    pub fn flow_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.format.is_flow())
    }
}

/// A payload type: its name, and its schema if one is known.
#[derive(Clone, Debug)]
pub struct PayloadType {
    /// The interned `type`.
    pub name: StringId,
    /// Its schema.
    pub schema: Option<Schema>,
}
persist!(PayloadType { name, schema });

/// All payload types of a recording.
#[derive(Clone, Debug, Default)]
pub struct PayloadTypes {
    types: Vec<PayloadType>,
    by_name: HashMap<StringId, TypeId>,
}

impl Persist for PayloadTypes {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.types.write(to)
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let types: Vec<PayloadType> = Persist::read(from)?;
        let by_name = types.iter().enumerate().map(|(index, kind)| (kind.name, TypeId::new(index))).collect();
        Some(Self { types, by_name })
    }
}

impl PayloadTypes {
    /// The type with this name; added without a schema if it is new.
    #[inline]
    pub fn intern(&mut self, name: StringId) -> TypeId {
        *self.by_name.entry(name).or_insert_with(|| {
            self.types.push(PayloadType { name, schema: None });
            TypeId::new(self.types.len() - 1)
        })
    }

    /// Sets the schema of a type that has none. Returns true if it was set.
    pub fn define(&mut self, name: StringId, schema: Schema) -> bool {
        let id = self.intern(name);
        let slot = &mut self.types[id.index()].schema;
        let free = slot.is_none();
        if free {
            *slot = Some(schema);
        }
        free
    }

    /// The type with this id.
    #[must_use]
    #[inline]
    pub fn get(&self, id: TypeId) -> Option<&PayloadType> {
        self.types.get(id.index())
    }

    /// The schema of a type.
    #[must_use]
    #[inline]
    pub fn schema(&self, id: TypeId) -> Option<&Schema> {
        self.get(id)?.schema.as_ref()
    }

    /// The id of a type name.
    #[must_use]
    #[inline]
    pub fn find(&self, name: StringId) -> Option<TypeId> {
        self.by_name.get(&name).copied()
    }

    /// All types in id order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &PayloadType)> {
        self.types.iter().enumerate().map(|(index, kind)| (TypeId::new(index), kind))
    }

    /// Number of types.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// True if there are no types.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }
}
