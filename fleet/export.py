#!/usr/bin/env python3
"""Exports recordings to Parquet on a Spark cluster.

usage: spark-submit fleet/export.py -o FOLDER [RECORDING...] [--manifest FILE] [--pattern REGEX] [--label KEY=VALUE]

Every executor runs `flowline-query export-tables` on its recordings. Recordings, program and FOLDER must have the same
paths on all machines.

Nothing is lost or doubled when executors die, tasks are repeated or attempts run twice:
- An attempt writes into a folder of its own, `FOLDER/_attempts/RUN/ATTEMPT`, which readers ignore. An orphaned program
  cannot commit.
- A commit renames the finished files to their places, that of the table `recording` last. Names derive from the
  contents of the recording, and all attempts write the same rows, so a repeated commit replaces files by equal ones.
- A receipt in `FOLDER/_exported` then states the file, its labels and the committed files. A later run skips recordings
  with a valid receipt, and exports the others again.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from views import views

MARK = "recording"
Labels = dict[str, str]


class Recording(NamedTuple):
    """A recording to export."""

    path: str
    labels: Labels


class Settings(NamedTuple):
    """What every task needs to know."""

    program: str
    folder: str
    run: str
    tables: tuple[str, ...]
    path_to: tuple[str, ...]
    timeout: float
    force: bool


class Outcome(NamedTuple):
    """What happened to a recording: `exported`, `skipped` or `failed`."""

    path: str
    labels: Labels
    kind: str
    recording_id: str
    size: int
    reason: str


def receipt_path(settings: Settings, path: str) -> Path:
    """The place of the receipt of a recording."""
    return Path(settings.folder, "_exported", hashlib.sha256(path.encode()).hexdigest()[:32] + ".json")


def request(recording: Recording, settings: Settings) -> dict[str, object]:
    """The part of a receipt that must be unchanged for a recording to be skipped."""
    state = Path(recording.path).stat()
    return {
        "path": recording.path,
        "labels": recording.labels,
        "bytes": state.st_size,
        "modified_ns": state.st_mtime_ns,
        "tables": list(settings.tables),
        "path_to": list(settings.path_to),
    }


def valid_receipt(recording: Recording, settings: Settings) -> str | None:
    """The recording id in the receipt, if it applies and all its files exist."""
    try:
        receipt = json.loads(receipt_path(settings, recording.path).read_text())
        is_same = receipt["request"] == request(recording, settings)
        is_complete = all(Path(settings.folder, file).exists() for file in receipt["files"])
        return str(receipt["recording_id"]) if is_same and is_complete else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def run_program(recording: Recording, settings: Settings, attempt: Path) -> str:
    """Exports a recording into the folder of the attempt; returns the reason of a failure, or nothing."""
    command = [settings.program, "--no-cache", "--threads", "1", "export-tables", recording.path, "-o", str(attempt)]
    for key, value in recording.labels.items():
        command += ["--label", f"{key}={value}"]
    if settings.tables:
        command += ["--tables", ",".join(settings.tables)]
    for name in settings.path_to:
        command += ["--path-to", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=settings.timeout)
    except OSError as error:
        return f"{settings.program} does not run on {socket.gethostname()}: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"not finished after {settings.timeout:g} s"
    if done.returncode < 0:
        return f"{settings.program} was killed by signal {-done.returncode}"
    if done.returncode == 0:
        return ""
    lines = done.stdout.splitlines() + done.stderr.splitlines()
    failed = [line.split(": failed: ", 1)[1] for line in lines if ": failed: " in line]
    return (failed or lines or [f"exit status {done.returncode}"])[0]


def commit(recording: Recording, settings: Settings, attempt: Path, wanted: dict[str, object]) -> tuple[str, int]:
    """Moves the finished files to their places; returns the recording id and the number of bytes."""
    files = sorted(attempt.glob("*/day=*/*.parquet"), key=lambda file: (file.parent.parent.name == MARK, str(file)))
    if not files or files[-1].parent.parent.name != MARK:
        raise OSError(f"{settings.program} wrote no table of recordings for {recording.path}")
    recording_id, size = files[-1].stem, sum(file.stat().st_size for file in files)
    for file in files:
        place = Path(settings.folder, file.relative_to(attempt))
        place.parent.mkdir(parents=True, exist_ok=True)
        file.replace(place)
    receipt = {
        "request": wanted,
        "recording_id": recording_id,
        "files": [str(file.relative_to(attempt)) for file in files],
    }
    draft = attempt / "receipt.json"
    draft.write_text(json.dumps(receipt, sort_keys=True))
    place = receipt_path(settings, recording.path)
    place.parent.mkdir(exist_ok=True)
    draft.replace(place)
    return recording_id, size


def export_one(recording: Recording, settings: Settings, attempt: Path) -> Outcome:
    """Exports a recording, unless it is already exported."""

    def outcome(kind: str, recording_id: str = "", size: int = 0, reason: str = "") -> Outcome:
        return Outcome(recording.path, recording.labels, kind, recording_id, size, reason)

    try:
        # Read before the program reads the file: a file that changes meanwhile is exported again by the next run.
        wanted = request(recording, settings)
        done = None if settings.force else valid_receipt(recording, settings)
        if done is not None:
            return outcome("skipped", done)
        attempt.mkdir(parents=True)
        reason = run_program(recording, settings, attempt)
        if reason:
            return outcome("failed", reason=reason)
        return outcome("exported", *commit(recording, settings, attempt, wanted))
    except OSError as error:
        return outcome("failed", reason=f"{error.filename or recording.path}: {error.strerror or error}")
    finally:
        shutil.rmtree(attempt, ignore_errors=True)


def export_partition(recordings: Iterable[Recording], settings: Settings) -> Iterator[Outcome]:
    """The work of a task."""
    from pyspark import TaskContext

    context = TaskContext.get()
    task = f"{context.partitionId()}-{context.attemptNumber()}" if context else "0-0"
    for number, recording in enumerate(recordings):
        attempt = Path(settings.folder, "_attempts", settings.run, f"{task}-{number}-{uuid.uuid4().hex[:8]}")
        yield export_one(recording, settings, attempt)


def parse_label(text: str) -> tuple[str, str]:
    """Splits `key=value`."""
    key, found, value = text.partition("=")
    if not found or not key:
        raise ValueError(f"{text}: a label has the form key=value")
    return key, value


def read_manifest(lines: Iterable[str]) -> Iterator[Recording]:
    """Lines of a path and labels, separated by tabs; empty lines and those that begin with # are left out."""
    for line in lines:
        path, *labels = line.rstrip("\n").split("\t")
        if path and not path.startswith("#"):
            yield Recording(path, dict(parse_label(label) for label in labels if label))


