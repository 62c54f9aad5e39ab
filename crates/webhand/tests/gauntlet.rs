//! The gauntlet as named tests: one a row, in both kinds of headless browser.
//!
//! The pages and what must hold on them stand in `tests/gauntlet`; `cargo xtask gauntlet` prints the same as a report.

#![allow(clippy::expect_used, reason = "a browser that does not start is a failed test")]

use std::{path::Path, sync::OnceLock};

use tokio::{runtime::Runtime, sync::OnceCell};
use webhand_proof::{
    Options,
    case::Kind,
    driver::Engine as _,
    drivers::WebhandEngine,
    folder::Folder,
    runner::{report_of, run_on},
};

/// The browsers are started once for all tests of this process. They hang on its pipes, so they end with it.
struct Stage {
    runtime: Runtime,
    folder: Folder,
    engines: [(Kind, OnceCell<WebhandEngine>); 2],
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/gauntlet");
        Stage {
            runtime: Runtime::new().expect("a runtime"),
            folder: Folder::read(&pages).expect("the fixtures"),
            engines: [(Kind::Shell, OnceCell::new()), (Kind::New, OnceCell::new())],
        }
    })
}

#[track_caller]
fn holds(row: &str) {
    let stage = stage();
    // times are judged by `cargo xtask gauntlet`: here rows run beside each other on a machine that may be busy
    let options = Options { filter: row.to_owned(), jobs: 1, slack: 5, ..Options::default() };
    let report = stage.runtime.block_on(async {
        let mut results = Vec::new();
        for (kind, engine) in &stage.engines {
            let engine = engine.get_or_try_init(|| WebhandEngine::launch(*kind)).await.expect("a browser");
            assert_eq!(engine.kind(), *kind);
            results.extend(run_on(engine, &stage.folder, &options).await);
        }
        report_of(&stage.folder, row, results)
    });
    assert!(!report.rows.is_empty(), "{row} has no case");
    assert!(report.passes(), "{}", report.text());
}

macro_rules! rows {
    ($($test:ident: $row:literal,)*) => {
        $(
            #[test]
            fn $test() {
                holds($row);
            }
        )*

        #[test]
        fn every_row_with_a_case_is_a_test() {
            let named = [$($row),*];
            for case in &stage().folder.cases {
                assert!(named.contains(&case.id.as_str()), "{} has no test", case.id);
            }
        }
    };
}

rows! {
    p01_one_character_texts: "P01",
    p02_layer_deaf_to_the_pointer: "P02",
    p03_layer_that_takes_the_pointer: "P03",
    p04_labels_that_stand_for_boxes: "P04",
    p05_listeners_everywhere: "P05",
    p06_delegation: "P06",
    p07_svg: "P07",
    p08_out_of_reach: "P08",
    p09_choices_of_selects: "P09",
    p10_live_state: "P10",
    p11_disabled_readonly_required_invalid: "P11",
    p12_names: "P12",
    p13_telling_class_names: "P13",
    p14_data_table: "P14",
    p15_long_text_in_view: "P15",
    p16_controls_in_controls: "P16",
    p17_text_nobody_can_read: "P17",
    p18_frames: "P18",
    p19_shadow_roots: "P19",
    p20_huge_and_odd: "P20",
    p21_long_address: "P21",
    p22_dialogs_modal_or_not: "P22",
    p23_virtual_list: "P23",
    p24_many_links_then_a_form: "P24",
    p25_secrets: "P25",
    p26_areas_gauges_media: "P26",
    p27_mutated_while_read: "P27",
    p28_role_words: "P28",
    a01_target_moves_before_the_press: "A01",
    a02_sticky_bars: "A02",
    a03_cookie_wall: "A03",
    a04_spinner: "A04",
    a05_places_of_clicks: "A05",
    a06_drawn_anew_all_the_time: "A06",
    a07_recycled_rows: "A07",
    a08_banner_gone_row_inserted: "A08",
    a09_label_changed: "A09",
    a10_disabled_and_readonly: "A10",
    a11_deaf_or_transparent_target: "A11",
    a12_controlled_fields: "A12",
    a13_dates_colours_numbers: "A13",
    a14_editors: "A14",
    a15_one_time_codes: "A15",
    a16_suggestions: "A16",
    a17_real_keys: "A17",
    a18_long_texts: "A18",
    a19_native_selects: "A19",
    a20_choice_widgets: "A20",
    a21_boxes_and_switches: "A21",
    a22_uploads: "A22",
    a23_downloads: "A23",
    a24_scrolling: "A24",
    a25_hover: "A25",
    a26_drags: "A26",
    a27_kinds_of_click: "A27",
    a28_dialogs: "A28",
    a29_new_tabs: "A29",
    a30_no_effect: "A30",
    a31_loads_that_fail: "A31",
    a32_history: "A32",
    a33_texts: "A33",
    a34_endless_loop: "A34",
    a35_tab_browser_and_socket_lost: "A35",
    b01_form_in_one_reply: "B01",
    b02_form_drawn_anew: "B02",
    b03_rows_sorted_between: "B03",
    b04_harmless_changes_between_actions: "B04",
    b05_brakes: "B05",
    b06_done_in_a_reply: "B06",
    b07_fetch_then_render: "B07",
    b08_static_click: "B08",
    b09_stop: "B09",
}
