"""Queries that are put into SQL once, for what every move reads and writes: it costs Django more than the database.

Several can go to the database together: to wait for an answer, and to be woken by it, costs more than the answer.
"""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.transaction import atomic

from infra import postgresql
from infra.threads import in_thread

M = TypeVar("M", bound=Model)


@cache
def dialect() -> Any:
    """Tells how the database wants values and names; it never connects.

    `connections` makes a new one for every task of an event loop, at the price of half a move.
    """
    return connections.create_connection(DEFAULT_DB_ALIAS)


class Statement(NamedTuple):
    """is_query: it answers with rows. To ask the cursor for that costs more than to fetch them."""

    sql: str
    parameters: Sequence[object]
    is_query: bool


class Condition(NamedTuple):
    """What a row must fulfil to be changed: a part of a WHERE."""

    sql: str
    parameters: Sequence[object]

    @classmethod
    def found(cls, query: Statement) -> "Condition":
        return cls(f"EXISTS ({query.sql})", query.parameters)


def together(*statements: Statement) -> list[list[Any]]:
    """Runs these in order; the rows of each, [] for one that has none.

    PostgreSQL takes them in one round trip, and each sees what was committed before it began; from SQLite it is none.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    rows = []
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sql = "; ".join(statement.sql for statement in statements)
            cursor.execute(sql, [value for statement in statements for value in statement.parameters])
            for statement in statements:
                rows.append(cursor.fetchall() if statement.is_query else [])
                cursor.nextset()
        else:
            for statement in statements:
                cursor.execute(statement.sql, statement.parameters)
                rows.append(cursor.fetchall() if statement.is_query else [])
    return rows


class Plan(NamedTuple):
    """What Django's compiler knows of a query: its SQL, and how a row becomes an instance (see `ModelIterable`)."""

    sql: str
    parameters: tuple[object, ...]
    compiler: Any
    converters: dict[int, Any]
    columns: slice
    names: list[str]
    populators: list[Any]


class Prepared(Generic[M]):
    """A query with values that change: `Prepared(lambda pk: Seat.objects.filter(table=pk), like=[-1])(7)`.

    like: for each of them one of its kind, number or text, that the query does not hold otherwise. The query may
    follow foreign keys with `select_related`; what it prefetches or annotates is not read.
    """

    def __init__(self, query: Callable[..., "QuerySet[M]"], *, like: Sequence[object]) -> None:
        self.query, self.like = query, like

    def __call__(self, *values: object) -> list[M]:
        [rows] = together(self.statement(*values))
        return self.instances(rows)

    def statement(self, *values: object) -> Statement:
        given = dict(zip(self.like, values, strict=True))
        parameters = [given.get(parameter, parameter) for parameter in self.plan.parameters]
        return Statement(self.plan.sql, parameters, is_query=True)

    def instances(self, rows: list[Any]) -> list[M]:
        return [self.instance(row) for row in self.plan.compiler.apply_converters(rows, self.plan.converters)]

    def instance(self, row: list[object]) -> M:
        plan = self.plan
        found = plan.compiler.klass_info["model"].from_db(DEFAULT_DB_ALIAS, plan.names, row[plan.columns])
        for populator in plan.populators:
            populator.populate(row, found)
        return found

    @cached_property
    def plan(self) -> Plan:
        compiler = self.query(*self.like).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        for like in self.like:
            assert parameters.count(like) == 1, "`like` must be told from the other values of the query"
        fields = compiler.klass_info["select_fields"]
        columns = slice(fields[0], fields[-1] + 1)
        return Plan(
            sql,
            parameters,
            compiler,
            compiler.get_converters([column[0] for column in compiler.select]),
            columns,
            [column[0].target.attname for column in compiler.select[columns]],
            get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS),
        )


class PreparedInsert(Generic[M]):
    """Stores a new row of all columns but the key, which the instance does not learn."""

    def __init__(self, model: type[M]) -> None:
        self.model = model

    def statement(self, instance: M) -> Statement:
        return Statement(self.sql, _values(self.fields, instance), is_query=False)

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        return [field for field in self.model._meta.concrete_fields if not field.primary_key]

    @property
    def sql(self) -> str:
        return f"{self.target} VALUES ({self.values})"

    @cached_property
    def target(self) -> str:
        return f'INSERT INTO "{self.model._meta.db_table}" ({", ".join(map(_column, self.fields))})'

    @cached_property
    def values(self) -> str:
        return ", ".join(["%s"] * len(self.fields))

    @cached_property
    def typed_values(self) -> str:
        """For PostgreSQL where it is not the columns that say it; without a length, which would cut off the rest."""
        kinds = [field.db_type(dialect()) for field in self.fields]
        return ", ".join(f"%s::{kind.partition('(')[0]}" for kind in kinds)


class PreparedUpdate(Generic[M]):
    """Stores these fields of a row that is there, like `save(update_fields=...)` without signals and `auto_now`."""

    def __init__(self, model: type[M], names: Sequence[str]) -> None:
        self.model, self.names = model, names

    def statement(self, instance: M, *conditions: Condition) -> Statement:
        """Does nothing where a condition is not fulfilled."""
        sql = " AND ".join([self.sql, *(condition.sql for condition in conditions)])
        demanded = [value for condition in conditions for value in condition.parameters]
        return Statement(sql, [*_values(self.fields, instance), instance.pk, *demanded], is_query=False)

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        return [self.model._meta.get_field(name) for name in self.names]

    @cached_property
    def sql(self) -> str:
        table, key = self.model._meta.db_table, _column(self.model._meta.pk)
        return f'UPDATE "{table}" SET {", ".join(f"{_column(field)} = %s" for field in self.fields)} WHERE {key} = %s'


async def update_and_insert(update: Statement, insert: PreparedInsert[M], row: M) -> bool:
    """Stores a row if the update finds what it changes; both or neither, in a transaction of their own."""
    stored = insert.statement(row)
    if dialect().vendor == "postgresql":
        sql = f"WITH updated AS ({update.sql} RETURNING 1) {insert.target} SELECT {insert.typed_values} FROM updated"
        async with postgresql.pool().connection() as connection:
            cursor = await connection.execute(sql, [*update.parameters, *stored.parameters])
            return bool(cursor.rowcount)
    return await in_thread(_update_and_insert, update, stored)


def _update_and_insert(update: Statement, stored: Statement) -> bool:
    with atomic(), connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(update.sql, update.parameters)
        is_found = bool(cursor.rowcount)
        if is_found:
            cursor.execute(stored.sql, stored.parameters)
        return is_found


def _column(field: "Field[Any, Any]") -> str:
    return f'"{field.column}"'


def _values(fields: "Sequence[Field[Any, Any]]", instance: Model) -> list[object]:
    connection = dialect()
    return [field.get_db_prep_save(getattr(instance, field.attname), connection) for field in fields]
