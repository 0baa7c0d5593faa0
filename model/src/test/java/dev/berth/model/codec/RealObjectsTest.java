package dev.berth.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.SharedData;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Decodes objects of real API servers and manifests of drivers.
class RealObjectsTest {

    private final Codec codec = new Codec();

    @Test
    void storedObjectsAreWrittenExactlyAsTheServerDoes() {
        var cases = recorded("http-create.jsonl");
        for (var one : cases) {
            one.object("stored").ifPresent(stored -> written(one.text("name"), stored));
        }
    }

    /// The objects of a file with one object per line.
    private static List<JsonObject> recorded(String name) {
        return SharedData.conformanceLines(name).stream()
                .map(line -> JsonReader.read(line).object().orElseThrow())
                .toList();
    }

    private void written(String name, JsonObject stored) {
        var kind = kind(stored);
        assertThat(rewritten(kind, stored)).describedAs(name).isEqualTo(stored);
        var read = codec.readTree(kind, stored, UnknownFieldPolicy.STRICT);
        assertThat(read.orThrow().toString()).describedAs(name).doesNotContain("Unrecognised");
    }

    private <T extends KubernetesObject> JsonObject rewritten(Kind<T> kind, JsonObject tree) {
        return codec.toTree(kind, codec.readTree(kind, tree, UnknownFieldPolicy.STRICT).orThrow());
    }

    @Test
    void realRequestsHaveNoUnknownFields() {
        for (var file : List.of("http-create.jsonl", "validation.jsonl")) {
            for (var one : recorded(file)) {
                for (var member : List.of("object", "oldObject")) {
                    one.object(member)
                            .filter(object -> object.has("kind"))
                            .ifPresent(object -> assertKnown(one.text("name"), object));
                }
            }
        }
    }

    private void assertKnown(String name, JsonObject object) {
        var kind = kind(object);
        var version = ApiVersions.versionOf(kind, object);
        assertThat(codec.problems(kind, version, object)).describedAs(name).isEmpty();
    }

    @Test
    void allocatorInputsDecodeIntoRecords() {
        var cases = recorded("allocator.jsonl");
        for (var one : cases) {
            var objects = new ArrayList<Json>();
            objects.addAll(one.items("slices"));
            objects.addAll(one.items("classes"));
            objects.addAll(one.items("claims"));
            for (var object : objects) {
                var read = codec.readTree((JsonObject) object, UnknownFieldPolicy.STRICT);
                assertThat(read).describedAs(one.text("name")).isInstanceOf(Decoded.Read.class);
            }
        }
    }

    @Test
    void driverManifestsHaveNoUnknownFields() throws IOException {
        var folder = SharedData.driverManifests();
        var read = 0;
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(RealObjectsTest::isPlainYaml).sorted().toList()) {
                read += readAll(file);
            }
        }
        assertThat(read).isPositive();
    }

    private static boolean isPlainYaml(Path file) {
        return file.toString().endsWith(".yaml") && !file.toString().contains("templates");
    }

    private int readAll(Path file) throws IOException {
        if (!(YamlReader.read(Files.readString(file)) instanceof ParseResult.Documents(var all))) {
            return 0;
        }
        var read = 0;
        for (var document : all) {
            if (document.root() instanceof JsonObject object
                    && Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                            .isPresent()) {
                var decoded = codec.readTree(object, UnknownFieldPolicy.STRICT);
                assertThat(decoded).describedAs(file.toString()).isInstanceOf(Decoded.Read.class);
                read++;
            }
        }
        return read;
    }

    private static Kind<?> kind(JsonObject object) {
        return Kinds.byApiVersionAndKind(object.text("apiVersion"), object.text("kind"))
                .orElseThrow();
    }
}
