package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.schema.TreeDifference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Every manifest of the examples, the documentation and the tests: an object that was created as
/// JSON is the same in protobuf and in JSON.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufManifestsTest {

    private static final Path ROOT = Path.of("..");
    private static final List<String> FOLDERS =
            List.of(
                    "examples",
                    "docs",
                    "app/src/test/resources",
                    "core/src/test/resources",
                    "drivers/src/main/resources");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```ya?ml$(.*?)^```$");

    private ApiServer server;
    private Http http;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    private static List<JsonObject> manifests() throws IOException {
        var manifests = new ArrayList<JsonObject>();
        for (var folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                    for (var text : yaml(file)) {
                        for (var document : KindObjects.documents(text)) {
                            collect(document, manifests);
                        }
                    }
                }
            }
        }
        return manifests;
    }

    private static List<String> yaml(Path file) throws IOException {
        var name = file.toString();
        if (name.endsWith(".yaml")) {
            return List.of(Files.readString(file));
        }
        return name.endsWith(".md")
                ? FENCED.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .toList()
                : List.of();
    }

    /// The document, or the objects within: scenarios contain lists of manifests.
    private static void collect(JsonObject document, List<JsonObject> to) {
        if (!document.text("kind").isEmpty() && !document.text("apiVersion").isEmpty()) {
            to.add(document);
        }
        for (var name : document.names()) {
            document.objects(name).forEach(inner -> collect(inner, to));
            document.object(name).ifPresent(inner -> collect(inner, to));
        }
    }

    @Test
    void manifestsAreTheSameInProtobufAndJson() throws IOException {
        var differences = new ArrayList<String>();
        var compared = new ArrayList<String>();
        for (var manifest : manifests()) {
            var one = KindObjects.find(manifest);
            if (one.isPresent() && compare(one.get(), differences)) {
                compared.add(manifest.text("kind"));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared.stream().collect(Collectors.toSet()))
                .contains("Pod", "ResourceClaim", "ResourceSlice", "DeviceClass", "Deployment");
        assertThat(compared).hasSizeGreaterThan(100);
    }

    /// False when the object is invalid, as in some tests.
    private boolean compare(KindObjects one, List<String> differences) {
        // The owners do not exist here, so that the object would be garbage-collected.
        var metadata =
                one.object()
                        .objectOrEmpty("metadata")
                        .without("namespace")
                        .without("ownerReferences");
        var sent = one.object().with("metadata", metadata);
        var response = http.post(one.path(), JsonWriter.compact(sent));
        if (response.code() != 201) {
            return false;
        }
        var address = one.path() + "/" + response.metadata().text("name");
        var protobuf = new ProtobufHttp(http).get(address).object();
        TreeDifference.of(
                        TreeDifference.withoutEmptyLists(http.get(address).json()),
                        TreeDifference.withoutEmptyLists(protobuf))
                .stream()
                // Empty strings in a manifest are unset for Go.
                .filter(line -> !line.endsWith(" is lost: \"\""))
                .forEach(line -> differences.add(one + line));
        http.delete(address + "?gracePeriodSeconds=0", "");
        return true;
    }
}
