package dev.berth.core.admission;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.core.admission.validation.Operation;
import dev.berth.core.admission.validation.Validation;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Entry point of admission: applies defaults, drops disabled fields and validates objects, as the
/// Kubernetes API server does on create and update.
///
/// Objects are JSON trees in the v1 schema, already checked for structure. Authorization is
/// separate: [AdminAccess], [StatusAuthorization].
public final class Admission {

    /// Result of admission. The object may be stored when there are no problems.
    ///
    /// @param object the object to store, without fields that the store assigns
    /// @param warnings warnings for the client, also when there are problems
    public record Admitted(JsonObject object, List<FieldError> problems, List<String> warnings) {
        public Admitted {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }

        public boolean accepted() {
            return problems.isEmpty();
        }
    }

    private static final String DELETION_TIME = "deletionTimestamp";
    private static final String ZERO_TIME = "0001-01-01T00:00:00Z";

    private final FeatureGates gates;
    private final Validation validation;

    public Admission(FeatureGates gates) {
        this.gates = gates;
        this.validation = new Validation(gates, new CelCompiler(CelEnvironment.NEW, gates.cel()));
    }

    /// The object with defaults applied.
    public JsonObject defaults(AdmissionKind kind, JsonObject object, Instant now) {
        return new Defaults(now).apply(kind, object);
    }

    public Admitted create(AdmissionKind kind, JsonObject object, Instant now) {
        var prepared = new AdmissionPreparation(gates, now).forCreate(kind, object);
        return admitted(kind, Operation.CREATE, Optional.empty(), prepared);
    }

    public Admitted update(AdmissionKind kind, JsonObject old, JsonObject object, Instant now) {
        var prepared = new AdmissionPreparation(gates, now).forUpdate(kind, old, object);
        return admitted(kind, Operation.UPDATE, Optional.of(old), prepared);
    }

    /// An update through `/status`, for kinds that have it.
    public Admitted updateStatus(
            AdmissionKind kind, JsonObject old, JsonObject object, Instant now) {
        var prepared = new AdmissionPreparation(gates, now).forStatusUpdate(kind, old, object);
        return admitted(kind, Operation.STATUS_UPDATE, Optional.of(old), prepared);
    }

    private Admitted admitted(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        return new Admitted(
                object,
                validation.full(kind, operation, old, object),
                operation == Operation.STATUS_UPDATE ? List.of() : warnings(kind, object));
    }

    private static List<String> warnings(AdmissionKind kind, JsonObject object) {
        if (kind != AdmissionKind.RESOURCE_SLICE) {
            return List.of();
        }
        var driver = object.objectOrEmpty("spec").text("driver");
        return driver.equals(driver.toLowerCase(Locale.ROOT))
                ? List.of()
                : List.of("spec.driver: driver names should be lowercase; " + driver + " is not");
    }

    /// Validates an object with the handwritten rules only, without the declarative rules. The
    /// result equals that of Kubernetes' validation functions; [#create] and the update methods
    /// equal its API.
    ///
    /// @param old the object to be replaced; absent for [Operation#CREATE] only
    public List<FieldError> validate(
            AdmissionKind kind, Operation operation, Optional<JsonObject> old, JsonObject object) {
        return validation.handwritten(
                kind, operation, old.map(Admission::withZeroTime), withZeroTime(object));
    }

    /// A `deletionTimestamp` of `null` becomes the zero time, as in Kubernetes: the object is being
    /// deleted.
    private static JsonObject withZeroTime(JsonObject object) {
        return TreeEdits.at(
                object,
                metadata ->
                        metadata.names().contains(DELETION_TIME) && !metadata.has(DELETION_TIME)
                                ? metadata.with(DELETION_TIME, Json.of(ZERO_TIME))
                                : metadata,
                "metadata");
    }
}
