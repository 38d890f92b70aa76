//! Reading that tolerates errors: a single invalid member or item never makes a whole view unreadable.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads an object whose members are all optional. Invalid members count as missing.
pub(super) fn read_members<T: DeserializeOwned + Default>(value: Value) -> T {
    let Value::Object(mut members) = value else { return T::default() };
    let alone = |key: &String, value: &Value| Value::Object(Map::from_iter([(key.clone(), value.clone())]));
    members.retain(|key, value| T::deserialize(alone(key, value)).is_ok());
    T::deserialize(Value::Object(members)).unwrap_or_default()
}

/// [`read_members`] for a field.
pub(super) fn members<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Value::deserialize(from).map(read_members)
}

/// [`read_members`] for a field whose absence has a meaning; anything but an object counts as missing.
pub(super) fn optional_members<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(Some(Value::deserialize(from)?).filter(Value::is_object).map(read_members))
}

/// Reads a list without its invalid items.
pub(super) fn items<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    let items = Vec::<Value>::deserialize(from)?;
    Ok(items.into_iter().filter_map(|item| T::deserialize(item).ok()).collect())
}

/// Reads lists by key, without their invalid items and without other members.
pub(super) fn lists<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<BTreeMap<String, Vec<T>>, D::Error> {
    let members = BTreeMap::<String, Value>::deserialize(from)?.into_iter();
    Ok(members.filter_map(|(key, list)| Some((key, items(list).ok()?))).collect())
}

/// Reads a size in points, limited to 0–10,000. Anything but a number counts as missing.
pub(super) fn points<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
    Ok(Value::deserialize(from)?.as_f64().map(|points| points.clamp(0.0, 10_000.0) as f32))
}

/// True for values that files omit.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
