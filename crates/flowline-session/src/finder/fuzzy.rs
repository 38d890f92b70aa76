//! Fuzzy matching of names. The letters of a word must occur in a name in order. Consecutive letters and word starts
//! give a higher score. ASCII letters match case-insensitively; other letters match exactly.

/// Number of scored bytes of a name; a match must begin within them.
const LONGEST: usize = 160;
/// Score of a matched byte.
const MATCH: i32 = 4;
/// Bonus if the byte follows the previously matched byte.
const CONSECUTIVE: i32 = 12;
/// Bonus at the start of a word.
const WORD_START: i32 = 10;
/// Bonus at the start of the name.
const NAME_START: i32 = 2;
/// Bonus if the whole name was typed.
const WHOLE: i32 = 60;
/// Score of an unreachable state.
const NOTHING: i32 = i32::MIN / 2;

/// The typed words, all of which must occur in a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuzzyQuery {
    words: Vec<Vec<u8>>,
    letters: u64,
}

/// The letters of a name as a bit set. A matching name contains all letters of the query.
#[must_use]
pub fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |set, byte| set | letter(byte.to_ascii_lowercase()))
}

const fn letter(byte: u8) -> u64 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b' ' => 0,
        _ => 1 << (36 + byte % 28),
    }
}

/// True if a byte of a name begins a word: after a byte that is not a letter or digit, or an uppercase letter after a
/// lowercase one.
fn begins_word(name: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| name[before]) else { return true };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
    is_word(name[at]) && (!is_word(before) || (before.is_ascii_lowercase() && name[at].is_ascii_uppercase()))
}

impl FuzzyQuery {
    /// Parses the typed text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| word.to_ascii_lowercase().into_bytes()).collect();
        Self { words, letters: letters(text) }
    }

    /// True for an empty query, which matches everything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// True if a name with these [`letters`] can match.
    #[must_use]
    pub const fn may_match(&self, letters: u64) -> bool {
        letters & self.letters == self.letters
    }

    /// True if all matches of this query also match `before`.
    #[must_use]
    pub fn filters_more(&self, before: &Self) -> bool {
        before.words.len() == self.words.len()
            && before.words.iter().zip(&self.words).all(|(before, word)| word.starts_with(before))
    }

    /// Score of a name; `None` if it does not match. Shorter names score higher.
    #[must_use]
    pub fn score(&self, name: &str) -> Option<i32> {
        let bytes = name.as_bytes();
        let bytes = &bytes[..bytes.len().min(LONGEST)];
        let mut score = 0;
        for word in &self.words {
            score += word_score(bytes, word)?;
        }
        if let [word] = self.words.as_slice()
            && word.eq_ignore_ascii_case(name.as_bytes())
        {
            score += WHOLE;
        }
        Some(score - i32::try_from(bytes.len() / 4).unwrap_or(0))
    }
}

/// The best score of a word in a name. For each byte of the word, `ends[at]` is the best score with this byte matched
/// at `at`.
fn word_score(name: &[u8], word: &[u8]) -> Option<i32> {
    if word.len() > name.len() {
        return None;
    }
    let mut ends = [NOTHING; LONGEST];
    let mut first = 0;
    for (number, wanted) in word.iter().enumerate() {
        // A multi-byte character matches as a whole.
        let follows_only = *wanted >= 0x80 && *wanted < 0xC0;
        let (mut best_before, mut previous) = (if number == 0 { 0 } else { NOTHING }, NOTHING);
        let mut reached = None;
        for at in first..name.len() {
            let here = ends[at];
            let mut score = NOTHING;
            if name[at].to_ascii_lowercase() == *wanted {
                let consecutive = if number > 0 && previous > NOTHING { previous + CONSECUTIVE } else { NOTHING };
                let apart = if follows_only { NOTHING } else { best_before };
                let before = consecutive.max(apart);
                if before > NOTHING {
                    let start = if begins_word(name, at) { WORD_START } else { 0 };
                    score = before + MATCH + start + if at == 0 { NAME_START } else { 0 };
                    reached = reached.or(Some(at));
                }
            }
            ends[at] = score;
            if number > 0 {
                best_before = best_before.max(here);
            }
            previous = here;
        }
        first = reached?;
    }
    ends[first..name.len()].iter().copied().max().filter(|best| *best > NOTHING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(typed: &str, names: &[&'a str]) -> Vec<&'a str> {
        let query = FuzzyQuery::new(typed);
        let mut found: Vec<(i32, &str)> = names.iter().filter_map(|name| Some((-query.score(name)?, *name))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn letters_occur_in_their_order() {
        let names = ["GeckoMain", "Compositor", "Gamepad", "main gecko", "ékran"];
        assert_eq!(best("gm", &names), ["GeckoMain", "Gamepad"]);
        assert_eq!(best("mg", &names), ["main gecko"]);
        assert_eq!(best("gecko main", &["main gecko", "GeckoMain", "Gecko"]).len(), 2, "words come in any order");
        assert_eq!(best("é", &names), ["ékran"]);
        assert!(best("xyz", &names).is_empty() && best("gg", &["Gecko"]).is_empty());
        assert_eq!(best("", &names).len(), names.len());
    }

    #[test]
    fn word_starts_and_runs_win() {
        assert_eq!(best("rd", &["Renderer", "Refresh driver", "RefreshDriver tick"])[0], "Refresh driver");
        assert_eq!(best("paint", &["print an input", "Repaint", "Paint", "Paint images"])[0], "Paint");
        assert_eq!(best("paint", &["Prefer aintegers", "NotifyPaint"])[0], "NotifyPaint");
        assert_eq!(best("cc", &["Cycle Collection", "Accept"])[0], "Cycle Collection");
    }

    #[test]
    fn a_multibyte_character_matches_as_a_whole() {
        // "é" is C3 A9, "Ã©" is C3 83 C2 A9.
        assert!(FuzzyQuery::new("é").score("Ã©").is_none());
        assert!(FuzzyQuery::new("é").score("née").is_some());
    }

    #[test]
    fn letters_never_exclude_a_match() {
        let names = ["GeckoMain", "Refresh driver: 12", "née/x", "日本", "a-b_c", ""];
        for typed in ["gm", "rd12", "é", "本", "-c", "", "G E", "zz"] {
            let query = FuzzyQuery::new(typed);
            for name in names.iter().filter(|name| query.score(name).is_some()) {
                assert!(query.may_match(letters(name)), "{typed} in {name}");
            }
        }
    }

    #[test]
    fn more_letters_narrow() {
        let filters_more = |text: &str, before: &str| FuzzyQuery::new(text).filters_more(&FuzzyQuery::new(before));
        assert!(filters_more("gec", "ge") && filters_more("ge ma", "ge m"));
        assert!(!filters_more("ge", "gec") && !filters_more("ge m", "ge"));
    }
}
