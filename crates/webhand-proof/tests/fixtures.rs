//! The committed fixtures: every case is of the form, and its row is planned.

use std::{collections::BTreeSet, path::Path};

use webhand_proof::folder::Folder;

#[test]
fn every_committed_case_is_right_and_planned() {
    let folder = Folder::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/gauntlet")).unwrap();
    let planned: BTreeSet<&str> = folder.planned.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(planned.len(), 72, "rows are planned once each");
    let built: BTreeSet<&str> = folder.cases.iter().map(|case| case.id.as_str()).collect();
    assert!(built.is_subset(&planned), "{:?}", built.difference(&planned));
    for id in built {
        let count = folder.cases.iter().filter(|case| case.id == id).count();
        assert!(count >= 2, "{id} has {count} case: vary it");
    }
}
