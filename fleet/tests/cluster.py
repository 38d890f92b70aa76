"""A standalone Spark master and its workers on loopback, as child processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import pyspark

SPARK_HOME = Path(pyspark.__file__).parent
# The programs are short-lived, and there are few cores.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
START_LIMIT_S = 180


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _descendants(root: int) -> list[int]:
    """A process and all that it started, parents first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            children.setdefault(int(entry.read_text().rpartition(")")[2].split()[1]), []).append(int(entry.parent.name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


class Cluster:
    """A master and two workers with one core each; all processes end with the `with` statement."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }
        self.port = _free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        self.orphans: list[int] = []

    def __enter__(self) -> Cluster:
        host = ["--host", "127.0.0.1", "--webui-port", "0"]
        try:
            self._start("master", ["org.apache.spark.deploy.master.Master", *host, "--port", str(self.port)])
            self._wait_for("master", "Bound MasterWebUI", 1)
            for name in ("worker-1", "worker-2"):
                limits = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / name)]
                worker = ["org.apache.spark.deploy.worker.Worker", *host, *limits, self.url]
                self.workers.append(self._start(name, worker))
            self._wait_for("master", "Registering worker", 2)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _start(self, name: str, arguments: list[str]) -> subprocess.Popen[bytes]:
        options = f"{JAVA_OPTIONS} -Dspark.master.rest.enabled=false"
        environment = {**self.environment, "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": options}
        command = [str(SPARK_HOME / "bin" / "spark-class"), *arguments]
        with self._log(name).open("wb") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def _wait_for(self, name: str, text: str, count: int) -> None:
        end = time.monotonic() + START_LIMIT_S
        while self._log(name).read_text(errors="replace").count(text) < count:
            if time.monotonic() > end or any(process.poll() is not None for process in self.processes):
                raise RuntimeError(f"Spark did not start:\n{self._log(name).read_text(errors='replace')[-3000:]}")
            time.sleep(0.1)

    def kill_worker(self) -> None:
        """Kills a worker and its executor, as if the machine failed. The program that the executor runs is left, like
        one on a machine that only lost its network."""
        worker = self.workers.pop()
        family = _descendants(worker.pid)
        java = [process for process in family if _is_java(process)]
        self.orphans += [process for process in family if process not in java]
        for process in java:
            _kill(process)
        worker.wait()

    def submit(self, script: Path, arguments: list[str], options: dict[str, str]) -> subprocess.Popen[str]:
        """Starts a script on the cluster."""
        settings = {
            "spark.driver.extraJavaOptions": JAVA_OPTIONS,
            "spark.executor.extraJavaOptions": JAVA_OPTIONS,
            "spark.executor.memory": "512m",
            "spark.sql.shuffle.partitions": "4",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            **options,
        }
        command = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", self.url, "--driver-memory", "768m"]
        for key, value in settings.items():
            command += ["--conf", f"{key}={value}"]
        log = self._log(f"{script.stem}-{len(list(self.folder.glob('*.log')))}").open("wb")
        process = subprocess.Popen(
            [*command, str(script), *arguments], env=self.environment, stdout=subprocess.PIPE, stderr=log, text=True
        )
        self.processes.append(process)  # type: ignore[arg-type]
        return process

    def stop(self) -> None:
        """Kills everything that was started."""
        for process in self.processes:
            for descendant in _descendants(process.pid):
                _kill(descendant)
            process.wait()
        for orphan in self.orphans:
            _kill(orphan)


def _is_java(process: int) -> bool:
    with contextlib.suppress(OSError):
        return b"java" in Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    return False
