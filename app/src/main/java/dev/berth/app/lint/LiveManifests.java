package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.manifest.Manifest;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a running cluster has that can be judged, or that names can be compared with.
final class LiveManifests {

    /// Pods are not among them: a server writes much into a pod that nobody may create it with.
    private static final List<Kind<?>> JUDGED =
            List.of(
                    Kinds.DEVICE_CLASS,
                    Kinds.RESOURCE_CLAIM,
                    Kinds.RESOURCE_CLAIM_TEMPLATE,
                    Kinds.DEVICE_TAINT_RULE);

    private final Optional<String> namespace;
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private Optional<String> problem = Optional.empty();

    /// @param namespace the only one that matters; all do when it is empty
    LiveManifests(Optional<String> namespace) {
        this.namespace = namespace;
    }

    /// @param withObjects whether more is wanted than the slices
    void read(LiveObjects live, boolean withObjects) {
        switch (live.all(Kinds.RESOURCE_SLICE)) {
            case LiveObjects.Look.Seen<ResourceSlice>(var objects) -> slices.addAll(objects);
            case LiveObjects.Look.Refused<ResourceSlice>(var reason) ->
                    problem = Optional.of(reason);
        }
        for (var kind : JUDGED) {
            if (withObjects && problem.isEmpty()) {
                read(live, kind);
            }
        }
    }

    private void read(LiveObjects live, Kind<?> kind) {
        switch (live.trees(ResourcePath.of(kind), kind.isNamespaced())) {
            case LiveObjects.Look.Seen(var objects) ->
                    objects.stream()
                            .map(Manifest::ofCluster)
                            .filter(this::matters)
                            .forEach(manifests::add);
            case LiveObjects.Look.Refused(var reason) -> problem = Optional.of(reason);
        }
    }

    private boolean matters(Manifest manifest) {
        var where = manifest.object().objectOrEmpty("metadata").text("namespace");
        return where.isEmpty() || namespace.map(where::equals).orElse(true);
    }

    List<Manifest> manifests() {
        return List.copyOf(manifests);
    }

    List<ResourceSlice> slices() {
        return List.copyOf(slices);
    }

    /// Why the cluster could not be read.
    Optional<String> problem() {
        return problem;
    }
}
