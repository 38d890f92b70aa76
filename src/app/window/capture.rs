//! Saves images of the window. The frame after the request is captured, because the file dialog is closed by then.

use std::path::PathBuf;

use egui::Context;

use super::app::App;
use super::native_window::AppEvent;
use super::requests::name;
use crate::app::output::write_png;
use crate::app::render::{FrameTarget, WidgetPass, svg_picture};
use flowline_gpu::{RenderedImage, Target};
use flowline_scene::Palette;
use flowline_ui::{ImageFormat, Toast};

const FAILURE: &str = "Could not save the image";

/// An image to be written.
enum Drawn {
    Png(RenderedImage),
    Svg(String),
}

impl App {
    /// Draws a frame of the window to memory and writes it to a file on a separate thread. The window keeps showing its
    /// last frame.
    pub(super) fn capture(&mut self, widgets: WidgetPass, path: PathBuf, format: ImageFormat) {
        let Some(native) = &mut self.native else { return };
        let context: &Context = &self.frame_runner.context;
        let size = [native.config.width, native.config.height];
        let target = Target::with_format(&native.gpu, size, native.config.format);
        let shapes = if format == ImageFormat::Svg { widgets.output.egui.shapes.clone() } else { Vec::new() };
        native.painter.paint(context, &self.shell, widgets, FrameTarget::Kept(&target), None);
        let drawn = match format {
            ImageFormat::Png => target.read(&native.gpu).map(Drawn::Png).map_err(|error| error.to_string()),
            ImageFormat::Svg => {
                let background = Palette::for_theme(self.shell.theme).canvas;
                let frames = native.painter.frames(&self.shell);
                Ok(Drawn::Svg(svg_picture(context, size, background, &frames, &shapes)))
            }
        };
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(text) => return self.tell(Toast::failure(FAILURE, text)),
        };
        // The image shows the window, so it may be saved even if the recording has changed.
        let (proxy, guard) = (self.proxy.clone(), self.output_guard());
        let work = move || {
            let written = guard.write_file(&path, |out| match drawn {
                Drawn::Png(picture) => write_png(out, &picture).map(Some),
                Drawn::Svg(text) => out.write_all(text.as_bytes()).map(Some),
            });
            let toast = match written {
                Ok(_) => Toast::saved(format!("Saved {}", name(&path)), &path),
                Err(error) => Toast::failure(FAILURE, format!("{}: {error}", path.display())),
            };
            // After the event loop has ended, the toast is dropped.
            let _ended = proxy.send_event(AppEvent::Told(toast));
        };
        if let Err(error) = std::thread::Builder::new().name("flowline-picture".into()).spawn(work) {
            self.tell(Toast::failure(FAILURE, error.to_string()));
        }
    }
}
