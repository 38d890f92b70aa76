#!/usr/bin/env python3
"""Exports 200 recordings on a Spark cluster while a worker dies, and asks ten questions on three engines.

usage: fleet_test.py FLOWLINE FLOWLINE_QUERY [COUNT]
"""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLEET = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(FLEET))

from cluster import Cluster  # noqa: E402
from recordings import SLOWER, make_recordings  # noqa: E402

from export import arguments_of, gather  # noqa: E402

QUESTIONS = sorted((FLEET / "questions").glob("*.sql"))
PATTERN = r"build-(?P<build>[0-9]+)/(?P<os>[^/]+)/"
Table = list[list[str]]


class Programs:
    """The programs under test, with an index cache of their own."""

    def __init__(self, flowline: str, query: str) -> None:
        self.flowline = str(Path(flowline).resolve())
        self.query = str(Path(query).resolve())

    def info(self, path: Path) -> dict[str, int]:
        done = subprocess.run(
            [self.flowline, "info", "--no-cache", "--json", str(path)], check=True, capture_output=True
        )
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    def sql(self, folder: Path, *query: str) -> Table:
        done = subprocess.run(
            [self.query, "sql", "--csv", str(folder), *query], check=True, capture_output=True, text=True
        )
        return list(csv.reader(io.StringIO(done.stdout)))


def say(text: str, start: float) -> None:
    print(f"fleet: {time.monotonic() - start:5.1f} s  {text}", flush=True)


def export(cluster: Cluster, programs: Programs, manifest: Path, output: Path) -> subprocess.Popen[str]:
    """Starts the export. Small tasks and speculation make repeated attempts likely."""
    arguments = ["-o", str(output), "--manifest", str(manifest), "--pattern", PATTERN]
    arguments += ["--program", programs.query, "--per-task", "5"]
    return cluster.submit(FLEET / "export.py", arguments, {"spark.speculation": "true", "spark.task.maxFailures": "8"})


def export_with_a_death(cluster: Cluster, programs: Programs, manifest: Path, output: Path, count: int) -> None:
    """Exports all recordings; a worker is killed when a quarter of them is there."""
    process = export(cluster, programs, manifest, output)
    while len(list(output.glob("recording/day=*/*.parquet"))) < count // 4:
        assert process.poll() is None, "the export ended before a worker was killed"
        time.sleep(0.02)
    cluster.kill_worker()
    before = len(list(output.glob("recording/day=*/*.parquet")))
    assert before < count * 3 // 4, f"the worker died late, after {before} recordings"
    text, _ = process.communicate()
    assert process.returncode == 0, text
    # The attempts on the killed worker may have committed, so that repeated ones skipped.
    assert f"0 failed; {count:,} different recordings" in text, text


def check_counts(programs: Programs, paths: list[Path], output: Path) -> None:
    """Nothing is lost or doubled: each recording has one file per table, and as many rows as `flowline info` counts."""
    for table in sorted(path for path in output.iterdir() if not path.name.startswith("_")):
        names = Counter(file.name for file in table.glob("day=*/*"))
        assert all(count == 1 and name.endswith(".parquet") for name, count in names.items()), f"{table.name}: {names}"
    assert len(list(output.glob("recording/day=*/*.parquet"))) == len(paths)
    assert len(list(output.glob("_exported/*.json"))) == len(paths)
    counted = {
        "markers": "slice",
        "samples": "stack_sample",
        "flows": "flow_timeline",
        "memberships": "flow_member",
        "processes": "process",
    }
    selects = ", ".join(
        f"(SELECT COUNT(*) FROM {table} x WHERE x.recording_id = r.recording_id) AS {name}"
        for name, table in counted.items()
    )
    _, *rows = programs.sql(output, f"SELECT file, {selects}, duration_ns FROM recording r ORDER BY file")
    assert [row[0] for row in rows] == [str(path) for path in paths]
    with ThreadPoolExecutor(2) as pool:
        for row, info in zip(rows, pool.map(programs.info, paths), strict=True):
            keys = [*counted, "duration_ns"]
            assert row[1:] == [str(info[key]) for key in keys], f"{row} {[info[key] for key in keys]}"


def check_second_run(cluster: Cluster, programs: Programs, manifest: Path, output: Path, count: int) -> None:
    """A second run exports only what is missing, and reports what it cannot read."""
    lost = sorted(output.glob("slice/day=*/*.parquet"))[7]
    content = lost.read_bytes()
    lost.unlink()
    with manifest.open("a") as lines:
        lines.write(f"{manifest.parent}/build-3/linux/missing.json\n")
    process = export(cluster, programs, manifest, output)
    text, _ = process.communicate()
    assert process.returncode == 1, text
    assert f"1 exported, {count - 1} skipped, 1 failed" in text, text
    assert "missing.json: failed: " in text and "No such file" in text, text
    assert lost.read_bytes() == content, "a repeated export differs"
    assert not (output / "_attempts").exists(), "unfinished attempts were left"


