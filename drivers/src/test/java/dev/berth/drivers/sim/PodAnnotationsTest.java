package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PodAnnotationsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void durationsAreThoseOfGoOrOfIso8601() {
        assertThat(of("sim.berth.dev/run-for: 1h30m").runFor()).contains(Duration.ofMinutes(90));
        assertThat(of("sim.berth.dev/run-for: PT1H30M").runFor()).contains(Duration.ofMinutes(90));
        assertThat(of("sim.berth.dev/start-delay: 500ms").startDelay())
                .isEqualTo(Duration.ofMillis(500));
        assertThat(of("sim.berth.dev/run-for: '0'").runFor()).contains(Duration.ZERO);
    }

    @Test
    void invalidValuesHaveNoEffectAndAReason() {
        var read =
                of(
                        "sim.berth.dev/run-for: -5s, sim.berth.dev/exit-code: '256',"
                                + " sim.berth.dev/start-delay: soon");
        assertThat(read.runFor()).isEmpty();
        assertThat(read.exitCode()).isEmpty();
        assertThat(read.startDelay()).isZero();
        assertThat(read.problems())
                .containsExactly(
                        "sim.berth.dev/run-for: \"-5s\" is not a duration such as 90s, 1h30m or"
                                + " PT1H30M",
                        "sim.berth.dev/exit-code: \"256\" is not a number from 0 to 255",
                        "sim.berth.dev/start-delay: \"soon\" is not a duration such as 90s, 1h30m"
                                + " or PT1H30M");
    }

    @Test
    void podsThatAlwaysRestartDoNotEnd() {
        var pod = pod("Always", "sim.berth.dev/run-for: 1s");
        assertThat(PodAnnotations.of(pod).problems())
                .containsExactly(
                        "sim.berth.dev/run-for and sim.berth.dev/exit-code have no effect on pods"
                                + " with restartPolicy Always");
        assertThat(next(pod, NOW))
                .isInstanceOfSatisfying(
                        SimulatedPodLifecycle.Next.Report.class,
                        report -> assertThat(report.until()).isEmpty());
    }

    @Test
    void aPodRunsForItsTimeAndEndsWithItsExitCode() {
        var pod = pod("Never", "sim.berth.dev/run-for: 2h, sim.berth.dev/exit-code: '3'");
        assertThat(next(pod, NOW))
                .isInstanceOfSatisfying(
                        SimulatedPodLifecycle.Next.Report.class,
                        report ->
                                assertThat(report.until()).contains(NOW.plus(Duration.ofHours(2))));

        var running =
                pod.with(
                        "status",
                        Yaml.object(
                                "{phase: Running, containerStatuses: [{state: {running: {startedAt:"
                                        + " '2026-01-02T03:04:05Z'}}}]}"));
        assertThat(next(running, NOW.plus(Duration.ofHours(2))))
                .isInstanceOfSatisfying(
                        SimulatedPodLifecycle.Next.Report.class,
                        report -> {
                            assertThat(report.status().text("phase")).isEqualTo("Failed");
                            assertThat(
                                            report.status()
                                                    .objects("containerStatuses")
                                                    .getFirst()
                                                    .objectOrEmpty("state")
                                                    .objectOrEmpty("terminated")
                                                    .number("exitCode"))
                                    .hasValue(3);
                        });
    }

    @Test
    void aPodStartsAfterItsDelay() {
        var pod = pod("Never", "sim.berth.dev/start-delay: 5s");
        assertThat(next(pod, NOW))
                .isEqualTo(new SimulatedPodLifecycle.Next.Wait(NOW.plusSeconds(5)));
        assertThat(next(pod, NOW.plusSeconds(5)))
                .isInstanceOf(SimulatedPodLifecycle.Next.Report.class);
    }

    private static SimulatedPodLifecycle.Next next(JsonObject pod, Instant now) {
        return SimulatedPodLifecycle.next(
                pod,
                new SimulatedPodLifecycle.Location("172.16.0.1", "10.0.1.2", Duration.ZERO),
                now);
    }

    private static PodAnnotations of(String annotations) {
        return PodAnnotations.of(pod("Never", annotations));
    }

    private static JsonObject pod(String restartPolicy, String annotations) {
        return Yaml.object(
                """
                metadata:
                  name: p
                  creationTimestamp: 2026-01-02T03:04:05Z
                  annotations: {%s}
                spec: {restartPolicy: %s, containers: [{name: c, image: x}]}
                """
                        .formatted(annotations, restartPolicy));
    }
}
