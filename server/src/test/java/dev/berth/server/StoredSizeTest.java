package dev.berth.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonObjectBuilder;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.store.Change;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects that exceed the size limit of the store, by their content, defaults or managed fields.
class StoredSizeTest {

    private static final String THINGS = "example.com/things";
    private static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";
    private static final String DEFINITION =
            """
            metadata: {name: things.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      any: {type: object, x-kubernetes-preserve-unknown-fields: true}
                      items:
                        type: array
                        items:
                          type: object
                          properties: {filler: {type: string, default: FILLER}}
            """;

    private final Store store = new MemoryStore();
    private Registry registry;

    @BeforeEach
    void start(@TempDir Path directory) {
        var definition = DEFINITION.replace("FILLER", "z".repeat(100_000));
        var assembly = new ServerAssembly(ServerSettings.in(directory), store, IdSource.random());
        registry = assembly.registry();
        assembly.bootstrap();
        create(DEFINITIONS, "", yaml(definition));
        assembly.on(
                new Change(
                        Change.Type.CREATED,
                        store.get(new ObjectKey(DEFINITIONS, "", "things.example.com"))
                                .orElseThrow(),
                        Optional.empty()));
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private static JsonObject yaml(String text) {
        if (YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text);
    }

    private Resource kind(String collection) {
        return registry.resources().byCollection(collection).orElseThrow();
    }

    private void create(String collection, String namespace, JsonObject object) {
        var kind = kind(collection);
        var context = registry.serverContext("create", namespace);
        var _ = registry.writes().create(kind, object, context, FieldManager.server(kind));
    }

    private static JsonObject thing(String name, JsonObject any) {
        return yaml("{apiVersion: example.com/v1, kind: Thing}")
                .with("metadata", JsonObject.of("name", Json.of(name)))
                .with("any", any);
    }

    private void create(JsonObject thing) {
        create(THINGS, "default", thing);
    }

    private void change(String thing, UnaryOperator<JsonObject> change) {
        var kind = kind(THINGS);
        var context = registry.serverContext("update", "default");
        var part = ObjectWrites.Part.MAIN;
        var _ =
                registry.writes()
                        .change(kind, part, thing, context, FieldManager.server(kind), change);
    }

    private static JsonObject text(int bytes) {
        return JsonObject.of("text", Json.of("x".repeat(bytes)));
    }

    private static ApiException rejection(ThrowableAssert.ThrowingCallable act) {
        var rejection = catchThrowableOfType(ApiException.class, act);
        assertThat(rejection.error().code()).isEqualTo(413);
        assertThat(rejection.error().reason()).isEqualTo("RequestEntityTooLarge");
        return rejection;
    }

    private static ObjectKey key(String thing) {
        return new ObjectKey(THINGS, "default", thing);
    }

    @Test
    void objectLargerThanOneAndAHalfMebibytesIsRejected() {
        create(thing("small", text(1_500_000)));

        var rejection = rejection(() -> create(thing("large", text(1_600_000))));

        assertThat(rejection.error().message())
                .startsWith("Request entity too large: things.example.com \"large\" has 1600")
                .endsWith("bytes as it is stored, the limit is 1568768");
        assertThat(store.get(key("large"))).isEmpty();
    }

    @Test
    void updateBeyondTheLimitIsRejected() {
        create(thing("growing", text(1_000_000)));
        var before = store.get(key("growing")).orElseThrow().bytes();

        rejection(() -> change("growing", one -> one.with("any", text(1_600_000))));

        assertThat(store.get(key("growing")).orElseThrow().bytes()).isEqualTo(before);
    }

    @Test
    void managedFieldsCountAgainstTheLimit() {
        var fields = new JsonObjectBuilder();
        for (var i = 0; i < 80_000; i++) {
            fields.put("f" + i, Json.of(1));
        }
        var object = thing("owned", fields.done());
        assertThat(JsonWriter.bytes(object).length).isLessThan(StoredSize.MAX_BYTES * 2 / 3);

        assertThat(rejection(() -> create(object)).error().message())
                .startsWith("Request entity too large: things.example.com \"owned\" has ")
                .endsWith("bytes as it is stored, the limit is 1568768");
    }

    @Test
    void explodingDefaultsAreRejected() {
        var items = new Json[10_000];
        Arrays.fill(items, JsonObject.EMPTY);
        var object = thing("defaults", JsonObject.EMPTY);

        var rejection = rejection(() -> create(object.with("items", Json.array(items))));

        assertThat(rejection.error().message())
                .contains("defaults of the schema add more than 1568768 bytes");
        create(object.with("items", Json.array(Arrays.copyOf(items, 15))));
    }

    @Test
    void allValidationErrorsAreReported() {
        var rejection =
                catchThrowableOfType(
                        ApiException.class, () -> create("pods", "default", pod(10_000)));

        assertThat(rejection.error().code()).isEqualTo(422);
        assertThat(rejection.error().details().items("causes")).hasSize(1_000);
    }

    private static JsonObject pod(int containers) {
        var items = new Json[containers];
        Arrays.fill(items, JsonObject.EMPTY);
        return yaml("{apiVersion: v1, kind: Pod, metadata: {name: p}}")
                .with("spec", JsonObject.of("containers", Json.array(items)));
    }

    @Test
    void dryRunIsRejectedAsWell() {
        var kind = kind(THINGS);
        var dry = registry.serverContext("create", "default").dry();
        var writer = FieldManager.server(kind);

        rejection(() -> registry.writes().create(kind, thing("a", text(1_600_000)), dry, writer));
    }

    @Test
    void oversizedStoredObjectMayShrinkAndBeDeleted() {
        create(thing("old", text(10)));
        var entry = store.get(key("old")).orElseThrow();
        var small = new String(entry.bytes(), UTF_8);
        var large = small.replace("xxxxxxxxxx", "x".repeat(2_000_000));
        var _ = store.update(key("old"), entry.revision(), large.getBytes(UTF_8));

        change("old", one -> one.with("any", text(1_900_000)));
        rejection(() -> change("old", one -> one.with("any", text(1_950_000))));
        registry.delete(kind(THINGS), key("old"), DeleteOptions.NONE);

        assertThat(store.get(key("old"))).isEmpty();
    }
}