def check_usage(folder: Path) -> None:
    """Wrong usage is found before Spark starts; labels of the manifest come first, then those of the path."""
    manifest = folder / "usage.tsv"
    manifest.write_text(f'# a comment\n\n{folder}/build-7/mac os/a b.json\tbuild=8\tnote=it\'s = "x"\n')
    arguments = ["-o", "out", "--manifest", str(manifest), "--label", "os=any", "--label", "team=web"]
    [recording] = gather(arguments_of([*arguments, "--pattern", PATTERN]))
    assert recording.path == f"{folder}/build-7/mac os/a b.json"
    assert recording.labels == {"build": "8", "note": 'it\'s = "x"', "os": "mac os", "team": "web"}
    wrong = {
        "no recordings": ["-o", "out"],
        "no such manifest": ["-o", "out", "--manifest", str(folder / "none.tsv")],
        "pattern does not match": ["-o", "out", "a.json", "--pattern", "build-(?P<build>[0-9]+)"],
        "pattern is not a regular expression": ["-o", "out", "a.json", "--pattern", "("],
        "label without a value": ["-o", "out", "a.json", "--label", "build"],
        "unknown table": ["-o", "out", "a.json", "--tables", "slices"],
        "two labels of a path": [*arguments, f"{folder}/build-7/mac os/a b.json"],
    }
    for name, arguments in wrong.items():
        done = subprocess.run(
            [sys.executable, str(FLEET / "export.py"), *arguments], cwd=folder, capture_output=True, text=True
        )
        assert done.returncode == 2 and done.stderr.startswith("export: "), f"{name}: {done}"
        assert len(done.stderr.splitlines()) == 1, f"{name}: {done.stderr}"
    assert not (folder / "out").exists()


def tables_of(text: str) -> dict[str, Table]:
    """The answers of `query.py`."""
    answers: dict[str, Table] = {}
    for row in csv.reader(io.StringIO(text)):
        if len(row) == 1 and row[0].startswith("# "):
            answers[row[0][2:]] = current = []
        else:
            current.append(row)
    return answers


def is_same(one: str, other: str) -> bool:
    """Equal text, or equal doubles: engines write them differently."""
    if one == other:
        return True
    try:
        return not (one.isdigit() and other.isdigit()) and float(one) == float(other)
    except ValueError:
        return False


def compare(name: str, tables: dict[str, Table]) -> None:
    """The answers of all engines are equal, in content and order, and not empty."""
    reference = tables["DataFusion"]
    assert len(reference) > 1, f"{name}: no rows"
    for engine, table in tables.items():
        assert len(table) == len(reference), f"{name}: {len(reference)} rows, {engine}: {len(table)}"
        for expected, row in zip(reference, table, strict=True):
            is_equal = len(expected) == len(row) and all(map(is_same, expected, row))
            assert is_equal, f"{name}:\n  DataFusion {expected}\n  {engine:10} {row}"


def check_regressions(programs: Programs, output: Path, table: Table) -> None:
    """The slower name is first, and the rank sums equal those of `fleet regressions`."""
    header, first, *_ = table
    row = dict(zip(header, first, strict=True))
    assert row["name"] == SLOWER and float(row["z"]) > 4, row
    command = [
        programs.query,
        "fleet",
        "regressions",
        str(output),
        "--a",
        "build=1",
        "--b",
        "build=2",
        "--json",
        "--p",
        "1",
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = {(own["name"], own["metric"]): own for own in map(json.loads, done.stdout.splitlines())}
    for cells in table[1:]:
        own = dict(zip(header, cells, strict=True))
        other = found[own["name"], own["metric"]]
        assert [int(own["n_a"]), int(own["n_b"])] == other["recordings"], (own, other)
        assert abs(float(own["u"]) / (int(own["n_a"]) * int(own["n_b"])) - other["greater"]) < 1e-12, (own, other)
        assert abs(math.erfc(abs(float(own["z"])) / math.sqrt(2)) - other["p"]) < 1e-9, (own, other)
        assert [int(own["median_a_ns"]), int(own["median_b_ns"])] == other["median"], (own, other)


def run(programs: Programs, folder: Path, count: int) -> None:
    """The whole test."""
    start = time.monotonic()
    example = FLEET.parent / "fixtures" / "example.json.gz"
    paths = sorted(make_recordings(programs.flowline, example, folder / "recordings", count))
    manifest = folder / "recordings" / "manifest.tsv"
    manifest.write_text("".join(f"{path}\tdevice={number % 7}\n" for number, path in enumerate(paths)))
    say(f"{count} recordings", start)
    check_usage(folder)
    output, logs = folder / "tables", folder / "spark"
    logs.mkdir()
    with Cluster(logs) as cluster:
        say("a master and two workers", start)
        export_with_a_death(cluster, programs, manifest, output, count)
        say("exported while a worker was killed", start)
        check_counts(programs, paths, output)
        say("nothing is lost or doubled", start)
        check_second_run(cluster, programs, manifest, output, count)
        say("a second run exports only what is missing", start)
        arguments = [str(output), *map(str, QUESTIONS)]
        spark = cluster.submit(FLEET / "query.py", arguments, {})
        answers = {"DataFusion": {path.stem: programs.sql(output, "-f", str(path)) for path in QUESTIONS}}
        say(f"{len(QUESTIONS)} questions on DataFusion", start)
        duckdb = subprocess.run(
            [sys.executable, str(FLEET / "query.py"), "--engine", "duckdb", *arguments],
            check=True,
            capture_output=True,
            text=True,
        )
        answers["DuckDB"] = tables_of(duckdb.stdout)
        text, _ = spark.communicate()
        assert spark.returncode == 0, "the questions failed on Spark"
        answers["Spark"] = tables_of(text)
    for path in QUESTIONS:
        compare(path.stem, {engine: tables[path.stem] for engine, tables in answers.items()})
    check_regressions(programs, output, answers["DataFusion"]["regressions"])
    say("Spark, DataFusion and DuckDB agree", start)


def main() -> int:
    """Runs the test in a temporary folder; its logs are printed if it fails."""
    flowline, query = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    # A time limit of the caller ends the cluster, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="flowline-fleet-"))
    try:
        run(Programs(flowline, query), folder, count)
    except BaseException:
        for log in sorted((folder / "spark").glob("*.log")):
            print(f"== {log.name}\n{log.read_text(errors='replace')[-4000:]}", file=sys.stderr)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
