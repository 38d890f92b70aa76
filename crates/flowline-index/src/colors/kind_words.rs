//! Kinds by the words of categories, names and threads, for recordings that state no kinds.

use flowline_profile::Kind;

/// The kind of a category: Firefox's by their names; lists of Chrome's categories by the first one with a kind; those of
/// `PyTorch`, builds and Perfetto by theirs.
pub(super) fn kind_of_category(category: &str) -> Option<Kind> {
    category.split(',').find_map(|own| {
        let own = own.trim();
        let own = own.strip_prefix("disabled-by-default-").unwrap_or(own);
        whole(&own.to_ascii_lowercase())
    })
}

fn whole(category: &str) -> Option<Kind> {
    Some(match category {
        // Firefox.
        "javascript" | "js" | "java" | "php" | "ruby" => Kind::Script,
        "layout" => Kind::Layout,
        "graphics" => Kind::Paint,
        "dom" => Kind::Load,
        "network" => Kind::Network,
        "gc / cc" | "gc" | "cc / gc" | "minor gc" | "major gc" => Kind::Memory,
        "ipc" => Kind::Ipc,
        "usertiming" | "user timing" | "media" | "profiler" => Kind::User,
        "timer" | "telemetry" | "preference" | "idle" | "sleep" => Kind::System,
        // Chrome.
        "v8.gc" | "v8.gc_stats" | "memory-infra" | "blink_gc" | "cppgc" => Kind::Memory,
        "v8" | "v8.compile" | "v8.execute" | "v8.inspector" | "v8.cpu_profiler" | "devtools.timeline.async" => {
            Kind::Script
        }
        "blink_style" | "blink.layout" => Kind::Layout,
        "cc" | "viz" | "ui" | "views" | "skia" | "graphics.pipeline" | "devtools.timeline.frame" | "rail" => {
            Kind::Paint
        }
        "loading" | "navigation" | "startup" | "sql" | "leveldb" | "file" | "history" | "cache_storage" => Kind::Load,
        "net" | "netlog" | "blink.net" | "blink.resource" | "devtools.network" | "services" => Kind::Network,
        "mojom" | "mojo" => Kind::Ipc,
        "gpu" | "gpu.service" | "gpu.device" | "gpu.decoder" => Kind::Gpu,
        "blink.user_timing" | "blink.console" | "devtools.timeline.user" => Kind::User,
        // PyTorch.
        "python_function" | "cpu_op" | "fwdbwd" => Kind::Script,
        "kernel" | "gpu_memcpy" | "gpu_memset" | "gpu_user_annotation" | "gpu_op" | "ac2g" => Kind::Gpu,
        "user_annotation" | "trace" => Kind::User,
        "cpu_instant_event" => Kind::Memory,
        "cuda_runtime" | "cuda_driver" | "privateuse1_runtime" => Kind::Ipc,
        // Builds.
        "local action execution"
        | "local execution"
        | "subprocess.run"
        | "action processing"
        | "complete action execution" => Kind::Script,
        "package creation"
        | "skyframe evaluator"
        | "skylark compilation"
        | "starlark parser"
        | "filesystem traversal"
        | "vfs stat"
        | "vfs open"
        | "vfs read"
        | "vfs write"
        | "starlark thread dispatch" => Kind::Load,
        "starlark user function call" | "starlark builtin function call" | "starlark compiler" => Kind::Script,
        "remote execution upload"
        | "remote output download"
        | "remote action cache check"
        | "remote execution process wall time"
        | "fetching repository"
        | "http" => Kind::Network,
        "gc notification" => Kind::Memory,
        // Node.
        "node.fs" | "node.fs.sync" | "node.fs.async" | "node.fs_dir.sync" | "node.fs_dir.async" | "node.bootstrap" => {
            Kind::Load
        }
        "node.net.native" | "node.http" | "node.dns.native" => Kind::Network,
        "node.vm.script" | "node.promises.rejections" | "node.module_timer" => Kind::Script,
        "node.perf" | "node.perf.usertiming" | "node.perf.timerify" | "node.console" => Kind::User,
        // TensorFlow and JAX.
        "xla" | "tensorflow" | "tf_op" | "tfop" => Kind::Script,
        "collective" | "communication" | "nccl" => Kind::Network,
        "input_pipeline" | "data" | "dataloader" => Kind::Load,
        // Compilers and tasks of builds.
        "query" | "codegen" | "artificialnonanonquery" => Kind::Script,
        "incrementalloadresult" | "incrementalresulthashing" | "artifact_transform" => Kind::Load,
        // Python, Ruby and Go.
        "fee" | "python" | "vernier" | "go" => Kind::Script,
        "gc pause" | "gc mark" | "gc sweep" | "stw" => Kind::Memory,
        // Others.
        "binder" => Kind::Ipc,
        "gfx" | "view" | "hwui" => Kind::Paint,
        "dalvik" => Kind::Memory,
        _ => return None,
    })
}

/// The kind of a slice, by the words of its name: atrace and other traces without kinds.
pub(super) fn kind_of_name(name: &str) -> Option<Kind> {
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let known = |word: &str| WORDS.iter().find_map(|(known, kind)| word.eq_ignore_ascii_case(known).then_some(*kind));
    kind_of_compiler_step(name).or_else(|| words.find_map(known))
}

