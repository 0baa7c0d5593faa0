package dev.berth.app.ui;

import dev.berth.app.cluster.ClusterFiles;
import dev.berth.app.cluster.LiveObjects;
import dev.berth.app.cluster.ReplicaCount;
import dev.berth.client.Cluster;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.dashboard.whatif.PlanManifests;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;

/// Manifests on top of a running cluster, read as `berth plan --live -f -` reads them.
final class LivePlanInput implements PlanManifests {

    private final Cluster cluster;

    LivePlanInput(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Reading read(String yaml, OptionalInt replicas) {
        var files = new ClusterFiles(FeatureGates.defaults(), Clock.systemUTC().instant());
        files.read(new LiveObjects(cluster));
        if (files.problems().isEmpty()) {
            files.read(
                    List.of("-"), new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
        }
        var input =
                files.scenario(
                        replicas.isPresent()
                                ? new ReplicaCount.ScaleTo(replicas.getAsInt())
                                : new ReplicaCount.AsWritten());
        return files.problems().isEmpty()
                ? new Reading.Read(input)
                : new Reading.Refused(files.problems());
    }
}
