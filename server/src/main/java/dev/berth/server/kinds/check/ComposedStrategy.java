package dev.berth.server.kinds.check;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.validation.MetadataValidation;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.ServedKind;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/// Create and update strategy of a kind, composed of defaulting, preparation and validation steps.
public final class ComposedStrategy implements Strategy {

    /// Changes an object.
    @FunctionalInterface
    public interface Change {
        JsonObject of(JsonObject object, RequestContext context);
    }

    /// Changes an object that replaces another one.
    @FunctionalInterface
    public interface Replacement {
        JsonObject of(JsonObject old, JsonObject object, RequestContext context);
    }

    /// Validates an object.
    @FunctionalInterface
    public interface Check {
        void check(JsonObject object, ObjectChecks checks);
    }

    /// Validates an object that replaces another one.
    @FunctionalInterface
    public interface UpdateCheck {
        void check(JsonObject old, JsonObject object, ObjectChecks checks);
    }

    private static final List<String> KEPT_BY_STATUS_UPDATES =
            List.of("annotations", "finalizers", "labels", "ownerReferences");

    private Function<String, List<String>> nameFormat = NameFormats::subdomain;
    private boolean namespaced;
    private boolean hasStatus;
    private boolean generations;
    private boolean statusMayChangeMetadata;
    private boolean statusComesWithCreation;
    private JsonObject initialStatus = JsonObject.EMPTY;
    private List<String> warnings = List.of();
    private Change defaults = (object, _) -> object;
    private Change onCreate = (object, _) -> object;
    private Replacement onUpdate = (_, object, _) -> object;
    private Replacement onStatus = (_, object, _) -> object;
    private Check check = (_, _) -> {};
    private Check createCheck = (_, _) -> {};
    private UpdateCheck updateCheck = (_, _, _) -> {};
    private UpdateCheck statusCheck = (_, _, _) -> {};

    private boolean anyFinalizers;

    private ComposedStrategy() {}

    public static ComposedStrategy cluster() {
        return new ComposedStrategy();
    }

    public static ComposedStrategy namespaced() {
        var strategy = new ComposedStrategy();
        strategy.namespaced = true;
        return strategy;
    }

    /// Sets the name validation; the default is DNS subdomains.
    public ComposedStrategy named(Function<String, List<String>> form) {
        nameFormat = form;
        return this;
    }

    /// Accepts finalizers without a domain, as the apiextensions group does.
    public ComposedStrategy withAnyFinalizers() {
        anyFinalizers = true;
        return this;
    }

    public ComposedStrategy withStatus() {
        hasStatus = true;
        return this;
    }

    /// Sets the initial status.
    public ComposedStrategy withStatus(JsonObject first) {
        initialStatus = first;
        return withStatus();
    }

    public ComposedStrategy withStatusThatMayChangeMetadata() {
        statusMayChangeMetadata = true;
        return withStatus();
    }

    /// Keeps the status of a created object: a kubelet registers its node with a status.
    public ComposedStrategy withStatusFromCreation() {
        statusComesWithCreation = true;
        return withStatusThatMayChangeMetadata();
    }

    /// Increments `metadata.generation` with changes of the desired state.
    public ComposedStrategy countingGenerations() {
        generations = true;
        return this;
    }

    /// For a kind that no controller acts on: creation returns a warning.
    public ComposedStrategy storedOnly(String kind) {
        return warning(ServedKind.storedOnlyWarning(kind));
    }

    /// A warning in responses to creations.
    public ComposedStrategy warning(String text) {
        warnings = List.of(text);
        return this;
    }

    /// Adds defaulting after the existing steps.
    public ComposedStrategy defaults(Function<JsonObject, JsonObject> change) {
        var before = defaults;
        defaults = (object, context) -> change.apply(before.of(object, context));
        return this;
    }

    public ComposedStrategy onCreate(Change change) {
        onCreate = change;
        return this;
    }

    public ComposedStrategy onUpdate(Replacement change) {
        onUpdate = change;
        return this;
    }

    public ComposedStrategy onStatus(Replacement change) {
        onStatus = change;
        return this;
    }

