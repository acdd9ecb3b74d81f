"""Queries that are put into SQL once, for what every move reads and writes: it costs Django more than the database."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


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
        plan = self.plan
        given = dict(zip(self.like, values, strict=True))
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(plan.sql, [given.get(parameter, parameter) for parameter in plan.parameters])
            rows = cursor.fetchall()
        return [self.instance(row) for row in plan.compiler.apply_converters(rows, plan.converters)]

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
    """Stores a new row of all columns but the key, which the instance does not learn: `PreparedInsert(Move)(move)`."""

    def __init__(self, model: type[M]) -> None:
        self.model = model

    def __call__(self, instance: M) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [_value(field, instance, connection) for field in self.fields])

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        return [field for field in self.model._meta.concrete_fields if not field.primary_key]

    @cached_property
    def sql(self) -> str:
        columns, values = ", ".join(map(_column, self.fields)), ", ".join(["%s"] * len(self.fields))
        return f'INSERT INTO "{self.model._meta.db_table}" ({columns}) VALUES ({values})'


class PreparedUpdate(Generic[M]):
    """Stores these fields of a row that is there, like `save(update_fields=...)` without signals and `auto_now`."""

    def __init__(self, model: type[M], names: Sequence[str]) -> None:
        self.model, self.names = model, names

    def __call__(self, instance: M) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [*(_value(field, instance, connection) for field in self.fields), instance.pk])

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        return [self.model._meta.get_field(name) for name in self.names]

    @cached_property
    def sql(self) -> str:
        table, key = self.model._meta.db_table, _column(self.model._meta.pk)
        return f'UPDATE "{table}" SET {", ".join(f"{_column(field)} = %s" for field in self.fields)} WHERE {key} = %s'


def _column(field: "Field[Any, Any]") -> str:
    return f'"{field.column}"'


def _value(field: "Field[Any, Any]", instance: Model, connection: Any) -> object:
    return field.get_db_prep_save(getattr(instance, field.attname), connection)
