"""How rules are compiled: the one place that knows numba.

A rule is a plain Python function marked `@kernel`. It runs as it is (for scenes, debuggers, coverage, and the first game
on a fresh machine), and `Compiler` makes machine code of the same source. Some traps are closed here:

- numba's disk cache looks at a function's own file only, so an edited card file or helper would keep old machine code
  alive. The cache directory therefore carries a hash of every file the kernels can reach, and of nothing else: editing
  the server recompiles no game.
- A kernel's signature comes from its annotations (`seat: int`, `log: Log`), so it is compiled once, not once for every
  width of integer it happens to be called with.
- numba would optimize and translate every kernel by itself, and again within each kernel that calls it. Here a kernel
  that others call is only a part of them (`_part`), and ten rules of a game are machine code: setup, legal, apply …
- Whatever calls those (the doors from Python, play-outs, search) finds them by symbol when it is loaded. Nothing of a game
  is compiled into an algorithm, and a call costs no more than any other.
- Loading is lean: once something has been compiled (a small file beside the cache says so) it is loaded alone.
- Kernels call each other through module globals. A compiled kernel is made from a copy of the function whose globals hold
  the compiled callees, so that both speeds live in one process.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import pathlib
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])

# The arrays that kernels are handed; `Compiler` knows their types by these names.
Log = npt.NDArray[np.int32]  # facts told by the rules: see log.py
ActionList = npt.NDArray[np.int16]  # what a seat may do
OptionList = npt.NDArray[np.int64]  # the options of a game, as numbers
ScoreList = npt.NDArray[np.int64]  # a number for each seat
ChanceList = npt.NDArray[np.float64]  # a chance for each seat
NumberList = npt.NDArray[np.float32]  # an observation

KEPT_CACHES = 12  # directories of machine code kept for each name; older ones are of sources that are gone
READY = ".ready"  # the ending of the files that say what a cache directory holds
_lock = threading.RLock()


def kernel(function: F) -> F:
    """Marks a rule: plain Python that can be compiled."""
    function.__kernel__ = True
    return function


def cache_root() -> pathlib.Path:
    """Where machine code is kept: LUDOTECA_CACHE, or the user's cache directory."""
    if chosen := os.environ.get("LUDOTECA_CACHE"):
        return pathlib.Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "ludoteca"


def sources_of(*folders_or_files: pathlib.Path) -> list[pathlib.Path]:
    """Every source and data file below these places."""
    found: set[pathlib.Path] = set()
    for place in folders_or_files:
        if place.is_file():
            found.add(place)
        else:
            found.update(p for p in place.rglob("*") if p.suffix in (".py", ".csv", ".json", ".toml"))
    return sorted(p for p in found if "__pycache__" not in p.parts and p.parent.name != "words")


def imported_by(files: Iterable[pathlib.Path], folder: pathlib.Path) -> list[pathlib.Path]:
    """These files, and all that they import from each other inside the folder."""
    found, todo = set[pathlib.Path](), list(files)
    while todo:
        file = todo.pop()
        if file in found:
            continue
        found.add(file)
        for dots, module, names in _IMPORT.findall(file.read_text("utf-8")):
            place = file.parents[len(dots) - 1].joinpath(*filter(None, module.split(".")))
            inside = [_module(place)] if module else []
            if not place.with_suffix(".py").is_file():  # a package: its modules, or what it defines itself
                inside += [_module(place / name) or _module(place) for name in re.findall(r"\w+", names)]
            todo += [path for path in inside if path is not None and folder in path.parents]
    return sorted(found)


def _module(place: pathlib.Path) -> pathlib.Path | None:
    """The file of a module or package."""
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