    /// Adds validation of created and updated objects.
    public ComposedStrategy checks(Check rules) {
        var before = check;
        check =
                (object, checks) -> {
                    before.check(object, checks);
                    rules.check(object, checks);
                };
        return this;
    }

    public ComposedStrategy checksNew(Check rules) {
        createCheck = rules;
        return this;
    }

    public ComposedStrategy checksUpdate(UpdateCheck rules) {
        updateCheck = rules;
        return this;
    }

    public ComposedStrategy checksStatus(UpdateCheck rules) {
        statusCheck = rules;
        return this;
    }

    @Override
    public Admitted create(JsonObject object, RequestContext context) {
        var prepared = onCreate.of(defaults(object, context), context);
        if (hasStatus && !statusComesWithCreation) {
            prepared = prepared.with("status", initialStatus);
        }
        if (generations) {
            prepared = Generations.set(prepared, 1);
        }
        var checks = new ObjectChecks(context);
        MetadataValidation.check(prepared, namespaced, nameFormat, checks.problems());
        checkFinalizers(prepared, checks);
        check.check(prepared, checks);
        createCheck.check(prepared, checks);
        return new Admitted(prepared, checks.found(), warnings);
    }

    @Override
    public Admitted update(JsonObject old, JsonObject object, RequestContext context) {
        var prepared = defaults(object, context);
        if (hasStatus) {
            prepared = TreeEdits.copyMember(prepared, old, "status");
        }
        prepared = onUpdate.of(old, prepared, context);
        if (generations) {
            prepared = Generations.count(old, prepared);
        }
        var checks = new ObjectChecks(context);
        MetadataValidation.checkUpdate(old, prepared, checks.problems());
        checkFinalizers(prepared, checks);
        check.check(prepared, checks);
        updateCheck.check(old, prepared, checks);
        return new Admitted(prepared, checks.found(), List.of());
    }

    @Override
    public Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context) {
        var prepared = withOnlyStatusOf(old, defaults(object, context));
        prepared = onStatus.of(old, prepared, context);
        var checks = new ObjectChecks(context);
        MetadataValidation.checkUpdate(old, prepared, checks.problems());
        checkFinalizers(prepared, checks);
        statusCheck.check(old, prepared, checks);
        return new Admitted(prepared, checks.found(), List.of());
    }

    private void checkFinalizers(JsonObject object, ObjectChecks checks) {
        if (!anyFinalizers) {
            MetadataValidation.checkFinalizerNames(object, checks.problems());
        }
    }

    private JsonObject withOnlyStatusOf(JsonObject old, JsonObject object) {
        var names = new LinkedHashSet<>(object.names());
        names.addAll(old.names());
        names.removeAll(List.of("metadata", "status", "kind", "apiVersion"));
        var prepared = object;
        for (var name : names) {
            prepared = TreeEdits.copyMember(prepared, old, name);
        }
        var before = old.objectOrEmpty("metadata");
        var metadata =
                TreeEdits.copyMember(prepared.objectOrEmpty("metadata"), before, "generation");
        if (!statusMayChangeMetadata) {
            for (var name : KEPT_BY_STATUS_UPDATES) {
                metadata = TreeEdits.copyMember(metadata, before, name);
            }
        }
        return prepared.with("metadata", metadata);
    }

    @Override
    public JsonObject defaults(JsonObject object, RequestContext context) {
        return defaults.of(object, context);
    }

    /// Maintains `metadata.generation`.
    public static final class Generations {

        private Generations() {}

        public static JsonObject set(JsonObject object, long generation) {
            return DefaultsFiller.metadata(object, m -> m.with("generation", Json.of(generation)));
        }

        /// The generation of the old object, or the next one if more than metadata and status
        /// differ.
        public static JsonObject count(JsonObject old, JsonObject object) {
            var before = old.objectOrEmpty("metadata").number("generation").orElse(0);
            return set(object, before + (hasSameDesiredState(old, object) ? 0 : 1));
        }

        private static boolean hasSameDesiredState(JsonObject old, JsonObject object) {
            return SemanticEquality.same(desiredState(old), desiredState(object));
        }

        private static JsonObject desiredState(JsonObject object) {
            return TreeEdits.without(object, List.of("apiVersion", "kind", "metadata", "status"));
        }
    }
}
