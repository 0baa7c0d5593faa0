package dev.berth.server.kinds;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.MetadataValidation;
import dev.berth.core.admission.NameFormats;
import dev.berth.core.admission.SemanticEquality;
import dev.berth.core.admission.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.ServedKind;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/// The rules of a kind put together from the few steps in which kinds differ.
final class ComposedStrategy implements Strategy {

    /// Makes of an object another one.
    @FunctionalInterface
    interface Change {
        JsonObject of(JsonObject object, RequestContext context);
    }

    /// Makes of an object that is to replace another one what shall replace it.
    @FunctionalInterface
    interface Replacement {
        JsonObject of(JsonObject old, JsonObject object, RequestContext context);
    }

    /// Judges an object.
    @FunctionalInterface
    interface Judge {
        void check(JsonObject object, ObjectChecks checks);
    }

    /// Judges an object that is to replace another one.
    @FunctionalInterface
    interface UpdateJudge {
        void check(JsonObject old, JsonObject object, ObjectChecks checks);
    }

    private static final List<String> KEPT_BY_STATUS_UPDATES =
            List.of("annotations", "finalizers", "labels", "ownerReferences");

    private Function<String, List<String>> nameForm = NameFormats::subdomain;
    private boolean namespaced;
    private boolean hasStatus;
    private boolean generations;
    private boolean statusMayChangeMetadata;
    private boolean statusComesWithCreation;
    private JsonObject firstStatus = JsonObject.EMPTY;
    private List<String> warnings = List.of();
    private Change defaults = (object, _) -> object;
    private Change onCreate = (object, _) -> object;
    private Replacement onUpdate = (_, object, _) -> object;
    private Replacement onStatus = (_, object, _) -> object;
    private Judge judge = (_, _) -> {};
    private Judge createJudge = (_, _) -> {};
    private UpdateJudge updateJudge = (_, _, _) -> {};
    private UpdateJudge statusJudge = (_, _, _) -> {};

    private boolean anyFinalizers;

    private ComposedStrategy() {}

    static ComposedStrategy cluster() {
        return new ComposedStrategy();
    }

    static ComposedStrategy namespaced() {
        var strategy = new ComposedStrategy();
        strategy.namespaced = true;
        return strategy;
    }

    /// How names of the kind are formed; subdomains unless said here.
    ComposedStrategy named(Function<String, List<String>> form) {
        nameForm = form;
        return this;
    }

    /// Accepts finalizers without a domain, as kinds of the group of custom definitions do.
    ComposedStrategy withAnyFinalizers() {
        anyFinalizers = true;
        return this;
    }

    ComposedStrategy withStatus() {
        hasStatus = true;
        return this;
    }

    /// Has a status from the start.
    ComposedStrategy withStatus(JsonObject first) {
        firstStatus = first;
        return withStatus();
    }

    ComposedStrategy withStatusThatMayChangeMetadata() {
        statusMayChangeMetadata = true;
        return withStatus();
    }

    /// Takes the status that a new object comes with: who registers a node knows it best.
    ComposedStrategy withStatusFromCreation() {
        statusComesWithCreation = true;
        return withStatusThatMayChangeMetadata();
    }

    /// Counts what the writer wants in `metadata.generation`.
    ComposedStrategy countingGenerations() {
        generations = true;
        return this;
    }

    /// For a kind that no controller acts on: creation is answered with a warning that says so.
    ComposedStrategy storedOnly(String kind) {
        return warning(ServedKind.storedOnlyWarning(kind));
    }

    /// A warning for everyone who creates an object.
    ComposedStrategy warning(String text) {
        warnings = List.of(text);
        return this;
    }

    /// Defaults that are filled in after those so far.
    ComposedStrategy defaults(Function<JsonObject, JsonObject> change) {
        var before = defaults;
        defaults = (object, context) -> change.apply(before.of(object, context));
        return this;
    }

