//! The user's settings: `settings.json` in the configuration folder. The file and all of its keys are optional;
//! defaults apply. `docs/settings.md` lists the keys. The window writes some of them ([`mod@super::settings_file`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::local_path::local_path;
use super::settings_format::{CommandLine, DensityName, Setting, StoredSettings, Template};
use flowline_cache::user_folders::config_folder;
use flowline_profile::text::FileLocation;
use flowline_ui::{CollapsedSections, KeyMap, Preferences, SavedPanelSizes, clamp_scale};
use flowline_view::Theme;

/// Key of the command that opens source locations.
const OPEN_PLACE: &str = "open_place";
/// Key of the command that opens URLs.
const OPEN_LINK: &str = "open_link";
/// Key of the URL templates for searching source code.
const LOOK_UP: &str = "look_up";

/// Default command that opens a URL in the user's browser.
const BROWSER: &[&str] = if cfg!(target_os = "macos") {
    &["open", "{url}"]
} else if cfg!(windows) {
    &["explorer", "{url}"]
} else {
    &["xdg-open", "{url}"]
};

/// Settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Settings that only the settings dialog changes. The command that opens a source location contains the placeholders
    /// `{file}`, `{line}` and `{column}`, and the one that opens a URL contains `{url}`.
    pub preferences: Preferences,
    /// Color theme.
    pub theme: Theme,
    /// Interface scale, relative to the screen's scale factor.
    pub scale: f32,
    /// Key bindings.
    pub keys: KeyMap,
    /// Panel sizes for recordings without saved sizes.
    pub sizes: SavedPanelSizes,
    /// Collapsed sections of the details.
    pub collapsed: CollapsedSections,
    /// Problem with the file, if any; valid settings still apply.
    pub problem: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preferences: Preferences::default(),
            theme: Theme::default(),
            scale: 1.0,
            keys: KeyMap::default(),
            sizes: SavedPanelSizes::default(),
            collapsed: CollapsedSections::default(),
            problem: None,
        }
    }
}

/// Returns the path of the settings; `None` for a user without a home folder.
pub(crate) fn settings_file() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("settings.json"))
}

/// Applies a valid value; reports an invalid one.
fn take<T>(setting: Setting<T>, apply: impl FnOnce(T), problem: &mut Option<String>, text: &str) {
    match setting {
        Setting::Absent => {}
        Setting::Valid(value) => apply(value),
        Setting::Invalid => *problem = Some(text.to_owned()),
    }
}

