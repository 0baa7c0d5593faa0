package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.place.ClusterEvent;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SchedulingQueue queue = new SchedulingQueue();

    static Pod pod(String json) {
        var bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return switch (new Codec().readJson(Kinds.POD, "v1", bytes, UnknownFieldPolicy.STRICT)) {
            case Decoded.Read<Pod> read -> read.object();
            case Decoded.Refused<Pod> refused ->
                    throw new IllegalArgumentException(refused.message());
        };
    }

    private static Pod pod(String name, int priority, int second) {
        return pod(
                """
                {'apiVersion': 'v1', 'kind': 'Pod',
                 'metadata': {'name': '%s', 'namespace': 'ns', 'uid': '%s-uid',
                   'creationTimestamp': '2026-01-01T00:00:%02dZ'},
                 'spec': {'priority': %d,
                   'resourceClaims': [{'name': 'd', 'resourceClaimName': 'claim-%s'}]}}
                """
                        .formatted(name, name, second, priority, name));
    }

    private static ObjectRef ref(String name) {
        return new ObjectRef("ns", name);
    }

    private static Instant at(double seconds) {
        return START.plus(Duration.ofMillis((long) (seconds * 1000)));
    }

    private Optional<String> next(double seconds) {
        return queue.next(at(seconds)).map(pod -> pod.metadata().name());
    }

    @Test
    void podsAreOrderedByPriorityThenAge() {
        queue.put(pod("young", 0, 3), START);
        queue.put(pod("old", 0, 1), START);
        queue.put(pod("important", 5, 9), START);

        assertThat(next(0)).contains("important");
        assertThat(next(0)).contains("old");
        assertThat(next(0)).contains("young");
        assertThat(next(0)).isEmpty();
        assertThat(queue.depths().inFlight()).isEqualTo(3);
    }

    @Test
    void backOffDoublesUpToTenSeconds() {
        assertThat(SchedulingQueue.backOff(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(SchedulingQueue.backOff(2)).isEqualTo(Duration.ofSeconds(2));
        assertThat(SchedulingQueue.backOff(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(SchedulingQueue.backOff(5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(SchedulingQueue.backOff(1_000)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void anErrorIsRetriedAfterBackOff() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.retry(ref("p"), START);

        assertThat(next(0.9)).isEmpty();
        assertThat(queue.nextTime()).contains(at(1));
        assertThat(next(1)).contains("p");
    }

    @Test
    void anUnschedulablePodWaitsForARelevantEvent() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.unschedulable(ref("p"), ClusterEvent.DEVICE_EVENTS, START);

        queue.requeue(ClusterEvent.RESOURCES_FREED, at(5));
        assertThat(next(5)).isEmpty();
        queue.requeue(ClusterEvent.DEVICES_FREED, at(5));
        assertThat(next(5)).contains("p");
    }

    @Test
    void anEventDoesNotShortenTheBackOff() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.unschedulable(ref("p"), ClusterEvent.DEVICE_EVENTS, START);

        queue.requeue(ClusterEvent.DEVICES_OFFERED, at(0.5));
        assertThat(next(0.5)).isEmpty();
        assertThat(next(1)).contains("p");
    }

    @Test
    void unschedulablePodsAreRetriedAfterFiveMinutes() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.unschedulable(ref("p"), ClusterEvent.POD_EVENTS, START);

        assertThat(queue.nextTime()).contains(at(300));
        assertThat(next(299)).isEmpty();
        assertThat(next(300)).contains("p");
    }

    @Test
    void aClaimRequeuesItsConsumersOnly() {
        queue.put(pod("p", 0, 0), START);
        queue.put(pod("q", 0, 1), START);
        next(0);
        next(0);
        queue.unschedulable(ref("p"), Set.of(), START);
        queue.unschedulable(ref("q"), Set.of(), START);

        queue.requeueUsersOf(ref("claim-q"), at(2));
        assertThat(next(2)).contains("q");
        assertThat(next(2)).isEmpty();
    }

    @Test
    void gatedPodsStayGatedUntilComplete() {
        var gated = pod("p", 0, 0);
        queue.gate(gated);

        assertThat(next(1_000)).isEmpty();
        assertThat(queue.gatedUsersOf(ref("claim-p"))).containsExactly(gated);
        assertThat(queue.depths().gated()).isEqualTo(1);
        queue.put(gated, at(1_000));
        assertThat(next(1_000)).contains("p");
    }

    @Test
    void aRecreatedPodHasNoBackOff() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.unschedulable(ref("p"), ClusterEvent.DEVICE_EVENTS, START);
        var old = pod("p", 0, 0);
        var meta = ObjectMeta.of("ns", "p");
        queue.put(new Pod(meta, old.spec(), old.status()), at(0.1));

        assertThat(meta.uid()).isEqualTo(Uid.NONE);
        assertThat(next(0.1)).contains("p");
    }

    @Test
    void removedPodsLeaveTheQueue() {
        queue.put(pod("p", 0, 0), START);
        next(0);
        queue.remove(ref("p"));
        queue.retry(ref("p"), START);

        assertThat(queue.depths().all()).isZero();
        assertThat(next(10)).isEmpty();
        assertThat(queue.nextTime()).isEmpty();
    }

    @Test
    void volumeAndNamespaceEventsRequeueRelevantPods() {
        queue.put(pod("volume", 0, 1), at(0));
        queue.put(pod("near", 0, 2), at(0));
        next(0);
        next(0);
        queue.unschedulable(ref("volume"), ClusterEvent.VOLUME_EVENTS, at(0));
        queue.unschedulable(ref("near"), ClusterEvent.POD_EVENTS, at(0));

        queue.requeue(ClusterEvent.VOLUMES, at(2));
        assertThat(next(2)).contains("volume");
        assertThat(next(2)).isEmpty();
        queue.requeue(ClusterEvent.NAMESPACE, at(3));
        assertThat(next(3)).contains("near");
    }
}
