use super::{docs, idf, index_of, order, ranked, session_of};

#[test]
fn neighbours_lend_what_the_entry_lacks() {
    let mut index = session_of(&["alpha", "bravo", "x", "x", "x", "x"]);
    index.insert(
        9,
        crate::recall::index::IndexedEntry {
            terms: &crate::recall::analysis::EntryTerms::of("bravo"),
            author: "",
            day: 0,
        },
    );
    index.place(9, 1, None, None);
    let matches = ranked("alpha bravo", &[&index]);
    assert_eq!(docs(&matches), [0, 1, 9]);
    // 1 has .6 of alpha from the entry before it, 0 has .4 of bravo from the one behind.
    let weight = |df: f64| {
        let price = 0.8 * (0.6 + 0.4 * 1.0);
        idf(7.0, df) / (1.0 + price)
    };
    let session =
        |df: f64, tf: f64, length: f64| 0.5 * idf(7.0, df) * tf / (tf + 0.9 * length / 3.5);
    let divisor = 1.5 * (idf(7.0, 1.0) + idf(7.0, 2.0));
    let shared = session(1.0, 1.0, 6.0) + session(2.0, 1.0, 6.0);
    let expected = [
        (weight(1.0) + 0.4 * weight(2.0) + shared) / divisor,
        (0.6 * weight(1.0) + weight(2.0) + shared) / divisor,
        (weight(2.0) + session(2.0, 1.0, 1.0)) / divisor,
    ];
    for (found, value) in matches.iter().zip(expected) {
        assert!((found.value - value).abs() < 1e-12, "{found:?} {value}");
    }
}

#[test]
fn what_is_lent_is_no_evidence() {
    let index = session_of(&["alpha", "x", "x", "x", "x"]);
    assert_eq!(docs(&ranked("alpha", &[&index])), [0]);
}

#[test]
fn adk_memory_test_add_and_search_other_entries_of_the_session_are_no_hits() {
    let index = session_of(&["I like pizza", "Noted.", "And tea", "Noted too."]);
    assert_eq!(docs(&ranked("pizza", &[&index])), [0]);
}

#[test]
fn a_lender_does_not_fall_behind_the_entry_it_lends_to() {
    let index = session_of(&["the red kite", "flew over the hill", "x", "x", "x"]);
    assert_eq!(order(ranked("red kite hill", &[&index])), [0, 1]);
    let apart = index_of([(0, "the red kite"), (1, "flew over the hill"), (2, "x"), (3, "x")]);
    let lent = ranked("red kite hill", &[&index])[1].value;
    assert!(lent > ranked("red kite hill", &[&apart])[1].value);
}

#[test]
fn entries_with_and_without_session_are_ranked_side_by_side() {
    let mut index = session_of(&["alpha", "bravo"]);
    let terms = crate::recall::analysis::EntryTerms::of("alpha");
    index.insert(5, crate::recall::index::IndexedEntry { terms: &terms, author: "", day: 0 });
    let matches = ranked("alpha", &[&index]);
    assert_eq!(docs(&matches), [0, 5]);
    let own = 1.0 / (1.0 + 0.8 * (0.6 + 0.4));
    assert!((matches[1].value - own).abs() < 1e-12);
    let session = 1.0 / (1.0 + 0.9);
    assert!((matches[0].value - (own + 0.5 * session) / 1.5).abs() < 1e-12);
}
