//! A connection to a running engine. A thread writes requests and another reads replies, so that neither a slow engine nor
//! a full pipe can block the window. The reader waits while the window has not taken its messages, so a fast engine fills no
//! memory.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use super::engine::{EngineConnection, EngineFailure, EngineProcess, QueryEngine};
use super::line_reader::{Line, next_line};
use super::protocol::{Reply, ReplyReader};
use crate::tasks::Wake;

/// Maximum length of a reply in bytes.
const MAX_LINE: usize = 64 << 20;
/// Number of replies that wait for the window.
const MAX_WAITING: usize = 4;

/// A message of a connection.
#[derive(Debug)]
pub(super) enum Message {
    Reply(Reply),
    /// The engine has ended; the end of a sentence says how.
    Ended(String),
}

type SharedProcess = Arc<Mutex<Box<dyn EngineProcess>>>;

/// A connection. Dropping it ends the engine.
pub(super) struct Connection {
    requests: Sender<String>,
    messages: Receiver<Message>,
    process: SharedProcess,
}

impl Connection {
    /// Starts an engine.
    pub(super) fn start(engine: &dyn QueryEngine, recording: &Path, wake: &Wake) -> Result<Self, EngineFailure> {
        let EngineConnection { reader, writer, process } = engine.start(recording)?;
        let process: SharedProcess = Arc::new(Mutex::new(process));
        let (requests, to_write) = channel();
        let (sender, messages) = sync_channel(MAX_WAITING);
        let connection = Self { requests, messages, process: Arc::clone(&process) };
        let wake = Arc::clone(wake);
        let started = Builder::new()
            .name("query requests".into())
            .spawn(move || write_requests(writer, &to_write))
            .and_then(|_| {
                Builder::new().name("query results".into()).spawn(move || {
                    read_replies(reader, &sender, &wake, &process);
                })
            });
        started.map_err(|error| EngineFailure::new(format!("The query engine cannot be started: {error}.")))?;
        Ok(connection)
    }

    /// Sends a line.
    pub(super) fn send(&self, line: String) {
        // After the engine has ended, its last message says so.
        let _ended = self.requests.send(line);
    }

    /// The next message, if there is one.
    pub(super) fn try_next(&self) -> Option<Message> {
        self.messages.try_recv().ok()
    }

    /// Waits for the next message.
    pub(super) fn wait_for_next(&self, most: Duration) -> Option<Message> {
        self.messages.recv_timeout(most).ok()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // If the reader has the process, the engine has ended.
        if let Ok(mut process) = self.process.try_lock() {
            process.kill();
        }
    }
}

fn write_requests(mut writer: Box<dyn Write + Send>, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if writer.write_all(line.as_bytes()).and_then(|()| writer.flush()).is_err() {
            return;
        }
    }
}

fn read_replies(
    mut reader: Box<dyn BufRead + Send>,
    messages: &SyncSender<Message>,
    wake: &Wake,
    process: &SharedProcess,
) {
    let mut replies = ReplyReader::default();
    // An input that cannot be read any more has ended.
    while let Ok(Some(line)) = next_line(&mut *reader, MAX_LINE) {
        let reply = match line {
            Line::Text(text) => replies.read(&text),
            Line::TooLong => Some(Reply::Failed("The query engine sent too long a line.".to_owned())),
        };
        if let Some(reply) = reply {
            if messages.send(Message::Reply(reply)).is_err() {
                break;
            }
            wake();
        }
    }
    let how = process.lock().unwrap_or_else(PoisonError::into_inner).wait();
    let _closed = messages.send(Message::Ended(how));
    wake();
}
