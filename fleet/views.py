"""The views of views.sql: tables with their columns, views derived from them, and the statements that create them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

VIEWS = Path(__file__).with_name("views.sql")


class View(NamedTuple):
    """A view over the files of one table."""

    table: str
    columns: list[tuple[str, str]]
    statement: str


def views() -> list[View]:
    """The tables, in the order of the file."""
    found = []
    for statement in _statements():
        match = re.fullmatch(r"CREATE OR REPLACE TEMPORARY VIEW (\w+) \((.*?)\) USING .*", statement, re.DOTALL)
        if match is not None:
            columns = [(name, kind) for name, kind in (line.split() for line in match[2].split(",\n"))]
            found.append(View(match[1], columns, statement))
    return found


def _statements() -> list[str]:
    text = "\n".join(line for line in VIEWS.read_text().splitlines() if not line.lstrip().startswith("--"))
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def derived_statements() -> list[str]:
    """The views that are queries over the tables. All engines understand them."""
    return [own for own in _statements() if re.match(r"CREATE OR REPLACE TEMPORARY VIEW \w+ AS\b", own)]


def _empty(view: View) -> str:
    columns = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in view.columns)
    return f"CREATE OR REPLACE TEMPORARY VIEW {view.table} AS SELECT {columns} WHERE 1 = 0"


def _has_files(folder: str, table: str) -> bool:
    # Whether an object store has files is known only to Spark, which the folders of all tables there must satisfy.
    return "://" in folder or any(Path(folder, table).glob("day=*/*.parquet"))


def spark_statements(folder: str) -> list[str]:
    """The views for Spark SQL. A table that no recording has rows of is empty."""
    path = folder.rstrip("/").replace("'", "\\'")
    return [
        view.statement.replace("${folder}", path) if _has_files(folder, view.table) else _empty(view)
        for view in views()
    ] + derived_statements()


def duckdb_statements(folder: str) -> list[str]:
    """The same views for DuckDB."""
    path = folder.rstrip("/").replace("'", "''")
    return [
        f"CREATE OR REPLACE TEMPORARY VIEW {view.table} AS SELECT {', '.join(name for name, _ in view.columns)} "
        f"FROM read_parquet('{path}/{view.table}/day=*/*.parquet', hive_partitioning = true, "
        "hive_types = {'day': VARCHAR}, union_by_name = true)"
        if _has_files(folder, view.table)
        else _empty(view)
        for view in views()
    ] + derived_statements()
