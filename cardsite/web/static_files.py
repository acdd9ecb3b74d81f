"""Static files under hashed names, compressed, and each stylesheet with its imports inside.

Until they are collected, files have their plain names and WhiteNoise finds them in the apps; so tests and DEBUG need
nothing collected.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.files.base import ContentFile
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

STAMP = "collected-from"
LAYERED_IMPORT = re.compile(r'@import "(?P<name>[^"]+)" layer\((?P<layer>\w+)\);')


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Django's, which also takes words of a comment for the beginning of an import."""
        convert: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)

        def converter(found: re.Match[str]) -> str:
            is_type = name.startswith("django_htmx/")  # they import nothing
            is_done = normpath(join(dirname(name), found["url"])) in hashed_files.values()
            return found["matched"] if is_type or is_done else convert(found)

        return converter

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        for name, (source, path) in paths.items():
            if name.endswith(".css") and LAYERED_IMPORT.search(sheet := read(source, path)):
                self.delete(name)
                self._save(name, ContentFile(bundled(sheet, source, dirname(path))))
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)


def bundled(sheet: str, source: Any, folder: str) -> str:
    """A stylesheet with what it imports, so that a browser asks once."""

    def layer(found: re.Match[str]) -> str:
        return f"@layer {found['layer']} {{\n{read(source, join(folder, found['name']))}}}"

    return LAYERED_IMPORT.sub(layer, sheet)


def read(source: Any, path: str) -> str:
    with source.open(path) as file:
        return str(file.read().decode())


def collect(root: Path) -> None:
    """Collect the static files of all apps in `root`, unless they are those that were collected last.

    The files of the release before stay, for pages that are still open.
    """
    root.mkdir(parents=True, exist_ok=True)
    stamp, sources = root / STAMP, fingerprint()
    if stamp.exists() and stamp.read_text() == sources:
        return
    storage = HashedStaticFiles(location=root)
    kept = set(storage.hashed_files.values())
    command = collectstatic.Command()
    command.storage = storage
    call_command(command, interactive=False, verbosity=0)
    kept |= {*storage.hashed_files.values(), storage.manifest_name}
    for path in root.rglob("*"):
        if path.is_file() and str(path.relative_to(root)).removesuffix(".gz") not in kept:
            path.unlink()
    stamp.write_text(sources)


def fingerprint() -> str:
    """A hash of all static files, and of how they are collected."""
    files: Mapping[str, Path] = {
        name: Path(storage.path(name)) for finder in get_finders() for name, storage in finder.list(None)
    }
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for name, path in sorted(files.items()):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
