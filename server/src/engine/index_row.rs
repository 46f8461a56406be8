//! What search keeps of an entry beside its record: its terms and its vector, so that a tenant is loaded
//! without analysing or embedding anything again.
//!
//! The row is made from the record and can always be made anew. It names the commit of the record it was
//! made from, the analyzer and the embedder: with any other it doesn't count.

use bytes::Bytes;
use prost::Message;

use super::record::RecordError;
use crate::embed::EmbedderIdentity;
use crate::recall::analysis::EntryTerms;
use crate::recall::constants::ANALYZER;
use crate::recall::vector::Vector;

/// Terms up to this many bytes are kept, if they fit the row beside the vector; an entry with more is
/// analysed again when its tenant is loaded.
const MOST_TERM_BYTES: usize = 2_048;

/// What search keeps of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct IndexRow {
    /// The commit that wrote the entry's record.
    pub(super) entry_commit: u64,
    /// Name of the embedder that was asked for the vector.
    embedder: String,
    /// The vector; `None`: the entry holds nothing to embed.
    vector: Option<Vector>,
    /// Name of the analyzer that made the terms.
    analyzer: String,
    /// The terms in packed form; empty when they are too many to keep.
    packed_terms: Bytes,
}

/// The terms of an entry as a row keeps them; none when they are too many.
#[derive(Debug, Default)]
pub(super) struct PackedTerms(Bytes);

impl PackedTerms {
    pub(super) fn of(terms: &EntryTerms) -> Self {
        let packed = terms.to_packed();
        Self(if packed.len() <= MOST_TERM_BYTES { packed.into() } else { Bytes::new() })
    }
}

#[derive(Clone, PartialEq, Message)]
struct IndexMessage {
    #[prost(fixed64, tag = "1")]
    entry_commit: u64,
    #[prost(string, tag = "2")]
    embedder: String,
    /// An 8-bit integer each.
    #[prost(bytes = "bytes", tag = "3")]
    vector: Bytes,
    #[prost(float, tag = "4")]
    scale: f32,
    #[prost(string, tag = "5")]
    analyzer: String,
    #[prost(bytes = "bytes", tag = "6")]
    terms: Bytes,
}

impl IndexRow {
    /// A row of at most `room` bytes; `None`: not even the vector fits.
    pub(super) fn new(
        entry_commit: u64,
        embedder: &str,
        vector: Option<Vector>,
        terms: PackedTerms,
        room: usize,
    ) -> Option<Self> {
        let mut row = Self {
            entry_commit,
            embedder: embedder.to_owned(),
            vector,
            analyzer: ANALYZER.to_owned(),
            packed_terms: terms.0,
        };
        if row.message().encoded_len() > room {
            row.packed_terms = Bytes::new();
        }
        (row.message().encoded_len() <= room).then_some(row)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        self.message().encode_to_vec()
    }

    fn message(&self) -> IndexMessage {
        let Self { entry_commit, embedder, vector, analyzer, packed_terms } = self;
        let values = vector.as_ref().map(|vector| {
            vector.values().iter().map(|value| value.cast_unsigned()).collect::<Vec<u8>>()
        });
        IndexMessage {
            entry_commit: *entry_commit,
            embedder: embedder.clone(),
            vector: values.unwrap_or_default().into(),
            scale: vector.as_ref().map_or(0.0, Vector::scale),
            analyzer: analyzer.clone(),
            terms: packed_terms.clone(),
        }
    }

    pub(super) fn decode(bytes: Vec<u8>) -> Result<Self, RecordError> {
        let IndexMessage { entry_commit, embedder, vector, scale, analyzer, terms } =
            IndexMessage::decode(Bytes::from(bytes)).map_err(RecordError::of)?;
        let vector = if vector.is_empty() {
            None
        } else {
            let values = vector.iter().map(|value| value.cast_signed()).collect();
            let vector = Vector::from_parts(values, scale);
            Some(vector.ok_or_else(|| RecordError::of("its vector has no direction"))?)
        };
        Ok(Self { entry_commit, embedder, vector, analyzer, packed_terms: terms })
    }

    /// The terms, if they were kept and are this analyzer's.
    pub(super) fn terms(&self) -> Option<EntryTerms> {
        self.is_of_analyzer().then(|| EntryTerms::from_packed(&self.packed_terms))?
    }

    /// Whether the terms are this analyzer's.
    pub(super) fn is_of_analyzer(&self) -> bool {
        self.analyzer == ANALYZER
    }

    /// Whether the vector is this embedder's: a server can put another model behind the same name, so
    /// the length counts as well as soon as it is known.
    pub(super) fn is_of(&self, embedder: &EmbedderIdentity) -> bool {
        let lengths = self.vector.as_ref().map(Vector::dims).zip(embedder.dims());
        self.embedder == embedder.name() && lengths.is_none_or(|(held, made)| held == made)
    }

    /// The vector, if there is one.
    pub(super) fn into_vector(self) -> Option<Vector> {
        self.vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: usize = 4_040;

    fn row(vector: Option<Vector>, text: &str) -> Option<IndexRow> {
        IndexRow::new(7, "table-1", vector, PackedTerms::of(&EntryTerms::of(text)), ROOM)
    }

    #[test]
    fn a_row_comes_back_as_it_was() {
        let text = "The dog is called Bruno";
        let row = row(Vector::quantise(&[0.6, -0.8]), text).unwrap();
        let back = IndexRow::decode(row.encode()).unwrap();
        assert_eq!(back, row);
        let length = EntryTerms::of(text).length();
        assert_eq!(back.terms().map(|terms| terms.length()), Some(length));
        let identity = |name: &str, dims| EmbedderIdentity::new(name.to_owned(), dims);
        assert!(
            back.is_of(&identity("table-1", None)) && back.is_of(&identity("table-1", Some(2)))
        );
        assert!(
            !back.is_of(&identity("table-2", None)) && !back.is_of(&identity("table-1", Some(3)))
        );
        assert!(back.into_vector().is_some());
    }

    #[test]
    fn terms_of_another_analyzer_do_not_count() {
        let mut row = row(None, "walrus").unwrap();
        assert!(row.is_of_analyzer() && row.terms().is_some());
        row.analyzer = "memoryd-words-0".to_owned();
        let back = IndexRow::decode(row.encode()).unwrap();
        assert!(!back.is_of_analyzer() && back.terms().is_none());
    }

    #[test]
    fn an_entry_without_text_has_a_row_without_a_vector() {
        let row = row(None, "").unwrap();
        assert_eq!(IndexRow::decode(row.encode()).unwrap().into_vector(), None);
    }

    #[test]
    fn terms_that_are_too_many_for_a_row_are_not_kept() {
        let words = |count: usize| {
            let words: Vec<String> = (0..count).map(|number| format!("w{number}x")).collect();
            words.join(" ")
        };
        let many = row(None, &words(2_000)).unwrap();
        assert!(many.terms().is_none());
        assert!(many.encode().len() < 100);
        // The longest vector leaves no room for the terms of a paragraph.
        let longest = Vector::quantise(&vec![1.0; 3_584]);
        assert!(row(longest.clone(), "walrus").unwrap().terms().is_some());
        let beside = row(longest, &words(150)).unwrap();
        assert!(beside.terms().is_none() && beside.encode().len() <= ROOM);
        assert!(row(Vector::quantise(&vec![1.0; 4_096]), "walrus").is_none());
    }
}
