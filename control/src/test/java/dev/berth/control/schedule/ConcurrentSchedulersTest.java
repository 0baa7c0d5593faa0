package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.ForwardingCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.control.schedule.SchedulerOptions.Profile;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ServerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Concurrent changes of claims while pods are being bound, on a server that permits duplicate
/// allocations.
class ConcurrentSchedulersTest {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    @TempDir Path directory = Path.of("");

    private SchedulingRig rig;

    @BeforeEach
    void start() {
        rig =
                new SchedulingRig(
                        directory,
                        FeatureGates.defaults(),
                        ServerSettings::allowingDoubleAllocation);
        rig.node("a");
        rig.deviceClass();
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    /// A cluster with one concurrent change: before the status of a claim is written.
    private static final class ConcurrentChange extends ForwardingCluster {

        private final AtomicBoolean isDone = new AtomicBoolean();
        private final Runnable change;

        private ConcurrentChange(Cluster cluster, Runnable change) {
            super(cluster);
            this.change = change;
        }

        @Override
        public RequestResult send(Request request) {
            if (request instanceof Request.Update update
                    && update.subresource().equals("status")
                    && update.address().equals(CLAIMS)
                    && !isDone.getAndSet(true)) {
                change.run();
            }
            return super.send(request);
        }
    }

    private void scheduleWithChange(Runnable change) {
        rig.schedule(
                SchedulerOptions.defaults(), new ConcurrentChange(rig.connect("berth"), change));
    }

    @Test
    void aConflictIsRetriedWithTheNewClaim() {
        rig.slice("a", 1);
        rig.claimOne("one");
        scheduleWithChange(() -> {
            var labels = JsonObject.of("labels", JsonObject.of("x", Json.of("y")));
            rig.cluster()
                    .send(
                            new Request.Patch(
                                    CLAIMS,
                                    "default",
                                    "one",
                                    "",
                                    Request.PatchType.MERGE,
                                    JsonObject.of("metadata", labels)));
        });
        rig.podWith("p", "one");

        rig.awaitNode("p");
        assertThat(rig.devices("one")).containsExactly("gpu-0");
        assertThat(rig.claim("one").objectOrEmpty("metadata").objectOrEmpty("labels").text("x"))
                .isEqualTo("y");
    }

    @Test
    void aDeletedClaimIsNotAllocated() {
        rig.slice("a", 1);
        rig.claimOne("one");
        scheduleWithChange(() -> rig.delete(CLAIMS, "default", "one"));
        rig.podWith("p", "one");

        rig.awaitRejection("p");
        assertThat(rig.rejection("p")).contains("claim one got deleted in the meantime");
        assertThat(rig.nodeOf("p")).isEmpty();

        // The assumed allocation was released.
        rig.claimOne("two");
        rig.podWith("q", "two");
        assertThat(rig.awaitNode("q")).isEqualTo("a");
    }

    @Test
    void aFailedAllocationRequeuesOtherPods() {
        rig.slice("a", 1);
        rig.claimOne("one");
        rig.claimOne("two");
        scheduleWithChange(() -> {
            rig.podWith("q", "two");
            rig.awaitRejection("q");
            rig.delete(CLAIMS, "default", "one");
        });
        rig.podWith("p", "one");

        assertThat(rig.awaitNode("q")).isEqualTo("a");
        assertThat(rig.nodeOf("p")).isEmpty();
    }

    @Test
    void theLaterOfTwoDuplicateAllocationsIsReleased() {
        rig.slice("a", 2);
        rig.claimOne("one");
        rig.claimOne("rival");
        scheduleWithChange(() -> allocate("rival", "gpu-0"));
        rig.podWith("p", "one");

        rig.awaitNode("p");
        assertThat(rig.devices("rival")).containsExactly("gpu-0");
        assertThat(rig.devices("one")).containsExactly("gpu-1");
        assertThat(rig.users("one")).containsExactly("p");
    }

    @Test
    void bothDuplicateAllocationsAreReleasedWhenTheOrderIsUnknown() {
        rig.slice("a", 2);
        for (var name : List.of("one", "two")) {
            rig.claimOne(name);
            allocate(name, "gpu-0");
            rig.podWith("of-" + name, name);
        }
        rig.schedule();

        rig.awaitNode("of-one");
        rig.awaitNode("of-two");
        assertThat(rig.devices("one")).doesNotContainAnyElementsOf(rig.devices("two"));
    }

    @Test
    void aBindingWhoseResponseIsLostIsNotUndone() {
        rig.slice("a", 1);
        rig.claimOne("one");
        rig.schedule(SchedulerOptions.defaults(), new LostResponses(rig.connect("berth")));
        rig.podWith("p", "one");

        rig.awaitNode("p");
        rig.claimOne("two");
        rig.podWith("q", "two");
        rig.awaitRejection("q");
        assertThat(rig.users("one")).containsExactly("p");
        assertThat(rig.rejection("p")).isEmpty();
    }

    /// A cluster whose responses to bindings are lost.
    private static final class LostResponses extends ForwardingCluster {

        private LostResponses(Cluster cluster) {
            super(cluster);
        }

        @Override
        public RequestResult send(Request request) {
            var outcome = super.send(request);
            return request instanceof Request.Create create
                            && create.subresource().equals("binding")
                    ? new RequestResult.Unavailable("response lost")
                    : outcome;
        }
    }

    private void allocate(String claim, String device) {
        assertThat(rig.allocate(claim, SchedulingRig.result(device)).isDone()).isTrue();
    }

    @Test
    void twoSchedulersNeverAllocateADeviceTwice() {
        rig.slice("a", 20);
        for (var name : List.of("one", "two")) {
            rig.schedule(
                    SchedulerOptions.defaults()
                            .withProfiles(List.of(new Profile(name, PlacementPolicy.KUBERNETES))),
                    rig.connect(name));
        }
        for (var i = 0; i < 20; i++) {
            rig.claimOne("c" + i);
            rig.create(
                    """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: p%d}
                    spec:
                      schedulerName: %s
                      resourceClaims: [{name: devices, resourceClaimName: c%d}]
                      containers: [{name: c, image: i, resources: {claims: [{name: devices}]}}]
                    """
                            .formatted(i, i % 2 == 0 ? "one" : "two", i));
        }

        var given = new ArrayList<String>();
        for (var i = 0; i < 20; i++) {
            rig.awaitNode("p" + i);
            given.addAll(rig.devices("c" + i));
        }
        assertThat(given).hasSize(20).doesNotHaveDuplicates();
    }
}
