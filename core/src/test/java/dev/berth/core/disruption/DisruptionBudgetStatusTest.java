package dev.berth.core.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.event.Event;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisruptionBudgetStatusTest {

    private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

    private static JsonObject tree(String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject tree) {
            return tree;
        }
        throw new IllegalArgumentException(yaml);
    }

    private static DisruptionBudget budget(String amount, String status) {
        return DisruptionBudget.of(
                tree(
                        """
                        metadata: {namespace: default, name: b, generation: 3}
                        spec: {%s, selector: {matchLabels: {app: web}}}
                        status: %s
                        """
                                .formatted(amount, status)));
    }

    private static Pod pod(String name, String more) {
        return new Codec()
                .readTree(
                        Kinds.POD,
                        tree(
                                """
                                apiVersion: v1
                                kind: Pod
                                metadata: {namespace: default, name: %s, labels: {app: web}%s}
                                spec: {containers: []}
                                status: {conditions: [{type: Ready, status: "True"}]}
                                """
                                        .formatted(name, more)),
                        UnknownFieldPolicy.LENIENT)
                .value()
                .orElseThrow();
    }

    private static String owner(String name) {
        return ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: %s, uid: %s,"
                        .formatted(name, name)
                + " controller: true}]";
    }

    private static List<Pod> owned(int count) {
        return IntStream.range(0, count).mapToObj(i -> pod("p" + i, owner("rs"))).toList();
    }

    private static DisruptionBudgetStatus.Change change(
            DisruptionBudget budget, List<Pod> pods, int replicas) {
        return DisruptionBudgetStatus.change(
                budget, pods, owner -> new OwnerScale.Replicas(owner.name(), replicas), NOW);
    }

    private static String numbers(JsonObject status) {
        return "%d %d %d %d"
                .formatted(
                        status.number("disruptionsAllowed").orElse(-1),
                        status.number("currentHealthy").orElse(-1),
                        status.number("desiredHealthy").orElse(-1),
                        status.number("expectedPods").orElse(-1));
    }

    /// Allowed, healthy, desired, expected; with percentages rounded up.
    @ParameterizedTest
    @CsvSource({
        "minAvailable: 2,     5, 5, 3 5 2 5",
        "minAvailable: 2,     1, 5, 0 1 2 1",
        "minAvailable: 50%,   7, 7, 3 7 4 7",
        "minAvailable: 1%,    7, 7, 6 7 1 7",
        "minAvailable: 100%,  7, 7, 0 7 7 7",
        "minAvailable: 0%,    7, 7, 7 7 0 7",
        "maxUnavailable: 1,   5, 5, 1 5 4 5",
        "maxUnavailable: 9,   5, 5, 5 5 0 5",
        "maxUnavailable: 0,   5, 5, 0 5 5 5",
        "maxUnavailable: 50%, 7, 7, 4 7 3 7",
        "maxUnavailable: 1,   3, 5, 0 3 4 5",
        "minAvailable: 0,     0, 0, 0 0 0 0"
    })
    void countsAreThoseOfKubernetes(String amount, int pods, int replicas, String expected) {
        var status = change(budget(amount, "{}"), owned(pods), replicas).status().orElseThrow();
        assertThat(numbers(status)).isEqualTo(expected);
        assertThat(status.number("observedGeneration")).hasValue(3);
    }

    @Test
    void replicasOfEachControllerCountOnce() {
        var pods = new ArrayList<>(owned(2));
        pods.add(pod("other", owner("rs2")));
        var status = change(budget("maxUnavailable: 1", "{}"), pods, 4).status().orElseThrow();
        assertThat(numbers(status)).isEqualTo("0 3 7 8");
    }

    @Test
    void conditionHasReasonTimeAndGeneration() {
        var status = change(budget("minAvailable: 1", "{}"), owned(2), 2).status().orElseThrow();
        assertThat(JsonWriter.compact(status.objects("conditions").getFirst()))
                .isEqualTo(
                        "{\"type\":\"DisruptionAllowed\",\"status\":\"True\","
                                + "\"observedGeneration\":3,"
                                + "\"lastTransitionTime\":\"2026-11-18T12:00:00Z\","
                                + "\"reason\":\"SufficientPods\",\"message\":\"\"}");
    }

    @Test
    void statusThatIsUpToDateIsNotWritten() {
        var budget = budget("minAvailable: 1", "{}");
        var status = change(budget, owned(2), 2).status().orElseThrow();
        var written = DisruptionBudget.of(budget.tree().with("status", status));
        assertThat(change(written, owned(2), 2).status()).isEmpty();
        assertThat(change(written, owned(3), 3).status()).isPresent();
    }

    @Test
    void terminatingAndUnreadyPodsAreNotHealthy() {
        var pods = new ArrayList<>(owned(1));
        pods.add(pod("gone", owner("rs") + ", deletionTimestamp: \"2026-11-18T11:59:00Z\""));
        var status = change(budget("minAvailable: 0", "{}"), pods, 2).status().orElseThrow();
        assertThat(numbers(status)).isEqualTo("1 1 0 2");
    }

    @Test
    void evictedPodIsNotHealthyUntilTheTimeout() {
        var budget =
                budget(
                        "minAvailable: 1",
                        "{disruptedPods: {p0: \"2026-11-18T11:58:00Z\","
                                + " gone: \"2026-11-18T11:59:00Z\"}}");
        var change = change(budget, owned(2), 2);
        assertThat(numbers(change.status().orElseThrow())).isEqualTo("0 1 1 2");
        assertThat(change.status().orElseThrow().objectOrEmpty("disruptedPods").names())
                .containsExactly("p0");
        assertThat(change.recheckAt()).contains(NOW);
        assertThat(change.events()).isEmpty();
    }

    @Test
    void evictedPodThatWasNotDeletedIsHealthyAgain() {
        var budget = budget("minAvailable: 1", "{disruptedPods: {p0: \"2026-11-18T11:57:59Z\"}}");
        var change = change(budget, owned(2), 2);
        assertThat(numbers(change.status().orElseThrow())).isEqualTo("1 2 1 2");
        assertThat(change.status().orElseThrow().has("disruptedPods")).isFalse();
        assertThat(change.recheckAt()).isEmpty();
        assertThat(change.events()).extracting(Event::reason).containsExactly("NotDeleted");
    }

    @Test
    void unknownScaleAllowsNothing() {
        var budget =
                budget(
                        "maxUnavailable: 1",
                        "{disruptionsAllowed: 1, currentHealthy: 2, observedGeneration: 2}");
        var change =
                DisruptionBudgetStatus.change(
                        budget, owned(2), _ -> new OwnerScale.NotScalable("jobs.batch"), NOW);
        var status = change.status().orElseThrow();
        assertThat(status.number("disruptionsAllowed")).hasValue(0);
        assertThat(status.number("currentHealthy")).hasValue(2);
        assertThat(status.number("observedGeneration")).hasValue(2);
        assertThat(status.objects("conditions").getFirst().text("reason")).isEqualTo("SyncFailed");
        assertThat(status.objects("conditions").getFirst().text("message"))
                .isEqualTo("jobs.batch does not implement the scale subresource");
        assertThat(change.events())
                .extracting(Event::reason)
                .containsExactly("CalculateExpectedPodCountFailed");

        var gone =
                DisruptionBudgetStatus.change(
                        budget, owned(1), _ -> new OwnerScale.NotFound(), NOW);
        assertThat(gone.events().getFirst().message())
                .endsWith("found no controllers for pod \"p0\"");
    }

    @Test
    void unmanagedPodsAreReportedUnlessTheAmountIsANumberOfPods() {
        var pods = List.of(pod("p", ""));
        var change = change(budget("maxUnavailable: 1", "{}"), pods, 1);
        assertThat(numbers(change.status().orElseThrow())).isEqualTo("0 1 0 0");
        assertThat(change.events())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.reason()).isEqualTo("UnmanagedPods");
                    assertThat(event.message())
                            .startsWith(
                                    "Pods selected by this PodDisruptionBudget (selector:"
                                            + " &LabelSelector{MatchLabels:map[string]string{app:"
                                            + " web,},MatchExpressions:[]LabelSelectorRequirement"
                                            + "{},}) were found to be unmanaged.");
                });
        assertThat(change(budget("minAvailable: 1", "{}"), pods, 1).events()).isEmpty();
    }

    @Test
    void budgetWithoutSelectorSelectsNothingAndAnEmptyOneAll() {
        var pod = pod("p", "");
        var none = tree("{metadata: {namespace: default, name: b}, spec: {minAvailable: 1}}");
        var all =
                tree(
                        "{metadata: {namespace: default, name: b},"
                                + " spec: {minAvailable: 1, selector: {}}}");
        var other = tree("{metadata: {namespace: other, name: b}, spec: {selector: {}}}");
        assertThat(DisruptionBudget.of(none).selects(pod)).isFalse();
        assertThat(DisruptionBudget.of(all).selects(pod)).isTrue();
        assertThat(DisruptionBudget.of(other).selects(pod)).isFalse();
        assertThat(change(DisruptionBudget.of(none), List.of(), 0).events())
                .extracting(Event::reason)
                .containsExactly("NoPods");
    }

    @Test
    void disruptionTargetIsStaleAfterTwoMinutes() {
        assertThat(StaleDisruption.at(withCondition("EvictionByEvictionAPI", "")))
                .contains(NOW.plusSeconds(120));
        assertThat(StaleDisruption.at(withCondition("TerminationByKubelet", ""))).isEmpty();
        assertThat(
                        StaleDisruption.at(
                                withCondition(
                                        "EvictionByEvictionAPI",
                                        ", deletionTimestamp: \"2026-11-18T12:00:00Z\"")))
                .isEmpty();
        assertThat(StaleDisruption.at(pod("p", ""))).isEmpty();
    }

    private static Pod withCondition(String reason, String metadata) {
        return new Codec()
                .readTree(
                        Kinds.POD,
                        tree(
                                """
                                apiVersion: v1
                                kind: Pod
                                metadata: {namespace: default, name: p%s}
                                spec: {containers: []}
                                status:
                                  phase: Running
                                  conditions:
                                  - type: DisruptionTarget
                                    status: "True"
                                    reason: %s
                                    lastTransitionTime: "2026-11-18T12:00:00Z"
                                """
                                        .formatted(metadata, reason)),
                        UnknownFieldPolicy.LENIENT)
                .value()
                .orElseThrow();
    }
}
