package dev.berth.core.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespacePolicyTest {

    private static final NamespacePolicy PRIVILEGED = NamespacePolicy.of(SecurityLevel.PRIVILEGED);

    private static JsonObject labels(String text) {
        var labels = JsonObject.EMPTY;
        for (var pair : text.split(" ", -1)) {
            if (!pair.isEmpty()) {
                var parts = pair.split("=", -1);
                labels = labels.with("pod-security.kubernetes.io/" + parts[0], Json.of(parts[1]));
            }
        }
        return labels;
    }

    @ParameterizedTest
    @CsvSource({
        "'', privileged:latest, privileged:latest, privileged:latest",
        "enforce=restricted, restricted:latest, privileged:latest, restricted:latest",
        "enforce=baseline enforce-version=v1.25, baseline:v1.25, privileged:latest, baseline:v1.25",
        "enforce=restricted warn=baseline, restricted:latest, privileged:latest, baseline:latest",
        "audit=restricted audit-version=v1.0, privileged:latest, restricted:v1.0,"
                + " privileged:latest",
        "warn=restricted, privileged:latest, privileged:latest, restricted:latest",
        "enforce=strict, restricted:latest, privileged:latest, restricted:latest",
        "enforce=baseline enforce-version=1.25, baseline:latest, privileged:latest,"
                + " baseline:latest",
        "audit=strict warn=strict, privileged:latest, privileged:latest, privileged:latest",
    })
    void labelsDecide(String labels, String enforce, String audit, String warn) {
        var policy = NamespacePolicy.resolve(labels(labels), PRIVILEGED).policy();

        assertThat(policy.enforce()).hasToString(enforce);
        assertThat(policy.audit()).hasToString(audit);
        assertThat(policy.warn()).hasToString(warn);
    }

    @Test
    void defaultsHoldWithoutLabels() {
        var policy =
                NamespacePolicy.resolve(
                                JsonObject.EMPTY, NamespacePolicy.of(SecurityLevel.BASELINE))
                        .policy();

        assertThat(policy).isEqualTo(NamespacePolicy.of(SecurityLevel.BASELINE));
    }

    @Test
    void invalidLabelsAreReported() {
        var problems =
                NamespacePolicy.resolve(labels("enforce=strict warn-version=v2.1"), PRIVILEGED)
                        .problems();

        assertThat(problems.stream().map(FieldError::toString))
                .containsExactly(
                        "metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value:"
                                + " \"strict\": must be one of privileged, baseline, restricted",
                        "metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value:"
                                + " \"v2.1\": must be \"latest\" or \"v1.x\"");
    }
}
