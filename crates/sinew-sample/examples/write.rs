//! Writes the samples into a folder.
fn main() {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "out/sample".into());
    match sinew_sample::write_all(dir.as_ref()) {
        Ok(files) => files.iter().for_each(|f| println!("{}", f.display())),
        Err(e) => eprintln!("{e}"),
    }
}