impl Settings {
    /// Reads the user's settings. Errors are reported in [`Settings::problem`].
    #[must_use]
    pub fn read() -> Self {
        let Some(path) = settings_file() else { return Self::default() };
        let mut settings = match std::fs::read(&path) {
            Ok(bytes) => Self::parse(&bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(error) => Self { problem: Some(error.to_string()), ..Self::default() },
        };
        settings.problem = settings.problem.map(|problem| format!("{}: {problem}", path.display()));
        settings
    }

    /// Parses a settings file.
    fn parse(text: &[u8]) -> Self {
        let stored = match StoredSettings::read(text) {
            Ok(stored) => stored,
            Err(problem) => return Self { problem: Some(problem), ..Self::default() },
        };
        let mut settings = Self::default();
        let problem = &mut settings.problem;
        take(stored.theme, |theme| settings.theme = theme.into(), problem, "theme must be \"dark\" or \"light\"");
        take(stored.keys, |keys| settings.keys = keys.into(), problem, "keys must be \"flowline\" or \"firefox\"");
        let scale = match stored.scale {
            Setting::Valid(scale) if scale <= 0.0 => Setting::Invalid,
            scale => scale,
        };
        #[expect(clippy::cast_possible_truncation, reason = "a small factor")]
        let set_scale = |scale: f64| settings.scale = clamp_scale(scale as f32);
        take(scale, set_scale, problem, "scale must be a factor, such as 1.2");
        let set_sizes = |sizes| settings.sizes = serde_json::from_value(Value::Object(sizes)).unwrap_or_default();
        take(stored.sizes, set_sizes, problem, "sizes must be an object of sizes in points");
        let set_collapsed =
            |sections| settings.collapsed = serde_json::from_value(Value::Object(sections)).unwrap_or_default();
        take(stored.collapsed_details, set_collapsed, problem, "collapsed_details must be an object of true and false");
        let preferences = &mut settings.preferences;
        let set_density = |density| preferences.compact = matches!(density, DensityName::Compact);
        take(stored.density, set_density, problem, "density must be \"normal\" or \"compact\"");
        let set_memory = |bytes| preferences.max_memory = Some(bytes);
        let max_memory = match stored.max_memory {
            Setting::Valid(0) => Setting::Invalid,
            stored => stored,
        };
        take(max_memory, set_memory, problem, "max_memory must be a number of bytes");
        for (key, stored, command) in [
            (OPEN_PLACE, stored.open_place, &mut preferences.open_place),
            (OPEN_LINK, stored.open_link, &mut preferences.open_link),
        ] {
            let text = format!("{key} must be a list of strings: a program and its arguments");
            take(stored, |CommandLine(words)| *command = words, problem, &text);
        }
        let text =
            format!("{LOOK_UP} must map products to URLs that start with http:// or https:// and contain {{name}}");
        let mut templates = BTreeMap::new();
        take(stored.look_up, |look_up| templates = look_up, problem, &text);
        for (product, template) in templates {
            take(template, |Template(url)| preferences.source_search.set(&product, &url), problem, &text);
        }
        settings
    }

    /// Returns advice on setting the command that opens source locations; `None` if it is set.
    #[must_use]
    pub fn opener_advice(&self) -> Option<String> {
        if !self.preferences.open_place.is_empty() {
            return None;
        }
        let file = settings_file().map_or_else(|| "settings.json".to_owned(), |path| path.display().to_string());
        let example = r#"{"open_place": ["code", "--goto", "{file}:{line}:{column}"]}"#;
        Some(format!("To open source locations in your editor, add its command to {file}, for example {example}"))
    }

    /// Starts the command that opens a source location, without a shell and without waiting for it.
    ///
    /// # Errors
    /// A message if the command cannot be started.
    pub fn open(&self, place: &FileLocation) -> Result<(), String> {
        let Some((program, arguments)) = self.preferences.open_place.split_first() else {
            return Err(self.opener_advice().unwrap_or_default());
        };
        let file = local_path(&place.file)?;
        start(program, arguments.iter().map(|argument| substitute(argument, &file, place)))
    }

    /// Opens a URL in the user's browser, without a shell and without waiting for it.
    ///
    /// # Errors
    /// A message if the browser cannot be started.
    pub fn open_link(&self, url: &str) -> Result<(), String> {
        let usual: Vec<String> = BROWSER.iter().map(|word| (*word).to_owned()).collect();
        let own = &self.preferences.open_link;
        let command = if own.is_empty() { &usual } else { own };
        let Some((program, arguments)) = command.split_first() else { return Ok(()) };
        start(program, arguments.iter().map(|argument| argument.replace("{url}", url)))
            .map_err(|error| format!("{error}. Set {OPEN_LINK} in settings.json to use another program"))
    }
}

/// Starts a program, without a shell and without waiting for it.
fn start(program: &str, arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot start {program}: {error}"))?;
    // Reap the child so that it does not become a zombie.
    let wait = move || _ = child.wait();
    let _unattended = std::thread::Builder::new().name("flowline-opener".into()).spawn(wait);
    Ok(())
}

/// Replaces the placeholders of an argument. Unknown lines and columns become 1.
fn substitute(argument: &str, file: &str, place: &FileLocation) -> String {
    let mut text = String::new();
    let mut rest = argument;
    // A single pass from left to right leaves braces in file names alone.
    while let Some((before, after)) = rest.split_once('{') {
        text += before;
        let number = |number: Option<u32>| number.unwrap_or(1).to_string();
        let known = [("file}", file.to_owned()), ("line}", number(place.line)), ("column}", number(place.column))];
        match known.iter().find_map(|(name, value)| Some((after.strip_prefix(name)?, value))) {
            Some((after, value)) => {
                text += value;
                rest = after;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: Option<u32>, column: Option<u32>) -> FileLocation {
        FileLocation { file: file.into(), line, column }
    }

    fn with_editor(open_place: Vec<String>) -> Settings {
        Settings { preferences: Preferences { open_place, ..Preferences::default() }, ..Settings::default() }
    }

    #[test]
    fn settings_are_read() {
        let settings = Settings::parse(br#"{"open_place": ["code", "--goto", "{file}:{line}"], "later": [1]}"#);
        assert_eq!(settings.preferences.open_place, ["code", "--goto", "{file}:{line}"]);
        assert_eq!((settings.problem.clone(), settings.opener_advice()), (None, None));
        assert_eq!(Settings::parse(b"{}"), Settings::default());
    }

    #[test]
    fn settings_written_by_the_window_are_read() {
        let text = br#"{"theme": "light", "scale": 1.25, "keys": "firefox", "sizes": {"labels": 180, "table": "x"},
            "collapsed_details": {"flow": true}, "density": "compact", "max_memory": 8000000000}"#;
        let settings = Settings::parse(text);
        assert_eq!((settings.theme, settings.keys, &settings.problem), (Theme::Light, KeyMap::Firefox, &None));
        assert!((settings.scale - 1.3).abs() < 1e-6 || (settings.scale - 1.2).abs() < 1e-6, "in steps");
        assert_eq!((settings.preferences.compact, settings.preferences.max_memory), (true, Some(8_000_000_000)));
        assert_eq!(settings.collapsed, CollapsedSections { flow: true, ..CollapsedSections::default() });
        assert_eq!(settings.sizes, SavedPanelSizes { labels: Some(180.0), ..SavedPanelSizes::default() });
        for (text, key) in [
            (r#"{"theme": "blue"}"#, "theme"),
            (r#"{"scale": -1}"#, "scale"),
            (r#"{"keys": 7}"#, "keys"),
            (r#"{"density": "low"}"#, "density"),
            (r#"{"max_memory": 0}"#, "max_memory"),
            (r#"{"max_memory": "much"}"#, "max_memory"),
            (r#"{"sizes": 7}"#, "sizes"),
            (r#"{"collapsed_details": []}"#, "collapsed_details"),
            (r#"{"version": 2, "theme": "light"}"#, "newer"),
        ] {
            let settings = Settings::parse(text.as_bytes());
            assert!(settings.problem.as_ref().is_some_and(|problem| problem.contains(key)), "{text}");
            assert_eq!(Settings { problem: None, ..settings }, Settings::default(), "{text}");
        }
    }

    #[test]
    fn source_search_uses_the_templates_of_the_settings() {
        let settings = Settings::parse(
            br#"{"look_up": {"MyBrowser": "https://s.example/?q={name}", "Firefox": ""}, "open_link": ["ff", "{url}"]}"#,
        );
        assert_eq!(
            (settings.problem.clone(), settings.preferences.open_link.clone()),
            (None, vec!["ff".into(), "{url}".into()])
        );
        let url = |product| settings.preferences.source_search.url(product, "a b");
        assert_eq!(url("MyBrowser 1.0").as_deref(), Some("https://s.example/?q=a%20b"));
        assert_eq!((url("Firefox"), url("Chrome/1").is_some()), (None, true));
        for text in
            [r#"{"look_up": 7}"#, r#"{"look_up": {"A": "file:///{name}"}}"#, r#"{"look_up": {"A": "https://a"}}"#]
        {
            assert!(
                Settings::parse(text.as_bytes()).problem.is_some_and(|problem| problem.contains("look_up")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_url_that_cannot_be_opened_is_an_error() {
        let open_link = vec!["/nowhere/browser".into(), "{url}".into()];
        let preferences = Preferences { open_link, ..Preferences::default() };
        let settings = Settings { preferences, ..Settings::default() };
        let error = settings.open_link("https://a.example/").expect_err("it cannot be started");
        assert!(error.contains("/nowhere/browser") && error.contains("open_link"), "{error}");
    }

    #[test]
    fn damaged_settings_become_defaults_with_one_problem() {
        for text in ["", "[", "[]", "7", r#"{"open_place": "code"}"#, r#"{"open_place": []}"#, r#"{"open_place": [1]}"#]
        {
            let settings = Settings::parse(text.as_bytes());
            assert!(settings.problem.is_some() && settings.preferences.open_place.is_empty(), "{text}");
            assert!(settings.opener_advice().is_some_and(|advice| advice.contains("settings.json")));
        }
    }

    #[test]
    fn locations_replace_placeholders() {
        let substituted = |argument: &str, place: &FileLocation| {
            substitute(argument, &local_path(&place.file).expect("a local file"), place)
        };
        let known = place("file:///x/a b.js", Some(7), Some(3));
        assert_eq!(substituted("{file}:{line}:{column}", &known), "/x/a b.js:7:3");
        assert_eq!(substituted("+{line} {x} {{file}}", &known), "+7 {x} {/x/a b.js}");
        assert_eq!(substituted("{file}:{line}:{column}", &place("{line}.js", None, None)), "./{line}.js:1:1");
        assert_eq!(substituted("{file}", &place("--exec=x", Some(1), None)), "./--exec=x");
    }

    /// No file name becomes an option or command of the editor with any command from docs/settings.md.
    #[test]
    fn hostile_names_stay_one_path_in_every_documented_command() {
        let docs = include_str!("../../../docs/settings.md");
        let lines = docs.lines().filter_map(|line| line.trim().strip_prefix("| `\"open_place\": "));
        let commands: Vec<Vec<String>> = lines
            .map(|line| serde_json::from_str(line.split('`').next().unwrap_or_default()).expect("a list"))
            .collect();
        let programs: Vec<&str> = commands.iter().map(|command| command[0].as_str()).collect();
        assert_eq!(programs, ["vim", "emacs", "code", "idea", "subl"]);
        for command in &commands {
            for name in
                ["+!touch x", "+call system('x')", "-c", "--eval=(x)", "--command", "a b", "{line}", "`x`", "$(x)"]
            {
                let hostile = place(name, Some(3), None);
                let file = local_path(name).expect("a path");
                let arguments: Vec<String> =
                    command[1..].iter().map(|argument| substitute(argument, &file, &hostile)).collect();
                let with_file: Vec<&String> = arguments.iter().filter(|text| text.contains(name)).collect();
                assert_eq!(with_file.len(), 1, "{command:?} {arguments:?}");
                assert!(with_file[0].starts_with("./"), "{command:?} {arguments:?}");
            }
            let settings = with_editor(command.clone());
            for name in ["https://example.org/x.js", "/ssh:host:/x", "a\nb"] {
                let refused = settings.open(&place(name, Some(1), None)).expect_err("refused");
                assert!(refused.contains("no editor was started"), "{refused}");
            }
        }
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let settings = with_editor(vec!["/nowhere/editor".into()]);
        let error = settings.open(&place("a.js", Some(1), None)).expect_err("it cannot be started");
        assert!(error.contains("/nowhere/editor"), "{error}");
        assert!(Settings::default().open(&place("a.js", None, None)).expect_err("no command").contains("open_place"));
    }

    #[cfg(unix)]
    #[test]
    fn the_program_is_started_with_the_location() {
        let folder = std::env::temp_dir().join(format!("flowline opener {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a;b.js");
        let settings = with_editor(vec!["touch".into(), "{file}".into()]);
        settings.open(&place(&file.display().to_string(), None, None)).expect("touch exists");
        let found = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            file.exists()
        });
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(found);
    }
}
