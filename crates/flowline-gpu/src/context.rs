//! The GPU device, with or without a window.

use std::sync::{Arc, OnceLock};

/// Reason why drawing is impossible.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter was found.
    #[error(
        "no graphics driver found ({0}); install one: on Debian and Ubuntu, `apt install mesa-vulkan-drivers` \
         installs drivers for most graphics cards and a software renderer"
    )]
    NoAdapter(String),
    /// The adapter provided no device.
    #[error("cannot open the graphics device: {0}")]
    NoDevice(String),
    /// The window's surface cannot be used.
    #[error("cannot draw to the window: {0}")]
    Surface(String),
    /// An image could not be read back.
    #[error("cannot read the image back from the graphics device: {0}")]
    Readback(String),
    /// The device is gone or has failed: for example, the driver was reset or replaced, or the graphics card was
    /// removed.
    #[error("the graphics device was lost: {0}; restart the program")]
    Lost(String),
}

/// Instance, adapter, device and queue.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The entry point, which creates surfaces.
    pub instance: wgpu::Instance,
    /// The adapter in use.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// Set once when the device is lost or fails, with the reason.
    failure: Arc<OnceLock<String>>,
}

impl Gpu {
    /// Creates an instance, for a display or without one. Environment variables such as `WGPU_BACKEND` apply.
    #[must_use]
    pub fn instance(
        backends: wgpu::Backends,
        display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
    ) -> wgpu::Instance {
        let mut descriptor = match display {
            Some(display) => wgpu::InstanceDescriptor::new_with_display_handle(display),
            None => wgpu::InstanceDescriptor::new_without_display_handle(),
        };
        descriptor.backends = backends;
        descriptor.flags = wgpu::InstanceFlags::empty();
        wgpu::Instance::new(descriptor.with_env())
    }

    /// The error that there is no driver, for a window or without one; `None` if there is one.
    #[must_use]
    pub fn missing_driver(instance: &wgpu::Instance) -> Option<GpuError> {
        let found = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
        found.err().map(|error| GpuError::NoAdapter(error.to_string()))
    }

    /// Opens a device without a window.
    ///
    /// # Errors
    /// When no driver is available.
    pub fn headless() -> Result<Self, GpuError> {
        let vulkan = Self::with_instance(Self::instance(wgpu::Backends::VULKAN, None), None);
        // OpenGL is only the fallback, because drivers print to standard error when it is probed.
        vulkan.or_else(|_| Self::with_instance(Self::instance(wgpu::Backends::GL, None), None))
    }

    /// Opens a device that can draw to `surface`.
    ///
    /// # Errors
    /// When no driver can draw to it.
    pub fn with_instance(instance: wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Self, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            force_fallback_adapter: false,
            compatible_surface: surface,
            apply_limit_buckets: false,
        };
        let adapter = pollster::block_on(instance.request_adapter(&options))
            .map_err(|error| GpuError::NoAdapter(error.to_string()))?;
        let timestamps = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let limits = wgpu::Limits {
            max_texture_dimension_2d: adapter.limits().max_texture_dimension_2d,
            ..wgpu::Limits::downlevel_defaults().using_resolution(adapter.limits())
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("flowline"),
            required_features: timestamps,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        }))
        .map_err(|error| GpuError::NoDevice(error.to_string()))?;
        // Without these two callbacks, any device failure would panic.
        let failure = Arc::new(OnceLock::new());
        let lost = Arc::clone(&failure);
        device.set_device_lost_callback(move |reason, message| {
            let _known = lost.set(if message.is_empty() { format!("{reason:?}") } else { message });
        });
        let failed = Arc::clone(&failure);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let _known = failed.set(error.to_string());
        }));
        Ok(Self { instance, adapter, device, queue, failure })
    }

    /// The error, if the device was lost or has failed. Anything drawn after that is unreliable.
    #[must_use]
    pub fn failure(&self) -> Option<GpuError> {
        self.failure.get().map(|reason| GpuError::Lost(reason.lines().next().unwrap_or_default().to_owned()))
    }

    /// True if the adapter renders in software, on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// The names of the adapter and of its driver.
    #[must_use]
    pub fn name(&self) -> String {
        let info = self.adapter.get_info();
        if info.driver_info.is_empty() { info.name } else { format!("{} ({})", info.name, info.driver_info) }
    }
}
