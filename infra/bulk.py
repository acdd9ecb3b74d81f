"""Bulk writes that hold the database's lock as shortly as they can."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def update_rows(rows: Iterable[Model], fields: Sequence[str]) -> None:
    """Stores these fields of rows of one model, by one prepared statement for all of them.

    `QuerySet.bulk_update` makes a long CASE expression, which takes many times as long for hundreds of rows.
    """
    rows = list(rows)
    if not rows:
        return
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    chosen: list[Any] = [meta.get_field(name) for name in fields]
    pairs = ", ".join(f"{quote(field.column)} = %s" for field in chosen)
    statement = f"UPDATE {quote(meta.db_table)} SET {pairs} WHERE {quote(str(meta.pk.column))} = %s"
    values = [
        (*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in chosen), row.pk) for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def insert_rows(rows: Iterable[Model]) -> None:
    """Stores new rows of one model, by one prepared statement for all of them. They don't learn their ids.

    `QuerySet.bulk_create` writes the values of hundreds of rows into a few long statements, which takes many times as
    long.
    """
    rows = list(rows)
    if not rows:
        return
    meta, quote = type(rows[0])._meta, connection.ops.quote_name
    fields: list[Any] = [field for field in meta.concrete_fields if not field.primary_key]
    columns = ", ".join(quote(field.column) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(meta.db_table)} ({columns}) VALUES ({places})"
    values = [
        tuple(field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields) for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
