//! Widths of texts in the interface font, Ubuntu Light. Shapes around a text are laid out before the text is shaped, so
//! their widths come from the advances of the font. Kerning is left out; it is less than a hundredth of a width.

/// Advances of the characters from space to tilde, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    228, 274, 392, 653, 564, 831, 648, 240, 310, 310, 472, 564, 246, 282, 246, 359, 564, 564, 564, 564, 564, 564, 564,
    564, 564, 564, 246, 246, 564, 564, 564, 380, 940, 641, 630, 609, 702, 555, 520, 658, 692, 248, 487, 599, 502, 865,
    709, 774, 592, 774, 618, 517, 548, 680, 624, 921, 608, 569, 560, 310, 359, 310, 564, 490, 376, 509, 583, 460, 583,
    548, 376, 573, 569, 237, 237, 495, 255, 863, 569, 582, 583, 583, 374, 428, 387, 569, 480, 775, 499, 474, 455, 319,
    262, 319, 564,
];
/// Advance of other letters, most of which are as wide as "é" or narrower.
const OTHER: u16 = 600;
/// Advance of an ellipsis, of East Asian letters and of symbols from other fonts.
const WIDE: u16 = 1_000;
/// The first character of scripts that are as wide as high.
const FIRST_WIDE: char = '\u{1100}';

/// The width of a text in font sizes.
#[must_use]
pub fn text_ems(text: &str) -> f32 {
    let advance = |letter: char| -> u32 {
        let known = u32::from(letter).checked_sub(32).and_then(|at| ADVANCES.get(at as usize));
        let wide = letter == '…' || (letter >= FIRST_WIDE && !is_punctuation(letter));
        u32::from(known.copied().unwrap_or(if wide { WIDE } else { OTHER }))
    };
    #[expect(clippy::cast_precision_loss, reason = "a short text")]
    let thousandths = text.chars().map(advance).sum::<u32>() as f32;
    thousandths / 1000.0
}

/// True for the dashes, quotation marks and signs between Latin and East Asian characters.
fn is_punctuation(letter: char) -> bool {
    ('\u{2000}'..'\u{2300}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_equally_wide_and_letters_are_not() {
        assert!((text_ems("0123456789") - 5.64).abs() < 1e-4);
        assert!(text_ems("ill") < text_ems("WWW") / 3.0);
        assert!((text_ems("FCP 226 ms") - 5.16).abs() < 0.02, "{}", text_ems("FCP 226 ms"));
    }

    #[test]
    fn letters_outside_the_table_have_a_width() {
        assert!((text_ems("é") - 0.6).abs() < 1e-4 && (text_ems("…") - 1.0).abs() < 1e-4);
        assert!((text_ems("漢字") - 2.0).abs() < 1e-4 && (text_ems("−") - 0.6).abs() < 1e-4);
        assert!(text_ems("").abs() < f32::EPSILON);
    }
}
