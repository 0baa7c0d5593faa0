package dev.berth.model.api;

import dev.berth.model.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// Metadata of an API object.
///
/// Managed fields are kept as written: only server-side apply reads them.
public record ObjectMeta(
        String name,
        String generateName,
        String namespace,
        Uid uid,
        String resourceVersion,
        long generation,
        Optional<Instant> creationTimestamp,
        Optional<Instant> deletionTimestamp,
        OptionalLong deletionGracePeriodSeconds,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerReference> ownerReferences,
        List<String> finalizers,
        List<Json> managedFields) {

    public static final ObjectMeta EMPTY = of("", "");

    public ObjectMeta {
        labels = OrderedMap.copyOf(labels);
        annotations = OrderedMap.copyOf(annotations);
        ownerReferences = List.copyOf(ownerReferences);
        finalizers = List.copyOf(finalizers);
        managedFields = List.copyOf(managedFields);
    }

    /// Metadata of an object without a namespace.
    public static ObjectMeta of(String name) {
        return of("", name);
    }

    public static ObjectMeta of(String namespace, String name) {
        return new ObjectMeta(
                name,
                "",
                namespace,
                Uid.NONE,
                "",
                0,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
    }

    public ObjectRef ref() {
        return new ObjectRef(namespace, name);
    }

    public boolean isDeleting() {
        return deletionTimestamp.isPresent();
    }

    /// The owner reference with `controller: true`.
    public Optional<OwnerReference> controller() {
        for (var owner : ownerReferences) {
            if (owner.isController()) {
                return Optional.of(owner);
            }
        }
        return Optional.empty();
    }

    public ObjectMeta withGenerateName(String newGenerateName) {
        return new ObjectMeta(
                name,
                newGenerateName,
                namespace,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                labels,
                annotations,
                ownerReferences,
                finalizers,
                managedFields);
    }

    public ObjectMeta withLabels(Map<String, String> newLabels) {
        return new ObjectMeta(
                name,
                generateName,
                namespace,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                newLabels,
                annotations,
                ownerReferences,
                finalizers,
                managedFields);
    }

    public ObjectMeta withAnnotations(Map<String, String> newAnnotations) {
        return new ObjectMeta(
                name,
                generateName,
                namespace,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                labels,
                newAnnotations,
                ownerReferences,
                finalizers,
                managedFields);
    }

    public ObjectMeta withOwnerReferences(List<OwnerReference> newOwnerReferences) {
        return new ObjectMeta(
                name,
                generateName,
                namespace,
                uid,
                resourceVersion,
                generation,
                creationTimestamp,
                deletionTimestamp,
                deletionGracePeriodSeconds,
                labels,
                annotations,
                newOwnerReferences,
                finalizers,
                managedFields);
    }
}
