//! The window's question before it opens a recording that exceeds the decompression limit.

use flowline_load::Origin;
use flowline_ui::Question;

/// Returns the question about a recording whose first `packed` bytes unpacked to `unpacked` bytes of text; Flowline
/// unpacks at most `limit` bytes.
pub(crate) fn decompression_question(origin: &Origin, [packed, unpacked]: [u64; 2], limit: u64) -> Question {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    let reason = format!(
        "{} MB of this file unpack to more than {} MB, which is suspicious. Opening it may fill the disk or the \
         memory; Flowline unpacks at most {} MB.",
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
        let question = decompression_question(&origin, [1_200_000, 270_000_000], 12_000_000_000);
        assert_eq!(question.name, "bomb.json.gz");
        for part in ["2 MB of this file", "more than 270 MB", "at most 12000 MB"] {
            assert!(question.reason.contains(part), "{}", question.reason);
        }
    }
}
