//! Reads pipes, devices and standard input into memory. They have no length, may never end, and may never begin.
//!
//! A thread of its own reads, because opening a pipe that nobody writes to waits, and so does reading. The loading thread
//! takes its blocks: it counts them against the limits, can be cancelled meanwhile, and says what it waits for. A cancelled
//! reader ends with the next block that arrives.

use std::fs::File;
use std::io::{Error, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::Options;
use crate::error::ImportError;
use crate::progress::{Phase, Progress};

/// Bytes of a block.
const BLOCK: usize = 1 << 20;
/// Blocks that are read ahead.
const AHEAD: usize = 4;
/// Interval at which a waiting load checks for cancellation.
const CANCEL_POLL: Duration = Duration::from_millis(50);

/// Where a stream comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream<'a> {
    /// A pipe or a device with a name.
    Path(&'a Path),
    /// Standard input.
    Input,
}

/// Reads all of a stream. `refuse` judges its first bytes: an endless stream of other things is not read on.
pub(super) fn read(
    stream: Stream<'_>,
    options: &Options,
    progress: &Progress,
    refuse: impl Fn(&[u8]) -> Option<ImportError>,
) -> Result<Vec<u8>, ImportError> {
    let io = |error: Error| match stream {
        Stream::Path(path) => ImportError::Io { path: path.to_owned(), error },
        Stream::Input => ImportError::Io { path: "standard input".into(), error },
    };
    progress.begin(if let Stream::Input = stream { Phase::AwaitInput } else { Phase::AwaitWriter }, 0);
    let blocks = start(stream).map_err(io)?;
    let mut bytes = Vec::new();
    loop {
        let block = match blocks.recv_timeout(CANCEL_POLL) {
            Ok(block) => block.map_err(io)?,
            Err(RecvTimeoutError::Timeout) if progress.is_cancelled() => return Err(ImportError::Cancelled),
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(bytes),
        };
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        if bytes.is_empty() {
            progress.begin(Phase::Read, 0);
            if let Some(refused) = refuse(&block) {
                return Err(refused);
            }
        }
        if (bytes.len() + block.len()) as u64 > options.max_unpacked {
            return Err(ImportError::TooLarge { limit: options.max_unpacked });
        }
        // A vector that has no room doubles.
        if bytes.capacity() - bytes.len() < block.len() {
            options.budget.check(bytes.len().max(block.len()) as u64)?;
        }
        bytes.extend_from_slice(&block);
        progress.set(bytes.len() as u64);
    }
}

/// Starts the thread that reads; the channel closes after the last block.
fn start(stream: Stream<'_>) -> std::io::Result<Receiver<std::io::Result<Vec<u8>>>> {
    let (sender, blocks) = sync_channel(AHEAD);
    let path = if let Stream::Path(path) = stream { Some(path.to_owned()) } else { None };
    let work = move || match path {
        Some(path) => match File::open(path) {
            Ok(file) => send_blocks(file, &sender),
            // Whoever cancelled has no use for it.
            Err(error) => _ = sender.send(Err(error)),
        },
        None => send_blocks(std::io::stdin().lock(), &sender),
    };
    std::thread::Builder::new().name("stream".into()).spawn(work)?;
    Ok(blocks)
}

/// Sends what arrives, at once if it is less than a block.
fn send_blocks(mut from: impl Read, to: &SyncSender<std::io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; BLOCK];
    loop {
        let block = match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_over = block.is_err();
        if to.send(block).is_err() || is_over {
            return;
        }
    }
}
