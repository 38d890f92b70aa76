//! Why a command ends early.

/// An error with its message, or a closed output.
#[derive(Debug)]
pub(crate) enum Failure {
    Message(String),
    Closed,
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Message(error.to_string()) }
    }
}
