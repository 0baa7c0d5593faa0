package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.inventory.Pool;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What pods are told, as their events show it.
class PendingPodReporterTest {

    private static final Codec CODEC = new Codec();
    private static final PendingPodReporter.ClusterState NOWHERE =
            new PendingPodReporter.ClusterState(
                    ClusterSnapshot.empty(new Pool.Rules(true, true)),
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of());

    private final List<String> told = new ArrayList<>();
    private final PendingPodReporter teller =
            new PendingPodReporter(
                    new PodWriter(new NotedRequests(), CODEC),
                    (pod, note) -> told.add(pod.metadata().name() + ": " + note.text()),
                    Set.of(),
                    SchedulerOptions.defaults().withoutExplanations(),
                    TaskRunner.inline(),
                    Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

    private static Pod pod(String name) {
        var json =
                """
                {"metadata": {"namespace": "default", "name": "%s", "uid": "%s-1"},
                 "spec": {"containers": []}}
                """
                        .formatted(name, name);
        return CODEC.readJson(
                        Kinds.POD,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private void add(String pod, String message) {
        teller.add(
                new PendingPodReporter.Report(
                        pod(pod),
                        PendingPodReporter.UNSCHEDULABLE,
                        message,
                        Optional.empty(),
                        NOWHERE));
    }

    @Test
    void podsAreToldInTurn() {
        add("a", "no device");
        add("b", "no node");
        teller.reportAll();

        assertThat(told).containsExactly("a: no device", "b: no node");
    }

    @Test
    void aPodThatGotItsPlaceMeanwhileIsToldNothing() {
        add("a", "no device");
        add("b", "no node");
        teller.drop(pod("a").ref());
        teller.reportAll();

        assertThat(told).containsExactly("b: no node");
    }

    @Test
    void onlyTheNewestIsToldAndInThePlaceOfTheFirst() {
        add("a", "no device");
        add("b", "no node");
        add("a", "no node either");
        teller.reportAll();
        teller.reportAll();

        assertThat(told).containsExactly("a: no node either", "b: no node");
    }

    @Test
    void whoWasDroppedCanBeToldAgain() {
        add("a", "no device");
        teller.drop(pod("a").ref());
        add("a", "still none");
        teller.reportAll();

        assertThat(told).containsExactly("a: still none");
    }
}