    ComposedStrategy onCreate(Change change) {
        onCreate = change;
        return this;
    }

    ComposedStrategy onUpdate(Replacement change) {
        onUpdate = change;
        return this;
    }

    ComposedStrategy onStatus(Replacement change) {
        onStatus = change;
        return this;
    }

    /// What must hold when an object is created or updated, beside the checks so far.
    ComposedStrategy checks(Judge rules) {
        var before = judge;
        judge =
                (object, checks) -> {
                    before.check(object, checks);
                    rules.check(object, checks);
                };
        return this;
    }

    ComposedStrategy checksNew(Judge rules) {
        createJudge = rules;
        return this;
    }

    ComposedStrategy checksUpdate(UpdateJudge rules) {
        updateJudge = rules;
        return this;
    }

    ComposedStrategy checksStatus(UpdateJudge rules) {
        statusJudge = rules;
        return this;
    }

    @Override
    public Admitted create(JsonObject object, RequestContext context) {
        var made = onCreate.of(defaults(object, context), context);
        if (hasStatus && !statusComesWithCreation) {
            made = made.with("status", firstStatus);
        }
        if (generations) {
            made = Generations.set(made, 1);
        }
        var checks = new ObjectChecks(context);
        MetadataValidation.check(made, namespaced, nameForm, checks.problems());
        checkFinalizers(made, checks);
        judge.check(made, checks);
        createJudge.check(made, checks);
        return new Admitted(made, checks.found(), warnings);
    }

    @Override
    public Admitted update(JsonObject old, JsonObject object, RequestContext context) {
        var made = defaults(object, context);
        if (hasStatus) {
            made = TreeEdits.copyMember(made, old, "status");
        }
        made = onUpdate.of(old, made, context);
        if (generations) {
            made = Generations.count(old, made);
        }
        var checks = new ObjectChecks(context);
        MetadataValidation.checkUpdate(old, made, checks.problems());
        checkFinalizers(made, checks);
        judge.check(made, checks);
        updateJudge.check(old, made, checks);
        return new Admitted(made, checks.found(), List.of());
    }

    @Override
    public Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context) {
        var made = withOnlyStatusOf(old, defaults(object, context));
        made = onStatus.of(old, made, context);
        var checks = new ObjectChecks(context);
        MetadataValidation.checkUpdate(old, made, checks.problems());
        checkFinalizers(made, checks);
        statusJudge.check(old, made, checks);
        return new Admitted(made, checks.found(), List.of());
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
        var made = object;
        for (var name : names) {
            made = TreeEdits.copyMember(made, old, name);
        }
        var before = old.objectOrEmpty("metadata");
        var metadata = TreeEdits.copyMember(made.objectOrEmpty("metadata"), before, "generation");
        if (!statusMayChangeMetadata) {
            for (var name : KEPT_BY_STATUS_UPDATES) {
                metadata = TreeEdits.copyMember(metadata, before, name);
            }
        }
        return made.with("metadata", metadata);
    }

    @Override
    public JsonObject defaults(JsonObject object, RequestContext context) {
        return defaults.of(object, context);
    }

    /// How often the writers of an object have changed what they want.
    static final class Generations {

        private Generations() {}

        static JsonObject set(JsonObject object, long generation) {
            return DefaultsFiller.metadata(object, m -> m.with("generation", Json.of(generation)));
        }

        /// The generation of the old object, or the next one when more than metadata and status
        /// differ.
        static JsonObject count(JsonObject old, JsonObject object) {
            var before = old.objectOrEmpty("metadata").number("generation").orElse(0);
            return set(object, before + (wantsTheSame(old, object) ? 0 : 1));
        }

        private static boolean wantsTheSame(JsonObject old, JsonObject object) {
            return SemanticEquality.same(wanted(old), wanted(object));
        }

        private static JsonObject wanted(JsonObject object) {
            return TreeEdits.without(object, List.of("apiVersion", "kind", "metadata", "status"));
        }
    }
}
