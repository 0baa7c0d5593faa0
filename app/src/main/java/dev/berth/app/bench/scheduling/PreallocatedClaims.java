package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.schedule.PlacementDecider;
import dev.berth.core.schedule.SchedulingDecision;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Claims that are allocated before the first pod is created.
final class PreallocatedClaims {

    private final Codec codec = new Codec();
    private final ClusterSetup setup;
    private final PlacementDecider decider;
    private ClusterSnapshot snapshot;

    PreallocatedClaims(ClusterSetup setup, FeatureGates gates) {
        this.setup = setup;
        var features = PlacementFeatures.of(gates);
        this.decider =
                new PlacementDecider(
                        new PlacementDecider.Options(
                                features,
                                PlacementPolicy.KUBERNETES,
                                Duration.ofMinutes(1),
                                false,
                                () -> UUID.randomUUID().toString()),
                        new Allocator(Allocator.DEFAULT_BUDGET));
        this.snapshot = ClusterSnapshot.empty(PlacementFeatures.rules(features));
    }

    /// Creates `count` claims with devices that a scheduler would have chosen.
    void fill(Cluster cluster, int count) throws InterruptedException {
        if (count == 0) {
            return;
        }
        var sending = new BulkRequests(cluster);
        BulkRequests.each(decided(count), claim -> write(sending, claim));
    }

    private List<ResourceClaim> decided(int count) {
        setup.classes().forEach(one -> snapshot = snapshot.with(read(Kinds.DEVICE_CLASS, one)));
        setup.nodeObjects().forEach(one -> snapshot = snapshot.with(read(Kinds.NODE, one)));
        snapshot =
                snapshot.with(
                        setup.slices().stream()
                                .map(one -> read(Kinds.RESOURCE_SLICE, one))
                                .toList());
        var claims = new ArrayList<ResourceClaim>();
        for (var i = 0; i < count; i++) {
            claims.add(decide("held-%05d".formatted(i)));
        }
        return claims;
    }

    private ResourceClaim decide(String name) {
        var claim = read(Kinds.RESOURCE_CLAIM, setup.claim(name));
        snapshot = snapshot.with(claim);
        var decision = decider.decide(user(name), snapshot, Instant.EPOCH);
        if (!(decision instanceof SchedulingDecision.Placed placed)) {
            throw new IllegalStateException(name + " does not fit: " + decision);
        }
        var given = Optional.of(placed.fits().allocations().getFirst().result());
        var held = claim.withStatus(new ResourceClaimStatus(given, List.of(), List.of()));
        snapshot = snapshot.with(held);
        return held;
    }

    private Pod user(String claim) {
        return read(
                Kinds.POD,
                json(
                        """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s"},
                        "spec":{"containers":[{"name":"c"}],"resourceClaims":[{"name":"c",
                        "resourceClaimName":"%s"}]}}
                        """,
                        claim, ClusterSetup.NAMESPACE, claim));
    }

    private void write(BulkRequests sending, ResourceClaim claim) {
        var tree = codec.toTree(Kinds.RESOURCE_CLAIM, claim);
        var made =
                sending.create(ClusterSetup.CLAIMS, ClusterSetup.NAMESPACE, tree.without("status"));
        var update =
                new Request.Update(
                        ClusterSetup.CLAIMS,
                        ClusterSetup.NAMESPACE,
                        claim.metadata().name(),
                        "status",
                        made.with("status", tree.objectOrEmpty("status")));
        sending.done(update);
    }

    private <T extends KubernetesObject> T read(Kind<T> kind, JsonObject tree) {
        return switch (codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<T> read -> read.object();
            case Decoded.Refused<T> refused -> throw new IllegalStateException(refused.message());
        };
    }
}
