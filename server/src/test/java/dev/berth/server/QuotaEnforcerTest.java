package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.Change;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.WriteResult;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Usage of the quotas of a namespace while objects are created, updated and deleted.
class QuotaEnforcerTest {

    private static final Set<Thread.State> AT_REST =
            EnumSet.of(Thread.State.WAITING, Thread.State.TERMINATED);

    private final Store store = new MemoryStore();
    private Registry registry;
    private QuotaEnforcer enforcer;

    @BeforeEach
    void start(@TempDir Path directory) {
        var assembly = new ServerAssembly(ServerSettings.in(directory), store, IdSource.random());
        assembly.bootstrap();
        registry = assembly.registry();
        enforcer = new QuotaEnforcer(store, registry.objects(), registry::resources);
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

    private JsonObject create(String collection, String text) {
        var kind = kind(collection);
        var context = registry.serverContext("create", "default");
        return registry.writes()
                .create(kind, yaml(text), context, FieldManager.server(kind))
                .object();
    }

    private void change(String collection, String name, UnaryOperator<JsonObject> change) {
        var kind = kind(collection);
        var part = ObjectWrites.Part.SUBRESOURCE;
        var context = registry.serverContext("update", "default");
        var _ =
                registry.writes()
                        .change(kind, part, name, context, FieldManager.server(kind), change);
    }

    private static JsonObject withSpec(JsonObject object, String spec) {
        var changed = object.objectOrEmpty("spec");
        for (var member : yaml(spec).members().entrySet()) {
            changed = changed.with(member.getKey(), member.getValue());
        }
        return object.with("spec", changed);
    }

    private static String rejection(ThrowableAssert.ThrowingCallable act) {
        return catchThrowableOfType(ApiException.class, act).error().message();
    }

    private void quota(String name, String hard) {
        create(
                "resourcequotas",
                "{metadata: {name: %s}, spec: {hard: {%s}}}".formatted(name, hard));
        enforcer.on(change(Change.Type.CREATED, new ObjectKey("resourcequotas", "default", name)));
    }

    private JsonObject used(String quota) {
        return registry.objects()
                .get("resourcequotas", "default", quota)
                .orElseThrow()
                .objectOrEmpty("status")
                .objectOrEmpty("used");
    }

    private Change change(Change.Type type, ObjectKey key) {
        return new Change(type, store.get(key).orElseThrow(), Optional.empty());
    }

    private Change deletion(ObjectKey key) {
        var entry = store.get(key).orElseThrow();
        if (store.delete(key, entry.revision()) instanceof WriteResult.Done(var gone)) {
            return new Change(Change.Type.DELETED, gone, Optional.of(entry));
        }
        throw new IllegalStateException("it is still there: " + key);
    }

    private static ObjectKey map(String name) {
        return new ObjectKey("configmaps", "default", name);
    }

    private void createBeside(String name, Runnable other) throws InterruptedException {
        var object = yaml("{metadata: {name: %s, namespace: default}}".formatted(name));
        var pending =
                new AdmissionChain.PendingWrite(
                        kind("configmaps"), "default", Optional.empty(), object);
        var beside = Thread.ofVirtual().unstarted(other);
        var _ =
                enforcer.guardedWrite(
                        pending,
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
    void recountDuringCreateKeepsTheCharge() throws InterruptedException {
        quota("maps", "configmaps: 5");
        create("configmaps", "{metadata: {name: old}}");
        var deletion = deletion(map("old"));

        createBeside("new", () -> enforcer.on(deletion));

        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    @Test
    void uncountedObjectsDoNotWaitForCountedOnes() throws InterruptedException {
        quota("maps", "configmaps: 5");
        var secret = new ObjectKey("secrets", "default", "beside");
        var object = yaml("{metadata: {name: beside, namespace: default}}");
        var pending =
                new AdmissionChain.PendingWrite(
                        kind("secrets"), "default", Optional.empty(), object);

        createBeside(
                "new",
                () ->
                        enforcer.guardedWrite(
                                pending, () -> store.create(secret, JsonWriter.bytes(object))));

        assertThat(store.get(secret).orElseThrow().revision())
                .isLessThan(store.get(map("new")).orElseThrow().revision());
    }

    @Test
    void quotaCountedDuringCreateIncludesTheObject() throws InterruptedException {
        createBeside("new", () -> quota("maps", "configmaps: 5"));

        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    @Test
    void objectRejectedByOneQuotaIsChargedToNone() {
        quota("all", "configmaps: 5");
        quota("none", "count/configmaps: 0");

        var rejection = rejection(() -> create("configmaps", "{metadata: {name: a}}"));

        assertThat(rejection).contains("exceeded quota: none");
        assertThat(used("all")).isEqualTo(yaml("{configmaps: '0'}"));
    }

    @Test
    void failedCreateIsNotCharged() {
        quota("maps", "configmaps: 5");
        create("configmaps", "{metadata: {name: a}}");

        var rejection = rejection(() -> create("configmaps", "{metadata: {name: a}}"));

        assertThat(rejection).contains("already exists");
        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    @Test
    void storeErrorDoesNotLeaveAPermanentCharge() {
        quota("maps", "configmaps: 5");
        var object = yaml("{metadata: {name: a, namespace: default}}");
        var pending =
                new AdmissionChain.PendingWrite(
                        kind("configmaps"), "default", Optional.empty(), object);

        assertThatThrownBy(() ->
                        enforcer.guardedWrite(
                                pending,
                                () -> {
                                    throw new StoreException("the disk is full");
                                }))
                .isInstanceOf(StoreException.class);

        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '0'}"));
    }

    @Test
    void resizeOfVolumeClaimIsCharged() {
        quota("space", "requests.storage: 3Gi");
        create(
                "persistentvolumeclaims",
                """
                metadata: {name: disk}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """);
        change(
                "persistentvolumeclaims",
                "disk",
                one -> withSpec(one, "{resources: {requests: {storage: 3Gi}}}"));
        assertThat(used("space")).isEqualTo(yaml("{requests.storage: 3Gi}"));

        var rejection =
                rejection(() ->
                        change(
                                "persistentvolumeclaims",
                                "disk",
                                one -> withSpec(one, "{resources: {requests: {storage: 4Gi}}}")));

        assertThat(rejection)
                .contains(
                        "exceeded quota: space, requested: requests.storage=1Gi, used: "
                                + "requests.storage=3Gi, limited: requests.storage=3Gi");
        assertThat(used("space")).isEqualTo(yaml("{requests.storage: 3Gi}"));
    }

    @Test
    void nodePortServiceIsRejectedByNodePortQuota() {
        quota("ports", "services.nodeports: 0");
        create("services", "{metadata: {name: web}, spec: {ports: [{port: 80}]}}");

        var rejection =
                rejection(
                        () -> change("services", "web", one -> withSpec(one, "{type: NodePort}")));

        assertThat(rejection).contains("exceeded quota: ports");
    }

    @Test
    void podOlderThanQuotaMayBeUpdated() {
        create("pods", "{metadata: {name: old}, spec: {containers: [{name: c, image: a}]}}");
        quota("cpu", "limits.cpu: 1");

        change("pods", "old", one -> withSpec(one, "{containers: [{name: c, image: b}]}"));

        assertThat(
                        registry.objects()
                                .get("pods", "default", "old")
                                .orElseThrow()
                                .objectOrEmpty("spec")
                                .items("containers"))
                .containsExactly(yaml("{name: c, image: b}"));
    }

    @Test
    void dryRunIsRejectedByQuotaAndWritesNothing() {
        quota("maps", "configmaps: 1");
        var revision = store.revision();
        dryRun("{metadata: {name: a}}");
        assertThat(store.revision()).isEqualTo(revision);

        create("configmaps", "{metadata: {name: a}}");

        assertThat(rejection(() -> dryRun("{metadata: {name: b}}")))
                .contains("exceeded quota: maps");
        assertThat(used("maps")).isEqualTo(yaml("{configmaps: '1'}"));
    }

    private void dryRun(String map) {
        var kind = kind("configmaps");
        var dry = registry.serverContext("create", "default").dry();
        var _ = registry.writes().create(kind, yaml(map), dry, FieldManager.server(kind));
    }

    @Test
    void terminatedPodReleasesQuota() {
        quota("pods", "pods: 1");
        var pod = "{metadata: {name: %s}, spec: {containers: [{name: c, image: a}]}}";
        create("pods", pod.formatted("first"));
        assertThat(rejection(() -> create("pods", pod.formatted("second"))))
                .contains("exceeded quota: pods");

        var key = new ObjectKey("pods", "default", "first");
        var before = store.get(key);
        change("pods", "first", one -> one.with("status", yaml("{phase: Succeeded}")));
        enforcer.on(new Change(Change.Type.UPDATED, store.get(key).orElseThrow(), before));

        assertThat(used("pods")).isEqualTo(yaml("{pods: '0'}"));
        create("pods", pod.formatted("second"));
        assertThat(used("pods")).isEqualTo(yaml("{pods: '1'}"));
    }

    @Test
    void runningServerRecountsQuotas(@TempDir Path directory) throws InterruptedException {
        try (var server = RunningServer.inMemory(directory, settings -> settings)) {
            registry = server.registry();
            create("resourcequotas", "{metadata: {name: maps}, spec: {hard: {configmaps: 9}}}");
            // In addition to the one that every namespace has.
            Eventually.holds(() -> used("maps").equals(yaml("{configmaps: '1'}")));
            create("configmaps", "{metadata: {name: a}}");
            assertThat(used("maps")).isEqualTo(yaml("{configmaps: '2'}"));

            registry.delete(kind("configmaps"), map("a"), DeleteOptions.NONE);

            Eventually.holds(() -> used("maps").equals(yaml("{configmaps: '1'}")));
        }
    }
}
