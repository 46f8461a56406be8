//! Questions that ask for whatever there is: "what happened yesterday?".

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::recall::analysis::{EntryTerms, Query, is_stop_form};

/// What is left of such questions without their date words. Content words they are not: an entry
/// that answers hardly ever holds them.
const PHRASES: &[&str] = &[
    "what happened? what is happening? what did we talk about? what did we discuss?",
    "was ist passiert? was geschah? worüber haben wir gesprochen? worüber haben wir geredet?",
    "¿qué pasó? ¿qué ha pasado? ¿qué ocurrió? ¿qué sucedió? ¿de qué hablamos?",
    "que s'est-il passé ? qu'est-ce qui s'est passé ? de quoi avons-nous parlé ?",
    "cosa è successo? che cosa è accaduto? di cosa abbiamo parlato?",
    "o que aconteceu? do que falamos?",
    "wat is er gebeurd? wat gebeurde er? waar hebben we over gepraat?",
    "co się stało? co się wydarzyło? o czym rozmawialiśmy?",
    "ne oldu? neler oldu? ne konuştuk?",
    "что случилось? что произошло? что было? о чём мы говорили?",
    "ماذا حدث؟ ماذا حصل؟ عن ماذا تحدثنا؟",
    "发生了什么？发生了什么事？我做了什么？我们做了什么？我们聊了什么？我们谈了什么？我们讨论了什么？",
    "發生了什麼？發生了什麼事？我做了什麼？我們做了什麼？我們聊了什麼？我們談了什麼？",
    "何がありましたか？何が起きましたか？何があった？何をしましたか？何をした？何を話しましたか？",
    "は何がありましたか？は何が起きましたか？は何があった？は何をしましたか？は何をした？",
    "무슨 일이 있었나요? 무슨 일이 있었어? 무슨 이야기를 했나요?",
    "เกิดอะไรขึ้น อะไรเกิดขึ้น เกิดอะไรขึ้นบ้าง",
    "क्या हुआ? क्या हुआ था?",
];

/// The terms of the phrases, in the form of the index.
static TERMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let entries = PHRASES.iter().map(|phrase| EntryTerms::of(phrase));
    let terms = |entry: EntryTerms| -> Vec<String> {
        entry.iter().map(|counted| counted.term.to_owned()).collect()
    };
    entries.flat_map(terms).collect()
});

/// Whether a question names nothing that an entry could hold.
pub(super) fn asks_for_anything(query: &Query) -> bool {
    query.terms().iter().all(|term| is_stop_form(term.as_bytes()) || TERMS.contains(term))
}

#[cfg(test)]
mod tests {
    use super::asks_for_anything;
    use crate::recall::analysis::Query;

    #[test]
    fn a_question_without_content_asks_for_anything() {
        for text in [
            "",
            "?",
            "what did we do",
            "What happened?",
            "Was ist passiert?",
            "¿Qué pasó?",
            "发生了什么？",
            "は何がありましたか",
            "что было",
        ] {
            assert!(asks_for_anything(&Query::parse(text)), "{text}");
        }
        for text in ["what happened to the dog", "上海", "Was ist Julia passiert?", "who is she"]
        {
            let asks = asks_for_anything(&Query::parse(text));
            assert_eq!(asks, text == "who is she", "{text}");
        }
    }
}
