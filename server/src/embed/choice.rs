//! Which embedder is asked for.

use std::path::PathBuf;
use std::str::FromStr;

use super::endpoint::{Address, AddressError};

/// Which embedder is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// The built-in sentence encoder.
    Encoder,
    /// The built-in static table: 5 MB and a hundredth of the encoder's work, less sure across languages.
    Static,
    /// Words alone.
    None,
    /// A server that speaks OpenAI's embeddings protocol. Texts are sent there.
    Endpoint(Address),
    /// A model on disk.
    File(PathBuf),
}

/// Why a text names no embedder.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// Not one of the forms.
    #[error(
        "must be 'encoder', 'static', 'none', 'openai:URL' such as 'openai:http://localhost:11434', or \
         'file:PATH', is '{0}'"
    )]
    Unknown(String),
    /// The URL can't be used.
    #[error("'openai:' must be followed by a URL such as https://api.openai.com: {0}")]
    Address(#[from] AddressError),
    /// `file:` without a path.
    #[error("'file:' must be followed by the path of a model, such as file:/models/potion")]
    NoPath,
    /// Known, but left out of this build.
    #[error(
        "'{choice}' isn't in this build of memoryd: build it with the cargo feature '{feature}', or choose \
         '{instead}'"
    )]
    LeftOut {
        /// What was chosen.
        choice: &'static str,
        /// What would bring it.
        feature: &'static str,
        /// The best that this build has.
        instead: &'static str,
    },
}

impl EmbedderChoice {
    /// The best that this build has, as it is written on the command line.
    pub const DEFAULT: &'static str = if cfg!(feature = "encoder") {
        "encoder"
    } else if cfg!(feature = "static") {
        "static"
    } else {
        "none"
    };

    pub(super) fn left_out(choice: &'static str, feature: &'static str) -> ChoiceError {
        ChoiceError::LeftOut { choice, feature, instead: Self::DEFAULT }
    }
}

impl Default for EmbedderChoice {
    fn default() -> Self {
        if cfg!(feature = "encoder") {
            Self::Encoder
        } else if cfg!(feature = "static") {
            Self::Static
        } else {
            Self::None
        }
    }
}

impl FromStr for EmbedderChoice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        match text {
            "encoder" if cfg!(feature = "encoder") => Ok(Self::Encoder),
            "encoder" => Err(Self::left_out("encoder", "encoder")),
            "static" if cfg!(feature = "static") => Ok(Self::Static),
            "static" => Err(Self::left_out("static", "static")),
            "none" => Ok(Self::None),
            _ => match text.split_once(':') {
                Some(("openai", url)) => Ok(Self::Endpoint(url.parse()?)),
                Some(("file", "")) => Err(ChoiceError::NoPath),
                Some(("file", path)) => Ok(Self::File(path.into())),
                // A URL may hold a password: its scheme is enough to see what is wrong.
                Some((scheme, _)) => Err(ChoiceError::Unknown(format!("{scheme}:…"))),
                None => Err(ChoiceError::Unknown(text.to_owned())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChoiceError, EmbedderChoice};

    fn told(text: &str) -> String {
        text.parse::<EmbedderChoice>().unwrap_err().to_string()
    }

    #[test]
    fn the_default_is_the_best_that_is_built_in() {
        assert_eq!(EmbedderChoice::DEFAULT.parse(), Ok(EmbedderChoice::default()));
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!("none".parse(), Ok(EmbedderChoice::None));
        assert!(matches!("openai:http://localhost:11434".parse(), Ok(EmbedderChoice::Endpoint(_))));
        if cfg!(feature = "static") {
            assert_eq!("static".parse(), Ok(EmbedderChoice::Static));
        }
        // A path may hold colons of its own.
        assert_eq!("file:C:/m".parse(), Ok(EmbedderChoice::File("C:/m".into())));
    }

    #[test]
    fn what_is_left_out_of_the_build_says_so_and_names_what_there_is() {
        let parsed = "encoder".parse::<EmbedderChoice>();
        if cfg!(feature = "encoder") {
            assert_eq!(parsed, Ok(EmbedderChoice::Encoder));
        } else {
            let told = parsed.unwrap_err().to_string();
            assert!(told.contains("cargo feature 'encoder'"), "{told}");
            assert!(told.contains(EmbedderChoice::DEFAULT), "{told}");
        }
    }

    #[test]
    fn a_mistake_says_what_to_write_instead() {
        for (text, hint) in [
            ("", "'none'"),
            ("Encoder", "'encoder'"),
            ("openai", "openai:URL"),
            ("openai:", "https://api.openai.com"),
            ("openai:api.openai.com", "http://"),
            ("file:", "file:/models"),
            ("ollama:http://localhost", "openai:URL"),
        ] {
            let told = told(text);
            assert!(told.contains(hint), "{text}: {told}");
        }
    }

    #[test]
    fn a_password_in_a_mistaken_choice_is_not_repeated() {
        let error = "https://me:hunter2@host".parse::<EmbedderChoice>().unwrap_err();
        assert_eq!(error, ChoiceError::Unknown("https:…".to_owned()));
        assert!(!told("openai:https://me:hunter2@host").contains("hunter2"));
        assert!(!told("openai:https://host/v1?key=hunter2").contains("hunter2"));
    }
}
