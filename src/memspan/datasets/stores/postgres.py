"""A LangGraph store in PostgreSQL, by its address: one read-only transaction, the password never told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memspan.datasets.stores.address import name_of, shown_address, silent
from memspan.datasets.stores.intake import Intake
from memspan.datasets.stores.langgraph import COLUMNS, NEEDED, TABLE, take_row
from memspan.errors import Fault, FileError, FormatError, MissingExtra
from memspan.material import Material

if TYPE_CHECKING:
    import psycopg

_PATIENCE = 10
_AT_ONCE = 2_000


def read_postgres(place: str) -> list[Material]:
    """Return a material per schema of the database at *place* that holds a LangGraph store.

    Raises:
        MissingExtra: psycopg is not installed.
        FileError: no connection, or a query that the server refuses.
        FormatError: the database holds no such table.
    """
    try:
        import psycopg
    except ImportError as error:
        cure = "reading a PostgreSQL store needs psycopg; run: pip install 'memspan[postgres]'"
        raise MissingExtra(cure) from error
    try:
        with psycopg.connect(place, connect_timeout=_PATIENCE, autocommit=False) as connection:
            connection.read_only = True
            return [_store(connection, schema, place) for schema in _schemas(connection, place)]
    except (psycopg.Error, ValueError, UnicodeError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise _refused(
            place, f"cannot be read: {silent(said, place)}"
        ) from None  # the cause may hold the password


def _schemas(connection: psycopg.Connection[Any], place: str) -> list[str]:
    found = connection.execute(
        "select c.table_schema from information_schema.columns c join information_schema.tables t"
        " using (table_schema, table_name)"
        " where c.table_name = %s and c.column_name = any(%s) and t.table_type = 'BASE TABLE'"
        " group by c.table_schema having count(*) = %s order by c.table_schema",
        (TABLE, sorted(NEEDED), len(NEEDED)),
    ).fetchall()
    if not found:
        columns = ", ".join(sorted(NEEDED))
        problem = f"holds no table {TABLE} with {columns} that this user may read; a LangGraph store has one"
        raise FormatError(shown_address(place), [Fault("", "", problem)])
    return [str(row[0]) for row in found]


def _store(connection: psycopg.Connection[Any], schema: str, place: str) -> Material:
    intake = Intake(name_of(place) if schema == "public" else schema, "langgraph")
    for row in _rows(connection, schema):
        take_row(row, intake)
    return intake.material()


def _rows(connection: psycopg.Connection[Any], schema: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a store; columns that an older one lacks are None."""
    from psycopg import sql

    known = {
        row[0]
        for row in connection.execute(
            "select column_name from information_schema.columns where table_schema = %s and table_name = %s",
            (schema, TABLE),
        )
    }
    columns = [sql.Identifier(name) if name in known else sql.SQL("null") for name in COLUMNS]
    order = sql.SQL(", ").join(sql.Identifier(n) for n in ("created_at", "prefix", "key") if n in known)
    query = sql.SQL("select {} from {} order by {}").format(
        sql.SQL(", ").join(columns), sql.Identifier(schema, TABLE), order
    )
    with connection.cursor(name="memspan") as cursor:
        cursor.itersize = _AT_ONCE
        cursor.execute(query)
        for row in cursor:
            yield dict(zip(COLUMNS, row, strict=True))


def _refused(place: str, problem: str) -> FileError:
    return FileError(shown_address(place), [Fault("", "", problem)])
