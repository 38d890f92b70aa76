//! The user's settings: `settings.json` in the configuration folder. Everything has a default; without a file, all is default.
//! `docs/settings.md` lists the members. The window writes some of them ([`super::settings_file`]).

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::local_path::local_path;
use flowline_cache::user_folders::config_folder;
use flowline_profile::text::FilePlace;
use flowline_ui::{KeyMap, SavedSizes, SourceSearch, usable_scale};
use flowline_view::Theme;

/// The newest version of the file that is read and written.
pub(super) const VERSION: i64 = 1;
/// The key of the command that opens places.
const OPEN_PLACE: &str = "open_place";
/// The key of the command that opens addresses.
const OPEN_LINK: &str = "open_link";
/// The key of the addresses at which names are looked up.
const LOOK_UP: &str = "look_up";

/// The program that opens an address in the user's browser, unless the settings name another one.
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
    /// The program that opens a place in a file, and its arguments, in which `{file}`, `{line}` and `{column}` stand for the
    /// place; empty if there is none.
    pub open_place: Vec<String>,
    /// The program that opens an address, and its arguments, in which `{url}` stands for it; empty for the system's own.
    pub open_link: Vec<String>,
    /// Where the names of markers and functions are looked up.
    pub source_search: SourceSearch,
    /// Colours.
    pub theme: Theme,
    /// Factor of the interface on top of the screen's own.
    pub scale: f32,
    /// Key bindings.
    pub keys: KeyMap,
    /// Sizes of panels in recordings that have none of their own.
    pub sizes: SavedSizes,
    /// What is wrong with the file, if anything; the rest of it counts.
    pub problem: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            open_place: Vec::new(),
            open_link: Vec::new(),
            source_search: SourceSearch::default(),
            theme: Theme::default(),
            scale: 1.0,
            keys: KeyMap::default(),
            sizes: SavedSizes::default(),
            problem: None,
        }
    }
}

/// What a theme is called.
pub(super) const fn theme_word(theme: Theme) -> &'static str {
    match theme {
        Theme::Dark => "dark",
        Theme::Light => "light",
    }
}

/// The first of some choices whose word a member is; `None` if it is there and is no such word.
fn chosen<T: Copy + Default>(member: Option<&Value>, words: &[(T, &str)]) -> Option<T> {
    match member {
        None => Some(T::default()),
        Some(value) => words.iter().find(|(_, word)| value.as_str() == Some(word)).map(|(choice, _)| *choice),
    }
}

/// Where the settings are; `None` for a user without a home folder.
pub(super) fn settings_file() -> Option<PathBuf> {
    config_folder().map(|folder| folder.join("settings.json"))
}

impl Settings {
    /// Reads the user's settings. What cannot be read becomes [`Settings::problem`].
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

