//! Date words by language.

mod arabic_and_greek;
mod east_asian;
mod english;
mod germanic;
mod indian_and_thai;
mod portuguese_and_italian;
mod slavic;
mod spanish_and_french;
mod turkish_and_vietnamese;

use super::table::{DIGITS_ONLY, Table};

/// Every language, and dates in digits, which need none.
pub(super) static TABLES: [&Table; 20] = [
    &DIGITS_ONLY,
    &english::ENGLISH,
    &germanic::GERMAN,
    &germanic::DUTCH,
    &germanic::SWEDISH,
    &spanish_and_french::SPANISH,
    &spanish_and_french::FRENCH,
    &portuguese_and_italian::PORTUGUESE,
    &portuguese_and_italian::ITALIAN,
    &slavic::RUSSIAN,
    &slavic::POLISH,
    &turkish_and_vietnamese::TURKISH,
    &turkish_and_vietnamese::VIETNAMESE,
    &arabic_and_greek::ARABIC,
    &arabic_and_greek::GREEK,
    &indian_and_thai::HINDI,
    &indian_and_thai::THAI,
    &east_asian::CHINESE,
    &east_asian::JAPANESE,
    &east_asian::KOREAN,
];
