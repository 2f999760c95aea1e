"""Compiles kernels to machine code with numba, and keeps the result on disk. The only module that knows numba.

`Compiler.load` returns a compiled function (numba's word is *dispatcher*): from the cache within milliseconds, or compiled,
which takes seconds. Six things are worth knowing:

- **Copies.** Kernels call each other through their module's globals. What is compiled is a copy of the function whose
  globals hold the compiled callees; the original goes on running as plain Python in the same process.
- **Defaults.** A kernel whose arguments have defaults is written into its callers (`inline="always"`), so it should do no
  more than call one that has none. numba would compile it anew for every way to call it: a tenth of all the time it took.
- **A cache that cannot be stale.** numba looks only at the file of the function itself, so an edited card file or helper
  would keep old machine code alive. Here the cache directory is named by a hash of every file that the kernels can
  reach, and of no other: editing the server recompiles nothing. numba finds its own files by the folder of the source, so
  the folders are part of the hash: another checkout with the same sources has a directory of its own.
- **Loading alone.** A function in the cache holds the code of all its callees. A small file beside the cache, a *mark*,
  says that it is there; then it is loaded without compiling, or even loading, what it calls.
- **No collecting.** Python's garbage collector stands still meanwhile: numba makes millions of small objects that live on,
  and to look through them again and again took a fifth of the time.
- **Errors.** `error_model="numpy"` leaves out the checks for division by zero, which cost about a tenth of the speed. Rules
  that divide by zero are found by the interpreter, which plays the same games in the contract tests.
"""

from __future__ import annotations

import contextlib
import dis
import gc
import hashlib
import importlib.metadata
import os
import pathlib
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, Literal

import numpy as np

KEPT_CACHES = 12  # directories kept for each name; older ones are of sources that are gone
NO_RULES = {"words", "learned", "lesson", "puzzles.json", "bot_ratings.json"}  # data that rules never read
READY = ".ready"  # the ending of the files that say what a cache directory holds
_lock = (
    threading.RLock()
)  # numba compiles one function at a time, and settings of the whole process are changed meanwhile


class Compiler:
    """Compiles functions into one cache directory.

    `records` are the dtypes of the records that kernels are annotated with (`State`, `Log`); `rule_of` gives the dispatcher
    of a rule, for functions that call the rules of any game (rules.py); `variant` is the hash of the deck that the tables
    are made of, if it is not the printed one.
    """

    def __init__(
        self,
        name: str,
        sources: Iterable[pathlib.Path],
        records: Mapping[str, np.dtype[Any]] | None = None,
        rule_of: Callable[[str], Any] | None = None,
        variant: str = "",
    ) -> None:
        self._sources = list(sources)
        self.directory = cache_directory(name, self._sources, variant)
        self._types = annotated_types(records or {})
        self._rule_of = rule_of
        self._compiled: dict[Any, Any] = {}
        prune(name, keep=self.directory)

    def load(self, name: str, function: Any, declared: Any = None, arguments: Sequence[Any] | None = None) -> Any:
        """The dispatcher of a function, from the cache if it is there; `name` is its name in the cache.

        Its signature comes from the annotations of `declared` (or its own), or from arguments like those of its calls.
        """
        import numba

        signature = tuple(map(numba.typeof, arguments)) if arguments else self._signature(declared or function)
        if signature is None:
            raise TypeError(f"{function.__qualname__} is to be compiled by itself: annotate all its arguments.")
        with _lock, _not_collecting():
            dispatcher = self._loaded(name, function, signature)
            if dispatcher is None:
                dispatcher = self._njit(copied(function, self._callees(function), name), signature, cache=True)
            self.mark(name)
        return dispatcher

    def _loaded(self, name: str, function: Any, signature: Any) -> Any:
        """The dispatcher from the cache; None if the function was not compiled there, or its code has gone since."""
        import numba

        if (self.directory / f"{name}{READY}").exists():
            with contextlib.suppress(numba.NumbaError):  # without its callees it cannot be compiled, only loaded
                return self._njit(copied(function, {}, name), signature, cache=True)
        return None

    def mark(self, name: str) -> None:
        """Says, for other processes, that this is compiled: see `is_ready`."""
        mark, said = self.directory / f"{name}{READY}", times_of(self._sources)
        if not mark.exists() or mark.read_text() != said:
            with contextlib.suppress(OSError):  # a cache that others filled: it is loaded all the same
                mark.write_text(said)

    def _signature(self, function: Any) -> Any:
        """The types of the arguments, from the annotations; None if one has no type or a default: callers will decide."""
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        written = [function.__annotations__.get(name) for name in names]
        found = tuple(self._types.get(getattr(note, "__name__", str(note))) for note in written)
        return None if None in found or function.__defaults__ else found

    def compile(self, function: Any) -> Any:
        """The dispatcher of a kernel that other kernels call: it becomes a part of them, so it is not kept on disk."""
        with _lock:
            if function not in self._compiled:
                plain = copied(function, self._callees(function), function.__qualname__)
                in_any_order = getattr(function, "__in_any_order__", False)
                self._compiled[function] = self._njit(plain, self._signature(function), False, in_any_order)
            return self._compiled[function]

    def _callees(self, function: Any) -> dict[str, Any]:
        """The dispatchers of the kernels and rules that the function names."""
        found = {}
        for name in dict.fromkeys(s.argval for s in dis.get_instructions(function) if s.opname == "LOAD_GLOBAL"):
            value = function.__globals__.get(name)
            if getattr(value, "__kernel__", False):
                found[name] = self.compile(getattr(value, "__compiled_as__", value))
            elif getattr(value, "__rule__", False) and self._rule_of is not None:
                found[name] = self._rule_of(name)
        return found

    def _njit(self, function: Any, signature: Any, cache: bool, in_any_order: bool = False) -> Any:
        import numba

        with _cache_in(self.directory):
            inline: Literal["always", "never"] = "always" if function.__defaults__ else "never"
            return numba.njit(
                signature, nogil=True, error_model="numpy", cache=cache, inline=inline, fastmath=in_any_order
            )(function)


