package dev.berth.model.codec;

import dev.berth.model.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a JSON value must look like, without a Java type for it.
interface Schema {

    /// The value as Kubernetes would spell it, without fields that are not known. What is wrong is
    /// reported, and left as it is.
    Json tidy(Json value, Tidying tidying);

    /// What is written for a value that is not there but must be written.
    Json absent();

    /// Names every value that it describes: `spec.devices[].attributes.*.int`.
    default void describe(String path, Consumer<String> to) {
        to.accept(path);
    }

    /// How to tidy, where in the object we are, and what was wrong. Empty optional fields go and
    /// mandatory ones come only in what is `stored`, as in Kubernetes; otherwise the caller can
    /// still tell empty from absent.
    final class Tidying {

        private static final int WORDS = 64;

        private final boolean stored;
        private final List<DecodingProblem> problems = new ArrayList<>();
        private final DecodingPath trail = new DecodingPath();
        private @Nullable ValueInterner interner;

        Tidying(boolean stored) {
            this.stored = stored;
        }

        boolean stored() {
            return stored;
        }

        List<DecodingProblem> problems() {
            return problems;
        }

        DecodingPath trail() {
            return trail;
        }

        /// Few values are spelled so that they have to be read.
        ValueInterner interner() {
            if (interner == null) {
                interner = new ValueInterner(WORDS);
            }
            return interner;
        }

        void report(DecodingProblem problem) {
            problems.add(problem);
        }

        /// Reports a value of another type.
        void wrongType(String expected, Json found) {
            var decoder = new Decoder(new TreeTokenReader(found), interner(), trail);
            decoder.tokens().next();
            decoder.wrongType(expected);
            report(decoder.problems().getFirst());
        }
    }
}
