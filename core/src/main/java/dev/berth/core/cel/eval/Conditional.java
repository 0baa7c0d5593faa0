package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.List;

/// `condition ? yes : no`. It costs nothing by itself, and a variable that is a branch is free.
final class Conditional extends Attribute {

    final Node condition;
    final Node yes;
    final Node no;

    Conditional(Node condition, Node yes, Node no) {
        this.condition = condition;
        this.yes = yes;
        this.no = no;
    }

    @Override
    List<Node> children() {
        return List.of(condition, yes, no);
    }

    @Override
    Object resolve(Frame frame) {
        var decision = condition.eval(frame);
        if (Boolean.TRUE.equals(decision)) {
            return yes.resolve(frame);
        }
        if (Boolean.FALSE.equals(decision)) {
            return no.resolve(frame);
        }
        return decision instanceof Failure ? decision : Failure.noSuchOverload();
    }

    @Override
    int rootCost() {
        return 0;
    }
}
