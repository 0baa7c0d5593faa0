package dev.berth.model.api.meta;

import dev.berth.model.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

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
        return with(copy -> copy.generateName = newGenerateName);
    }

    public ObjectMeta withLabels(Map<String, String> newLabels) {
        return with(copy -> copy.labels = newLabels);
    }

    public ObjectMeta withAnnotations(Map<String, String> newAnnotations) {
        return with(copy -> copy.annotations = newAnnotations);
    }

    public ObjectMeta withOwnerReferences(List<OwnerReference> newOwnerReferences) {
        return with(copy -> copy.ownerReferences = newOwnerReferences);
    }

    public ObjectMeta withFinalizers(List<String> newFinalizers) {
        return with(copy -> copy.finalizers = newFinalizers);
    }

    private ObjectMeta with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private String name;
        private String generateName;
        private String namespace;
        private Uid uid;
        private String resourceVersion;
        private long generation;
        private Optional<Instant> creationTimestamp;
        private Optional<Instant> deletionTimestamp;
        private OptionalLong deletionGracePeriodSeconds;
        private Map<String, String> labels;
        private Map<String, String> annotations;
        private List<OwnerReference> ownerReferences;
        private List<String> finalizers;
        private List<Json> managedFields;

        Copy(ObjectMeta from) {
            name = from.name;
            generateName = from.generateName;
            namespace = from.namespace;
            uid = from.uid;
            resourceVersion = from.resourceVersion;
            generation = from.generation;
            creationTimestamp = from.creationTimestamp;
            deletionTimestamp = from.deletionTimestamp;
            deletionGracePeriodSeconds = from.deletionGracePeriodSeconds;
            labels = from.labels;
            annotations = from.annotations;
            ownerReferences = from.ownerReferences;
            finalizers = from.finalizers;
            managedFields = from.managedFields;
        }

        ObjectMeta build() {
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
                    ownerReferences,
                    finalizers,
                    managedFields);
        }
    }
}
