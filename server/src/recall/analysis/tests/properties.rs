use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

use super::super::{DeletionQuery, EntryTerms, Query, WordMatch, analyze};
use crate::recall::constants::LONGEST_TERM_CHARS;

/// Texts of the scripts and signs that the pipeline treats apart, jumbled.
fn jumbled_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z_0-9'’.@ -]{0,12}",
        "[à-ÿĀ-žа-яΑ-ω]{0,6}",
        "[0-9 ().,/+'-]{0,16}",
        "[1½¾٣५٫٬５€%°kmh ]{0,8}",
        "[a-fA-C0-9.@:#+-]{0,12}",
        "[A-Z]{2}[0-9]{2}( [A-Z0-9]{4}){2,4}",
        "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "[一-龥ぁ-んァ-ンｱ-ﾝﾞ]{0,5}",
        "[가-힣ㄱ-ㅎ]{0,4}",
        "[에서습니다은는집]{0,5}",
        "[のはにがア猫的了]{0,4}",
        "[ạấợđơưaB']{0,5}",
        "[ก-๛ກ-ໝ]{0,6}",
        "[\u{600}-\u{6ff}\u{5b0}-\u{5ea}]{0,8}",
        "[\u{900}-\u{97f}\u{1000}-\u{104f}]{0,8}",
        "[👍👨👩🏽🇩🇪❤\u{200d}\u{fe0f}\u{301}\u{ad}\0]{0,4}",
        ".{0,4}",
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn analysis_bears_any_text(text in jumbled_text()) {
        for token in analyze(&text) {
            prop_assert!(!token.term.is_empty());
            prop_assert!(!token.word.is_empty());
            prop_assert!(token.term.chars().count() <= LONGEST_TERM_CHARS);
            prop_assert!(!token.term.contains('\0'));
        }
    }

    #[test]
    fn analysis_does_not_see_normal_forms(text in jumbled_text()) {
        let expected = analyze(&text);
        prop_assert_eq!(&analyze(&text.nfc().collect::<String>()), &expected);
        prop_assert_eq!(&analyze(&text.nfd().collect::<String>()), &expected);
    }

    #[test]
    fn a_text_holds_every_term_of_itself(text in jumbled_text()) {
        let entry = EntryTerms::of(&text);
        let query = Query::parse(&text);
        prop_assert_eq!(query.is_empty(), entry.is_empty());
        prop_assert!(query.terms().iter().all(|term| entry.count(term) > 0));
    }

    #[test]
    fn counts_add_up_to_the_length(text in jumbled_text()) {
        let tokens = analyze(&text);
        let entry = EntryTerms::of(&text);
        let counted: usize = entry.iter().map(|counted| counted.count as usize).sum();
        prop_assert_eq!(counted, tokens.len());
        let content = tokens.iter().filter(|token| !token.stop && !token.hint).count();
        prop_assert_eq!(entry.length(), content as u64);
        prop_assert!(entry.iter().map(|counted| counted.term).is_sorted());
    }

    #[test]
    fn a_text_holds_its_own_words(text in jumbled_text()) {
        let deletion = DeletionQuery::parse(&text);
        let held = deletion.is_held_by([text.as_str()], WordMatch::All);
        prop_assert_eq!(held, !deletion.is_empty());
    }

    #[test]
    fn what_a_deletion_holds_search_finds(query in jumbled_text(), text in jumbled_text()) {
        let deletion = DeletionQuery::parse(&query);
        let any = deletion.is_held_by([text.as_str()], WordMatch::Any);
        let all = deletion.is_held_by([text.as_str()], WordMatch::All);
        prop_assert!(any || !all);
        let entry = EntryTerms::of(&text);
        let found = deletion.candidates().terms().iter().any(|term| entry.count(term) > 0);
        prop_assert!(found || !any);
    }
}
