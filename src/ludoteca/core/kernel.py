"""How rules are compiled: the one place that knows numba.

A rule is a plain Python function marked `@kernel`. It runs as it is (for scenes, debuggers, coverage, and the first game
on a fresh machine), and `Compiler` makes machine code of the same source. Some traps are closed here:

- numba's disk cache looks at a function's own file only, so an edited card file or helper would keep old machine code
  alive. The cache directory therefore carries a hash of every file the kernels can reach, and of nothing else: editing
  the server recompiles no game.
- A kernel's signature comes from its annotations (`seat: int`, `log: Log`), so it is compiled once, not once for every
  width of integer it happens to be called with.
- Loading is lean: machine code in the cache holds the code of its callees too, so once something has been compiled
  (a small file beside the cache says so) it is loaded alone.
- Generic algorithms (search, play-outs, vectors) take a game's kernels as arguments. They are handed over as addresses: a
  compiled function as an argument would cost 45 µs at every call.
- Kernels call each other through module globals. A compiled kernel is made from a copy of the function whose globals hold
  the compiled callees, so that both speeds live in one process.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import pathlib
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
Log = npt.NDArray[np.int32]  # facts told by the rules: see events.py
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


def core_sources() -> list[pathlib.Path]:
    """The files of the core that kernels can reach."""
    here = pathlib.Path(__file__).parent
    return [here / name for name in ("kernel.py", "chance.py", "events.py", "record.py")]


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
        self._done: dict[Any, Any] = {}
        prune(name, keep=self.directory)

    def load(self, mark: str, function: Any, signature: Any, rules: dict[str, Any] | None = None) -> Any:
        """Machine code of a function whose globals of these names are these kernels: from the cache, or compiled.

        `mark` names it in the cache directory, where a file of that name says that it has been compiled.
        """

        def callees() -> dict[str, Any]:
            return self._callees(function) | {name: self._inner(rule) for name, rule in (rules or {}).items()}

        with _lock:
            return self._load(mark, function, signature, callees)

    def load_algorithm(
        self, mark: str, algorithm: Any, result: Any, rules: list[Any], arguments: tuple[Any, ...]
    ) -> Any:
        """An algorithm whose first arguments are rules of these types; it is called with an array of their addresses.

        Python could hand over the rules themselves, but that takes 45 µs for each, at every call.
        """
        from numba import types

        def callees() -> dict[str, Any]:
            signature = result(*rules, *arguments)
            within = self._njit(algorithm, self._callees(algorithm), signature, f"{mark}_within", entrances=False)
            return {"called": _called(within, rules)}

        with _lock:
            return self._load(mark, _enter, result(types.Array(types.int64, 1, "C"), types.Tuple(arguments)), callees)  # type: ignore[no-untyped-call]

    def _load(self, mark: str, function: Any, signature: Any, callees: Callable[[], dict[str, Any]]) -> Any:
        from numba.core.errors import NumbaError

        done = self.directory / f"{mark}{READY}"
        if done.exists():
            try:
                return self._njit(function, {}, signature, mark)
            except NumbaError:
                pass  # the mark is there and the code is gone: compile again
        compiled = self._njit(function, callees(), signature, mark)
        if getattr(function, "__kernel__", False):
            self._done[function] = compiled  # others that call it need not compile it again
        done.touch()
        return compiled

    def compile(self, function: Any) -> Any:
        """Machine code of a kernel and of every kernel it calls, to be called from Python."""
        with _lock:
            return self._njit(function, self._callees(function))

    def _callees(self, function: Any) -> dict[str, Any]:
        named = {name: function.__globals__.get(name) for name in function.__code__.co_names}
        return {name: self._inner(rule) for name, rule in named.items() if getattr(rule, "__kernel__", False)}

    def _inner(self, function: Any) -> Any:
        """Machine code that only other machine code calls: entrances would take as long to compile as a small rule.

        It has a name of its own in the cache, lest somebody who needs an entrance finds it there.
        """
        if function not in self._done:
            name = f"{function.__name__}_within"
            self._done[function] = self._njit(function, self._callees(function), name=name, entrances=False)
        return self._done[function]

    def _njit(
        self, function: Any, callees: dict[str, Any], signature: Any = None, name: str = "", entrances: bool = True
    ) -> Any:
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
        kept = config.CACHE_DIR
        config.CACHE_DIR = str(self.directory)  # numba reads it while it decorates; nobody else's numba is affected
        without = {"no_cpython_wrapper": not entrances, "no_cfunc_wrapper": True}
        try:
            return numba.njit(*arguments, cache=True, nogil=True, **without)(copy)
        finally:
            config.CACHE_DIR = kept

    def _annotated(self, function: Any) -> list[Any]:
        """The signature that the annotations give, or nothing: then numba compiles for whatever it is called with."""
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        found = [self.types.get(str(function.__annotations__.get(name))) for name in names]
        return [tuple(found)] if names and None not in found else []


called: Any = None  # `_called(…)`, before compiling


def _enter(addresses, arguments):  # type: ignore[no-untyped-def]
    return called(addresses, arguments)


def address_of(compiled: Any) -> int:
    """Where the machine code of a kernel is."""
    (code,) = compiled.overloads.values()
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_func_name))


def _called(compiled: Any, rules: list[Any]) -> Any:
    """A call of a compiled algorithm: its first arguments are functions of these types, which are at these addresses."""
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic

    def call(_context: Any, addresses: Any, arguments: Any) -> Any:
        (inner,) = compiled.overloads.values()

        def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            array = context.make_array(addresses)(context, builder, values[0])
            functions = []
            for number, rule in enumerate(rules):
                function = cgutils.create_struct_proxy(rule)(context, builder)  # type: ignore[no-untyped-call]
                place = builder.gep(array.data, [ir.Constant(ir.IntType(64), number)])
                function.jit_addr = builder.inttoptr(builder.load(place), cgutils.voidptr_t)
                functions.append(function._getvalue())
            functions += cgutils.unpack_tuple(builder, values[1])  # type: ignore[no-untyped-call]
            context.add_linking_libs([inner.library])
            return context.call_internal(builder, inner.fndesc, inner.signature, functions)

        return inner.signature.return_type(addresses, arguments), code

    return intrinsic(call)


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