/// The kind of a step of Clang's `-ftime-trace`, which has no categories: reading sources, or evaluating templates and
/// constants. Steps that contain others, optimization and code generation have none.
fn kind_of_compiler_step(name: &str) -> Option<Kind> {
    let step = name.strip_prefix("Total ").unwrap_or(name);
    let begins = |prefix: &str| {
        step.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_uppercase()))
    };
    let evaluates = ["Instantiate", "EvaluateAs", "EvaluateFor", "EvaluateWith"];
    if step == "Source" || begins("Parse") {
        Some(Kind::Load)
    } else if step == "PerformPendingInstantiations" || evaluates.into_iter().any(begins) {
        Some(Kind::Script)
    } else {
        None
    }
}

/// Words that state a kind wherever they occur in a name.
const WORDS: [(&str, Kind); 62] = [
    ("binder", Kind::Ipc),
    ("mojo", Kind::Ipc),
    ("aidl", Kind::Ipc),
    ("gc", Kind::Memory),
    ("malloc", Kind::Memory),
    ("mmap", Kind::Memory),
    ("munmap", Kind::Memory),
    ("pagefault", Kind::Memory),
    ("kswapd", Kind::Memory),
    ("measure", Kind::Layout),
    ("layout", Kind::Layout),
    ("onMeasure", Kind::Layout),
    ("onLayout", Kind::Layout),
    ("performTraversals", Kind::Layout),
    ("traversal", Kind::Layout),
    ("inflate", Kind::Load),
    ("draw", Kind::Paint),
    ("DrawFrame", Kind::Paint),
    ("DrawFrames", Kind::Paint),
    ("doFrame", Kind::Paint),
    ("Choreographer", Kind::Paint),
    ("composite", Kind::Paint),
    ("render", Kind::Paint),
    ("paint", Kind::Paint),
    ("raster", Kind::Paint),
    ("syncFrameState", Kind::Paint),
    ("decodeBitmap", Kind::Paint),
    ("queueBuffer", Kind::Gpu),
    ("dequeueBuffer", Kind::Gpu),
    ("eglSwapBuffers", Kind::Gpu),
    ("eglSwapBuffersWithDamageKHR", Kind::Gpu),
    ("gpu", Kind::Gpu),
    ("vulkan", Kind::Gpu),
    ("flush", Kind::Gpu),
    ("http", Kind::Network),
    ("socket", Kind::Network),
    ("dns", Kind::Network),
    ("connect", Kind::Network),
    ("open", Kind::Load),
    ("read", Kind::Load),
    ("write", Kind::Load),
    ("fsync", Kind::Load),
    ("parse", Kind::Load),
    ("VerifyClass", Kind::Load),
    ("OpenDexFilesFromOat", Kind::Load),
    ("bindApplication", Kind::Load),
    ("JIT", Kind::Script),
    ("compile", Kind::Script),
    ("PROMISE", Kind::Script),
    ("FSREQCALLBACK", Kind::Load),
    ("FILEHANDLE", Kind::Load),
    ("TCPWRAP", Kind::Network),
    ("TCPSERVERWRAP", Kind::Network),
    ("GETADDRINFOREQWRAP", Kind::Network),
    ("HTTPINCOMINGMESSAGE", Kind::Network),
    ("HTTPCLIENTREQUEST", Kind::Network),
    ("nccl", Kind::Network),
    ("allreduce", Kind::Network),
    ("allgather", Kind::Network),
    ("DataLoader", Kind::Load),
    ("STW", Kind::Memory),
    ("sweep", Kind::Memory),
];

/// The kind of all work of a thread with such a role.
pub(super) fn kind_of_thread(name: &str) -> Option<Kind> {
    const ROLES: [(&str, Kind); 16] = [
        ("RenderThread", Kind::Paint),
        ("hwuiTask", Kind::Paint),
        ("surfaceflinger", Kind::Paint),
        ("Compositor", Kind::Paint),
        ("binder:", Kind::Ipc),
        ("Binder:", Kind::Ipc),
        ("HwBinder", Kind::Ipc),
        ("HeapTaskDaemon", Kind::Memory),
        ("ReferenceQueueD", Kind::Memory),
        ("FinalizerDaemon", Kind::Memory),
        ("Jit thread pool", Kind::Script),
        ("GPU completion", Kind::Gpu),
        ("mali", Kind::Gpu),
        ("stream ", Kind::Gpu),
        ("OkHttp", Kind::Network),
        ("GC Thread", Kind::Memory),
    ];
    ROLES.into_iter().find_map(|(prefix, kind)| name.starts_with(prefix).then_some(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_compiler_have_kinds() {
        let kinds = |names: &[&str]| names.iter().map(|name| kind_of_name(name)).collect::<Vec<_>>();
        let reads = ["Source", "ParseClass", "ParseDeclarationOrFunctionDefinition", "Total Source"];
        assert_eq!(kinds(&reads), [Some(Kind::Load); 4]);
        let evaluates = ["InstantiateFunction", "PerformPendingInstantiations", "EvaluateAsConstantExpr"];
        assert_eq!(kinds(&evaluates), [Some(Kind::Script); 3]);
        assert_eq!(
            kinds(&["ExecuteCompiler", "Frontend", "Backend", "OptFunction", "data source", "Parser"]),
            [None; 6]
        );
    }

    #[test]
    fn words_state_kinds_in_either_case() {
        assert_eq!(kind_of_name("binder transaction"), Some(Kind::Ipc));
        assert_eq!(kind_of_name("HIDL::Read x"), Some(Kind::Load));
        assert_eq!(kind_of_name("Choreographer#doFrame 12"), Some(Kind::Paint));
    }
}
