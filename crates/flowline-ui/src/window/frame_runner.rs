//! Runs frames. Each batch of input passes through commands, refresh and widgets; only the last batch is drawn.

use egui::{Context, FullOutput, RawInput};

use crate::input::batches::InputQueue;
use crate::window::shell::{AppRequest, Shell};

/// Output of a frame's widgets.
#[derive(Default)]
pub struct FrameOutput {
    /// egui's output.
    pub egui: FullOutput,
    /// Requests to the application.
    pub requests: Vec<AppRequest>,
}

/// An egui context with its input queue.
#[derive(Default)]
pub struct FrameRunner {
    /// The context.
    pub context: Context,
    queue: InputQueue,
}

impl FrameRunner {
    /// Runs a frame of a window.
    pub fn run(&mut self, shell: &mut Shell, input: RawInput) -> FrameOutput {
        let mut output = FrameOutput::default();
        for (number, batch) in self.queue.batches(input).into_iter().enumerate() {
            let pass = self.context.run_ui(batch, |ui| output.requests.extend(shell.show(ui)));
            if number == 0 {
                output.egui = pass;
            } else {
                output.egui.append(pass);
            }
        }
        if !self.queue.is_empty() {
            self.context.request_repaint();
        }
        output
    }
}
