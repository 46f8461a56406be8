//! The options of the embedder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use memoryd::EmbedWhen;
use memoryd::embed::{EmbedOptions, EmbedderChoice, Secret};

use super::Mistakes;

/// Where the key of an endpoint is read from, unless a file is named. Not an option: the command line of
/// a process can be read by others.
const KEY_VARIABLE: &str = "MEMORYD_EMBEDDER_KEY";

// No doc comment: it would take the place of the program's own in the help.
#[derive(Debug, Args)]
pub(super) struct EmbedderArguments {
    /// What finds entries by their meaning: 'encoder' (built in, 16 languages), 'static' (built in, less
    /// sure, next to no work), 'none' (words alone), 'file:PATH' (a table of memoryd or a model of
    /// model2vec), or 'openai:URL', a server that speaks OpenAI's embeddings protocol: the texts of
    /// entries and queries are sent there. To a URL without the path '.../embeddings', '/v1/embeddings'
    /// is added. After another embedder was chosen, entries are embedded anew.
    #[arg(
        long,
        env = "MEMORYD_EMBEDDER",
        value_name = "EMBEDDER",
        default_value = EmbedderChoice::DEFAULT
    )]
    embedder: String,
    /// The model that the server of openai:URL is asked for.
    #[arg(long, env = "MEMORYD_EMBEDDER_MODEL", value_name = "NAME")]
    embedder_model: Option<String>,
    /// A file with the key for openai:URL, sent as a bearer token. Without it, the environment variable
    /// MEMORYD_EMBEDDER_KEY is taken if it is set.
    #[arg(long, env = "MEMORYD_EMBEDDER_KEY_FILE", value_name = "FILE")]
    embedder_key_file: Option<PathBuf>,
    /// The length of vectors that the server of openai:URL is asked for [default: as the model has].
    #[arg(long, env = "MEMORYD_EMBEDDER_DIMENSIONS", value_name = "NUMBER")]
    embedder_dimensions: Option<String>,
    /// The likeness, above 0 and at most 1, from which on an entry is found by its meaning alone [default: as measured
    /// for built-in models, 0.40 for openai:URL; some models need more, as high as 0.8].
    #[arg(long, env = "MEMORYD_EMBEDDER_FLOOR", value_name = "LIKENESS")]
    embedder_floor: Option<String>,
    /// How long one request to openai:URL may take while entries are embedded, in seconds.
    #[arg(
        long,
        env = "MEMORYD_EMBEDDER_TIMEOUT_SECONDS",
        value_name = "SECONDS",
        default_value = "30"
    )]
    embedder_timeout_seconds: String,
    /// How long a search waits for openai:URL before it goes by words alone, in milliseconds. After a
    /// failure, searches don't wait at all for five seconds.
    #[arg(
        long,
        env = "MEMORYD_EMBEDDER_QUERY_TIMEOUT_MS",
        value_name = "MS",
        default_value = "2000"
    )]
    embedder_query_timeout_ms: String,
    /// When entries are embedded: 'background' a moment after their addition was answered, until when
    /// words find them; 'inline' before, so that adding waits for the embedder.
    #[arg(long, env = "MEMORYD_EMBED", value_name = "WHEN", default_value = "background")]
    embed: String,
}

/// The values of the options, if nothing is wrong with them.
pub(super) fn check(
    arguments: EmbedderArguments,
    mistakes: &mut Mistakes,
) -> Option<(EmbedOptions, EmbedWhen)> {
    let EmbedderArguments {
        embedder,
        embedder_model,
        embedder_key_file,
        embedder_dimensions,
        embedder_floor,
        embedder_timeout_seconds,
        embedder_query_timeout_ms,
        embed,
    } = arguments;
    let before = mistakes.0.len();
    let choice = embedder.parse::<EmbedderChoice>();
    let choice = choice.map_err(|error| mistakes.0.push(format!("--embedder {error}"))).ok();
    // A key that lies in the environment is no mistake while no endpoint is chosen.
    let variable = std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
    let variable = variable.filter(|_| matches!(choice, Some(EmbedderChoice::Endpoint(_))));
    let key = key(embedder_key_file.as_deref(), variable.as_deref());
    let key = key.map_err(|mistake| mistakes.0.push(mistake)).ok();
    let most = EmbedOptions::MOST_DIMENSIONS as u64;
    let dimensions =
        embedder_dimensions.map(|value| mistakes.number("embedder-dimensions", &value, 1, most));
    let floor = embedder_floor.map(|value| floor(&value, mistakes));
    let seconds = mistakes.number("embedder-timeout-seconds", &embedder_timeout_seconds, 1, 3600);
    let milliseconds =
        mistakes.number("embedder-query-timeout-ms", &embedder_query_timeout_ms, 1, 60_000);
    let when = mistakes.choose(
        "embed",
        &embed,
        &[("background", EmbedWhen::Background), ("inline", EmbedWhen::Inline)],
    );
    let options = EmbedOptions {
        choice: choice?,
        model: embedder_model,
        key: key.flatten(),
        dimensions: dimensions.flatten().and_then(|count| usize::try_from(count).ok()),
        floor: floor.flatten(),
        entry_timeout: seconds.map_or(EmbedOptions::ENTRY_TIMEOUT, Duration::from_secs),
        query_timeout: milliseconds.map_or(EmbedOptions::QUERY_TIMEOUT, Duration::from_millis),
    };
    mistakes.0.extend(options.mistakes());
    when.filter(|_| mistakes.0.len() == before).map(|when| (options, when))
}

