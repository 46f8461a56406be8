//! Finds the sources of adk-memory 2.3.0 where cargo keeps them, and writes the modules that compile
//! its test files from there: unmodified, and never copied.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const CRATE: &str = "adk-memory";
const VERSION: &str = "2.3.0";

/// Every test file of the crate but those of its Vertex AI and Redis backends, which test a
/// service of their own.
const FILES: [&str; 7] = [
    "adapter_project_property_tests",
    "memory_entry_property_tests",
    "memory_tests",
    "project_delete_property_tests",
    "project_isolation_conformance_tests",
    "project_isolation_property_tests",
    "project_validation_property_tests",
];

/// How many tests these files hold. Another number means that the sources aren't the ones meant.
const TESTS: usize = 26;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../Cargo.lock");
    let folder = crate_folder()?.join("tests");
    let mut modules = String::new();
    let mut tests = 0;
    for name in FILES {
        let file = folder.join(name).with_extension("rs");
        tests += tests_in(&fs::read_to_string(&file)?);
        println!("cargo:rerun-if-changed={}", file.display());
        writeln!(modules, "#[allow(warnings, clippy::all, reason = \"not ours to mend\")]")?;
        writeln!(modules, "#[path = {file:?}]\nmod {name};")?;
    }
    if tests != TESTS {
        return Err(format!("expected {TESTS} tests, found {tests}").into());
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("suite.rs"), modules)?;
    Ok(())
}

/// Asks cargo, first without the network. The platform is named, or cargo would want the sources of
/// every platform's crates.
fn crate_folder() -> Result<PathBuf, Box<dyn Error>> {
    let target = env::var("TARGET")?;
    let ask = |more: &[&str]| {
        Command::new(env::var("CARGO")?)
            .args(["metadata", "--format-version=1", "--locked", "--filter-platform", &target])
            .args(more)
            .output()
            .map_err(Box::<dyn Error>::from)
    };
    let mut answer = ask(&["--offline"])?;
    if !answer.status.success() {
        answer = ask(&[])?;
    }
    if !answer.status.success() {
        return Err(String::from_utf8_lossy(&answer.stderr).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&answer.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata without packages")?;
    let package = packages
        .iter()
        .find(|package| package["name"] == CRATE && package["version"] == VERSION)
        .ok_or_else(|| format!("{CRATE} {VERSION} isn't among the dependencies"))?;
    let manifest = package["manifest_path"].as_str().ok_or("a package without a manifest")?;
    Ok(Path::new(manifest).parent().ok_or("a manifest without a folder")?.to_owned())
}

fn tests_in(source: &str) -> usize {
    let attributes = source.lines().map(str::trim_start);
    attributes.filter(|line| *line == "#[test]" || line.starts_with("#[tokio::test")).count()
}
