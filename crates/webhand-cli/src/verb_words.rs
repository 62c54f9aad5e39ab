//! What the help of single verbs says beside what the catalogue knows: examples, notes, the words of flags that turn
//! something off. Tables only.

/// Verbs that people know by another name than models do.
pub(crate) const ALSO: &[(&str, &str)] = &[("navigate", "open")];

/// Command lines that show an action at work.
pub(crate) const EXAMPLES: &[(&str, &[&str])] = &[
    ("click", &["click B12", "click B12 --button right", "click --x 200 --y 80", "click L3 --modifiers control,shift"]),
    ("fill", &["fill I3 'harbour lamp'", "fill I3 tea --submit", "fill I3 ''", "fill --selector '#q' tea"]),
    ("select", &["select S4 Red", "select S4 Red Blue --mode add"]),
    ("drag", &["drag E4 E7", "drag E4 --dx 120", "drag --x 40 --y 40 --to-x 200 --to-y 90"]),
    ("upload", &["upload I3 cv.pdf", "upload E5 front.png back.png"]),
    ("download", &["download L4", "download https://example.org/list.csv"]),
    ("pdf", &["pdf --name receipt", "pdf --landscape --pages 1-2"]),
    ("file", &["file list", "file read notes.txt", "file write notes.txt --text 'tea 4.20'"]),
    ("press", &["press Enter", "press 'Control+A Delete' --ref I3"]),
    (
        "scroll",
        &["scroll down", "scroll down --amount 300 --unit pixels", "scroll text 'Terms of sale'", "scroll bottom"],
    ),
    ("navigate", &["open example.org", "open https://example.org/shop --new-tab"]),
    ("tab", &["tab list", "tab switch t2", "tab close"]),
    ("wait", &["wait text Saved --seconds 5", "wait ref_state enabled --ref B4", "wait network"]),
    ("dialog", &["dialog --accept", "dialog --accept --text Mira", "dialog --no-accept"]),
    ("read", &["read", "read D4 --format text", "read --format links", "read --format table > orders.csv"]),
    ("extract", &["extract > rows.json", "extract --schema '{\"x-selector\":\"h2\",\"items\":{}}'"]),
    ("viewport", &["viewport --width 800 --height 600", "viewport --device phone"]),
    ("evaluate", &["evaluate document.title", "evaluate 'element => element.className' --ref B4"]),
    ("find", &["find --text total", "find --role button --limit 5"]),
    (
        "screenshot",
        &["screenshot --out page.png", "screenshot B4 --out button.jpg", "screenshot --full-page --out - > page.png"],
    ),
];

/// What a person must know to use a verb in a shell.
pub(crate) const NOTES: &[(&str, &str)] = &[
    (
        "wait",
        "A text is looked for among what is shown, in all frames: in any case, with any white space between its words, as\n\
         a part of what stands there. An address holds where it contains the value, letter for letter.",
    ),
    (
        "remember",
        "It is there for models, whose replies are carried out by `webhand do`: what is remembered stands in the record of a\n\
         run and is shown to the model again. From a shell it touches no page: it only checks and keeps the fact.",
    ),
    (
        "done",
        "It is there for models, whose replies end with it. From a shell it touches no page and ends no session (that is\n\
         `webhand close`): it checks and prints the answer.",
    ),
    (
        "upload",
        "Files are meant from where the command is given, and what is typed here is allowed. What replies may upload is said\n\
         by files.upload_from in webhand.toml.",
    ),
    (
        "extract",
        "Without a schema the rows of the page's table are taken. With one, x-selector in it names the elements: see\n\
         docs/extract.md. What is taken is printed as JSON; --json has the controls at which each value stands, too.",
    ),
    (
        "viewport",
        "It holds for the current tab. The devices give a size and a scale: small_phone 360 x 640, phone 390 x 844, tablet\n\
         820 x 1180, laptop 1366 x 768, desktop 1920 x 1080. Touch and the browser's name stay as they are.",
    ),
    (
        "evaluate",
        "The code is one expression, run once in the page's own world. A function is called, with the element of --ref; what\n\
         it promises is waited for. What it gives is printed as JSON. Replies may run code only where session.model_scripts\n\
         in webhand.toml says so.",
    ),
    ("screenshot", "The file's ending says its form: .png, .jpg or .jpeg. Standard output gets PNG."),
];

/// What a flag that turns something off does: action, parameter, words.
pub(crate) const OFF: &[(&str, &str, &str)] = &[
    ("fill", "clear", "Keep what stands there, and write after it"),
    ("check", "on", "Uncheck it instead, as `webhand uncheck` does"),
    ("screenshot", "marks", "Draw no refs on it"),
    ("dialog", "accept", "Dismiss it"),
    ("done", "success", "The task was not done, or not all of it"),
];

/// What a flag does that must be said with yes or no: action, parameter, words.
pub(crate) const ON: &[(&str, &str, &str)] = &[
    ("dialog", "accept", "Accept it"),
    ("done", "success", "The whole task was done"),
    ("screenshot", "marks", "Draw the refs on it, also on the picture of one element"),
];