def copied(function: Any, callees: Mapping[str, Any], name: str) -> Any:
    """The same function under another name (numba's cache files are called by it) and with some globals replaced."""
    plain = FunctionType(
        function.__code__, {**function.__globals__, **callees}, name, function.__defaults__, function.__closure__
    )
    plain.__module__, plain.__qualname__ = function.__module__, name
    return plain


def annotated_types(records: Mapping[str, np.dtype[Any]]) -> dict[str, Any]:
    """The numba types of what functions are annotated with: the records, and in the plural arrays of them."""
    from numba import from_dtype, types

    def array(kind: Any, dimensions: int = 1) -> Any:
        return types.Array(kind, dimensions, "C")

    found = {
        "int": types.int64,
        "float": types.float64,
        "bool": types.boolean,
        "ActionList": array(types.int16),
        "OptionList": array(types.int64),
        "ScoreList": array(types.int64),
        "ChanceList": array(types.float64),
        "NumberList": array(types.float32),
        "ActionTable": array(types.int16, 2),
        "ScoreTable": array(types.int64, 2),
        "ChanceTable": array(types.float64, 2),
        "NumberTable": array(types.float32, 2),
        "PlaceList": array(types.int32),
    }
    for name, dtype in records.items():
        found[name] = from_dtype(dtype)
        found[f"{name}s"] = array(found[name])
    return found


@contextlib.contextmanager
def _cache_in(directory: pathlib.Path) -> Iterator[None]:
    """numba keeps what is decorated meanwhile in this directory.

    numba documents the setting as the environment variable NUMBA_CACHE_DIR, which it reads when it is imported into
    `numba.config.CACHE_DIR` (seen in 0.61 to 0.68). A test fails if that moves.
    """
    from numba import config

    settings: Any = config  # numba fills this module in from the environment, so its names have no types
    kept, settings.CACHE_DIR = settings.CACHE_DIR, str(directory)
    try:
        yield
    finally:
        settings.CACHE_DIR = kept


