//! Reads pipes, devices and standard input into memory. They have no length, may never end, and may never start.
//!
//! A separate thread reads, because opening a pipe without a writer blocks, and so does reading. The loading thread
//! receives the blocks, checks them against the limits, reports its phase, and can be canceled at any time. A canceled
//! reader ends with the next block that arrives.

use std::fs::File;
use std::io::{Error, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::error::ImportError;
use crate::options::Options;
use crate::progress::{Phase, Progress};

/// Size of a block in bytes.
const BLOCK: usize = 1 << 20;
/// Number of blocks read ahead.
const AHEAD: usize = 4;
/// Interval at which a waiting load checks for cancellation.
const CANCEL_POLL: Duration = Duration::from_millis(50);

/// Source of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream<'a> {
    /// A named pipe or a device.
    Path(&'a Path),
    /// Standard input.
    Input,
}

/// Reads a whole stream. `refuse` checks the first bytes, so that an endless stream of unsupported data ends at once.
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
        // A full vector doubles its capacity.
        if bytes.capacity() - bytes.len() < block.len() {
            options.budget.check(bytes.len().max(block.len()) as u64)?;
        }
        bytes.extend_from_slice(&block);
        progress.set(bytes.len() as u64);
    }
}

/// Starts the reading thread. The channel closes after the last block.
fn start(stream: Stream<'_>) -> std::io::Result<Receiver<std::io::Result<Vec<u8>>>> {
    let (sender, blocks) = sync_channel(AHEAD);
    let path = if let Stream::Path(path) = stream { Some(path.to_owned()) } else { None };
    let work = move || match path {
        Some(path) => match File::open(path) {
            Ok(file) => send_blocks(file, &sender),
            // After cancellation nothing receives the error.
            Err(error) => _ = sender.send(Err(error)),
        },
        None => send_blocks(std::io::stdin().lock(), &sender),
    };
    std::thread::Builder::new().name("stream".into()).spawn(work)?;
    Ok(blocks)
}

/// Sends data as it arrives, in blocks of at most [`BLOCK`] bytes.
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
