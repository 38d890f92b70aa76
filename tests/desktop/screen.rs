//! A virtual screen with the program on it: Xvfb, xdotool, screenshots.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Cursor, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Timeout for every wait.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const SCREEN: [usize; 2] = [1600, 1000];
/// Window size that the program requests at start.
pub(crate) const WINDOW: [usize; 2] = [1440, 900];

/// Starts a system program, or panics with advice on how to install it.
fn start(command: &mut Command) -> Child {
    let name = command.get_program().to_string_lossy().into_owned();
    command
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {name} ({error}): `./dev test` installs the required programs"))
}

/// A process that ends with the test.
pub(crate) struct LaunchedProgram(Child);

impl Drop for LaunchedProgram {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

/// Starts a virtual screen. Returns it with the name of the display.
pub(crate) fn start_screen() -> (LaunchedProgram, String) {
    let mut server = Command::new("Xvfb");
    let screen = format!("{}x{}x24", SCREEN[0], SCREEN[1]);
    // Without -noreset, the server restarts whenever its last client (for example xdotool) leaves.
    server.args(["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-dpi", "96", "-screen", "0", &screen]);
    let mut server = LaunchedProgram(start(server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null())));
    let mut number = String::new();
    let told = BufReader::new(server.0.stdout.take().expect("a pipe")).read_line(&mut number);
    assert!(told.is_ok() && !number.trim().is_empty(), "Xvfb reported no display number");
    (server, format!(":{}", number.trim()))
}

/// A rectangle of the screen: left, top, right, bottom.
pub(crate) type Area = [usize; 4];

/// A screenshot.
#[derive(Clone, PartialEq)]
pub(crate) struct Shot {
    width: usize,
    rgb: Vec<u8>,
}

impl Shot {
    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * 3;
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    pub(crate) fn pixels(&self, [left, top, right, bottom]: Area) -> impl Iterator<Item = [u8; 3]> + '_ {
        (top..bottom).flat_map(move |y| (left..right).map(move |x| self.pixel(x, y)))
    }

    /// Share of pixels in an area that differ from another screenshot.
    pub(crate) fn change(&self, other: &Self, area: Area) -> f64 {
        let differing = self.pixels(area).zip(other.pixels(area)).filter(|(one, other)| one != other).count();
        part(differing, area)
    }

    /// Share of black pixels in an area; no part of the window is black.
    pub(crate) fn black(&self, area: Area) -> f64 {
        part(self.pixels(area).filter(|pixel| *pixel == [0, 0, 0]).count(), area)
    }

    pub(crate) fn colors(&self, area: Area) -> usize {
        self.pixels(area).collect::<BTreeSet<_>>().len()
    }

    /// Share of pixels in an area that have its most frequent color.
    pub(crate) fn plain(&self, area: Area) -> f64 {
        let mut counts = BTreeMap::<[u8; 3], usize>::new();
        self.pixels(area).for_each(|pixel| *counts.entry(pixel).or_default() += 1);
        part(counts.into_values().max().unwrap_or_default(), area)
    }

    /// Share of colorful pixels in an area; markers are colorful, empty rows are not.
    pub(crate) fn colorful(&self, area: Area) -> f64 {
        let vivid =
            |pixel: &[u8; 3]| pixel.iter().max().zip(pixel.iter().min()).is_some_and(|(max, min)| max - min > 60);
        part(self.pixels(area).filter(vivid).count(), area)
    }
}

#[expect(clippy::cast_precision_loss, reason = "pixel counts")]
pub(crate) fn part(count: usize, [left, top, right, bottom]: Area) -> f64 {
    count as f64 / ((right - left) * (bottom - top)) as f64
}

