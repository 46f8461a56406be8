//! Tables from files: small ones with known sums, and damaged ones.

use super::*;

const VOCABULARY: &str = "<unk>\t0\n<s>\t0\n</s>\t0\n▁sea\t-3\n▁the\t-4\n▁\t-5\n";

/// A table of six rows of two values; all scales are 1 but the one given.
fn table(values: [u8; 6], last_scale: u16) -> Vec<u8> {
    let mut file = b"SEM4".to_vec();
    for word in [6u32, 2, 0] {
        file.extend(word.to_le_bytes());
    }
    for scale in [0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, last_scale] {
        file.extend(u16::to_le_bytes(scale));
    }
    file.extend(values);
    file
}

/// Row 3 is (3, 4), row 4 (-1, 0), row 5 (0, 0).
const VALUES: [u8; 6] = [0xff, 0xff, 0xff, 0xcb, 0x87, 0x88];

#[test]
fn a_text_is_the_sum_of_its_pieces_at_unit_length() {
    let table = StaticTable::from_bytes(table(VALUES, 0x3c00), VOCABULARY).unwrap();
    assert_eq!(table.dimensions(), 2);
    assert_eq!(table.encode("sea sea"), Some(vec![0.6, 0.8]));
    assert_eq!(table.encode("The sea?!"), Some(vec![0.6, 0.8]));
    assert_eq!(table.encode("the"), Some(vec![-1.0, 0.0]));
}

#[test]
fn text_of_unknown_or_weightless_pieces_has_no_vector() {
    let table = StaticTable::from_bytes(table(VALUES, 0x3c00), VOCABULARY).unwrap();
    assert_eq!(table.encode("xyz"), None);
    assert_eq!(table.encode(" "), None);
}

#[test]
fn damaged_tables_are_told_why() {
    let good = table(VALUES, 0x3c00);
    let changed = |at: usize, byte: u8| {
        let mut file = good.clone();
        file[at] = byte;
        file
    };
    let cases = [
        (good[..good.len() - 1].to_vec(), "its size"),
        ([good.clone(), vec![0]].concat(), "its size"),
        (good[..15].to_vec(), "shorter than its header"),
        (Vec::new(), "shorter than its header"),
        (changed(0, b'X'), "doesn't start"),
        (changed(12, 1), "doesn't start"),
        (changed(8, 3), "even number"),
        (changed(8, 0), "even number"),
        (changed(9, 0x10), "even number"),
        (changed(7, 0xff), "its size"),
        (table(VALUES, 0x7c00), "not finite"),
    ];
    for (file, expected) in cases {
        let error = StaticTable::from_bytes(file, VOCABULARY).err().unwrap().to_string();
        assert!(error.contains(expected), "{error} / {expected}");
    }
}

#[test]
fn table_and_vocabulary_must_have_as_many_pieces() {
    let more = format!("{VOCABULARY}land\t-6\n");
    let error = StaticTable::from_bytes(table(VALUES, 0x3c00), &more).err().unwrap();
    assert!(matches!(error, ModelError::Mismatch { rows: 6, pieces: 7 }), "{error}");
}

/// A safetensors file with one tensor.
fn safetensors(name: &str, dtype: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!(
        r#"{{"{name}":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[0,{}]}}}}"#,
        data.len()
    );
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.bytes());
    file.extend(data);
    file
}

const TOKENIZER: &str = r#"{"added_tokens": [{"id": 1, "content": "[PAD]", "special": true}],
    "model": {"type": "Unigram", "unk_id": 0, "vocab": [["[UNK]", 0], ["[PAD]", 0], ["▁sea", -3.5], ["▁the", -4]]}}"#;

#[test]
fn model2vec_floats_of_each_kind_give_the_same_vector() {
    let values: [f32; 8] = [9.0, 9.0, 9.0, 9.0, 3.0, 4.0, -1.0, 0.0];
    let single: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let brain: Vec<u8> =
        values.iter().flat_map(|value| ((value.to_bits() >> 16) as u16).to_le_bytes()).collect();
    let binary16: Vec<u8> = [0x4880u16, 0x4880, 0x4880, 0x4880, 0x4200, 0x4400, 0xbc00, 0]
        .iter()
        .flat_map(|bits| bits.to_le_bytes())
        .collect();
    for (dtype, data) in [("F32", single), ("BF16", brain), ("F16", binary16)] {
        let file = safetensors("embeddings", dtype, "[4,2]", &data);
        let table = StaticTable::from_model2vec(file, TOKENIZER.as_bytes()).unwrap();
        assert_eq!(table.dimensions(), 2);
        assert_eq!(table.encode("sea"), Some(vec![0.6, 0.8]), "{dtype}");
        // No stop words here, and neither unknown pieces nor marks.
        assert_eq!(table.encode("the [PAD] xyz"), Some(vec![-1.0, 0.0]), "{dtype}");
    }
}

#[test]
fn model2vec_of_another_tokenizer_is_refused_by_name() {
    let file = safetensors("embeddings", "F32", "[1,1]", &[0; 4]);
    let json = br#"{"model": {"type": "WordPiece", "vocab": {"a": 0}}}"#;
    let error = StaticTable::from_model2vec(file, json).err().unwrap().to_string();
    assert!(error.contains("WordPiece"), "{error}");
}

#[test]
fn damaged_model2vec_files_are_told_why() {
    let infinite = f32::INFINITY.to_le_bytes().repeat(8);
    for (file, expected) in [
        (Vec::new(), "no safetensors"),
        (safetensors("other", "F32", "[4,2]", &[0; 32]), "embeddings is missing"),
        (safetensors("embeddings", "I8", "[4,2]", &[0; 8]), "embeddings is missing"),
        (safetensors("embeddings", "F32", "[8]", &[0; 32]), "embeddings is missing"),
        (safetensors("embeddings", "F32", "[4,2]", &[0; 31]), "no safetensors"),
        (safetensors("embeddings", "F32", "[4,2]", &infinite), "not finite"),
        (safetensors("mapping", "F32", "[4,2]", &[0; 32]), "mapping"),
        (safetensors("embeddings", "F32", "[2,4]", &[0; 32]), "2 rows"),
    ] {
        let error =
            StaticTable::from_model2vec(file, TOKENIZER.as_bytes()).err().unwrap().to_string();
        assert!(error.contains(expected), "{error} / {expected}");
    }
    let file = safetensors("embeddings", "F32", "[4,2]", &[0; 32]);
    let error = StaticTable::from_model2vec(file, b"{").err().unwrap();
    assert!(matches!(error, ModelError::Tokenizer(_)), "{error}");
}

#[cfg(feature = "static")]
#[test]
fn the_builtin_table_is_the_one_of_the_files() {
    let vocabulary = include_str!("../../model/mse-128-int4/vocab.tsv");
    let read = StaticTable::from_bytes(TABLE.to_vec(), vocabulary).unwrap();
    let builtin = StaticTable::builtin().unwrap();
    assert_eq!(builtin.dimensions(), 128);
    for text in ["The plumber comes on Thursday.", "水管工星期四来。"] {
        assert!(builtin.encode(text).is_some());
        assert_eq!(builtin.encode(text), read.encode(text));
    }
}
