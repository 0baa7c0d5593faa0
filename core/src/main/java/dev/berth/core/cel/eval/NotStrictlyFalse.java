package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.List;

/// The condition of loops: goes on unless the result so far is clearly false, even after a failure.
final class NotStrictlyFalse extends Node {

    final Node argument;

    NotStrictlyFalse(Node argument) {
        this.argument = argument;
    }

    @Override
    List<Node> children() {
        return List.of(argument);
    }

    @Override
    Object eval(Frame frame) {
        var value = argument.eval(frame);
        frame.charge(1);
        return switch (value) {
            case Boolean flag -> flag;
            case Failure _ -> true;
            default -> Failure.noSuchOverload();
        };
    }
}
