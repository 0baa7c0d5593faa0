package dev.berth.node.driver;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Decodes the opaque parameters of claims and device classes into a value of the driver.
///
/// Decoding is strict: a field that the decoder does not read, or of another type, fails the
/// preparation with a message that names it. Typing errors are never ignored.
public final class Parameters<P> {

    /// For drivers without parameters: any parameters are an error.
    public static final Parameters<None> NONE =
            new Parameters<>(
                    Optional.empty(),
                    fields -> {
                        fields.refuse("the driver takes no parameters");
                        return new None();
                    },
                    new None());

    /// The value of drivers without parameters.
    public record None() {}

    /// The required apiVersion and kind.
    private record Kind(String apiVersion, String kind) {}

    private final Optional<Kind> kind;
    private final Function<ParameterFields, P> read;
    private final P defaults;

    private Parameters(Optional<Kind> kind, Function<ParameterFields, P> read, P defaults) {
        this.kind = kind;
        this.read = read;
        this.defaults = defaults;
    }

    /// Parameters with `apiVersion` and `kind`.
    ///
    /// @param apiVersion such as `gpu.example.com/v1`
    /// @param read reads every field that is supported
    /// @param defaults for devices without parameters
    public static <P> Parameters<P> of(
            String apiVersion, String kind, Function<ParameterFields, P> read, P defaults) {
        return new Parameters<>(Optional.of(new Kind(apiVersion, kind)), read, defaults);
    }

    /// Parameters without `apiVersion` and `kind`.
    public static <P> Parameters<P> plain(Function<ParameterFields, P> read, P defaults) {
        return new Parameters<>(Optional.empty(), read, defaults);
    }

    /// Arbitrary JSON, not validated.
    public static Parameters<JsonObject> unchecked() {
        return plain(ParameterFields::everything, JsonObject.EMPTY);
    }

    /// Result of decoding.
    public sealed interface Result<P> {

        record Valid<P>(P parameters) implements Result<P> {}

        record Invalid<P>(List<String> problems) implements Result<P> {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    P defaults() {
        return defaults;
    }

    /// Decodes parameters as they are stored in a claim.
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
