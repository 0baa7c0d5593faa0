package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.cluster.LiveObjects.ListOutcome;
import dev.berth.app.cluster.MissingPermissions;
import dev.berth.app.manifest.Manifest;
import dev.berth.client.ResourcePath;
import dev.berth.core.lint.KnownObjects;
import dev.berth.core.lint.KnownObjects.ReferencedKind;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The slices and objects that manifests are compared with: those of the files, and those of a
/// running cluster as far as the user may list them.
final class ClusterKnowledge {

    private final KnownObjects objects = new KnownObjects();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<Manifest> live = new ArrayList<>();
    private final MissingPermissions forbidden = new MissingPermissions();
    private final String namespace;
    private boolean hasAllSlices;
    private boolean hasClasses;
    private String user = "";
    private Optional<String> problem = Optional.empty();

    /// @param namespace namespace of objects that have none
    ClusterKnowledge(String namespace) {
        this.namespace = namespace;
    }

    /// Adds the objects of files. Files with slices and classes are taken for the dump of a cluster
    /// that has no other classes.
    void add(List<Manifest> manifests) {
        var codec = new Codec();
        for (var manifest : manifests) {
            objects.add(manifest.object(), namespace);
            hasClasses |= manifest.kind().equals("DeviceClass");
            if (manifest.kind().equals("ResourceSlice")
                    && codec.readTree(manifest.object(), UnknownFieldPolicy.LENIENT)
                            instanceof Decoded.Read<?> read
                    && read.object() instanceof ResourceSlice slice) {
                slices.add(slice);
            }
        }
        if (hasClasses && !slices.isEmpty()) {
            objects.markComplete(ReferencedKind.DEVICE_CLASS);
        }
    }

    /// Adds the objects of a running cluster.
    ///
    /// @param isValidated whether its objects are validated, not only compared with
    void read(LiveObjects cluster, boolean isValidated) {
        switch (cluster.all(Kinds.RESOURCE_SLICE)) {
            case ListOutcome.Listed<ResourceSlice>(var all) -> {
                slices.addAll(all);
                hasAllSlices = true;
            }
            case ListOutcome.ListedInNamespace<ResourceSlice> _ -> {}
            case ListOutcome.Forbidden<ResourceSlice>(var resource) -> forbidden.with(resource);
            case ListOutcome.Refused<ResourceSlice>(var reason) -> problem = Optional.of(reason);
        }
        for (var kind :
                List.of(
                        Kinds.DEVICE_CLASS,
                        Kinds.RESOURCE_CLAIM,
                        Kinds.RESOURCE_CLAIM_TEMPLATE,
                        Kinds.DEVICE_TAINT_RULE,
                        Kinds.NODE)) {
            if (problem.isEmpty()
                    && (isValidated || ReferencedKind.named(kind.name()).isPresent())) {
                read(cluster, kind);
            }
        }
        if (!forbidden.isEmpty()) {
            user = cluster.user().orElse("");
        }
    }

    private void read(LiveObjects cluster, Kind<?> kind) {
        var referenced = ReferencedKind.named(kind.name());
        switch (cluster.trees(ResourcePath.of(kind), kind.isNamespaced())) {
            case ListOutcome.Listed(var all) -> {
                all.forEach(this::add);
                referenced.ifPresent(objects::markComplete);
            }
            case ListOutcome.ListedInNamespace(var resource, var listed, var some) -> {
                some.forEach(this::add);
                referenced.ifPresent(one -> objects.markComplete(one, listed));
                forbidden.addOtherNamespaces(resource);
            }
            case ListOutcome.Forbidden(var resource) -> forbidden.with(resource);
            case ListOutcome.Refused(var reason) -> problem = Optional.of(reason);
        }
    }

    private void add(JsonObject tree) {
        objects.add(tree, namespace);
        live.add(Manifest.ofCluster(tree));
    }

    KnownObjects objects() {
        return objects;
    }

    List<ResourceSlice> slices() {
        return List.copyOf(slices);
    }

    /// Whether the slices are all of a cluster.
    boolean hasAllSlices() {
        return hasAllSlices;
    }

    /// The objects of the running cluster whose specs can be validated. Pods are not among them:
    /// the server sets fields in pods that no client may set on creation.
    ///
    /// @param only the only namespace to validate; all if it is empty
    List<Manifest> live(Optional<String> only) {
        return live.stream()
                .filter(manifest -> !manifest.kind().equals("Node"))
                .filter(manifest -> {
                    var where = manifest.object().objectOrEmpty("metadata").text("namespace");
                    return where.isEmpty() || only.map(where::equals).orElse(true);
                })
                .toList();
    }

    /// The kinds that are not compared because the user may not list them; empty if there are none.
    Optional<String> forbidden() {
        return forbidden.isEmpty()
                ? Optional.empty()
                : Optional.of("berth: not compared: " + forbidden.text(user));
    }

    /// The error when the cluster could not be read.
    Optional<String> problem() {
        return problem;
    }
}
