package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Request;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The scheduler decides nothing, and reports nothing, before the first list of every kind.
class FirstListsTest {

    private static final String NODE =
            """
            {"metadata": {"name": "node-1", "uid": "n"},
             "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                        "conditions": [{"type": "Ready", "status": "True"}]}}
            """;

    private static final String POD =
            """
            {"metadata": {"namespace": "default", "name": "a", "uid": "p"},
             "spec": {"schedulerName": "berth", "containers": [{"name": "c"}]}}
            """;

    private static final String POD_WITH_CLAIM =
            """
            {"metadata": {"namespace": "default", "name": "b", "uid": "q"},
             "spec": {"schedulerName": "berth", "containers": [{"name": "c"}],
                      "resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}]}}
            """;

    private final DelayedListCluster cluster = new DelayedListCluster();
    private final List<String> events = new ArrayList<>();
    private final Scheduler scheduler =
            new Scheduler(
                    cluster,
                    Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                    SchedulerOptions.defaults().stepwise(() -> "id"),
                    (pod, note) -> events.add(pod.metadata().name() + ": " + note.text()));
    private Instant now = Instant.EPOCH;

    @Test
    void podsAreListedBeforeWhatTheyDependOn() {
        assertThat(cluster.waiting()).containsExactly("pods");
        cluster.arrive("pods", POD);
        settle();
        assertThat(cluster.waiting())
                .contains("nodes", "resourceclaims", "resourceslices", "deviceclasses")
                .doesNotContain("pods");
    }

    @Test
    void aPodWaitsForTheListOfEachKind() {
        cluster.arrive("pods", POD);
        settle();
        var others = List.copyOf(cluster.waiting());
        for (var last : others) {
            assertThat(boundWithout(last)).as("pods bound without %s", last).isEmpty();
        }
    }

    private static List<Request> boundWithout(String last) {
        var test = new FirstListsTest();
        test.cluster.arrive("pods", POD);
        test.settle();
        for (var kind : List.copyOf(test.cluster.waiting())) {
            if (!kind.equals(last)) {
                test.arrive(kind);
            }
        }
        test.settle();
        var early = List.copyOf(test.cluster.sent());
        assertThat(test.events).as("events without %s", last).isEmpty();
        test.arrive(last);
        test.settle();
        assertThat(test.cluster.sent()).as("binding after %s", last).isNotEmpty();
        return early;
    }

    private void arrive(String kind) {
        if (kind.equals("nodes")) {
            cluster.arrive(kind, NODE);
        } else {
            cluster.arrive(kind);
        }
    }

    @Test
    void aClaimIsNotReportedAsMissingBeforeClaimsAreListed() {
        cluster.arrive("pods", POD_WITH_CLAIM);
        settle();
        for (var kind : List.copyOf(cluster.waiting())) {
            if (!kind.equals("resourceclaims")) {
                arrive(kind);
            }
        }
        settle();
        assertThat(events).isEmpty();
        assertThat(cluster.sent()).isEmpty();
        cluster.arrive("resourceclaims");
        settle();
        assertThat(events).singleElement().asString().contains("could not find ResourceClaim");
    }

    /// Advances the time by a minute.
    private void settle() {
        for (var i = 0; i < 60; i++) {
            now = now.plus(Duration.ofSeconds(1));
            while (scheduler.step(now)) {
                assertThat(cluster.sent().size()).isLessThan(100);
            }
        }
    }
}
