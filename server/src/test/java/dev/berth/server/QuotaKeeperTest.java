package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.Reading;
import dev.berth.model.json.YamlReader;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Refused;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Writer;
import dev.berth.server.store.Change;
import dev.berth.server.store.Key;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.Write;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Quotas of a namespace while things come, change and go in it.
class QuotaKeeperTest {

    private static final Set<Thread.State> AT_REST =
            EnumSet.of(Thread.State.WAITING, Thread.State.TERMINATED);

    private final Store store = new MemoryStore();
    private Registry registry;
    private QuotaKeeper keeper;

    @BeforeEach
    void start(@TempDir Path directory) {
        var assembly = new Assembly(ServerSettings.in(directory), store, IdSource.random());
        assembly.furnish();
        registry = assembly.registry();
        keeper = new QuotaKeeper(store, registry.objects(), registry::resources);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private static JsonObject yaml(String text) {
        if (YamlReader.read(text) instanceof Reading.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("no object: " + text);
    }

    private Resource kind(String collection) {
        return registry.resources().byCollection(collection).orElseThrow();
    }

    private JsonObject create(String collection, String text) {
        var kind = kind(collection);
        var call = registry.serverCall("create", "default");
        return registry.writes().create(kind, yaml(text), call, Writer.server(kind)).object();
    }

    private static String refusal(ThrowableAssert.ThrowingCallable act) {
        return catchThrowableOfType(Refused.class, act).failure().message();
    }

    private void quota(String name, String hard) {
        create(
                "resourcequotas",
                "{metadata: {name: %s}, spec: {hard: {%s}}}".formatted(name, hard));
        keeper.on(change(Change.Type.CREATED, new Key("resourcequotas", "default", name)));
    }

    private JsonObject used(String quota) {
        return registry.objects()
                .get("resourcequotas", "default", quota)
                .orElseThrow()
                .objectOrEmpty("status")
                .objectOrEmpty("used");
    }

    private Change change(Change.Type type, Key key) {
        return new Change(type, store.get(key).orElseThrow(), Optional.empty());
    }

    private Change deletion(Key key) {
        var entry = store.get(key).orElseThrow();
        if (store.delete(key, entry.revision()) instanceof Write.Done(var gone)) {
            return new Change(Change.Type.DELETED, gone, Optional.of(entry));
        }
        throw new IllegalStateException("it is still there: " + key);
    }

    private static Key map(String name) {
        return new Key("configmaps", "default", name);
    }

    private void createBeside(String name, Runnable other) throws InterruptedException {
        var object = yaml("{metadata: {name: %s, namespace: default}}".formatted(name));
        var call = registry.serverCall("create", "default");
        var beside = Thread.ofVirtual().unstarted(other);
        var _ =
                keeper.charged(
                        kind("configmaps"),
                        object,
                        call,
                        () -> {
                            beside.start();
                            while (!AT_REST.contains(beside.getState())) {
                                Thread.onSpinWait();
                            }
                            return store.create(map(name), JsonWriter.bytes(object));
                        });
        beside.join();
    }

    @Test
    void whoCountsWhileSomethingIsCreatedDoesNotForgetItsCharge() throws InterruptedException {
        quota("maps", "configmaps: 5");
        create("configmaps", "{metadata: {name: old}}");
        var deletion = deletion(map("old"));

        createBeside("new", () -> keeper.on(deletion));

        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    @Test
    void aQuotaThatIsCountedWhileSomethingIsCreatedCountsIt() throws InterruptedException {
        createBeside("new", () -> quota("maps", "configmaps: 5"));

        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    @Test
    void whatOneQuotaRefusesIsChargedToNone() {
        quota("all", "configmaps: 5");
        quota("none", "count/configmaps: 0");

        var refusal = refusal(() -> create("configmaps", "{metadata: {name: a}}"));

        assertThat(refusal).contains("exceeded quota: none");
        assertThat(used("all")).isEqualTo(yaml("{configmaps: '0'}"));
    }

    @Test
    void whatWasNotCreatedIsNotCharged() {
        quota("maps", "configmaps: 5");
        create("configmaps", "{metadata: {name: a}}");

        var refusal = refusal(() -> create("configmaps", "{metadata: {name: a}}"));

        assertThat(refusal).contains("already exists");
        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }
}
