"""Migrations that a running site survives: processes of the release before still work on the migrated database."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.test import override_settings

# The newest migration of each app in the last release. What comes after it is checked; move it up at a release.
RELEASED = {"accounts": 10, "games": 36, "notices": 4, "talk": 3, "tournaments": 35, "tutorials": 3}

# Migrations that end what the release before has stopped to use, by app and name, each with the reason.
CONTRACTS: dict[tuple[str, str], str] = {}

TAKES_AWAY = (
    migrations.RemoveField,
    migrations.RenameField,
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
)


def refusals(operations: list[Operation], app: str, state: ProjectState) -> Iterator[str]:
    """Why processes of the release before would fail after these operations. state: of that release."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from refusals(operation.database_operations, app, state)
            continue
        model = getattr(operation, "model_name", getattr(operation, "name", getattr(operation, "old_name", "")))
        old = state.models.get((app, model.lower()))
        if old is None:
            continue  # only the new release knows it
        if isinstance(operation, TAKES_AWAY):
            yield f"{operation.describe()}: the release before still uses it"
        elif isinstance(operation, migrations.AddField) and must_be_given(operation.field):
            yield f"{operation.describe()}: the release before adds rows without it, so it needs null or db_default"
        elif isinstance(operation, migrations.AlterField):
            field = old.fields.get(operation.name)
            if field is not None and field.null and must_be_given(operation.field):
                yield f"{operation.describe()}: the release before adds rows without it, so it needs db_default"


def must_be_given(field: models.Field) -> bool:
    return not (field.null or field.has_db_default() or field.many_to_many)


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    """Of every single step, not of the squashed migrations that make a new database."""
    with override_settings(MIGRATION_MODULES={}):  # databases of tests are made without migrations
        return MigrationLoader(None, replace_migrations=False)


@pytest.fixture(scope="module")
def steps(loader: MigrationLoader) -> dict[tuple[str, str], Migration]:
    return {key: migration for key, migration in loader.disk_migrations.items() if not migration.replaces}


@pytest.fixture(scope="module")
def newest(loader: MigrationLoader, steps: dict[tuple[str, str], Migration]) -> ProjectState:
    return loader.project_state([*steps])


def number(name: str) -> int:
    return int(name[:4])


def test_every_app_says_what_was_released(loader: MigrationLoader) -> None:
    ours = {label for label, _ in loader.disk_migrations if not apps.get_app_config(label).name.startswith("django.")}
    assert ours == {*RELEASED}


def test_the_squashed_migrations_say_the_same_as_all_the_single_steps(
    loader: MigrationLoader, newest: ProjectState
) -> None:
    with override_settings(MIGRATION_MODULES={}):
        squashed = MigrationLoader(None).project_state()
    assert MigrationAutodetector(newest, squashed).changes(loader.graph) == {}


def test_processes_of_the_release_before_work_on_the_migrated_database(
    loader: MigrationLoader, steps: dict[tuple[str, str], Migration]
) -> None:
    released = [key for key in steps if key[0] not in RELEASED or number(key[1]) <= RELEASED[key[0]]]
    state = loader.project_state(released)
    wrong = [
        f"{app}.{name}: {why}"
        for (app, name), migration in sorted(steps.items())
        if (app, name) not in {*released, *CONTRACTS}
        for why in refusals(migration.operations, app, state)
    ]
    assert wrong == []


TEXT = models.CharField(max_length=9)


@pytest.mark.parametrize(
    ("operation", "is_refused"),
    [
        (migrations.RemoveField("Table", "code"), True),
        (migrations.RenameField("Table", "code", "name"), True),
        (migrations.DeleteModel("Seat"), True),
        (migrations.RenameModel("Seat", "Chair"), True),
        (migrations.AlterModelTable("Seat", "chairs"), True),
        (migrations.AddField("Table", "colour", models.CharField(max_length=9, default="green")), True),
        (migrations.AddField("Table", "colour", models.CharField(max_length=9, db_default="green")), False),
        (migrations.AddField("Table", "colour", models.CharField(max_length=9, null=True)), False),
        (migrations.AddField("Table", "friends", models.ManyToManyField("games.Table")), False),
        (migrations.AddField("Lamp", "colour", models.CharField(max_length=9)), False),  # a new model
        (migrations.AlterField("Table", "bot_due_at", models.DateTimeField()), True),
        (migrations.AlterField("Table", "bot_due_at", models.DateTimeField(null=True)), False),
        (migrations.AlterField("Table", "code", models.CharField(max_length=50)), False),
        (migrations.SeparateDatabaseAndState([migrations.RemoveField("Table", "code")], []), True),
        (migrations.SeparateDatabaseAndState([], [migrations.RemoveField("Table", "code")]), False),
        (migrations.CreateModel("Lamp", [("colour", TEXT)]), False),
    ],
    ids=lambda value: value.describe() if isinstance(value, Operation) else "",
)
def test_what_would_break_them_is_refused(newest: ProjectState, operation: Operation, is_refused: bool) -> None:
    assert bool([*refusals([operation], "games", newest)]) is is_refused
