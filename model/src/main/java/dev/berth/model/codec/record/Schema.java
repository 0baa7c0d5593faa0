package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TreeTokenReader;
import dev.berth.model.codec.token.ValueInterner;
import dev.berth.model.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Schema of a JSON value, without a Java type.
public interface Schema {

    /// The value in canonical form, without unknown fields. Wrong values are reported and kept
    /// unchanged.
    Json tidy(Json value, Tidying tidying);

    /// The encoding of an absent mandatory value.
    Json absent();

    /// Visits the path of every described value: `spec.devices[].attributes.*.int`.
    default void describe(String path, Consumer<String> to) {
        to.accept(path);
    }

    /// Mode, current path and problems of canonicalisation. Empty optional fields are removed and
    /// mandatory ones added only in `stored` mode, as in Kubernetes; otherwise the caller can still
    /// distinguish empty from absent.
    final class Tidying {

        private static final int WORDS = 64;

        private final boolean stored;
        private final List<DecodingProblem> problems = new ArrayList<>();
        private final DecodingPath trail = new DecodingPath();
        private @Nullable ValueInterner interner;

        public Tidying(boolean stored) {
            this.stored = stored;
        }

        boolean stored() {
            return stored;
        }

        public List<DecodingProblem> problems() {
            return problems;
        }

        DecodingPath trail() {
            return trail;
        }

        /// Created lazily: few values need to be parsed.
        ValueInterner interner() {
            if (interner == null) {
                interner = new ValueInterner(WORDS);
            }
            return interner;
        }

        void report(DecodingProblem problem) {
            problems.add(problem);
        }

        /// Reports a value of a wrong type.
        void wrongType(String expected, Json found) {
            var decoder = new Decoder(new TreeTokenReader(found), interner(), trail);
            decoder.tokens().next();
            decoder.wrongType(expected);
            report(decoder.problems().getFirst());
        }
    }
}
