//! Images with more bytes than their size on the screen needs.

use super::image_savings::{Saving, savings, wasted};
use super::requested::{Requested, requested, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::{ImagePaint, ImagePaints};
use flowline_format::{format_bytes, format_counted};
use flowline_index::Derived;
use flowline_profile::TimeRange;

/// See the module.
pub(super) struct ImageDeliveryRule;

/// An image with savings.
struct Image<'a> {
    requested: Requested<'a>,
    paint: ImagePaint,
    savings: Vec<Saving>,
    wasted: f64,
}

impl Rule for ImageDeliveryRule {
    fn name(&self) -> InsightName {
        InsightName::ImageDelivery
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        if context.profile().strings.find("ResourceSendRequest").is_none() {
            let reason = "no ResourceSendRequest in the recording: record the category devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let paints = ImagePaints::of(context.index);
        let scale = paints.scale(period.times.end);
        let images = requested(context, period).filter(is_image);
        let mut found: Vec<Image<'_>> =
            images.filter_map(|image| image_of(image, (paints, period.times), scale)).collect();
        found.sort_by(|a, b| b.wasted.total_cmp(&a.wasted));
        let total: f64 = found.iter().map(|image| image.wasted).sum();
        let data =
            vec![("images", Fact::List(found.iter().map(facts).collect())), ("wasted_bytes", Fact::Bytes(total))];
        let state = if found.is_empty() { InsightState::Pass } else { InsightState::Fail };
        let summary = match found.first() {
            None => "No image with many more bytes than needed".to_owned(),
            Some(first) => {
                let images = format_counted(found.len() as u64, "image");
                let name = first.requested.request.short_name();
                let (total, most) = (format_bytes(total), format_bytes(first.wasted));
                match found.len() {
                    1 => format!("{name} could be {total} smaller"),
                    _ => format!("{images} could be {total} smaller, {name} {most}"),
                }
            }
        };
        let range = union(found.iter().map(|image| image.requested.times()));
        let late = found.first().map(|image| image.requested.arrival());
        let markers = found.iter().flat_map(|image| [image.requested.request.marker, image.paint.marker]);
        Some(Finding { range, late, data, ..Finding::new(state, summary) }.with_markers(markers))
    }
}

/// True for images made of pixels.
fn is_image(requested: &Requested<'_>) -> bool {
    requested.request.resource == "Image" && requested.request.mime != "image/svg+xml"
}

/// An image that was painted, if bytes could be saved.
fn image_of<'a>(
    requested: Requested<'a>,
    (paints, period): (&ImagePaints, TimeRange),
    scale: f64,
) -> Option<Image<'a>> {
    let request = requested.request;
    let url = request.redirects.first().map_or(&request.url, |redirect| &redirect.url);
    let largest = paints.largest(url, period)?;
    let paint = ImagePaint { shown: largest.shown.map(|side| side * scale), ..*largest };
    let savings = savings(request, &paint);
    let wasted = wasted(request, &paint);
    (!savings.is_empty()).then_some(Image { requested, paint, savings, wasted })
}

fn facts(image: &Image<'_>) -> Fact {
    let sides = |sides: Option<[f64; 2]>| {
        Fact::known(sides, |sides| Fact::List(sides.into_iter().map(|side| Fact::Number(side.round())).collect()))
    };
    let saving = |saving: &Saving| {
        Fact::Group(vec![
            ("kind", Fact::Text(saving.kind.to_owned())),
            ("wasted_bytes", Fact::Bytes(saving.bytes)),
            ("file", sides(saving.sides.map(|[file, _]| file))),
            ("shown", sides(saving.sides.map(|[_, shown]| shown))),
        ])
    };
    Fact::Group(vec![
        ("url", Fact::Url(image.requested.request.url.clone())),
        ("wasted_bytes", Fact::Bytes(image.wasted)),
        ("optimizations", Fact::List(image.savings.iter().map(saving).collect())),
        ("marker", Fact::Marker(image.requested.request.marker)),
    ])
}