/// A screen with the running program.
pub(crate) struct Desktop {
    display: String,
    pub(crate) window: String,
    program: LaunchedProgram,
    folder: PathBuf,
    _server: LaunchedProgram,
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // Leftovers of a failed test are harmless.
        let _left = std::fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn flowline(folder: &Path) -> Command {
    let mut command = crate::support::program::command(folder);
    command.env("WINIT_X11_SCALE_FACTOR", "1");
    // Always use the software driver: Xvfb is not a screen of the graphics card.
    if let Some(driver) = software_driver() {
        command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
    }
    command
}

fn software_driver() -> Option<PathBuf> {
    let drivers = std::fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    drivers.flatten().map(|entry| entry.path()).find(|path| path.to_string_lossy().contains("lvp_icd"))
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("desktop-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

impl Desktop {
    /// Starts a screen with the program. Returns when the window has contents.
    pub(crate) fn open(name: &str, arguments: &[&str]) -> Self {
        Self::open_with(name, arguments, None)
    }

    /// Like [`Desktop::open`], with a folder that preserves the program's state beyond this run.
    pub(crate) fn open_with(name: &str, arguments: &[&str], state: Option<&Path>) -> Self {
        Self::open_configured(name, arguments, |program| {
            if let Some(state) = state {
                program.env("XDG_STATE_HOME", state);
            }
        })
    }

    /// Like [`Desktop::open`], with a program that `configure` has prepared.
    pub(crate) fn open_configured(name: &str, arguments: &[&str], configure: impl FnOnce(&mut Command)) -> Self {
        let (server, display) = start_screen();
        let folder = folder(name);
        let mut program = flowline(&folder);
        program.env("DISPLAY", &display).args(arguments);
        configure(&mut program);
        let program = LaunchedProgram(program.spawn().expect("the program starts"));
        let mut desktop = Self { display, window: String::new(), program, folder, _server: server };
        desktop.wait("a window", |desktop| {
            desktop.window = desktop.xdotool(&["search", "--onlyvisible", "--name", "Flowline"]);
            (!desktop.window.is_empty()).then_some(())
        });
        desktop.window = desktop.window.lines().next().expect("a window").to_owned();
        desktop.move_pointer_away();
        desktop.wait("the window to have contents", |desktop| {
            // Without a window manager, nothing else gives the window the keyboard focus.
            desktop.xdotool(&["windowfocus", &desktop.window]);
            let shot = desktop.shot();
            (shot.black([0, 0, WINDOW[0], WINDOW[1]]) < 0.01 && shot.colors([0, 0, WINDOW[0], WINDOW[1]]) > 8)
                .then_some(())
        });
        desktop
    }

    /// Retries until `look` returns a value.
    #[track_caller]
    pub(crate) fn wait<T>(&mut self, what: &str, mut look: impl FnMut(&mut Self) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            if let Some(status) = self.program.0.try_wait().expect("a process") {
                panic!("the program ended ({status}) while waiting for {what}");
            }
            assert!(began.elapsed() < PATIENCE, "timed out waiting for {what}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        command.env("DISPLAY", &self.display).args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let output = start(&mut command).wait_with_output().expect("xdotool ends");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn shot(&self) -> Shot {
        let mut command = Command::new("import");
        command.env("DISPLAY", &self.display).args(["-window", "root", "-depth", "8", "png:-"]);
        let output =
            start(command.stdout(Stdio::piped()).stderr(Stdio::null())).wait_with_output().expect("import ends");
        let mut decoder = png::Decoder::new(Cursor::new(output.stdout));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a screenshot");
        let mut bytes = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut bytes).expect("pixels");
        let samples = frame.color_type.samples();
        let rgb = bytes.chunks_exact(samples).flat_map(|pixel| {
            let [red, green, blue] = if samples < 3 { [pixel[0]; 3] } else { [pixel[0], pixel[1], pixel[2]] };
            [red, green, blue]
        });
        Shot { width: frame.width as usize, rgb: rgb.collect() }
    }

    /// A screenshot taken after the screen has stopped changing.
    #[track_caller]
    pub(crate) fn stable_screenshot(&mut self) -> Shot {
        let mut before = self.shot();
        self.wait("the screen to stop changing", |desktop| {
            std::thread::sleep(Duration::from_millis(150));
            let now = desktop.shot();
            let same = now == before;
            before = now;
            same.then(|| before.clone())
        })
    }

    /// A stable screenshot that satisfies a condition.
    #[track_caller]
    pub(crate) fn shows(&mut self, what: &str, holds: impl Fn(&Shot) -> bool) -> Shot {
        let began = Instant::now();
        loop {
            let shot = self.stable_screenshot();
            if holds(&shot) {
                return shot;
            }
            assert!(began.elapsed() < PATIENCE, "timed out waiting for {what}");
        }
    }

    pub(crate) fn keys(&self, keys: &[&str]) {
        let mut arguments = vec!["key", "--delay", "30"];
        arguments.extend(keys);
        self.xdotool(&arguments);
    }

    pub(crate) fn point(&self, x: usize, y: usize) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Moves the pointer to a neutral position.
    pub(crate) fn move_pointer_away(&self) {
        self.point(SCREEN[0] - 4, SCREEN[1] - 4);
    }

    pub(crate) fn drag(&mut self, from: [usize; 2], to: [usize; 2]) {
        self.point(from[0], from[1]);
        self.xdotool(&["mousedown", "1"]);
        // A drag needs frames between press and release.
        self.stable_screenshot();
        self.point(from[0].midpoint(to[0]), from[1].midpoint(to[1]));
        self.stable_screenshot();
        self.point(to[0], to[1]);
        self.xdotool(&["mouseup", "1"]);
        self.move_pointer_away();
    }

    /// Runs the program once more on the same screen until it ends.
    pub(crate) fn run_beside(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = flowline(&self.folder);
        command.env("DISPLAY", &self.display).args(arguments).output().expect("the program starts")
    }

    /// Requests that the window close, as a window manager does, and waits for the program to end.
    pub(crate) fn close(mut self) -> ExitStatus {
        let window = self.window.parse().expect("a window number");
        request_close(&self.display, window).expect("the X server accepts the message");
        let began = Instant::now();
        loop {
            if let Some(status) = self.program.0.try_wait().expect("a process") {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "the program does not exit");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Sends `WM_DELETE_WINDOW`. Without a window manager, this code speaks the X protocol itself: connection setup, two
/// atoms, one event.
fn request_close(display: &str, window: u32) -> std::io::Result<()> {
    let mut stream = UnixStream::connect(format!("/tmp/.X11-unix/X{}", display.trim_start_matches(':')))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut setup = vec![b'l', 0];
    setup.extend([11_u16, 0, 0, 0, 0].iter().flat_map(|value| value.to_le_bytes()));
    stream.write_all(&setup)?;
    let mut head = [0; 8];
    stream.read_exact(&mut head)?;
    assert_eq!(head[0], 1, "the X server refuses connections");
    let mut rest = vec![0; usize::from(u16::from_le_bytes([head[6], head[7]])) * 4];
    stream.read_exact(&mut rest)?;
    let mut atom = |name: &str| -> std::io::Result<u32> {
        let length = u16::try_from(name.len()).expect("short");
        let words = 2 + length.div_ceil(4);
        let mut request = vec![16, 0];
        request.extend([words, length, 0].iter().flat_map(|value| value.to_le_bytes()));
        request.extend(name.bytes());
        request.resize(usize::from(words) * 4, 0);
        stream.write_all(&request)?;
        let mut reply = [0; 32];
        stream.read_exact(&mut reply)?;
        Ok(u32::from_le_bytes([reply[8], reply[9], reply[10], reply[11]]))
    };
    let (protocols, delete) = (atom("WM_PROTOCOLS")?, atom("WM_DELETE_WINDOW")?);
    // SendEvent without a mask, to the window, followed by a ClientMessage with 32-bit values.
    let mut request = vec![25, 0];
    request.extend(11_u16.to_le_bytes());
    request.extend([window, 0].iter().flat_map(|value| value.to_le_bytes()));
    request.extend([33, 32, 0, 0]);
    request.extend([window, protocols, delete, 0, 0, 0, 0].iter().flat_map(|value| value.to_le_bytes()));
    stream.write_all(&request)?;
    // A reply to another request confirms that the event was sent.
    let mut request = vec![16, 0];
    request.extend([3_u16, 1, 0].iter().flat_map(|value| value.to_le_bytes()));
    request.extend([b'X', 0, 0, 0]);
    stream.write_all(&request)?;
    stream.read_exact(&mut [0; 32])
}