def gather(arguments: argparse.Namespace) -> list[Recording]:
    """All recordings with their labels, each path once. Labels of the manifest come before those of the pattern, and
    those before the labels of all recordings."""
    recordings = [Recording(path, {}) for path in arguments.recordings]
    if arguments.manifest == "-":
        recordings += read_manifest(sys.stdin)
    elif arguments.manifest:
        with Path(arguments.manifest).open(encoding="utf-8", errors="surrogateescape") as lines:
            recordings += read_manifest(lines)
    common = dict(parse_label(label) for label in arguments.label)
    found: dict[str, Labels] = {}
    for path, own in recordings:
        match = re.search(arguments.pattern, path) if arguments.pattern else None
        if arguments.pattern and match is None:
            raise ValueError(f"{path}: the pattern does not match this path")
        of_path = {key: value for key, value in match.groupdict().items() if value is not None} if match else {}
        labels = dict(sorted({**common, **of_path, **own}.items()))
        absolute = os.path.abspath(path)  # noqa: PTH100 - links keep their names
        if found.setdefault(absolute, labels) != labels:
            raise ValueError(f"{path}: this path occurs twice with different labels")
    return [Recording(path, labels) for path, labels in sorted(found.items())]


def report(outcomes: list[Outcome], folder: str) -> int:
    """Prints the summary; returns the exit status."""
    of_kind = {kind: [own for own in outcomes if own.kind == kind] for kind in ("exported", "skipped", "failed")}
    for own in of_kind["failed"]:
        print(f"{own.path}: failed: {own.reason}")
    first: dict[str, Outcome] = {}
    clashes = 0
    for own in sorted(of_kind["exported"] + of_kind["skipped"]):
        other = first.setdefault(own.recording_id, own)
        if other is not own:
            clashes += other.labels != own.labels
            note = "" if other.labels == own.labels else ", but other labels; only one of them is stored"
            print(f"{own.path}: the same contents as {other.path}{note}")
    counts = ", ".join(f"{len(own):,} {kind}" for kind, own in of_kind.items())
    size = sum(own.size for own in of_kind["exported"])
    print(f"{counts}; {len(first):,} different recordings, {size / 1e6:,.1f} MB written to {folder}")
    return 1 if of_kind["failed"] or clashes else 0


