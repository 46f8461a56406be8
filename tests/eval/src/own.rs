//! The set that belongs to the project: everyday facts told to an agent in twelve languages. It is in
//! the program itself, see `tests/eval/set/README.md`.

/// What the set is called on the command line.
pub(crate) const NAME: &str = "own";

/// The content of one of its files.
pub(crate) fn file(name: &str) -> Option<&'static str> {
    match name {
        "corpus.jsonl" => Some(include_str!("../set/corpus.jsonl")),
        "queries.jsonl" => Some(include_str!("../set/queries.jsonl")),
        "qrels.jsonl" => Some(include_str!("../set/qrels.jsonl")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap, HashSet};
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use crate::data;
    use crate::evaluate::{Evaluated, evaluate};
    use crate::options::Options;
    use crate::table::table;

    const LANGUAGES: [&str; 12] =
        ["ar", "de", "en", "es", "fr", "hi", "ja", "ko", "ru", "th", "tr", "zh"];
    const CATEGORIES: [&str; 7] =
        ["cross", "dated", "identifier", "number", "paraphrase", "unanswerable", "words"];
    /// What must be reached, a line each.
    const FLOORS: &str = include_str!("../set/floors.txt");

    #[test]
    fn the_set_has_every_language_and_every_category_and_ids_that_exist() {
        let folder = Path::new("nowhere");
        let corpus = data::corpus(folder, NAME).unwrap();
        let texts: HashMap<&str, &str> =
            corpus.iter().map(|line| (line.id.as_str(), line.text.as_str())).collect();
        assert_eq!((corpus.len(), texts.len()), (300, 300));
        assert_eq!(texts.values().collect::<HashSet<_>>().len(), 300, "a text stands twice");
        let questions = data::questions(folder, NAME).unwrap();
        let right = data::judgements(folder, NAME).unwrap();
        assert!(right.values().flatten().all(|id| texts.contains_key(id.as_str())));

        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        let mut ids = HashSet::new();
        for line in &questions {
            let (category, language) =
                (line.cat.as_deref().unwrap(), line.lang.as_deref().unwrap());
            *counts.entry(category).or_default().entry(language).or_default() += 1;
            assert!(ids.insert(&line.id), "{}", line.id);
            assert_eq!(right.contains_key(&line.id), category != "unanswerable", "{}", line.id);
            assert_eq!(line.reference_time.is_some(), category == "dated", "{}", line.id);
        }
        assert!(right.keys().all(|id| ids.contains(id)));
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), CATEGORIES);
        for (category, languages) in counts {
            assert_eq!(languages.keys().copied().collect::<Vec<_>>(), LANGUAGES, "{category}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_the_set_measures_is_not_below_its_floors() {
        let mut words = vec!["memoryd-eval", NAME];
        let lines = FLOORS.lines().map(str::trim);
        for floor in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            words.extend(["--at-least", floor]);
        }
        assert!(words.len() > 2 * CATEGORIES.len());
        let options = Options::try_parse_from(words).unwrap();
        let Evaluated { report, failures } = evaluate(&options).await.unwrap();
        assert!(failures.is_empty(), "{}\n{}", failures.join("\n"), table(&report));
    }
}
