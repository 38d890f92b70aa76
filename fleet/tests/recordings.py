"""Synthetic recordings of two builds: tasks of Firefox and Chrome, and page loads. Build 2 is slower at one thing."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

# Slices of this name take twice as long in build 2.
SLOWER = "Styles"
MARKERS = 2_000
DAYS = 5
DAY_MS = 86_400_000
Json = dict[str, Any]
Row = list[Any]


def _rows(profile: Json) -> Iterator[tuple[str, Row]]:
    """The markers of a raw Firefox profile with their names."""
    for process in [profile, *profile["processes"]]:
        for thread in process["threads"]:
            names = thread["stringTable"]
            for row in thread["markers"]["data"]:
                yield names[row[0]], row


def _move(profile: Json, days: int) -> None:
    """Moves a profile to another day."""
    for process in [profile, *profile["processes"]]:
        process["meta"]["startTime"] += days * DAY_MS


def _halve(profile: Json) -> None:
    for name, row in _rows(profile):
        if name == SLOWER and isinstance(row[1], int | float) and isinstance(row[2], int | float):
            row[2] = row[1] + (row[2] - row[1]) / 2


def _stretch(profile: Json, factor: float) -> None:
    """Multiplies the times of all markers."""
    for _, row in _rows(profile):
        row[1:3] = [time * factor if isinstance(time, int | float) else time for time in row[1:3]]
        payload = row[5] if len(row) > 5 else None
        if isinstance(payload, dict) and payload.get("type") == "Network":
            for key, value in payload.items():
                if isinstance(value, float) and (key.endswith(("Start", "End", "Time"))):
                    payload[key] = value * factor


def _synthetic(program: str, path: Path, number: int, build: int, kind: str) -> None:
    command = [program, "synth", "--markers", str(MARKERS), "--format", kind, "--seed", str(number + 1)]
    samples = ["--samples", "400"] if number % 4 == 0 else []
    subprocess.run([*command, *samples, "-o", str(path)], check=True, capture_output=True)
    if kind == "firefox":
        profile = json.loads(path.read_text())
        _move(profile, number % DAYS)
        if build == 1:
            _halve(profile)
        path.write_text(json.dumps(profile, separators=(",", ":")))


def _page_load(example: bytes, path: Path, number: int, build: int) -> None:
    profile = json.loads(example)
    _move(profile, number % DAYS)
    _stretch(profile, 1 + number / 100 + (build - 1) / 4)
    path.write_text(json.dumps(profile, separators=(",", ":")))


def make_recordings(program: str, example: Path, folder: Path, count: int) -> list[Path]:
    """Writes `count` recordings as `build-N/OS/NUMBER.json`, from which labels are taken, and returns their paths."""
    # The pictures of the page come from another site.
    page_load = gzip.decompress(example.read_bytes()).replace(b"cdn.gallery.example", b"cdn.pictures.test")
    jobs: list[Callable[[], None]] = []
    paths = []
    for number in range(count):
        build = 1 + number % 2
        path = folder / f"build-{build}" / ("linux" if number % 3 else "mac os") / f"{number:04}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        paths.append(path)
        if number % 10 >= 8:
            jobs.append(partial(_page_load, page_load, path, number, build))
        else:
            kind = "chrome" if number % 10 >= 6 else "firefox"
            jobs.append(partial(_synthetic, program, path, number, build, kind))
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()
    return paths
