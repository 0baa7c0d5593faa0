package dev.berth.app.lint;

import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.manifest.Manifest;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Objects of a running cluster to validate, and slices to compare names with.
final class LiveManifests {

    /// Kinds to validate, without pods: the server sets fields in pods that no client may set on
    /// creation.
    private static final List<Kind<?>> VALIDATED =
            List.of(
                    Kinds.DEVICE_CLASS,
                    Kinds.RESOURCE_CLAIM,
                    Kinds.RESOURCE_CLAIM_TEMPLATE,
                    Kinds.DEVICE_TAINT_RULE);

    private final Optional<String> namespace;
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<ResourceSlice> slices = new ArrayList<>();
    private Optional<String> problem = Optional.empty();

    /// Creates a reader.
    ///
    /// @param namespace the only namespace to read; all if it is empty
    LiveManifests(Optional<String> namespace) {
        this.namespace = namespace;
    }

    /// Reads the cluster.
    ///
    /// @param withObjects whether to read objects besides slices
    void read(LiveObjects live, boolean withObjects) {
        switch (live.all(Kinds.RESOURCE_SLICE)) {
            case LiveObjects.ListOutcome.Listed<ResourceSlice>(var objects) ->
                    slices.addAll(objects);
            case LiveObjects.ListOutcome.Refused<ResourceSlice>(var reason) ->
                    problem = Optional.of(reason);
        }
        for (var kind : VALIDATED) {
            if (withObjects && problem.isEmpty()) {
                read(live, kind);
            }
        }
    }

    private void read(LiveObjects live, Kind<?> kind) {
        switch (live.trees(ResourcePath.of(kind), kind.isNamespaced())) {
            case LiveObjects.ListOutcome.Listed(var objects) ->
                    objects.stream()
                            .map(Manifest::ofCluster)
                            .filter(this::matters)
                            .forEach(manifests::add);
            case LiveObjects.ListOutcome.Refused(var reason) -> problem = Optional.of(reason);
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

    /// The error when the cluster could not be read.
    Optional<String> problem() {
        return problem;
    }
}
