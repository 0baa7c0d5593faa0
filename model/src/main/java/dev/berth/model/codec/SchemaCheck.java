package dev.berth.model.codec;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Checks and tidies objects as trees. It works on objects that are invalid as long as each field
/// has the right type, so admission can judge them afterwards.
public final class SchemaCheck {

    /// What came of a check.
    ///
    /// @param object the object in the version that travels inside, without fields that are not
    ///   known and without `null`s, quantities and times in canonical spelling; what is empty is
    ///   still there, since some rules tell it from absent
    /// @param problems in terms of the version that was checked
    public record Checked(JsonObject object, List<DecodingProblem> problems) {
        public Checked {
            problems = List.copyOf(problems);
        }

        /// False when a field has a wrong type, so that the object cannot be used at all.
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

    /// The object as Kubernetes stores it: empty optional fields are gone, mandatory ones are there
    /// even when empty. The object must be usable, and of the version that travels inside.
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
