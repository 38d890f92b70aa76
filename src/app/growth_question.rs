//! What the window asks before it opens packed text that grows as no usual recording does.

use super::load::Origin;
use flowline_ui::Question;

/// The question about a recording of which so many packed bytes came to so many bytes of text; at most `limit` are unpacked.
pub(super) fn growth_question(origin: &Origin, [packed, unpacked]: [u64; 2], limit: u64) -> Question {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    let reason = format!(
        "{} MB of it unpack to more than {} MB, as no usual recording does. It may fill the disk or the memory; at most {} \
         MB are unpacked.",
        megabytes(packed),
        megabytes(unpacked),
        megabytes(limit),
    );
    Question { name: origin.name(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_names_the_file_and_all_sizes() {
        let origin = Origin::File("/somewhere/bomb.json.gz".into());
        let question = growth_question(&origin, [1_200_000, 270_000_000], 12_000_000_000);
        assert_eq!(question.name, "bomb.json.gz");
        for part in ["2 MB of it", "more than 270 MB", "at most 12000 MB"] {
            assert!(question.reason.contains(part), "{}", question.reason);
        }
    }
}