/// The key, from the one place that has one.
fn key(file: Option<&Path>, variable: Option<&str>) -> Result<Option<Secret>, String> {
    let unusable = "must be one word of visible ASCII characters";
    match (file, variable) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => {
            Err(format!("--embedder-key-file and {KEY_VARIABLE} are both set: leave one out"))
        }
        (None, Some(key)) => match Secret::new(key) {
            Some(key) => Ok(Some(key)),
            None => Err(format!("{KEY_VARIABLE} {unusable}")),
        },
        (Some(file), None) => {
            let name = file.display();
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("--embedder-key-file {name} can't be read: {error}"))?;
            let key = Secret::new(&text);
            key.map(Some).ok_or_else(|| format!("the key in --embedder-key-file {name} {unusable}"))
        }
    }
}

fn floor(value: &str, mistakes: &mut Mistakes) -> Option<f64> {
    let floor = value.parse().ok().filter(|floor| *floor > 0.0 && *floor <= 1.0);
    if floor.is_none() {
        mistakes
            .0
            .push(format!("--embedder-floor must be a number above 0, at most 1, is '{value}'"));
    }
    floor
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Mistakes;
    use super::{EmbedderArguments, EmbedderChoice, check, key};
    use memoryd::EmbedWhen;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        embedder: EmbedderArguments,
    }

    /// What is wrong with these words of a command line.
    fn mistakes(words: &str) -> Vec<String> {
        let line =
            Line::try_parse_from(std::iter::once("memoryd").chain(words.split(' '))).unwrap();
        let mut mistakes = Mistakes::default();
        assert_eq!(check(line.embedder, &mut mistakes).is_none(), !mistakes.0.is_empty());
        mistakes.0
    }

    #[test]
    fn without_options_the_best_embedder_of_the_build_runs_in_the_background() {
        let line = Line::try_parse_from(["memoryd"]).unwrap();
        let (options, when) = check(line.embedder, &mut Mistakes::default()).unwrap();
        assert_eq!((options.choice, when), (EmbedderChoice::default(), EmbedWhen::Background));
    }

    #[test]
    fn an_endpoint_with_all_its_options_is_taken() {
        let line = "--embedder openai:http://localhost:11434 --embedder-model m --embed inline \
                    --embedder-dimensions 256 --embedder-floor 0.6 --embedder-timeout-seconds 5 \
                    --embedder-query-timeout-ms 300";
        assert_eq!(mistakes(line), Vec::<String>::new());
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let told = mistakes(
            "--embedder openai:http://localhost --embedder-key-file /no/such/file --embed never \
             --embedder-dimensions 0 --embedder-floor NaN --embedder-timeout-seconds x \
             --embedder-query-timeout-ms 0",
        );
        for option in [
            "--embedder-key-file",
            "--embed ",
            "--embedder-model",
            "--embedder-dimensions",
            "--embedder-floor",
            "--embedder-timeout-seconds",
            "--embedder-query-timeout-ms",
        ] {
            let count = told.iter().filter(|mistake| mistake.contains(option)).count();
            assert_eq!(count, 1, "{option} in {told:?}");
        }
        assert!(mistakes("--embedder word2vec")[0].starts_with("--embedder must be 'encoder'"));
    }

    #[test]
    fn a_key_comes_from_one_place_and_is_never_repeated() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "sk-4711\n").unwrap();
        assert!(key(Some(file.path()), None).unwrap().is_some());
        assert!(key(None, Some("sk-4711")).unwrap().is_some());
        assert!(key(None, None).unwrap().is_none());
        let both = key(Some(file.path()), Some("sk-0815")).unwrap_err();
        assert!(both.contains("leave one out") && !both.contains("0815"), "{both}");
        std::fs::write(file.path(), "sk 4711").unwrap();
        let told = key(Some(file.path()), None).unwrap_err();
        assert!(told.contains("visible ASCII") && !told.contains("4711"), "{told}");
    }
}
