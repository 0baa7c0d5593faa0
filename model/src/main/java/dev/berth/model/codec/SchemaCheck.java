package dev.berth.model.codec;

import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.codec.record.FieldLayout;
import dev.berth.model.codec.record.Schema;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Checks and canonicalises objects as trees. Accepts invalid objects as long as each field has the
/// right type, so that admission can validate them afterwards.
public final class SchemaCheck {

    /// Result of a check.
    ///
    /// @param object the object in the internal version, without unknown fields and `null`s, with
    ///   canonical quantities and times; empty values are kept, since some rules distinguish them
    ///   from absent ones
    /// @param problems problems with paths of the checked version
    public record Checked(JsonObject object, List<DecodingProblem> problems) {
        public Checked {
            problems = List.copyOf(problems);
        }

        /// False when a field has a wrong type, so that the object is unusable.
        public boolean isUsable() {
            return problems.stream().allMatch(DecodingProblem::isTolerable);
        }
    }

    private SchemaCheck() {}

    /// Checks an object of the given version.
    public static Checked check(Kind<?> kind, String version, JsonObject object) {
        var tidying = new Schema.Tidying(false);
        var tidy = tidy(ApiVersions.layout(kind, version), object, tidying);
        return new Checked(ApiVersions.toInternal(kind, version, tidy), tidying.problems());
    }

    /// The object as Kubernetes stores it: without empty optional fields, with all mandatory ones.
    /// The object must be usable and of the internal version.
    public static JsonObject normalise(Kind<?> kind, JsonObject object) {
        return tidy(kind.shape().layout(), object, new Schema.Tidying(true));
    }

    /// The path of every value that the kind describes in that version, with `[]` for items of
    /// lists and `*` for keys of maps.
    public static Set<String> paths(Kind<?> kind, String version) {
        var paths = new TreeSet<String>();
        ApiVersions.layout(kind, version).describe("", paths::add);
        return paths;
    }

    private static JsonObject tidy(FieldLayout layout, JsonObject object, Schema.Tidying tidying) {
        return layout.tidy(object, tidying) instanceof JsonObject tidy ? tidy : object;
    }
}
