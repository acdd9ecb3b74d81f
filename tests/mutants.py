"""Mutation run: breaks a game's engine in one small way at a time and asks whether the tests notice.

    python -m tests.mutants casino --sample 100        the engine of a game, all its files
    python -m tests.mutants melds --sample 50          a module of games/core, also inside a package there

A mutant swaps a comparison, an `and`, a sign or a truth value, or adds one to a number. Which ones are tried is drawn
by `--seed`.
In the tests' own process this file is a plugin (`-p tests.mutants`) that puts the mutant in the place of the module.
"""

import argparse
import ast
import importlib.abc
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "MUTANT"  # "games.engines.casino:17", the module and the number of the change
WITHOUT_EFFECT = ("slots", "frozen", "kw_only", "strict", "maxsize")  # on what a program does
SECONDS = 120  # a mutant that loops is noticed, too
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A place that can be broken: `number` counts them through the file of the module."""

    module: str
    number: int
    line: int
    before: str


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node that can be changed with the node that holds it; annotations and texts are left alone."""
    for parent in ast.walk(tree):
        if isinstance(parent, ast.keyword) and parent.arg in WITHOUT_EFFECT:
            continue
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns"):
                continue
            for node in value if isinstance(value, list) else [value]:
                if type(node) in SWAPPED or is_number(node) or is_not(node):
                    yield parent, node


def is_number(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def is_not(node: object) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def changes(module: str) -> list[Change]:
    found = []
    for number, (parent, node) in enumerate(places(ast.parse(file_of(module).read_text("utf-8")))):
        line = getattr(node, "lineno", getattr(parent, "lineno", 0))
        found.append(Change(module, number, line, ast.unparse(parent).split("\n")[0][:100]))
    return found


def broken(source: str, number: int) -> str:
    """The source with one change made."""
    tree = ast.parse(source)
    parent, node = list(places(tree))[number]
    for name, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, name, instead_of(node))
        elif isinstance(value, list) and any(item is node for item in value):
            setattr(parent, name, [instead_of(item) if item is node else item for item in value])
    return ast.unparse(ast.fix_missing_locations(tree))


def instead_of(node: ast.AST) -> ast.AST:
    if isinstance(node, ast.Constant):
        return ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    if isinstance(node, ast.UnaryOp):
        return node.operand
    return SWAPPED[type(node)]()


# In the process of the tests


class Mutant(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads the module with its change."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number

    def find_spec(self, name: str, path: object, target: object = None) -> object:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(file_of(name)))

    def get_source(self, name: str) -> str:
        return broken(file_of(name).read_text("utf-8"), self.number)

    def exec_module(self, module: object) -> None:
        module.__file__ = str(file_of(self.name))
        exec(compile(self.get_source(self.name), module.__file__, "exec"), module.__dict__)


def file_of(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


def modules_named(name: str) -> list[str]:
    """The module of games/core or of games/engines with this name, or all of the engine's package."""
    core, engines = ROOT / "games/core", ROOT / "games/engines"
    files = [*core.rglob(f"{name}.py"), *engines.glob(f"{name}.py"), *sorted((engines / name).glob("*.py"))]
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]


if os.environ.get(VARIABLE):
    _name, _number = os.environ[VARIABLE].split(":")
    sys.meta_path.insert(0, Mutant(_name, int(_number)))


# In the process of the run


def tests_of(module: str) -> list[str]:
    """What pytest is asked to run, the most likely to notice first."""
    if module.startswith("games.core"):
        # What games share may have the tests of these games only.
        own = f"tests/core/test_{module.rpartition('.')[2]}.py"
        return [own, "tests/engines"] if (ROOT / own).exists() else ["tests/engines"]
    name = module.split(".")[2]
    slug = name.replace("_", "-")
    engines = [f"tests/engines/test_{name}.py"]
    return [*engines, "tests/core/test_playthroughs.py", "tests/core/test_contract.py", "-k", f"test_{name} or {slug}-"]


def is_noticed(change: Change) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "tests.mutants", "-p", "no:cacheprovider"]
    environment = {**os.environ, VARIABLE: f"{change.module}:{change.number}"}
    try:
        done = subprocess.run(
            [*command, *tests_of(change.module)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="a game's slug or a module of games/core")
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    name = given.name.replace("-", "_")
    found = [change for module in modules_named(name) for change in changes(module)]
    if not found:
        parser.error(f"there is no engine and no module of games/core with the name {given.name}")
    sample = Random(given.seed).sample(found, min(given.sample, len(found)))
    with ThreadPoolExecutor(given.workers) as pool:
        noticed = list(pool.map(is_noticed, sample))
    for change, is_killed in sorted(zip(sample, noticed, strict=True), key=lambda pair: (pair[0].module, pair[0].line)):
        if not is_killed:
            print(f"survived: {file_of(change.module).relative_to(ROOT)}:{change.line}: {change.before}")
    share = sum(noticed) / len(noticed)
    print(f"{given.name}: {sum(noticed)} of {len(noticed)} mutants killed, {share:.0%} ({len(found)} possible)")


if __name__ == "__main__":
    main()
