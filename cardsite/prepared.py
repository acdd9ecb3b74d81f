"""Queries that are put into SQL once, for what every move reads: that costs Django far more than the database needs."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
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
    """A query with one value that changes: `Prepared(lambda pk: Seat.objects.filter(table=pk), like=0)(7)`.

    like: a value of its kind that the query does not hold otherwise. The query may follow foreign keys with
    `select_related`; what it prefetches or annotates is not read.
    """

    def __init__(self, query: Callable[[object], "QuerySet[M]"], *, like: object) -> None:
        self.query, self.like = query, like

    def __call__(self, value: object) -> list[M]:
        plan = self.plan
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(plan.sql, [value if parameter == self.like else parameter for parameter in plan.parameters])
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
        compiler = self.query(self.like).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        assert parameters.count(self.like) == 1, "`like` must be told from the other values of the query"
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
