package dev.berth.node.safepath;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;

/// A function of the C library that reports failure by a negative result and `errno`.
///
/// Arguments are `int`, `long`, memory, and text as `String` or [FileName], which is copied for the
/// call.
@SuppressWarnings("restricted")
final class NativeFunction {

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle MEANING =
            LINKER.downcallHandle(symbol("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final int MAX_MEANING_BYTES = 256;

    private final String name;
    private final MethodHandle handle;

    private NativeFunction(String name, MethodHandle handle) {
        this.name = name;
        this.handle = handle;
    }

    static NativeFunction of(String name, ValueLayout result, ValueLayout... parameters) {
        return variadic(name, parameters.length, result, parameters);
    }

    /// @param fixed number of parameters before the variadic ones
    static NativeFunction variadic(
            String name, int fixed, ValueLayout result, ValueLayout... parameters) {
        var options = new ArrayList<Linker.Option>();
        options.add(Linker.Option.captureCallState("errno"));
        if (fixed < parameters.length) {
            options.add(Linker.Option.firstVariadicArg(fixed));
        }
        var linked =
                LINKER.downcallHandle(
                        symbol(name),
                        FunctionDescriptor.of(result, parameters),
                        options.toArray(Linker.Option[]::new));
        return new NativeFunction(
                name,
                linked.asSpreader(Object[].class, parameters.length + 1)
                        .asType(MethodType.methodType(Object.class, Object[].class)));
    }

    private static MemorySegment symbol(String name) {
        return LINKER.defaultLookup()
                .find(name)
                .orElseThrow(() ->
                        new UnsupportedOperationException(
                                "the C library of this machine has no %s; a node needs Linux"
                                        .formatted(name)));
    }

    /// Calls the function, and repeats after EINTR.
    long call(Object... arguments) throws IOException {
        while (true) {
            try {
                return callOnce(arguments);
            } catch (LinuxException e) {
                if (!e.is(LinuxException.EINTR)) {
                    throw e;
                }
            }
        }
    }

    long callOnce(Object... arguments) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            var all = new Object[arguments.length + 1];
            all[0] = state;
            for (var i = 0; i < arguments.length; i++) {
                all[i + 1] = converted(arguments[i], arena);
            }
            var result = invoke(all);
            if (result < 0) {
                var errno = (int) ERRNO.get(state, 0L);
                throw new LinuxException(name, subject(arguments), errno, meaning(errno));
            }
            return result;
        }
    }

    private long invoke(Object[] arguments) {
        try {
            return ((Number) (Object) handle.invokeExact(arguments)).longValue();
        } catch (Throwable e) {
            throw new IllegalStateException(name + " cannot be called", e);
        }
    }

    private static Object converted(Object argument, Arena arena) throws IOException {
        return switch (argument) {
            case String text -> {
                if (text.indexOf(0) >= 0) {
                    throw new IOException("\"%s\" has a NUL character".formatted(text));
                }
                yield arena.allocateFrom(text);
            }
            case FileName file -> {
                var bytes = file.bytes();
                var text = arena.allocate(bytes.length + 1L);
                MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
                yield text;
            }
            default -> argument;
        };
    }

    /// The first text argument: the file that the call is about.
    private static String subject(Object[] arguments) {
        for (var argument : arguments) {
            if (argument instanceof FileName || argument instanceof String) {
                return argument.toString().isEmpty() ? "a descriptor" : argument.toString();
            }
        }
        return "a descriptor";
    }

    private static String meaning(int errno) {
        try {
            var text = (MemorySegment) MEANING.invokeExact(errno);
            return text.reinterpret(MAX_MEANING_BYTES).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("strerror cannot be called", e);
        }
    }
}