    /// Reads the text of a file of settings. Unknown keys are passed over: newer versions may know them.
    fn parse(text: &[u8]) -> Self {
        let wrong = |problem: String| Self { problem: Some(problem), ..Self::default() };
        let members = match serde_json::from_slice(text) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return wrong("the settings are not an object".into()),
            Err(error) => return wrong(error.to_string()),
        };
        if members.get("version").is_some_and(|version| version.as_i64().is_none_or(|version| version > VERSION)) {
            return wrong("the settings were written by a newer version of Flowline".into());
        }
        let mut settings = Self::default();
        settings.read_window(&members);
        for (key, command) in [(OPEN_PLACE, &mut settings.open_place), (OPEN_LINK, &mut settings.open_link)] {
            match members.get(key).cloned().map(serde_json::from_value::<Vec<String>>) {
                None => {}
                Some(Ok(list)) if list.first().is_some_and(|program| !program.is_empty()) => *command = list,
                Some(_) => {
                    settings.problem = Some(format!("{key} must be a list of a program and its arguments, as texts"));
                }
            }
        }
        if let Some(templates) = members.get(LOOK_UP) {
            let templates = templates.as_object().into_iter().flatten();
            let mut is_right = members[LOOK_UP].is_object();
            for (product, template) in templates {
                match template.as_str().filter(|text| text.is_empty() || SourceSearch::is_template(text)) {
                    Some(template) => settings.source_search.set(product, template),
                    None => is_right = false,
                }
            }
            if !is_right {
                let text = "must give products addresses that begin with http:// or https:// and have {name} in them";
                settings.problem = Some(format!("{LOOK_UP} {text}"));
            }
        }
        settings
    }

    /// Reads what the window writes.
    fn read_window(&mut self, members: &serde_json::Map<String, Value>) {
        let mut wrong = |key: &str, text: &str| self.problem = Some(format!("{key} must be {text}"));
        match chosen(members.get("theme"), &[(Theme::Dark, "dark"), (Theme::Light, "light")]) {
            Some(theme) => self.theme = theme,
            None => wrong("theme", "\"dark\" or \"light\""),
        }
        match chosen(members.get("keys"), &[(KeyMap::Flowline, "flowline"), (KeyMap::Firefox, "firefox")]) {
            Some(keys) => self.keys = keys,
            None => wrong("keys", "\"flowline\" or \"firefox\""),
        }
        #[expect(clippy::cast_possible_truncation, reason = "a small factor")]
        match members.get("scale").map(|scale| scale.as_f64().filter(|scale| *scale > 0.0)) {
            None => {}
            Some(Some(scale)) => self.scale = usable_scale(scale as f32),
            Some(None) => wrong("scale", "a factor, such as 1.2"),
        }
        let size = |key: &str| {
            let size = members.get("sizes").and_then(|sizes| sizes.get(key)).and_then(Value::as_f64);
            #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
            size.map(|size| size.clamp(0.0, 10_000.0) as f32)
        };
        match members.get("sizes") {
            Some(sizes) if !sizes.is_object() => wrong("sizes", "an object of sizes in points"),
            _ => {
                self.sizes = SavedSizes {
                    details: size("details"),
                    table: size("table"),
                    labels: size("labels"),
                    flows: size("flows"),
                    other: size("second"),
                };
            }
        }
    }

    /// How to set the command that opens places; `None` if there is one.
    #[must_use]
    pub fn opener_advice(&self) -> Option<String> {
        if !self.open_place.is_empty() {
            return None;
        }
        let file = settings_file().map_or_else(|| "settings.json".to_owned(), |path| path.display().to_string());
        let example = r#"{"open_place": ["code", "--goto", "{file}:{line}:{column}"]}"#;
        Some(format!("To open places in your editor, write its command to {file}, for example {example}"))
    }

    /// Starts the command that opens a place, without a shell and without waiting for it.
    ///
    /// # Errors
    /// Why it could not be started, as a message.
    pub fn open(&self, place: &FilePlace) -> Result<(), String> {
        let Some((program, arguments)) = self.open_place.split_first() else {
            return Err(self.opener_advice().unwrap_or_default());
        };
        let file = local_path(&place.file)?;
        start(program, arguments.iter().map(|argument| substitute(argument, &file, place)))
    }

    /// Opens an address in the user's browser, without a shell and without waiting for it.
    ///
    /// # Errors
    /// Why it could not be opened, as a message.
    pub fn open_link(&self, url: &str) -> Result<(), String> {
        let usual: Vec<String> = BROWSER.iter().map(|word| (*word).to_owned()).collect();
        let command = if self.open_link.is_empty() { &usual } else { &self.open_link };
        let Some((program, arguments)) = command.split_first() else { return Ok(()) };
        start(program, arguments.iter().map(|argument| argument.replace("{url}", url)))
            .map_err(|error| format!("{error}. Another program can be named in settings.json as {OPEN_LINK}"))
    }
}

/// Starts a program, without a shell and without waiting for it.
fn start(program: &str, arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{program} could not be started: {error}"))?;
    // Somebody must take note of its end, or it stays in the list of processes.
    let wait = move || _ = child.wait();
    let _unattended = std::thread::Builder::new().name("flowline-opener".into()).spawn(wait);
    Ok(())
}

