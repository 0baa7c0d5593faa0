package dev.berth.core.cel.eval;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A place in a device: the fields and keys that lead there. The shorter, the more it covers.
record DevicePath(List<String> keys) {

    private static final DevicePath DEVICE = new DevicePath(List.of());
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");

    DevicePath {
        keys = List.copyOf(keys);
    }

    /// All places that a part of an expression may read.
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
            case Comprehension loop when isNameOfPlace(loop) -> collect(loop.result, paths);
            default -> node.children().forEach(child -> collect(child, paths));
        }
    }

    /// A name for a place reads only what its uses read.
    private static boolean isNameOfPlace(Comprehension loop) {
        var initial = loop.accumulator.initial();
        return loop.accumulator.fixed()
                && initial != null
                && isPlain(initial)
                && of(initial).isPresent();
    }

    /// Asking a map for one key reads no more than the value of that key.
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

    /// True when the node is the place itself and not something further down or computed.
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

    /// The place that a node reads from, as far as it is known before evaluation.
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

    /// True when every key on the way is known, so that more keys can be added.
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
            // Domains have dots and dashes; in brackets they all look the same.
            if (i != 1 && IDENTIFIER.matcher(key).matches()) {
                text.append('.').append(key);
            } else {
                text.append("[\"").append(key).append("\"]");
            }
        }
        return text.toString();
    }
}
