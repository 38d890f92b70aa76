#!/usr/bin/env python3
"""Runs a question on Spark SQL or DuckDB over a folder of exported recordings and prints CSV.

usage: spark-submit fleet/query.py FOLDER QUESTION.sql...
       python3 fleet/query.py --engine duckdb FOLDER QUESTION.sql...
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from views import duckdb_statements, spark_statements

Rows = tuple[list[str], list[tuple[Any, ...]]]


def spark_engine(folder: str) -> Callable[[str], Rows]:
    """A function that runs a query on Spark."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("flowline query").getOrCreate()
    for statement in spark_statements(folder):
        session.sql(statement)

    def run(sql: str) -> Rows:
        frame = session.sql(sql)
        return frame.columns, [tuple(row) for row in frame.collect()]

    return run


def duckdb_engine(folder: str) -> Callable[[str], Rows]:
    """A function that runs a query on DuckDB."""
    import duckdb

    connection = duckdb.connect()
    for statement in duckdb_statements(folder):
        connection.execute(statement)

    def run(sql: str) -> Rows:
        cursor = connection.execute(sql)
        return [column[0] for column in cursor.description], cursor.fetchall()

    return run


def main() -> int:
    """Prints the answer of each question after its header; NULL is empty."""
    parser = argparse.ArgumentParser(description="Run questions over a folder of exported recordings.")
    parser.add_argument("--engine", choices=["spark", "duckdb"], default="spark", help="engine (default: spark)")
    parser.add_argument("folder", help="folder of exported tables")
    parser.add_argument("questions", nargs="+", type=Path, metavar="QUESTION.sql", help="files with one query each")
    arguments = parser.parse_args()
    if "://" not in arguments.folder and not Path(arguments.folder, "recording").is_dir():
        print(f"query: {arguments.folder}: this folder has no exported recordings", file=sys.stderr)
        return 1
    run = (spark_engine if arguments.engine == "spark" else duckdb_engine)(arguments.folder)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for question in arguments.questions:
        columns, rows = run(question.read_text())
        if len(arguments.questions) > 1:
            print(f"# {question.stem}")
        writer.writerow(columns)
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