/// An argument with the place in it. Lines and columns that are not known are 1.
fn substitute(argument: &str, file: &str, place: &FilePlace) -> String {
    let mut text = String::new();
    let mut rest = argument;
    // From left to right, so that braces in the name of a file mean nothing.
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

    fn place(file: &str, line: Option<u32>, column: Option<u32>) -> FilePlace {
        FilePlace { file: file.into(), line, column }
    }

    #[test]
    fn settings_are_read() {
        let settings = Settings::parse(br#"{"open_place": ["code", "--goto", "{file}:{line}"], "later": [1]}"#);
        assert_eq!(settings.open_place, ["code", "--goto", "{file}:{line}"]);
        assert_eq!((settings.problem.clone(), settings.opener_advice()), (None, None));
        assert_eq!(Settings::parse(b"{}"), Settings::default());
    }

    #[test]
    fn what_the_window_remembers_is_read() {
        let text = br#"{"theme": "light", "scale": 1.25, "keys": "firefox", "sizes": {"labels": 180, "table": "x"}}"#;
        let settings = Settings::parse(text);
        assert_eq!((settings.theme, settings.keys, &settings.problem), (Theme::Light, KeyMap::Firefox, &None));
        assert!((settings.scale - 1.3).abs() < 1e-6 || (settings.scale - 1.2).abs() < 1e-6, "in steps");
        assert_eq!(settings.sizes, SavedSizes { labels: Some(180.0), ..SavedSizes::default() });
        for (text, key) in [
            (r#"{"theme": "blue"}"#, "theme"),
            (r#"{"scale": -1}"#, "scale"),
            (r#"{"keys": 7}"#, "keys"),
            (r#"{"sizes": 7}"#, "sizes"),
            (r#"{"version": 2, "theme": "light"}"#, "newer"),
        ] {
            let settings = Settings::parse(text.as_bytes());
            assert!(settings.problem.as_ref().is_some_and(|problem| problem.contains(key)), "{text}");
            assert_eq!(Settings { problem: None, ..settings }, Settings::default(), "{text}");
        }
    }

    #[test]
    fn names_are_looked_up_where_the_settings_say() {
        let settings = Settings::parse(
            br#"{"look_up": {"MyBrowser": "https://s.example/?q={name}", "Firefox": ""}, "open_link": ["ff", "{url}"]}"#,
        );
        assert_eq!((settings.problem.clone(), settings.open_link.clone()), (None, vec!["ff".into(), "{url}".into()]));
        let url = |product| settings.source_search.url(product, "a b");
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
    fn an_address_that_cannot_be_opened_is_an_error() {
        let settings = Settings { open_link: vec!["/nowhere/browser".into(), "{url}".into()], ..Settings::default() };
        let error = settings.open_link("https://a.example/").expect_err("it cannot be started");
        assert!(error.contains("/nowhere/browser") && error.contains("open_link"), "{error}");
    }

    #[test]
    fn damaged_settings_are_defaults_with_one_problem() {
        for text in ["", "[", "[]", "7", r#"{"open_place": "code"}"#, r#"{"open_place": []}"#, r#"{"open_place": [1]}"#]
        {
            let settings = Settings::parse(text.as_bytes());
            assert!(settings.problem.is_some() && settings.open_place.is_empty(), "{text}");
            assert!(settings.opener_advice().is_some_and(|advice| advice.contains("settings.json")));
        }
    }

    #[test]
    fn places_stand_in_arguments() {
        let substituted = |argument: &str, place: &FilePlace| {
            substitute(argument, &local_path(&place.file).expect("a local file"), place)
        };
        let known = place("file:///x/a b.js", Some(7), Some(3));
        assert_eq!(substituted("{file}:{line}:{column}", &known), "/x/a b.js:7:3");
        assert_eq!(substituted("+{line} {x} {{file}}", &known), "+7 {x} {/x/a b.js}");
        assert_eq!(substituted("{file}:{line}:{column}", &place("{line}.js", None, None)), "./{line}.js:1:1");
        assert_eq!(substituted("{file}", &place("--exec=x", Some(1), None)), "./--exec=x");
    }

    /// With each command of docs/settings.md, no name of a file becomes an option or a command of the editor.
    #[test]
    fn hostile_names_stay_one_path_in_every_documented_command() {
        let docs = include_str!("../../docs/settings.md");
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
            let settings = Settings { open_place: command.clone(), ..Settings::default() };
            for name in ["https://example.org/x.js", "/ssh:host:/x", "a\nb"] {
                let refused = settings.open(&place(name, Some(1), None)).expect_err("refused");
                assert!(refused.contains("no editor is started"), "{refused}");
            }
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let settings = Settings { open_place: vec!["/nowhere/editor".into()], ..Settings::default() };
        let error = settings.open(&place("a.js", Some(1), None)).expect_err("it cannot be started");
        assert!(error.contains("/nowhere/editor"), "{error}");
        assert!(Settings::default().open(&place("a.js", None, None)).expect_err("no command").contains("open_place"));
    }

    #[cfg(unix)]
    #[test]
    fn the_program_is_started_with_the_place() {
        let folder = std::env::temp_dir().join(format!("flowline opener {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a;b.js");
        let settings = Settings { open_place: vec!["touch".into(), "{file}".into()], ..Settings::default() };
        settings.open(&place(&file.display().to_string(), None, None)).expect("touch is there");
        let found = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            file.exists()
        });
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(found);
    }
}
