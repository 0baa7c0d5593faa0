package dev.berth.server.kinds.column;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.kinds.KindsFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnsTest {

    private static final String CREATED = "creationTimestamp: '2030-01-01T11:55:00Z'";

    private final KindsFixture fixture = new KindsFixture();

    @ParameterizedTest
    @CsvSource({
        "0,0s",
        "119,119s",
        "120,2m",
        "125,2m5s",
        "600,10m",
        "10799,179m",
        "10800,3h",
        "11400,3h10m",
        "28800,8h",
        "172799,47h",
        "172800,2d",
        "180000,2d2h",
        "691200,8d",
        "63071999,729d",
        "63072000,2y",
        "63158400,2y1d",
        "252288000,8y",
        "-1,0s",
        "-5,<invalid>"
    })
    void agesHaveTwoOrThreeDigits(long seconds, String text) {
        assertThat(HumanDuration.text(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/pod-states.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void podStatusIsDerivedFromContainers(
            String status, String ready, String word, String restarts) {
        var pod =
                KindsFixture.yaml(
                        """
                        metadata: {name: p, %s}
                        spec: {containers: [{name: a}, {name: b}], initContainers: [{name: i}]}
                        status: %s
                        """
                                .formatted(CREATED, status));
        assertThat(fixture.row("pods", pod).subList(0, 5))
                .containsExactly("p", ready, word, restarts, "5m");
    }

    @Test
    void deletedPodsAreTerminatingUntilTheyEnd() {
        var going =
                KindsFixture.yaml(
                        "{metadata: {name: p, deletionTimestamp: x}, status: {phase: Running}}");
        var gone =
                KindsFixture.yaml(
                        "{metadata: {name: p, deletionTimestamp: x}, status: {phase: Succeeded}}");
        assertThat(fixture.row("pods", going).get(2)).isEqualTo("Terminating");
        assertThat(fixture.row("pods", gone).get(2)).isEqualTo("Succeeded");
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "/kinds/rows.csv",
            delimiter = '|',
            quoteCharacter = '~',
            maxCharsPerColumn = -1)
    void rowsAreAsKubectlPrintsThem(String collection, String object, String row) {
        assertThat(String.join(";", fixture.row(collection, KindsFixture.yaml(object))))
                .isEqualTo(row);
    }
}
