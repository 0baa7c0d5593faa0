package dev.berth.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.workload.DeploymentRules.Command;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeploymentRulesTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Workload read(String yaml) {
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject tree) {
            return new Workload(tree);
        }
        throw new IllegalArgumentException(yaml);
    }

    private static Workload deployment(String image, String status) {
        return read(
                """
                metadata: {name: d, namespace: default, uid: u, annotations: {
                  kubernetes.io/change-cause: "%s", deployment.kubernetes.io/revision: "1"}}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: d}}
                  template:
                    metadata: {labels: {app: d}}
                    spec: {containers: [{name: main, image: %s}]}
                status: {%s}
                """
                        .formatted(image, image, status));
    }

    /// A ReplicaSet of a template with a number of pods, as the rules create it.
    private static Workload set(String image, int revision, int pods) {
        var made =
                commands(deployment(image, "")).stream()
                        .filter(Command.Create.class::isInstance)
                        .map(one -> ((Command.Create) one).replicaSet())
                        .findFirst()
                        .orElseThrow();
        var annotations =
                JsonObject.of(
                        "deployment.kubernetes.io/revision", Json.of(Integer.toString(revision)));
        var counts =
                JsonObject.of("replicas", Json.of(pods))
                        .with("readyReplicas", Json.of(pods))
                        .with("availableReplicas", Json.of(pods));
        return new Workload(
                made.with(
                                "metadata",
                                made.objectOrEmpty("metadata").with("annotations", annotations))
                        .with("spec", made.objectOrEmpty("spec").with("replicas", Json.of(pods)))
                        .with("status", counts));
    }

    private static List<Command> commands(Workload deployment, Workload... sets) {
        return DeploymentRules.change(deployment, List.of(sets), NOW).commands();
    }

    private static List<String> conditions(Workload deployment, Instant now, Workload... sets) {
        return DeploymentRules.change(deployment, List.of(sets), now)
                .status()
                .objects("conditions")
                .stream()
                .map(one ->
                        "%s=%s %s: %s"
                                .formatted(
                                        one.text("type"),
                                        one.text("status"),
                                        one.text("reason"),
                                        one.text("message")))
                .toList();
    }

    @Test
    void newDeploymentIsNotAvailableAndProgresses() {
        var name = set("one", 1, 0).name();
        assertThat(conditions(deployment("one", ""), NOW))
                .containsExactly(
                        "Available=False MinimumReplicasUnavailable:"
                                + " Deployment does not have minimum availability.",
                        "Progressing=True NewReplicaSetCreated: Created new replica set \"%s\""
                                .formatted(name));
        assertThat(conditions(deployment("one", ""), NOW, set("one", 1, 1)))
                .last()
                .isEqualTo(
                        "Progressing=True ReplicaSetUpdated: ReplicaSet \"%s\" is progressing."
                                .formatted(name));
    }

    @Test
    void deploymentWithAllPodsIsAvailableAndComplete() {
        var set = set("one", 1, 2);
        assertThat(conditions(deployment("one", ""), NOW, set))
                .containsExactly(
                        "Available=True MinimumReplicasAvailable:"
                                + " Deployment has minimum availability.",
                        "Progressing=True NewReplicaSetAvailable:"
                                + " ReplicaSet \"%s\" has successfully progressed."
                                        .formatted(set.name()));
    }

    @Test
    void unchangedConditionsKeepTheirTimes() {
        var set = set("one", 1, 2);
        var status = DeploymentRules.change(deployment("one", ""), List.of(set), NOW).status();
        var told = new Workload(deployment("one", "").tree().with("status", status));
        var later = DeploymentRules.change(told, List.of(set), NOW.plusSeconds(1_000));
        assertThat(later.status()).isEqualTo(status);
        assertThat(later.recheckAt()).isEmpty();
    }

    @Test
    void deploymentWithoutProgressTimesOutAfterItsDeadline() {
        var stuck =
                deployment(
                        "one",
                        """
                        conditions: [{type: Progressing, status: "True", reason: ReplicaSetUpdated,
                          lastUpdateTime: "%s", lastTransitionTime: "%s"}]\
                        """
                                .formatted(NOW, NOW));
        var set = set("one", 1, 0);
        assertThat(DeploymentRules.change(stuck, List.of(set), NOW).recheckAt())
                .contains(NOW.plusSeconds(600));
        assertThat(conditions(stuck, NOW.plusSeconds(601), set))
                .last()
                .isEqualTo(
                        "Progressing=False ProgressDeadlineExceeded:"
                                + " ReplicaSet \"%s\" has timed out progressing."
                                        .formatted(set.name()));
    }

    @Test
    void newTemplateGetsTheNextRevision() {
        var commands = commands(deployment("two", ""), set("one", 1, 2));
        assertThat(commands).contains(new Command.SetRevision("2"));
        assertThat(commands)
                .anySatisfy(one -> {
                    assertThat(one).isInstanceOf(Command.Create.class);
                    var annotations = new Workload(((Command.Create) one).replicaSet());
                    assertThat(annotations.annotations().members())
                            .containsEntry("deployment.kubernetes.io/revision", Json.of("2"))
                            .containsEntry("kubernetes.io/change-cause", Json.of("two"));
                });
    }

    @Test
    void rollbackGetsTheNextRevision() {
        var commands = commands(deployment("one", ""), set("one", 1, 0), set("two", 2, 2));
        assertThat(commands)
                .contains(new Command.SetRevision("3"))
                .noneMatch(Command.Create.class::isInstance)
                .anySatisfy(one -> {
                    assertThat(one).isInstanceOf(Command.Annotate.class);
                    assertThat(((Command.Annotate) one).annotations().members())
                            .containsEntry("deployment.kubernetes.io/revision", Json.of("3"))
                            .containsEntry(
                                    "deployment.kubernetes.io/revision-history", Json.of("1"));
                });
    }
}
