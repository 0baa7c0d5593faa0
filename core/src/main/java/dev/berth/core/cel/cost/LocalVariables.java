package dev.berth.core.cel.cost;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Scopes of the local variables of comprehensions and bindings; inner variables shadow outer ones.
final class LocalVariables {

    /// @param path path of the value in the input, empty if it is computed
    record Local(List<String> path, Optional<SizeRange> size, Optional<EntrySize> entrySize) {}

    private final Map<String, Deque<Local>> stacks = new HashMap<>();

    void push(String name, Local local) {
        stacks.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(local);
    }

    void pop(String name) {
        var stack = stacks.get(name);
        if (stack != null) {
            stack.pop();
        }
    }

    Optional<Local> find(String name) {
        var stack = stacks.get(name);
        return stack == null ? Optional.empty() : Optional.ofNullable(stack.peek());
    }
}
