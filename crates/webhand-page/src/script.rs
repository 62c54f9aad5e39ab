//! The in-page library, put together at build time from the files in `js/`. No bundler: the parts share one function scope.

/// Evaluated once in each isolated world; defines `webhand` there. Running it again changes nothing.
pub const LIBRARY: &str = concat!(
    "(() => { 'use strict'; if (globalThis.webhand) return;\n",
    include_str!("../js/dom.js"),
    include_str!("../js/tags.js"),
    include_str!("../js/attributes.js"),
    include_str!("../js/style.js"),
    include_str!("../js/roles.js"),
    include_str!("../js/generated.js"),
    include_str!("../js/names.js"),
    include_str!("../js/states.js"),
    include_str!("../js/memory.js"),
    include_str!("../js/hit.js"),
    include_str!("../js/walk.js"),
    include_str!("../js/enter.js"),
    include_str!("../js/emit.js"),
    include_str!("../js/read.js"),
    include_str!("../js/locate.js"),
    include_str!("../js/guard.js"),
    include_str!("../js/observe.js"),
    include_str!("../js/edit.js"),
    include_str!("../js/choose.js"),
    include_str!("../js/wait.js"),
    include_str!("../js/scroll.js"),
    include_str!("../js/api.js"),
    "})()\n//# sourceURL=webhand.js\n",
);
