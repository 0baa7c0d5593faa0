package dev.berth.app.bench.scheduling;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/// Work of one kind, so that figures can be compared.
///
/// @param says what it is about, for people
/// @param nodes how many there usually are
/// @param hardware the slices of a node
/// @param classes beside the usual one
/// @param wish what a claim wants: the content of `spec.devices`
/// @param use how pods come to their claims
/// @param held how many claims have their devices beforehand, of that many nodes
/// @param mode how pods come and go
record WorkloadShape(
        String name,
        String says,
        int nodes,
        Function<String, List<JsonObject>> hardware,
        List<JsonObject> classes,
        JsonObject wish,
        Use use,
        IntFunction<Integer> held,
        Mode mode) {

    /// How pods come to their claims.
    sealed interface Use {

        /// Each from a template.
        record Template() implements Use {}

        /// Some pods together use a claim that was made beforehand.
        record Shared(int pods) implements Use {}

        /// The pods of a group together use a claim that was made for the group.
        record Grouped(int pods) implements Use {}

        /// By the name of an extended resource; pods take turns with that many names.
        record Extended(int names) implements Use {}
    }

    /// How pods come and go.
    sealed interface Mode {

        /// All at once.
        ///
        /// @param perNode how many there are for each node
        record Burst(int perNode) implements Mode {}

        /// A few at a time: one more is made for each that is bound, and that one removed.
        record Steady() implements Mode {}
    }

    /// The same with that many nodes.
    WorkloadShape onNodes(int count) {
        return new WorkloadShape(name, says, count, hardware, classes, wish, use, held, mode);
    }

    int pods(int nodeCount) {
        return mode instanceof Mode.Burst(var perNode) ? perNode * nodeCount : 0;
    }
}
