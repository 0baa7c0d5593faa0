package dev.berth.node.driver;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// How a driver's parameters, which claims and classes carry as they are, become a value.
///
/// Reading is strict: a field that is not asked for, or is of another type, fails the preparation
/// with a message that names it. A typing error is never ignored.
public final class Parameters<P> {

    /// For drivers that have none; whoever gives them some is told.
    public static final Parameters<None> NONE =
            new Parameters<>(
                    Optional.empty(),
                    fields -> {
                        fields.refuse("the driver takes no parameters");
                        return new None();
                    },
                    new None());

    /// Nothing to be said.
    public record None() {}

    /// Which object it must say to be.
    private record Kind(String apiVersion, String kind) {}

    private final Optional<Kind> kind;
    private final Function<ParameterFields, P> read;
    private final P usual;

    private Parameters(Optional<Kind> kind, Function<ParameterFields, P> read, P usual) {
        this.kind = kind;
        this.read = read;
        this.usual = usual;
    }

    /// Parameters that say what they are.
    ///
    /// @param apiVersion such as `gpu.example.com/v1`
    /// @param read asks for every field that there can be
    /// @param usual for devices without parameters
    public static <P> Parameters<P> of(
            String apiVersion, String kind, Function<ParameterFields, P> read, P usual) {
        return new Parameters<>(Optional.of(new Kind(apiVersion, kind)), read, usual);
    }

    /// Parameters that are nothing but their fields.
    public static <P> Parameters<P> plain(Function<ParameterFields, P> read, P usual) {
        return new Parameters<>(Optional.empty(), read, usual);
    }

    /// For drivers that pass on whatever they are given, without a check.
    public static Parameters<JsonObject> unchecked() {
        return plain(ParameterFields::everything, JsonObject.EMPTY);
    }

    /// What came of reading.
    public sealed interface Result<P> {

        record Valid<P>(P parameters) implements Result<P> {}

        record Invalid<P>(List<String> problems) implements Result<P> {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    P usual() {
        return usual;
    }

    /// Reads parameters as they stand in a claim.
    public Result<P> read(Json raw) {
        if (!(raw instanceof JsonObject object)) {
            return new Result.Invalid<>(List.of("expected an object, found " + raw.kindName()));
        }
        var problems = new ArrayList<String>();
        var fields = new ParameterFields(object, "", problems);
        if (kind.isPresent()) {
            check(fields, kind.get(), problems);
            if (!problems.isEmpty()) {
                return new Result.Invalid<>(problems);
            }
        }
        var parameters = read.apply(fields);
        fields.finish();
        return problems.isEmpty() ? new Result.Valid<>(parameters) : new Result.Invalid<>(problems);
    }

    private static void check(ParameterFields fields, Kind kind, List<String> problems) {
        var apiVersion = fields.text("apiVersion").orElse("");
        var name = fields.text("kind").orElse("");
        if (!apiVersion.equals(kind.apiVersion) || !name.equals(kind.kind)) {
            problems.add(
                    "expected apiVersion %s and kind %s, found \"%s\" and \"%s\""
                            .formatted(kind.apiVersion, kind.kind, apiVersion, name));
        }
    }
}
