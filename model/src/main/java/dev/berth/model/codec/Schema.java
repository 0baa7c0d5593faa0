package dev.berth.model.codec;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import java.util.List;
import java.util.function.Consumer;

/// What a JSON value must look like, without a Java type for it.
interface Schema {

    /// The value as Kubernetes would spell it, without fields that are not known. What is wrong is
    /// reported, and left as it is.
    Json tidy(Json value, FieldPath path, Tidying tidying);

    /// What is written for a value that is not there but must be written.
    Json absent();

    /// Names every value that it describes: `spec.devices[].attributes.*.int`.
    default void describe(String path, Consumer<String> to) {
        to.accept(path);
    }

    /// How to tidy, and what was wrong.
    ///
    /// @param stored whether empty optional fields go and mandatory ones come, as in what
    ///   Kubernetes stores; otherwise the caller can still tell empty from absent
    record Tidying(boolean stored, List<Problem> problems, Interner interner) {

        void report(Problem problem) {
            problems.add(problem);
        }
    }
}
