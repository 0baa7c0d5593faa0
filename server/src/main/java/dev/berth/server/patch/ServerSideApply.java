package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.server.patch.ApplyResult.Conflict;
import dev.berth.server.patch.ManagedFields.Entry;
import dev.berth.server.patch.ManagedFields.Identity;
import dev.berth.server.patch.ManagedFields.Operation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Server-side apply: field ownership, merge and conflict detection.
///
/// A manager that writes a field owns it. A manager that applies a configuration owns the fields in
/// it. A field that it no longer applies is removed if no other manager owns it. Changing a field
/// of another manager is a conflict, unless force is set.
///
/// Objects are of one version: the caller converts. Methods ignore `metadata.managedFields` of
/// objects, unless stated otherwise.
///
/// @param type of the kind
/// @param reset fields that a write to this endpoint does not persist, such as `status` for the
///   main resource; writers do not come to own them
/// @param cache interns field sets
public record ServerSideApply(SchemaType type, FieldSet reset, FieldSetCache cache) {

    private static final FieldSet UNOWNED =
            FieldSet.of(
                    "apiVersion",
                    "kind",
                    "metadata",
                    "metadata.name",
                    "metadata.namespace",
                    "metadata.creationTimestamp",
                    "metadata.selfLink",
                    "metadata.uid",
                    "metadata.clusterName",
                    "metadata.generation",
                    "metadata.managedFields",
                    "metadata.resourceVersion");

    /// Manager of the fields that an object had before the first apply.
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /// The manager that writes.
    ///
    /// @param apiVersion of the request
    /// @param subresource empty for the object itself
    public record Writer(String manager, String apiVersion, String subresource, Instant now) {

        private Entry entry(Operation operation, FieldSet fields) {
            return new Entry(manager, operation, apiVersion, subresource, Optional.of(now), fields);
        }
    }

    public ServerSideApply(SchemaType type, FieldSet reset) {
        this(type, reset, FieldSetCache.NONE);
    }

    /// Managed fields after an update that is not an apply.
    ///
    /// @param old the live object, empty for a creation
    /// @param updated the object to store, after admission
    /// @param managed managed fields before the update; see [ManagedFields#forUpdate]
    public ManagedFields onUpdate(
            JsonObject old, JsonObject updated, ManagedFields managed, Writer writer) {
        // The stored object has passed this check before.
        if (PatchLimits.tooDeep(updated, old)) {
            return managed;
        }
        // An object without managed fields stays untracked until a configuration is applied to it.
        var tracked = !managed.isEmpty() || old.objectOrEmpty("metadata").text("uid").isEmpty();
        if (!tracked) {
            return managed;
        }
        return ManagedFields.areSame(old, updated)
                ? updated(old, updated, managed, writer)
                : updated(
                        withoutManagedFields(old), withoutManagedFields(updated), managed, writer);
    }

    @SuppressWarnings("ReferenceEquality") // identical objects are equal
    private ManagedFields updated(
            JsonObject old, JsonObject updated, ManagedFields managed, Writer writer) {
        var difference = FieldComparison.of(old, updated, type).without(reset);
        var touched = difference.touched();
        var lost = touched.union(difference.removed());
        var mine = touched.difference(UNOWNED);
        var writing = writer.entry(Operation.UPDATE, mine);
        var entries = new ArrayList<Entry>(managed.entries().size() + 1);
        for (var entry : managed.entries()) {
            var left = entry.fields().difference(lost);
            if (!mine.isEmpty() && entry.isOfManager(writing)) {
                mine = mine.union(left);
            } else if (!left.isEmpty()) {
                entries.add(left == entry.fields() ? entry : entry.owning(cache.intern(left)));
            }
        }
        if (!mine.isEmpty()) {
            entries.add(writing.owning(cache.intern(mine)));
        }
        return ManagerLimit.capped(new ManagedFields(entries));
    }

    /// Applies a configuration.
    ///
    /// @param live the object with its managed fields; empty for a creation
    /// @param config without managed fields
    public ApplyResult apply(JsonObject live, Json config, Writer writer, boolean force) {
        if (!(config instanceof JsonObject configuration)) {
            return PatchRejection.badRequest("an applied configuration must be an object");
        }
        var exceeded = PatchLimits.exceeded(live, config);
        if (exceeded.isPresent()) {
            return exceeded.get();
        }
        if (configuration.objectOrEmpty("metadata").has("managedFields")) {
            return PatchRejection.badRequest("metadata.managedFields must be nil");
        }
        var problem = problem(configuration, type);
        if (problem.isPresent()) {
            return problem.get();
        }
        return apply(
                live, withoutManagedFields(configuration), tracked(live, writer), writer, force);
    }

    /// The error if a configuration cannot be applied to objects of a kind.
    ///
    /// @param apiVersion of the request
    public static Optional<PatchRejection> problem(
            JsonObject config, String apiVersion, String kind, SchemaType type) {
        if (!config.text("apiVersion").equals(apiVersion) || !config.text("kind").equals(kind)) {
            return Optional.of(
                    PatchRejection.badRequest("invalid object type: " + kindText(config)));
        }
        return PatchLimits.exceeded(config, config).or(() -> problem(config, type));
    }

