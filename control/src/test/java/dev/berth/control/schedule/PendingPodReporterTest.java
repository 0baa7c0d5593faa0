package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.inventory.Pool;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.pod.Pod;
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

/// Reports on pending pods, observed by their events.
class PendingPodReporterTest {

    private static final Codec CODEC = new Codec();
    private static final PendingPodReporter.ClusterState EMPTY_CLUSTER =
            new PendingPodReporter.ClusterState(
                    ClusterSnapshot.empty(new Pool.Rules(true, true)),
                    PersistentSortedMap.of(),
                    PersistentSortedMap.of());

    private final List<String> reported = new ArrayList<>();
    private final PendingPodReporter reporter =
            new PendingPodReporter(
                    new PodWriter(new RecordingCluster(), CODEC),
                    new ClaimSourceReader(new RecordingCluster(), CODEC),
                    (pod, event) -> reported.add(pod.metadata().name() + ": " + event.text()),
                    Set.of(),
                    SchedulerOptions.defaults().withoutExplanations(),
                    TaskRunner.inline(),
                    Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

    private static Pod pod(String name) {
        return pod(name, "{\"containers\": []}");
    }

    private static Pod pod(String name, String spec) {
        var json =
                """
                {"metadata": {"namespace": "default", "name": "%s", "uid": "%s-1"},
                 "spec": %s}
                """
                        .formatted(name, name, spec);
        return CODEC.readJson(
                        Kinds.POD,
                        "v1",
                        json.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }

    private void add(String pod, String message) {
        reporter.add(
                new PendingPodReporter.Report(
                        pod(pod),
                        PendingPodReporter.UNSCHEDULABLE,
                        message,
                        Optional.empty(),
                        EMPTY_CLUSTER));
    }

    @Test
    void reportsAreWrittenInOrder() {
        add("a", "no device");
        add("b", "no node");
        reporter.reportAll();

        assertThat(reported).containsExactly(message("a", "no device"), message("b", "no node"));
    }

    @Test
    void aDroppedReportIsNotWritten() {
        add("a", "no device");
        add("b", "no node");
        reporter.drop(pod("a").ref());
        reporter.reportAll();

        assertThat(reported).containsExactly(message("b", "no node"));
    }

    @Test
    void theLatestReportReplacesAnEarlierOneInPlace() {
        add("a", "no device");
        add("b", "no node");
        add("a", "no node either");
        reporter.reportAll();
        reporter.reportAll();

        assertThat(reported)
                .containsExactly(message("a", "no node either"), message("b", "no node"));
    }

    @Test
    void aPodCanBeReportedAfterADrop() {
        add("a", "no device");
        reporter.drop(pod("a").ref());
        add("a", "still none");
        reporter.reportAll();

        assertThat(reported).containsExactly(message("a", "still none"));
    }

    @Test
    void burstsOfPodsWithoutClaimsAreReportedWithoutAnExplanationEach() {
        var cluster = new RecordingCluster();
        var explaining =
                new PendingPodReporter(
                        new PodWriter(cluster, CODEC),
                        new ClaimSourceReader(cluster, CODEC),
                        (pod, event) -> reported.add(pod.metadata().name()),
                        Set.of(),
                        SchedulerOptions.defaults(),
                        TaskRunner.inline(),
                        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        var spec =
                """
                {"containers": [],
                 "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]}
                """;
        for (var i = 0; i < 1_000; i++) {
            explaining.add(
                    new PendingPodReporter.Report(
                            pod("pod-" + i, spec),
                            PendingPodReporter.UNSCHEDULABLE,
                            "claim not created",
                            Optional.empty(),
                            EMPTY_CLUSTER));
        }
        explaining.reportAll();

        assertThat(reported).hasSize(1_000);
        // Each explanation reads the template.
        assertThat(cluster.reads()).isBetween(1, 500);
    }

    private static String message(String pod, String text) {
        return "%s: %s. Details: berth explain pod/%s -n default".formatted(pod, text, pod);
    }
}