_IMPORT = re.compile(r"^[ \t]*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.M)


def core_sources() -> list[pathlib.Path]:
    """The files of the core that kernels can reach."""
    here = pathlib.Path(__file__).parent
    return [here / name for name in ("kernel.py", "chance.py", "log.py", "record.py")]


def cache_directory(name: str, sources: Iterable[pathlib.Path]) -> pathlib.Path:
    """Where machine code made of these sources is kept; asks nothing of numba, whose import is slow."""
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    bounds = os.environ.get("NUMBA_BOUNDSCHECK", "")
    digest.update(f"{importlib.metadata.version('numba')} {sys.version_info[:2]} {bounds}".encode())
    return cache_root() / f"{name}-{digest.hexdigest()[:16]}"


class Compiler:
    """Compiles kernels into a cache directory that can never be stale."""

    def __init__(self, name: str, sources: Iterable[pathlib.Path], types: dict[str, Any] | None = None) -> None:
        import numba

        self.directory = cache_directory(name, sources)
        self.types: dict[str, Any] = {
            "int": numba.types.int64,
            "float": numba.types.float64,
            "bool": numba.types.boolean,
            "Log": numba.types.Array(numba.types.int32, 2, "C"),
            "ActionList": numba.types.Array(numba.types.int16, 1, "C"),
            "OptionList": numba.types.Array(numba.types.int64, 1, "C"),
            "ScoreList": numba.types.Array(numba.types.int64, 1, "C"),
            "ChanceList": numba.types.Array(numba.types.float64, 1, "C"),
            "NumberList": numba.types.Array(numba.types.float32, 1, "C"),
            **(types or {}),
        }
        self._parts: dict[Any, Any] = {}
        prune(name, keep=self.directory)

    def rule(self, name: str, function: Any, signature: Any) -> Any:
        """A rule as machine code, from the cache or compiled; to be called by other machine code, which knows its symbol."""
        from llvmlite import binding

        symbol = f"{self.directory.name}.{name}"
        with _lock:
            if symbol not in _symbols:
                compiled = self._load(name, function, signature, lambda: self._callees(function), entrance=False)
                binding.add_symbol(symbol, address_of(compiled))
                _symbols[symbol] = compiled  # for ever: somebody may call it
            return self._njit(_rule, {"called": _call_of(symbol, signature)}, part=True)

    def load(self, mark: str, function: Any, signature: Any, rules: dict[str, Any] | None = None) -> Any:
        """A function as machine code that Python calls, from the cache or compiled; its globals of these names are rules.

        `mark` names it in the cache directory, where a file of that name says that it has been compiled.
        """
        with _lock:
            return self._load(mark, function, signature, lambda: self._callees(function) | (rules or {}))

    def load_algorithm(
        self, mark: str, algorithm: Any, result: Any, rules: list[Any], arguments: tuple[Any, ...]
    ) -> Any:
        """As `load`, for a function whose first arguments are rules; it is called with a tuple of the others."""
        from numba import types

        def callees() -> dict[str, Any]:
            signature = result(*map(types.Dispatcher, rules), *arguments)
            part = self._njit(algorithm, self._callees(algorithm), signature, part=True)
            return {"called": _call_with(part, len(rules))}

        with _lock:
            return self._load(mark, _enter, result(types.Tuple(arguments)), callees)  # type: ignore[no-untyped-call]

    def _load(
        self, mark: str, function: Any, signature: Any, callees: Callable[[], dict[str, Any]], entrance: bool = True
    ) -> Any:
        from numba.core.errors import NumbaError

        done = self.directory / f"{mark}{READY}"
        if done.exists():
            try:
                return self._njit(function, {}, signature, mark, entrance)
            except NumbaError:
                pass  # the mark is there and the code is gone: compile again
        compiled = self._njit(function, callees(), signature, mark, entrance)
        done.touch()
        return compiled

    def compile(self, function: Any) -> Any:
        """Machine code of a kernel and of every kernel it calls, to be called from Python."""
        with _lock:
            return self._njit(function, self._callees(function))

    def _callees(self, function: Any) -> dict[str, Any]:
        named = {name: function.__globals__.get(name) for name in function.__code__.co_names}
        return {name: self._part(rule) for name, rule in named.items() if getattr(rule, "__kernel__", False)}

    def _part(self, function: Any) -> Any:
        if function not in self._parts:
            self._parts[function] = self._njit(function, self._callees(function), part=True)
        return self._parts[function]

    def _njit(
        self,
        function: Any,
        callees: dict[str, Any],
        signature: Any = None,
        name: str = "",
        entrance: bool = True,
        part: bool = False,
    ) -> Any:
        """Machine code, with or without an entrance for Python, or what only becomes a part of other machine code."""
        import numba
        from numba.core import config

        copy = FunctionType(
            function.__code__,
            {**function.__globals__, **callees},
            name or function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        copy.__module__, copy.__qualname__ = function.__module__, name or function.__qualname__
        arguments = [signature] if signature is not None else self._annotated(function)
        options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": part or not entrance}
        if not {"np", "carray"} & set(function.__code__.co_names):
            options["_nrt"] = False  # it makes no arrays, so nobody has to count who uses them: a fifth less to compile
        if part:
            options["pipeline_class"] = _part_pipeline()
        else:
            options["cache"] = True
        kept = config.CACHE_DIR
        config.CACHE_DIR = str(self.directory)  # numba reads it while it decorates; nobody else's numba is affected
        try:
            return numba.njit(*arguments, **options)(copy)
        finally:
            config.CACHE_DIR = kept

    def _annotated(self, function: Any) -> list[Any]:
        """The signatures that the annotations give, or nothing: then numba compiles for whatever it is called with.

        An argument with a default value may be left out by callers: that makes one signature for each number of arguments.
        """
        from numba.types import Omitted

        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        found = tuple(self.types.get(str(function.__annotations__.get(name))) for name in names)
        if not names or None in found:
            return []
        omitted = tuple(Omitted(default) for default in function.__defaults__ or ())
        if not omitted:
            return [found]
        return [[found[: len(found) - n] + omitted[len(omitted) - n :] for n in range(len(omitted) + 1)]]


_symbols: dict[str, Any] = {}  # the rules that this process has loaded
called: Any = None  # in copies of the next two: `_call_of(…)`, `_call_with(…)`


def _rule(*arguments):  # type: ignore[no-untyped-def]
    return called(arguments)


def _enter(arguments):  # type: ignore[no-untyped-def]
    return called(arguments)


def address_of(compiled: Any) -> int:
    """Where the machine code of a function begins, for `entrance`."""
    (code,) = compiled.overloads.values()
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def found_at(kind: Any) -> Any:
    """What a kernel calls to get what is at an address: a record, or a `pointer` to numbers."""
    from numba.extending import intrinsic

    def found(_context: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(kind))

        return kind(address), code

    return intrinsic(found)


def _call_of(symbol: str, signature: Any) -> Any:
    """A call of the machine code that has this symbol."""
    from numba.core import cgutils
    from numba.extending import intrinsic

    result, wanted = signature.return_type, signature.args

    def call(_context: Any, arguments: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(result, wanted)
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)  # type: ignore[no-untyped-call]
            given = cgutils.unpack_tuple(builder, values[0])  # type: ignore[no-untyped-call]
            given = [context.cast(builder, *each) for each in zip(given, arguments, wanted, strict=True)]
            status, value = convention.call_function(builder, function, result, wanted, given)
            with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
                convention.return_status_propagate(builder, status)
            return value

        return result(arguments), code

    return intrinsic(call)


def _call_with(compiled: Any, rules: int) -> Any:
    """A call of a compiled algorithm: its first arguments are so many rules, which need no value."""
    from numba.core import cgutils
    from numba.extending import intrinsic

    def call(_context: Any, arguments: Any) -> Any:
        (inner,) = compiled.overloads.values()

        def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            given = [context.get_constant_null(kind) for kind in inner.signature.args[:rules]]
            given += cgutils.unpack_tuple(builder, values[0])  # type: ignore[no-untyped-call]
            context.add_linking_libs([inner.library])
            return context.call_internal(builder, inner.fndesc, inner.signature, given)

        return inner.signature.return_type(arguments), code

    return intrinsic(call)


@functools.cache
def _part_pipeline() -> Any:
    """numba's way from source to code, without the last step: whoever takes the part in optimizes and translates it."""
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler as Pipeline

    class Nowhere:
        """What stands for the place of the machine code, as there is none."""

        def set_env(self, name: str, environment: Any) -> None:
            pass

    class Part(JITCodeLibrary):
        codegen = Nowhere()

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def finalize(self) -> None:
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()  # type: ignore[no-untyped-call]
            return 0

    class PartPipeline(Pipeline):
        def define_pipelines(self) -> Any:
            name = self.state.func_id.func_qualname
            self.state.library = Part(self.state.targetctx.codegen(), name)  # type: ignore[no-untyped-call]
            return super().define_pipelines()  # type: ignore[no-untyped-call]

    return PartPipeline


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