    private static Optional<PatchRejection> problem(JsonObject config, SchemaType type) {
        return ApplyValidation.problem(config, type)
                .map(why ->
                        PatchRejection.untyped(
                                "failed to create typed patch object (%s): %s"
                                        .formatted(named(config), why)));
    }

    private static String named(JsonObject config) {
        var metadata = config.objectOrEmpty("metadata");
        return "%s/%s; %s"
                .formatted(metadata.text("namespace"), metadata.text("name"), kindText(config));
    }

    /// Group, version and kind as Go prints them: `/v1, Kind=Pod`, `apps/v1, Kind=Deployment`.
    private static String kindText(JsonObject config) {
        var version = config.text("apiVersion");
        return "%s%s, Kind=%s"
                .formatted(version.contains("/") ? "" : "/", version, config.text("kind"));
    }

    private ManagedFields tracked(JsonObject live, Writer writer) {
        var managed = ManagedFields.of(live);
        if (!managed.isEmpty() || live.isEmpty()) {
            return managed;
        }
        var before =
                new Writer(BEFORE_FIRST_APPLY, writer.apiVersion, writer.subresource, writer.now);
        return updated(JsonObject.EMPTY, withoutManagedFields(live), managed, before);
    }

    private ApplyResult apply(
            JsonObject stored,
            JsonObject config,
            ManagedFields managed,
            Writer writer,
            boolean force) {
        var live = withoutManagedFields(stored);
        var entries = entries(managed);
        var applied =
                writer.entry(Operation.APPLY, TypedFields.fields(config, type).without(reset));
        var self = applied.identity();
        var last = Optional.ofNullable(entries.put(self, applied)).map(Entry::fields);
        var merged = ApplyMerge.merged(live, config, type) instanceof JsonObject o ? o : live;
        var result = pruned(merged, entries, last.orElse(FieldSet.EMPTY));
        var comparison = FieldComparison.of(live, result, type).without(reset);
        var conflicts = conflicts(entries, self, comparison.touched());
        if (!force && !conflicts.isEmpty()) {
            var allowed = new LastApplied(type).withoutOwnFields(live, writer.manager(), conflicts);
            if (!allowed.isEmpty()) {
                return new ApplyResult.Conflicts(allowed);
            }
        }
        entries.replaceAll((identity, entry) ->
                identity.equals(self)
                        ? entry.owning(entry.fields().difference(UNOWNED))
                        : entry.owning(
                                entry.fields()
                                        .difference(comparison.touched())
                                        .difference(comparison.removed())));
        var synced = LastApplied.synced(TypedFields.withoutNulls(result, type), config, writer);
        return result(stored, synced, managed, entries, self);
    }

    /// Removes fields that this manager applied last time and no longer does, unless another
    /// manager owns them.
    private JsonObject pruned(JsonObject merged, Map<Identity, Entry> entries, FieldSet last) {
        if (last.isEmpty()) {
            return merged;
        }
        var lastAll = TypedFields.withContainers(last, type);
        var mergedAll = all(merged);
        var left = all(TypedFields.without(merged, lastAll, type));
        var owned =
                entries.values().stream()
                        .map(Entry::fields)
                        .reduce(FieldSet.EMPTY, FieldSet::union);
        var unowned = mergedAll.difference(left.union(TypedFields.withContainers(owned, type)));
        var kept = all(TypedFields.without(merged, unowned, type));
        return TypedFields.without(merged, mergedAll.difference(kept).intersection(lastAll), type);
    }

    private FieldSet all(JsonObject object) {
        return TypedFields.withContainers(TypedFields.fields(object, type), type);
    }

    private static List<ConflictOf> conflicts(
            Map<Identity, Entry> entries, Identity self, FieldSet touched) {
        var conflicts = new ArrayList<ConflictOf>();
        entries.forEach((identity, entry) -> {
            if (!identity.equals(self)) {
                entry.fields()
                        .intersection(touched)
                        .paths()
                        .forEach(path -> conflicts.add(new ConflictOf(entry, path)));
            }
        });
        return conflicts;
    }

    /// A field that an entry owns and that would change.
    record ConflictOf(Entry entry, List<PathStep> path) {
        Conflict toConflict() {
            return new Conflict(entry.text(), FieldSet.text(path));
        }
    }

    /// The result. If only the time differs from the stored object, nothing changed.
    private ApplyResult result(
            JsonObject stored,
            JsonObject result,
            ManagedFields managed,
            Map<Identity, Entry> entries,
            Identity self) {
        var before = entries(managed).get(self);
        var timeless = new LinkedHashMap<>(entries);
        if (before != null) {
            timeless.computeIfPresent(self, (_, entry) -> entry.at(before.time()));
        }
        var same = owners(timeless).in(result);
        if (JsonScalars.same(same, stored)) {
            return new ApplyResult.Merged(stored, false);
        }
        return new ApplyResult.Merged(owners(entries).in(result), true);
    }

    private static Map<Identity, Entry> entries(ManagedFields managed) {
        var entries = new LinkedHashMap<Identity, Entry>();
        managed.entries().forEach(entry -> entries.put(entry.identity(), entry));
        return entries;
    }

    private static ManagedFields owners(Map<Identity, Entry> entries) {
        return new ManagedFields(
                entries.values().stream().filter(entry -> !entry.fields().isEmpty()).toList());
    }

    private static JsonObject withoutManagedFields(JsonObject object) {
        return ManagedFields.NONE.in(object);
    }
}
