package dev.berth.core.lint;

import dev.berth.core.snapshot.ExtendedResources;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The objects that pods and claims may refer to: device classes, claims, templates, and the
/// extended resources of classes and nodes.
///
/// Objects come from files and from a running cluster. A reference to an object that is not known
/// is a mistake only if all objects of its kind are known.
public final class KnownObjects {

    /// Kinds of objects that are referred to.
    public enum ReferencedKind {
        DEVICE_CLASS("DeviceClass"),
        CLAIM("ResourceClaim"),
        TEMPLATE("ResourceClaimTemplate"),
        NODE("Node");

        private final String kind;

        ReferencedKind(String kind) {
            this.kind = kind;
        }

        /// The kind by its name in the API.
        public static Optional<ReferencedKind> named(String kind) {
            for (var one : values()) {
                if (one.kind.equals(kind)) {
                    return Optional.of(one);
                }
            }
            return Optional.empty();
        }

        @Override
        public String toString() {
            return kind;
        }
    }

    private final Set<String> classes = new TreeSet<>();
    private final Set<String> resources = new TreeSet<>();
    private final Map<ReferencedKind, Map<ObjectRef, Set<String>>> requests = new HashMap<>();

    /// Namespaces whose objects of a kind are all known; the empty one stands for all namespaces.
    private final Map<ReferencedKind, Set<String>> complete = new HashMap<>();

    /// Adds an object of any API version; other kinds are ignored.
    ///
    /// @param defaultNamespace namespace of an object that has none
    public void add(JsonObject object, String defaultNamespace) {
        var metadata = object.objectOrEmpty("metadata");
        var spec = object.objectOrEmpty("spec");
        var kind = ReferencedKind.named(object.text("kind"));
        if (kind.isEmpty()) {
            return;
        }
        var namespace = metadata.text("namespace");
        var ref =
                new ObjectRef(
                        namespace.isEmpty() ? defaultNamespace : namespace, metadata.text("name"));
        switch (kind.get()) {
            case DEVICE_CLASS -> addClass(ref.name(), spec);
            case CLAIM -> addRequests(kind.get(), ref, spec);
            case TEMPLATE -> addRequests(kind.get(), ref, spec.objectOrEmpty("spec"));
            case NODE -> {
                var status = object.objectOrEmpty("status");
                resources.addAll(status.objectOrEmpty("capacity").names());
                resources.addAll(status.objectOrEmpty("allocatable").names());
            }
        }
    }

    private void addClass(String name, JsonObject spec) {
        classes.add(name);
        resources.add(ExtendedResources.IMPLICIT + name);
        spec.string("extendedResourceName").ifPresent(resources::add);
    }

    private void addRequests(ReferencedKind kind, ObjectRef ref, JsonObject claimSpec) {
        var names = new TreeSet<String>();
        claimSpec
                .objectOrEmpty("devices")
                .objects("requests")
                .forEach(request -> names.add(request.text("name")));
        requests.computeIfAbsent(kind, _ -> new HashMap<>()).put(ref, names);
    }

    /// All objects of the kind are known.
    public void markComplete(ReferencedKind kind) {
        markComplete(kind, "");
    }

    /// All objects of the kind in this namespace are known.
    public void markComplete(ReferencedKind kind, String namespace) {
        complete.computeIfAbsent(kind, _ -> new TreeSet<>()).add(namespace);
    }

    boolean isComplete(ReferencedKind kind, String namespace) {
        var namespaces = complete.getOrDefault(kind, Set.of());
        return namespaces.contains("") || namespaces.contains(namespace);
    }

    Collection<String> classes() {
        return List.copyOf(classes);
    }

    /// Resources that nodes offer or device classes serve.
    Collection<String> resources() {
        return List.copyOf(resources);
    }

    /// The names of the requests of a claim or template; empty if it is not known.
    Optional<Set<String>> requests(ReferencedKind kind, ObjectRef ref) {
        return Optional.ofNullable(requests.getOrDefault(kind, Map.of()).get(ref));
    }

    /// The names of the known claims or templates of a namespace.
    Collection<String> names(ReferencedKind kind, String namespace) {
        return requests.getOrDefault(kind, Map.of()).keySet().stream()
                .filter(ref -> ref.namespace().equals(namespace))
                .map(ObjectRef::name)
                .sorted()
                .toList();
    }

    /// Other namespaces with a claim or template of this name.
    Collection<String> otherNamespaces(ReferencedKind kind, ObjectRef ref) {
        return requests.getOrDefault(kind, Map.of()).keySet().stream()
                .filter(other -> other.name().equals(ref.name()))
                .map(ObjectRef::namespace)
                .filter(namespace -> !namespace.equals(ref.namespace()))
                .sorted()
                .toList();
    }
}
