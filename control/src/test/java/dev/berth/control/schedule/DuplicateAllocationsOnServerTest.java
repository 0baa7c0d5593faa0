package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.RequestResult;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.StoreChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The API server rejects the allocation of a device to a second claim.
class DuplicateAllocationsOnServerTest {

    private static final JsonObject GPU = SchedulingRig.result("gpu-0");

    @TempDir Path directory = Path.of("");

    @Test
    void theErrorNamesTheClaimThatHasTheDevice() {
        try (var rig = new SchedulingRig(directory)) {
            rig.claimOne("one");
            rig.claimOne("two");
            assertThat(rig.allocate("one", GPU)).isInstanceOf(RequestResult.Done.class);
            assertThat(rig.allocate("two", GPU))
                    .isInstanceOf(RequestResult.Conflict.class)
                    .satisfies(refused ->
                            assertThat(refused.message())
                                    .contains(
                                            "device gpu.example.com/a/gpu-0 is allocated to claim"
                                                    + " default/one"));
            assertThat(rig.devices("two")).isEmpty();
        }
    }

    @Test
    void aDeallocatedDeviceCanBeAllocatedAgain() {
        try (var rig = new SchedulingRig(directory)) {
            rig.claimOne("one");
            rig.claimOne("two");
            rig.allocate("one", GPU);
            rig.update("one", JsonObject.EMPTY);
            assertThat(rig.allocate("two", GPU).isDone()).isTrue();
            assertThat(rig.allocate("one", GPU)).isInstanceOf(RequestResult.Conflict.class);
            assertThat(rig.allocate("one", SchedulingRig.result("gpu-1")).isDone()).isTrue();
        }
    }

    @Test
    void aRejectedWriteAllocatesNothing() {
        try (var rig = new SchedulingRig(directory)) {
            rig.claimOne("one");
            rig.claimOne("two");
            rig.claimOne("three");
            rig.allocate("one", GPU);
            var both = rig.allocate("two", SchedulingRig.result("gpu-1"), GPU);
            assertThat(both).isInstanceOf(RequestResult.Conflict.class);
            assertThat(rig.allocate("three", SchedulingRig.result("gpu-1")).isDone()).isTrue();
        }
    }

    @Test
    void sharesOfADeviceDoNotConflict() {
        try (var rig = new SchedulingRig(directory)) {
            for (var claim : List.of("c1", "c2")) {
                rig.claimOne(claim);
                var share = claim + "71734a-e8e5-11e4-8fde-42010af09327";
                var outcome = rig.allocate(claim, GPU.with("shareID", Json.of(share)));
                assertThat(outcome.isDone()).isTrue();
            }
        }
    }

    @Test
    void onlyOneOfManyConcurrentWritesGetsTheDevice() throws Exception {
        try (var rig = new SchedulingRig(directory);
                var threads = Executors.newFixedThreadPool(8)) {
            for (var round = 0; round < 20; round++) {
                var results = new ArrayList<Future<RequestResult>>();
                var device = SchedulingRig.result("gpu-" + round);
                for (var i = 0; i < 8; i++) {
                    var claim = "c" + round + "-" + i;
                    rig.claimOne(claim);
                    results.add(threads.submit(() -> rig.allocate(claim, device)));
                }
                var done = 0;
                for (var result : results) {
                    done += result.get().isDone() ? 1 : 0;
                }
                assertThat(done).isEqualTo(1);
            }
        }
    }

    @Test
    void allocationsAreKnownAfterARestart() {
        try (var rig = persistentRig()) {
            rig.claimOne("one");
            rig.claimOne("two");
            rig.allocate("one", GPU);
        }
        try (var rig = persistentRig()) {
            assertThat(rig.allocate("two", GPU)).isInstanceOf(RequestResult.Conflict.class);
        }
    }

    private SchedulingRig persistentRig() {
        return new SchedulingRig(
                directory,
                FeatureGates.defaults(),
                settings -> settings.withStore(new StoreChoice.Sqlite()));
    }
}