@contextlib.contextmanager
def _not_collecting() -> Iterator[None]:
    """Python's garbage collector stands still meanwhile."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


# The cache directories. Nothing below imports numba, which takes half a second: it is quick to ask what is compiled.


def cache_root() -> pathlib.Path:
    """Where machine code is kept: LUDOTECA_CACHE, or the user's cache directory."""
    if chosen := os.environ.get("LUDOTECA_CACHE"):
        return pathlib.Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "ludoteca"


def cache_directory(name: str, sources: Iterable[pathlib.Path], variant: str = "") -> pathlib.Path:
    """Where machine code made of these sources, and of the deck with this hash, is kept."""
    digest = hashlib.sha256()
    for path in sources:
        digest.update(os.path.abspath(path).encode() + b"\0" + path.read_bytes() + b"\0")
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest.update(f"{importlib.metadata.version('numba')} {sys.version_info[:2]} {bounds}{variant}".encode())
    return cache_root() / f"{name}-{digest.hexdigest()[:16]}"


def is_ready(name: str, sources: Sequence[pathlib.Path], mark: str, variant: str = "") -> bool:
    """Whether this is in the cache, to be loaded without compiling."""
    file = cache_directory(name, sources, variant) / f"{mark}{READY}"
    return file.exists() and file.read_text() == times_of(sources)


def times_of(sources: Iterable[pathlib.Path]) -> str:
    """When the sources were written, in short.

    Older numbas (0.61 does) compile anew what was written anew, even with the same text, as when a package is installed once
    more. So a mark from before promises nothing; `Compiler.load` tries, and marks again what is still there.
    """
    return hashlib.sha256(repr([path.stat().st_mtime for path in sources]).encode()).hexdigest()


def prune(name: str, keep: pathlib.Path) -> None:
    """Deletes the oldest cache directories of that name."""
    try:
        keep.mkdir(parents=True, exist_ok=True)
        os.utime(keep)
        others = sorted(cache_root().glob(f"{name}-*"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[KEPT_CACHES:]:
            if time.time() - old.stat().st_mtime > 3600:  # another process may still be using a young one
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        pass  # a read-only home: numba will say so if it matters


# The files that machine code is made of.


def core_sources() -> list[pathlib.Path]:
    """The files of the core that kernels can reach or take numbers from, and those that decide how they are compiled."""
    here = pathlib.Path(__file__).parent
    compiling, reached = (
        ("compiler", "kernel", "rules", "entries"),
        ("actions", "chance", "facts", "forms", "log", "pen", "record"),
    )
    return [here / f"{name}.py" for name in (*compiling, *reached)]


def data_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The files of a folder that its tables may be read from: all data but what is no part of the rules."""
    found = [path for path in folder.rglob("*") if path.suffix in (".csv", ".json", ".toml")]
    return sorted(path for path in found if not NO_RULES & set(path.relative_to(folder).parts))


def imported_by(files: Iterable[pathlib.Path], folder: pathlib.Path) -> list[pathlib.Path]:
    """These files, and all that they import from the folder, directly or not."""
    found, todo = set[pathlib.Path](), list(files)
    while todo:
        file = todo.pop()
        if file in found:
            continue
        found.add(file)
        todo += [path for path in _imports(file) if folder in path.parents]
    return sorted(found)


def _imports(file: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files that a file imports, as far as they lie beside it or below its outermost package."""
    for dots, module, names, whole in _IMPORT.findall(file.read_text("utf-8")):
        above = file.parents[len(dots) - 1] if dots else _outside_packages(file)
        place = above.joinpath(*filter(None, (module or whole).split(".")))
        itself = _module(place)
        if itself is not None and (module or whole):
            yield itself
        if place.is_dir():  # a package: its modules, or what it defines itself
            inside = [_module(place / name) or itself for name in re.findall(r"\w+", names)]
            yield from (path for path in inside if path is not None)


def _outside_packages(file: pathlib.Path) -> pathlib.Path:
    """The folder in which the outermost package of this file lies."""
    return next(folder for folder in file.parents if not (folder / "__init__.py").exists())


def _module(place: pathlib.Path) -> pathlib.Path | None:
    """The file of a module or package."""
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


_IMPORT = re.compile(r"^[ \t]*(?:from (\.*)([\w.]*) import (\([^)]*\)|[^\n]*)|import ([\w.]+))", re.M)
