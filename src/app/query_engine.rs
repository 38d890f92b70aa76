//! Starts `flowline-query`, which runs SQL over a recording, and talks to it.

use std::io::{self, BufReader, ErrorKind};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::query_program::{QUERY_PROGRAM, missing_engine, query_program};
use flowline_session::{EngineConnection, EngineFailure, EngineProcess, QueryEngine};

/// The recording that is bundled with both programs.
const EXAMPLE: &str = "example";
/// Time that a process has to end after its output has ended.
const GRACE: Duration = Duration::from_millis(500);

/// Starts the program in a process for each recording.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryProgram;

fn not_started(error: &io::Error) -> EngineFailure {
    if error.kind() == ErrorKind::NotFound {
        return EngineFailure {
            message: format!("The query engine, {QUERY_PROGRAM}, is not installed."),
            advice: missing_engine(),
        };
    }
    EngineFailure::new(format!("The program {QUERY_PROGRAM} cannot be started: {error}."))
}

impl QueryEngine for QueryProgram {
    fn start(&self, recording: &Path) -> Result<EngineConnection, EngineFailure> {
        if !recording.as_os_str().is_empty() && !recording.exists() {
            let message = format!("There is no file {} to query.", recording.display());
            let advice = "A recording from standard input must be saved as a file first.".to_owned();
            return Err(EngineFailure { message, advice });
        }
        let recording = if recording.as_os_str().is_empty() { Path::new(EXAMPLE) } else { recording };
        let mut command = Command::new(query_program());
        command.arg("serve").arg(recording).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| not_started(&error))?;
        let (Some(requests), Some(replies)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineFailure::new(format!("The program {QUERY_PROGRAM} has no pipes.")));
        };
        Ok(EngineConnection {
            reader: Box::new(BufReader::with_capacity(1 << 18, replies)),
            writer: Box::new(requests),
            process: Box::new(QueryProcess(child)),
        })
    }
}

/// The child process.
struct QueryProcess(Child);

impl EngineProcess for QueryProcess {
    fn kill(&mut self) {
        // A process that has ended cannot be killed. The reader reaps it.
        let _ended = self.0.kill();
    }

    fn wait(&mut self) -> String {
        let begin = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => {
                    return status.to_string().replace("status: ", "status ").replace("signal: ", "signal ");
                }
                Ok(None) if begin.elapsed() < GRACE => std::thread::sleep(Duration::from_millis(5)),
                Ok(None) => {
                    self.kill();
                    // The killed process ends now.
                    let _status = self.0.wait();
                    return "it closed its output".to_owned();
                }
                Err(error) => return error.to_string(),
            }
        }
    }
}
