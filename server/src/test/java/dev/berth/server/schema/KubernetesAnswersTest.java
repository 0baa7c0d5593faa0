package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.schema.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Compares with answers of a real Kubernetes, where they are at hand.
class KubernetesAnswersTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();

    @Test
    void whatKubernetesStoresIsTidy() throws IOException {
        var folder = System.getProperty("berth.conformance", "../../shared/conformance");
        var file = Path.of(folder, "http-create.jsonl");
        assumeTrue(Files.exists(file), () -> "no answers of Kubernetes at " + file);

        for (var line : Files.readAllLines(file)) {
            var answer = Samples.object(line);
            var sent = answer.objectOrEmpty("object");
            assertThat(ShapeCheck.check(shape(sent), sent).fault())
                    .as(answer.text("name"))
                    .isEmpty();
            answer.object("stored")
                    .ifPresent(stored -> {
                        var checked = ShapeCheck.check(shape(sent), stored);
                        assertThat(checked.unknown()).as(answer.text("name")).isEmpty();
                        assertThat(checked.fault()).as(answer.text("name")).isEmpty();
                    });
        }
    }

    private static Type.Struct shape(JsonObject object) {
        var apiVersion = object.text("apiVersion");
        var slash = apiVersion.indexOf('/');
        return SCHEMAS.kind(
                        apiVersion.substring(0, Math.max(slash, 0)),
                        apiVersion.substring(slash + 1),
                        object.text("kind"))
                .orElseThrow();
    }
}
