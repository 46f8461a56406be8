//! Figures and columns as they are printed.

use crate::bootstrap::Interval;

/// What stands where nothing was measured.
pub(crate) const NOTHING: &str = "–";

/// A share with three decimals, such as ".577" or "1.000".
pub(crate) fn share(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix("0.") {
        Some(decimals) => format!(".{decimals}"),
        None => text,
    }
}

/// A difference of shares with its sign, such as "+.012" or "-.003".
pub(crate) fn difference(value: f64) -> String {
    let sign = if value < 0.0 { '-' } else { '+' };
    format!("{sign}{}", share(value.abs()))
}

/// A share with its interval, such as ".577 .546–.608".
pub(crate) fn interval(figure: Option<Interval>) -> String {
    figure.map_or_else(
        || NOTHING.to_owned(),
        |Interval { value, low, high }| format!("{} {}–{}", share(value), share(low), share(high)),
    )
}

/// Rows below each other, two spaces between columns; the first `left` columns start at the left.
pub(crate) fn columns(rows: &[Vec<String>], left: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<_> = (0..count).map(|column| width(column).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(share(0.5774), ".577");
        assert_eq!(share(1.0), "1.000");
        assert_eq!(difference(-0.0126), "-.013");
        assert_eq!(difference(0.0), "+.000");
        let figure = Interval { value: 0.5, low: 0.0, high: 1.0 };
        assert_eq!(interval(Some(figure)), ".500 .000–1.000");
        assert_eq!(interval(None), "–");
    }

    #[test]
    fn columns_line_up_by_letters_not_bytes() {
        let rows = [["é", "–"], ["long", "100"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(columns(&rows, 1), "é       –\nlong  100\n");
    }
}
