package dev.berth.server.kinds;

import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.column.JsonPath;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/// Built-in kinds, a store and a request context for tests of strategies.
public final class KindsFixture {

    public static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private final MemoryStore store = new MemoryStore();
    private final List<Resource> kinds = BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()));
    private Authorizer authorizer = _ -> AuthorizationDecision.allowed("");

    public static JsonObject yaml(String text) {
        if (YamlReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text);
    }

    public KindsFixture authorizing(Authorizer value) {
        authorizer = value;
        return this;
    }

    public StoredObjects objects() {
        return new StoredObjects(store);
    }

    public List<Resource> kinds() {
        return kinds;
    }

    public Resource kind(String collection) {
        return kinds.stream()
                .filter(one -> one.collection().equals(collection))
                .findFirst()
                .orElseThrow();
    }

    /// Stores an object in its internal form.
    public KindsFixture given(String collection, String text) {
        var object = yaml(text);
        var metadata = object.objectOrEmpty("metadata");
        store.create(
                new ObjectKey(collection, metadata.text("namespace"), metadata.text("name")),
                JsonWriter.compact(object).getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public RequestContext context(String namespace) {
        return new RequestContext(
                User.of("tester"),
                "create",
                namespace,
                NOW,
                false,
                FeatureGates.defaults(),
                authorizer,
                objects());
    }

    public Admitted create(String collection, JsonObject object) {
        var namespace = object.objectOrEmpty("metadata").text("namespace");
        return kind(collection).strategy().create(object, context(namespace));
    }

    public Admitted update(String collection, JsonObject old, JsonObject object) {
        var namespace = object.objectOrEmpty("metadata").text("namespace");
        return kind(collection).strategy().update(stored(old), stored(object), context(namespace));
    }

    public Admitted updateStatus(String collection, JsonObject old, JsonObject object) {
        var namespace = object.objectOrEmpty("metadata").text("namespace");
        return kind(collection)
                .strategy()
                .updateStatus(stored(old), stored(object), context(namespace));
    }

    private static JsonObject stored(JsonObject object) {
        return DefaultsFiller.metadata(
                object, m -> DefaultsFiller.of(m).text("resourceVersion", "1").done());
    }

    /// The validation errors, one per line, as `field reason`.
    public static List<String> faults(Admitted admitted) {
        return admitted.problems().stream()
                .map(problem -> problem.path() + " " + problem.type())
                .toList();
    }

    /// The cells of an object's row.
    public List<String> row(String collection, JsonObject object) {
        return kind(collection).columns().stream()
                .map(column -> text(column.cell().of(object, NOW)))
                .toList();
    }

    private static String text(Json value) {
        return JsonPath.text(value);
    }
}
