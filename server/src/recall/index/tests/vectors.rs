use super::{ScopeIndex, put, take, vector};
use crate::recall::vector::QueryVector;

fn norm(index: &ScopeIndex, doc: u32) -> f64 {
    f64::from(index.vectors().norm(doc))
}

fn three() -> ScopeIndex {
    let mut index = ScopeIndex::new();
    for doc in 0..3 {
        put(&mut index, doc, "alpha");
    }
    index.order_session(0, &[0, 1, 2]);
    index
}

#[test]
fn the_first_vector_decides_the_dimensions() {
    let mut index = three();
    assert!(index.set_vector(0, &vector(&[0.6, 0.8])));
    assert!(!index.set_vector(1, &vector(&[0.6, 0.8, 0.0])));
    assert!(!index.vectors().has(1));
    assert!(!index.set_vector(9, &vector(&[0.6, 0.8])));
    take(&mut index, 0, "alpha");
    assert!(index.set_vector(1, &vector(&[0.6, 0.8, 0.0])));
    index.clear_vectors();
    assert_eq!(index.vector_count(), 0);
    assert!(index.set_vector(1, &vector(&[0.6, 0.8])));
}

#[test]
fn the_norm_is_renewed_when_a_vector_or_a_neighbour_comes_or_goes() {
    let close = |left: f64, right: f64| (left - right).abs() < 0.01;
    let mut index = three();
    assert!(index.set_vector(1, &vector(&[1.0, 0.0])));
    assert!(close(norm(&index, 1), 1.0));
    assert!(index.set_vector(0, &vector(&[0.0, 1.0])));
    assert!(close(norm(&index, 1), 1.25_f64.sqrt()));
    assert!(close(norm(&index, 0), 1.09_f64.sqrt()));
    assert!(index.set_vector(2, &vector(&[1.0, 0.0])));
    assert!(close(norm(&index, 1), (1.69_f64 + 0.25).sqrt()));
    assert!(close(norm(&index, 2), 1.5));
    assert!(index.set_vector(1, &vector(&[0.0, 1.0])));
    assert!(close(norm(&index, 1), (2.25_f64 + 0.09).sqrt()));
    take(&mut index, 1, "alpha");
    assert_eq!(norm(&index, 1), 0.0);
    assert!(close(norm(&index, 2), 1.25_f64.sqrt()));
    assert!(close(norm(&index, 0), 1.09_f64.sqrt()));
    index.order_session(0, &[2, 0]);
    assert!(close(norm(&index, 2), 1.09_f64.sqrt()));
}

#[test]
fn a_removed_vector_leaves_nothing() {
    let mut index = three();
    let query = QueryVector::quantise(&[1.0, 0.0]).unwrap();
    assert!(index.set_vector(0, &vector(&[1.0, 0.0])));
    assert!(index.set_vector(1, &vector(&[1.0, 0.0])));
    take(&mut index, 0, "alpha");
    assert_eq!(index.vectors().likeness(&query, 0), 0.0);
    assert!((index.vectors().likeness(&query, 1) - 1.0).abs() < 0.001);
    let (mut dots, mut likeness) = ([0; 2], [7.0; 2]);
    index.vectors().likeness_of_rows(&query, 0, &mut dots, &mut likeness);
    assert_eq!(dots[0], 0);
    assert_eq!(likeness, [0.0, index.vectors().likeness(&query, 1)]);
}
