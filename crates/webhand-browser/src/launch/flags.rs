//! The command line that a browser is started with.

use crate::find::{Headless, Kind};

/// What decides the flags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) kind: Kind,
    pub(crate) headless: Headless,
    pub(crate) viewport: (u32, u32),
    pub(crate) sandbox: bool,
    /// `/dev/shm` is small or missing, as in many containers.
    pub(crate) scarce_shared_memory: bool,
}

/// Nothing may pop up, phone home, slow down a tab in the background or depend
/// on what an experiment decides today.
const ALWAYS: &[&str] = &[
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--enable-automation",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--allow-pre-commit-input",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// Each would change what a page does or when, or fetch something by itself.
const FEATURES_OFF: &[&str] = &[
    "AutoDeElevate",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "Prerender2",
    "Translate",
];

/// All flags but those of the channel, the profile and the caller.
pub(crate) fn flags(look: Look) -> Vec<String> {
    let mut flags: Vec<String> = ALWAYS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.push(format!("--disable-features={}", FEATURES_OFF.join(",")));
    let (width, height) = look.viewport;
    flags.push(format!("--window-size={width},{height}"));
    if look.headless != Headless::Off {
        // With a mouse that can hover, as on a desk: pages ask.
        flags.extend([
            "--hide-scrollbars".to_owned(),
            "--mute-audio".to_owned(),
            "--blink-settings=primaryHoverType=2,availableHoverTypes=2,\
             primaryPointerType=4,availablePointerTypes=4"
                .to_owned(),
        ]);
        if look.kind == Kind::Full {
            flags.push("--headless=new".to_owned());
        }
    }
    if !look.sandbox {
        flags.push("--no-sandbox".to_owned());
    }
    if look.scarce_shared_memory {
        flags.push("--disable-dev-shm-usage".to_owned());
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look() -> Look {
        Look {
            kind: Kind::Full,
            headless: Headless::Auto,
            viewport: (1280, 720),
            sandbox: true,
            scarce_shared_memory: false,
        }
    }

    #[test]
    fn each_choice_shows_in_the_flags() {
        let has = |look: Look, flag: &str| flags(look).iter().any(|given| given == flag);
        assert!(has(look(), "--headless=new"));
        assert!(has(look(), "--window-size=1280,720"));
        assert!(!has(look(), "--no-sandbox"));
        let shell = Look { kind: Kind::Shell, sandbox: false, scarce_shared_memory: true, ..look() };
        assert!(!has(shell, "--headless=new"));
        assert!(has(shell, "--no-sandbox"));
        assert!(has(shell, "--disable-dev-shm-usage"));
        let headed = Look { headless: Headless::Off, ..look() };
        assert!(!has(headed, "--headless=new") && !has(headed, "--hide-scrollbars"));
    }

    #[test]
    fn no_flag_is_given_twice() {
        let mut names: Vec<String> =
            flags(look()).iter().map(|flag| flag.split('=').next().unwrap_or_default().to_owned()).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
