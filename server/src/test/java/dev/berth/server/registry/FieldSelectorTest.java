package dev.berth.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSelectorTest {

    private static final Resource PODS = kind("pods");
    private static final JsonObject POD =
            JsonObject.of(
                            "metadata",
                            JsonObject.of("name", Json.of("a,b"))
                                    .with("namespace", Json.of("here")))
                    .with("spec", JsonObject.of("nodeName", Json.of("n1")));

    private static Resource kind(String collection) {
        return BuiltInKinds.all(KindOptions.of(FeatureGates.defaults())).stream()
                .filter(one -> one.collection().equals(collection))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'';true",
                "metadata.namespace=here;true",
                "metadata.namespace==here;true",
                "metadata.namespace!=there;true",
                "metadata.name=a\\,b;true",
                "spec.nodeName=n1,metadata.namespace=here;true",
                "spec.nodeName=n1,;true",
                "spec.nodeName!=n1;false",
                "spec.nodeName=;false",
                "metadata.name=a;false",
                "spec.nodeName=n1,metadata.namespace=there;false"
            })
    void matches(String selector, boolean matches) {
        assertThat(FieldSelector.parse(PODS, selector).matches(PODS, POD)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec.hostname=x", "nonsense", "=x", "metadata.labels=x"})
    void unsupportedFieldIsRejected(String selector) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> FieldSelector.parse(PODS, selector))
                .satisfies(e -> assertThat(e.error().code()).isEqualTo(400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata.namespace=x"})
    void clusterScopedKindsHaveNoNamespaceField(String selector) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> FieldSelector.parse(kind("nodes"), selector));
    }
}
