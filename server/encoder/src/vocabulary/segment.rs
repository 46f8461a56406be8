//! The likeliest way to cut a text into pieces.

use super::Vocabulary;

/// The best way to a place in the text.
#[derive(Clone, Copy)]
struct Arrival {
    score: f64,
    /// Where its last piece starts.
    from: u32,
    piece: u32,
}

const NOT_YET: Arrival = Arrival { score: f64::NEG_INFINITY, from: 0, piece: 0 };

impl Vocabulary {
    /// Cuts `marked`, a text in the form of [`crate::normal::marked`], into the pieces whose
    /// probabilities have the largest product (Viterbi); of equals, the one whose last piece is
    /// longest. Unknown characters in a row become one piece. Takes time and memory in proportion
    /// to the text.
    pub(crate) fn segment(&self, marked: &str) -> Vec<u32> {
        let (trie, scores) = (self.trie(), self.all_scores());
        let score = |piece: u32| scores.get(piece as usize).map_or(0.0, |&s| f64::from_le_bytes(s));
        let of_unknown = scores.last().map_or(0.0, |&s| f64::from_le_bytes(s));
        let mut best = vec![NOT_YET; marked.len() + 1];
        if let Some(start) = best.first_mut() {
            start.score = 0.0;
        }
        for (at, character) in marked.char_indices() {
            let Some((here, beyond)) = best.get_mut(at..).and_then(<[_]>::split_first_mut) else {
                break;
            };
            let mut arrive = |length: usize, piece: u32, score: f64| {
                if let Some(there) = length.checked_sub(1).and_then(|index| beyond.get_mut(index))
                    && here.score + score > there.score
                {
                    *there = Arrival { score: here.score + score, from: at as u32, piece };
                }
            };
            let mut known = false;
            trie.prefixes(&marked.as_bytes()[at..], |length, piece| {
                known |= length == character.len_utf8();
                arrive(length, piece, score(piece));
            });
            if !known {
                arrive(character.len_utf8(), self.unknown, of_unknown);
            }
        }
        self.trace(&best)
    }

    /// The pieces on the way to the end, from the first to the last.
    fn trace(&self, best: &[Arrival]) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut end = best.len().saturating_sub(1);
        while end > 0
            && let Some(arrival) = best.get(end)
        {
            let again = arrival.piece == self.unknown && pieces.last() == Some(&self.unknown);
            if !again {
                pieces.push(arrival.piece);
            }
            // A piece is never empty; were it, this would not end.
            end = (arrival.from as usize).min(end - 1);
        }
        pieces.reverse();
        pieces
    }
}
