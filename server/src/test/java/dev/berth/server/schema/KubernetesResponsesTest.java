package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.SharedData;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.Schemas;
import dev.berth.schema.check.SchemaFieldCheck;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares with recorded responses of a real Kubernetes, where they exist.
class KubernetesResponsesTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();

    /// Prefixes of versions and kinds that Kubernetes 1.37 no longer serves.
    private static final List<String> UNSERVED =
            List.of(
                    "certificates.k8s.io/v1alpha1 ",
                    "certificates.k8s.io/v1beta1 CertificateSigningRequest",
                    "networking.k8s.io/v1beta1 ",
                    "scheduling.k8s.io/v1beta1 PriorityClass");

    @Test
    void schemasHaveEveryFieldOfTheServedKinds() throws IOException {
        for (var line : SharedData.conformanceLines("protobuf.jsonl")) {
            var object = SampleObjects.object(line).objectOrEmpty("object");
            var kind = object.text("apiVersion") + " " + object.text("kind");
            if (object.has("kind") && UNSERVED.stream().noneMatch(kind::startsWith)) {
                var checked = SchemaFieldCheck.check(shape(object), object);
                assertThat(checked.unknown()).as(kind).isEmpty();
                assertThat(checked.error()).as(kind).isEmpty();
            }
        }
    }

    @Test
    void objectsStoredByKubernetesAreCanonical() throws IOException {
        for (var line : SharedData.conformanceLines("http-create.jsonl")) {
            var response = SampleObjects.object(line);
            var sent = response.objectOrEmpty("object");
            assertThat(SchemaFieldCheck.check(shape(sent), sent).error())
                    .as(response.text("name"))
                    .isEmpty();
            response.object("stored")
                    .ifPresent(stored -> {
                        var checked = SchemaFieldCheck.check(shape(sent), stored);
                        assertThat(checked.unknown()).as(response.text("name")).isEmpty();
                        assertThat(checked.error()).as(response.text("name")).isEmpty();
                    });
        }
    }

    private static SchemaType.Struct shape(JsonObject object) {
        var apiVersion = object.text("apiVersion");
        var slash = apiVersion.indexOf('/');
        return SCHEMAS.kind(
                        apiVersion.substring(0, Math.max(slash, 0)),
                        apiVersion.substring(slash + 1),
                        object.text("kind"))
                .orElseThrow(() ->
                        new AssertionError(
                                apiVersion + " " + object.text("kind") + " has no schema"));
    }
}
