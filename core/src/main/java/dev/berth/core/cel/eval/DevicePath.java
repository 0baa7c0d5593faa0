package dev.berth.core.cel.eval;

import dev.berth.core.cel.node.Accumulator;
import dev.berth.core.cel.node.Comprehension;
import dev.berth.core.cel.node.Constant;
import dev.berth.core.cel.node.DeviceRead;
import dev.berth.core.cel.node.DeviceVariable;
import dev.berth.core.cel.node.DriverRead;
import dev.berth.core.cel.node.ExpressionNode;
import dev.berth.core.cel.node.FieldSelection;
import dev.berth.core.cel.node.LocalBinding;
import dev.berth.core.cel.node.Membership;
import dev.berth.core.cel.value.DeviceFields;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A path in a device: its fields and keys. A shorter path covers all longer ones that it is a
/// prefix of.
record DevicePath(List<String> keys) {

    private static final DevicePath DEVICE = new DevicePath(List.of());
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");

    DevicePath {
        keys = List.copyOf(keys);
    }

    /// All paths that a node may read.
    static Set<DevicePath> readBy(ExpressionNode node) {
        var paths = new LinkedHashSet<DevicePath>();
        collect(node, paths);
        return paths;
    }

    private static void collect(ExpressionNode node, Set<DevicePath> paths) {
        var own = of(node);
        own.ifPresent(paths::add);
        switch (node) {
            case FieldSelection selection -> {
                if (own.isEmpty()) {
                    collect(selection.base, paths);
                }
                selection.steps().forEach(step -> collect(step.index(), paths));
            }
            case Membership membership -> collectMembership(membership, paths);
            case Comprehension loop when isPathBinding(loop) -> collect(loop.result, paths);
            default -> node.children().forEach(child -> collect(child, paths));
        }
    }

    /// Whether a binding only names a path; it then reads only the paths of its uses.
    private static boolean isPathBinding(Comprehension loop) {
        var initial = loop.accumulator.initial();
        return loop.accumulator.fixed()
                && initial != null
                && isPlain(initial)
                && of(initial).isPresent();
    }

    /// A membership test for one key reads only the value of that key.
    private static void collectMembership(Membership membership, Set<DevicePath> paths) {
        var container = of(membership.container);
        if (container.isPresent()
                && endsInDevice(membership.container)
                && membership.element instanceof Constant constant
                && constant.value instanceof String key) {
            paths.add(container.get().with(key));
        } else {
            membership.children().forEach(child -> collect(child, paths));
        }
    }

    /// Whether the node is the path itself, without computed keys.
    private static boolean endsInDevice(ExpressionNode node) {
        return !(node instanceof FieldSelection selection)
                || selection.steps().stream()
                        .allMatch(step -> step.constantKey().orElse(null) instanceof String);
    }

    private DevicePath with(String key) {
        var longer = new ArrayList<>(keys);
        longer.add(key);
        return new DevicePath(longer);
    }

    /// The path that a node reads, as far as it is statically known.
    private static Optional<DevicePath> of(ExpressionNode node) {
        return switch (node) {
            case DeviceVariable _ -> Optional.of(DEVICE);
            case DriverRead _ -> Optional.of(new DevicePath(List.of(DeviceFields.DRIVER)));
            case DeviceRead read ->
                    Optional.of(
                            new DevicePath(
                                    List.of(
                                            read.capacity
                                                    ? DeviceFields.CAPACITY
                                                    : DeviceFields.ATTRIBUTES,
                                            read.name.domain(),
                                            read.name.id())));
            case Accumulator variable -> ofInitial(variable.binding);
            case FieldSelection selection -> of(selection.base).map(base -> below(base, selection));
            default -> Optional.empty();
        };
    }

    private static Optional<DevicePath> ofInitial(LocalBinding binding) {
        var initial = binding.initial();
        return binding.fixed() && initial != null && isPlain(initial)
                ? of(initial)
                : Optional.empty();
    }

    /// Whether every key of the path is known, so that keys can be appended.
    private static boolean isPlain(ExpressionNode node) {
        return endsInDevice(node) && !(node instanceof FieldSelection s && s.presenceOnly);
    }

    private static DevicePath below(DevicePath base, FieldSelection selection) {
        var path = base;
        for (var step : selection.steps()) {
            if (!(step.constantKey().orElse(null) instanceof String key)) {
                return path;
            }
            path = path.with(key);
        }
        return path;
    }

    @Override
    public String toString() {
        var text = new StringBuilder("device");
        for (var i = 0; i < keys.size(); i++) {
            var key = keys.get(i);
            // Domains may contain dots and dashes; they are always printed in brackets.
            if (i != 1 && IDENTIFIER.matcher(key).matches()) {
                text.append('.').append(key);
            } else {
                text.append("[\"").append(key).append("\"]");
            }
        }
        return text.toString();
    }
}