def arguments_of(command_line: list[str] | None = None) -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description="Export recordings to Parquet on a Spark cluster.")
    parser.add_argument("recordings", nargs="*", metavar="RECORDING", help="recordings")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="folder of the tables")
    parser.add_argument(
        "--manifest", metavar="FILE", help="list of paths, each with labels after tabs (- for standard input)"
    )
    parser.add_argument("--pattern", metavar="REGEX", help="labels from paths, such as 'build-(?P<build>[0-9]+)/'")
    parser.add_argument("--label", action="append", default=[], metavar="KEY=VALUE", help="label of all recordings")
    parser.add_argument("--tables", default="", help="tables, separated by commas (default: all)")
    parser.add_argument(
        "--path-to", action="append", default=[], metavar="NAME", help="slices whose critical paths are exported"
    )
    parser.add_argument(
        "--program", default="flowline-query", help="program on the executors (default: flowline-query in PATH)"
    )
    parser.add_argument(
        "--per-task",
        type=int,
        metavar="N",
        help="recordings per task (default: so that each core gets 8 tasks, at most 64)",
    )
    parser.add_argument(
        "--timeout", type=float, default=3600, metavar="S", help="seconds for one recording (default: 3600)"
    )
    parser.add_argument("--force", action="store_true", help="export again what is already exported")
    return parser.parse_args(command_line)


def main() -> int:
    """Exports; 0 if everything is exported, 1 if a recording failed, 2 for wrong usage."""
    arguments = arguments_of()
    try:
        recordings = gather(arguments)
        if not recordings:
            raise ValueError("there are no recordings; name them, or a list with --manifest")
        tables = tuple(filter(None, arguments.tables.split(",")))
        known = [view.table for view in views()]
        for table in tables:
            if table not in known:
                raise ValueError(f"there is no table {table}; the tables are {', '.join(known)}")
    except (OSError, ValueError, re.error) as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    from pyspark.sql import SparkSession

    folder = Path(arguments.output).absolute()
    for table in known:
        (folder / table).mkdir(parents=True, exist_ok=True)
    settings = Settings(
        arguments.program,
        str(folder),
        uuid.uuid4().hex[:12],
        tables,
        tuple(arguments.path_to),
        arguments.timeout,
        arguments.force,
    )
    spark = SparkSession.builder.appName("flowline export").getOrCreate().sparkContext
    per_task = arguments.per_task or max(1, min(64, len(recordings) // (8 * spark.defaultParallelism)))
    slices = -(-len(recordings) // max(1, per_task))
    try:
        work = spark.parallelize(recordings, slices)
        outcomes = work.mapPartitions(lambda part: export_partition(part, settings)).collect()
    finally:
        # Attempts of dead executors are still there.
        shutil.rmtree(folder / "_attempts" / settings.run, ignore_errors=True)
        with contextlib.suppress(OSError):
            # Another run may still use it.
            (folder / "_attempts").rmdir()
    return report([Outcome(*own) for own in outcomes], arguments.output)


if __name__ == "__main__":
    sys.exit(main())
