//! Messages for the user.

/// A message for the user, shown in its own window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Title of the message window.
    pub title: String,
    /// The message.
    pub text: String,
}
