package dev.berth.schema.check;

import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import java.util.List;

/// Check of manifests of kinds that are mapped to records. Accepts invalid objects as long as each
/// field has the right type, so that admission can validate them afterwards.
///
/// Decoding finds the problems, with their paths; the schema of the kind gives the canonical
/// object.
public final class ObjectCheck {

    private static final Schemas SCHEMAS = Schemas.builtIn();

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

    private final Codec codec;

    public ObjectCheck(Codec codec) {
        this.codec = codec;
    }

    /// Checks an object of the given version.
    public Checked check(Kind<?> kind, String version, JsonObject object) {
        var canonical =
                SCHEMAS.kind(kind.group(), version, kind.name())
                        .map(struct -> SchemaFieldCheck.check(struct, object).object())
                        .orElse(object);
        return new Checked(
                ApiVersions.toInternal(kind, version, canonical),
                codec.problems(kind, version, object));
    }
}
