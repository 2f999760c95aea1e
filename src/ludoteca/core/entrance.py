"""A quick way from Python into machine code, for a function of one whole number that is called millions of times.

numba's own entrance looks at each argument and lets other threads run meanwhile: some 200 ns, as long as a decision takes.
This one is a builtin function of Python made by hand. It reads one whole number, calls the machine code with it and with
the numbers bound to the function, and makes a Python number of what comes back: 35 ns.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from typing import Any

BOUND = 3  # whole numbers that every call brings along
ONE_ARGUMENT = 0x0008  # METH_O


class Method(ctypes.Structure):
    """PyMethodDef: how Python knows a builtin function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("words", ctypes.c_char_p),
    )


def entrance(address: int, bound: tuple[int, int, int], keep: Any) -> Callable[[int], int]:
    """A function of one whole number: the machine code there is called with the numbers bound and that one.

    Nothing is looked at on the way, so the numbers must be right. `keep` is not let go while the function is there.
    """
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    made: Callable[[int], int] = make(ctypes.addressof(_method()), struct.pack("4q", address, *bound), keep)
    return made


@functools.cache
def _method() -> Method:
    """Made once and kept for ever: functions refer to it."""
    from llvmlite import binding

    module = binding.parse_assembly(str(_program()))
    machine = binding.Target.from_default_triple().create_target_machine(opt=2)
    linked = binding.create_mcjit_compiler(module, machine)
    linked.finalize_object()
    method = Method(b"decide", linked.get_function_address("enter"), ONE_ARGUMENT, None)
    method.linked = linked  # whose code it is
    return method


def _program() -> Any:
    """`enter(self, number)` for LLVM; `self` is a bytes object: the address of the machine code and the numbers bound."""
    from llvmlite import ir

    number, flag = ir.IntType(64), ir.IntType(32)
    thing, numbers = ir.IntType(8).as_pointer(), number.as_pointer()
    nothing = ir.Constant(thing, None)
    module = ir.Module("entrance")

    def python(name: str, result: Any, *arguments: Any) -> Any:
        return ir.Function(module, ir.FunctionType(result, arguments), name)

    read, make = python("PyLong_AsLongLong", number, thing), python("PyLong_FromLongLong", thing, number)
    contents, trouble = python("PyBytes_AsString", thing, thing), python("PyErr_Occurred", thing)
    complain = python("PyErr_BadInternalCall", ir.VoidType())

    enter = python("enter", thing, thing, thing)
    code = ir.IRBuilder(enter.append_basic_block())
    result, error = code.alloca(number), code.alloca(thing)
    given = code.call(read, [enter.args[1]])
    with code.if_then(code.icmp_signed("==", given, number(-1)), likely=False):  # or what was given is no number
        wrong = code.icmp_unsigned("!=", code.call(trouble, []), nothing)
        with code.if_then(wrong):
            code.ret(nothing)
    first = code.bitcast(code.call(contents, [enter.args[0]]), numbers)
    target, *bound = [code.load(code.gep(first, [flag(n)]), typ=number) for n in range(1 + BOUND)]
    # As numba calls: where the result goes, where an error would, the arguments; what comes back says whether it went well.
    kind = ir.FunctionType(flag, [numbers, thing.as_pointer(), *[number] * (BOUND + 1)])
    status = code.call(code.inttoptr(target, kind.as_pointer()), [result, error, *bound, given])
    with code.if_then(code.icmp_signed("!=", status, flag(0)), likely=False):
        code.call(complain, [])
        code.ret(nothing)
    code.ret(code.call(make, [code.load(result, typ=number)]))
    return module
