use super::{ScopeIndex, put, take};
use crate::recall::index::{NO_DOC, Place};

fn order(index: &ScopeIndex, first: u32) -> Vec<u32> {
    let next = |doc: &u32| Some(index.sessions().of(*doc).next).filter(|next| *next != NO_DOC);
    std::iter::successors(Some(first), next).collect()
}

fn five() -> ScopeIndex {
    let mut index = ScopeIndex::new();
    for doc in 0..5 {
        put(&mut index, doc, "alpha bravo");
    }
    index
}

#[test]
fn entries_are_placed_at_either_end_and_between() {
    let mut index = five();
    index.place(2, 7, None, None);
    index.place(4, 7, Some(2), None);
    index.place(0, 7, None, Some(2));
    index.place(3, 7, Some(2), Some(4));
    index.place(1, 7, Some(0), None);
    assert_eq!(order(&index, 0), [0, 1, 2, 3, 4]);
    assert_eq!((index.sessions().count(), index.sessions().length_of(7)), (1, 10));
    take(&mut index, 2, "alpha bravo");
    index.remove_many(&[0]);
    assert_eq!(order(&index, 1), [1, 3, 4]);
    assert_eq!(index.sessions().length_of(7), 6);
}

#[test]
fn placing_again_moves() {
    let mut index = five();
    index.order_session(0, &[0, 1, 2]);
    index.order_session(1, &[3, 4]);
    index.place(1, 1, Some(3), Some(4));
    index.place(2, 0, None, Some(0));
    assert_eq!(order(&index, 3), [3, 1, 4]);
    assert_eq!(order(&index, 2), [2, 0]);
    index.order_session(1, &[0, 1, 2, 3, 4]);
    assert_eq!(order(&index, 0), [0, 1, 2, 3, 4]);
    assert_eq!((index.sessions().count(), index.sessions().total_length()), (1, 10));
    assert_eq!(index.sessions().length_of(0), 0);
}

#[test]
fn neighbours_of_another_session_are_no_neighbours() {
    let mut index = five();
    index.order_session(0, &[0, 1]);
    index.place(2, 1, Some(0), Some(1));
    assert_eq!(index.sessions().of(2), Place { session: 1, previous: NO_DOC, next: NO_DOC });
    assert_eq!(order(&index, 0), [0, 1]);
    index.place(3, 1, Some(3), Some(2));
    assert_eq!(order(&index, 3), [3, 2]);
}

#[test]
fn what_is_not_there_is_not_placed() {
    let mut index = five();
    index.place(9, 0, None, None);
    index.order_session(0, &[9, 1, u32::MAX]);
    assert_eq!(order(&index, 1), [1]);
    assert_eq!(index.sessions().length_of(0), 2);
    index.place(2, u32::MAX, None, None);
    assert_eq!(index.sessions().of(2), Place::NONE);
}
