package dev.berth.core.schedule;

import java.util.ArrayList;
import java.util.List;

/// The stage of a binding after an event, and the commands to execute in this order.
public record BindingStep(BindingStage stage, List<BindingCommand> commands) {

    public BindingStep {
        commands = List.copyOf(commands);
    }

    static BindingStep of(BindingStage stage, BindingCommand... commands) {
        return new BindingStep(stage, List.of(commands));
    }

    /// The same step with more commands, executed after the others.
    BindingStep then(List<BindingCommand> more) {
        var all = new ArrayList<>(commands);
        all.addAll(more);
        return new BindingStep(stage, all);
    }

    BindingStep then(BindingCommand command) {
        return then(List.of(command));
    }
}
