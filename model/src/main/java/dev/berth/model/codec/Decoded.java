package dev.berth.model.codec;

import dev.berth.model.codec.record.DecodingProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Result of decoding an object.
public sealed interface Decoded<T> {

    /// The decoded object, and warnings about unknown and duplicate fields, which are dropped.
    /// Strict decoding has no warnings.
    record Read<T>(T object, List<DecodingProblem> warnings) implements Decoded<T> {
        public Read {
            warnings = List.copyOf(warnings);
        }

        public List<String> unknownFields() {
            return warnings.stream()
                    .filter(DecodingProblem.UnknownField.class::isInstance)
                    .map(problem -> problem.path().toString())
                    .toList();
        }
    }

    /// Decoding failed.
    record Refused<T>(List<DecodingProblem> problems) implements Decoded<T> {
        public Refused {
            problems = List.copyOf(problems);
        }

        public String message() {
            return problems.stream()
                    .map(DecodingProblem::message)
                    .collect(Collectors.joining(", "));
        }
    }

    default Optional<T> value() {
        return switch (this) {
            case Read<T>(var object, _) -> Optional.of(object);
            case Refused<T> _ -> Optional.empty();
        };
    }

    /// The object, for callers that expect no failure.
    ///
    /// @throws IllegalArgumentException with all problems when there is none
    default T orThrow() {
        return switch (this) {
            case Read<T>(var object, _) -> object;
            case Refused<T> refused -> throw new IllegalArgumentException(refused.message());
        };
    }

    static <T> Decoded<T> of(
            T value, List<DecodingProblem> problems, UnknownFieldPolicy strictness) {
        var refused =
                switch (strictness) {
                    case STRICT -> !problems.isEmpty();
                    case LENIENT ->
                            !problems.isEmpty()
                                    && !problems.stream().allMatch(DecodingProblem::isTolerable);
                };
        return refused ? new Refused<>(problems) : new Read<>(value, problems);
    }
}
