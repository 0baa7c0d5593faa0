package dev.berth.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.ObjectKey;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Garbage collection of dependents when their owners are deleted.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GarbageCollectorTest {

    private static final int ROUNDS = 30;

    private ApiServer server;
    private Registry registry;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        registry = server.registry();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Resource kind(String collection) {
        return registry.resources().byCollection(collection).orElseThrow();
    }

    private JsonObject make(String collection, String name, JsonObject... owners) {
        create(collection, name, owners);
        return found(collection, name).orElseThrow();
    }

    private void create(String collection, String name, JsonObject... owners) {
        var metadata = JsonObject.of("name", Json.of(name));
        if (owners.length > 0) {
            metadata = metadata.with("ownerReferences", new JsonArray(Arrays.<Json>asList(owners)));
        }
        var kind = kind(collection);
        registry.writes()
                .create(
                        kind,
                        JsonObject.of("metadata", metadata),
                        registry.serverContext("create", "default"),
                        FieldManager.server(kind));
    }

    private static JsonObject reference(JsonObject owner) {
        var metadata = owner.objectOrEmpty("metadata");
        return JsonObject.of("apiVersion", Json.of(owner.text("apiVersion")))
                .with("kind", Json.of(owner.text("kind")))
                .with("name", Json.of(metadata.text("name")))
                .with("uid", Json.of(metadata.text("uid")));
    }

    private static JsonObject blocking(JsonObject owner) {
        return reference(owner).with("blockOwnerDeletion", Json.of(true));
    }

    private void delete(String collection, String name, String policy) {
        var options = JsonObject.of("propagationPolicy", Json.of(policy));
        registry.delete(
                kind(collection),
                new ObjectKey(collection, "default", name),
                DeleteOptions.read(options));
    }

    private Optional<JsonObject> found(String collection, String name) {
        return registry.objects().get(collection, "default", name);
    }

    @Test
    void dependentsAreDeletedAfterTheirOwner() throws InterruptedException {
        var owner = make("configmaps", "background");
        var child = make("secrets", "child", reference(owner));
        make("serviceaccounts", "grandchild", reference(child));
        delete("configmaps", "background", "Background");
        assertThat(found("configmaps", "background")).isEmpty();
        Eventually.holds(() -> found("serviceaccounts", "grandchild").isEmpty());
        assertThat(found("secrets", "child")).isEmpty();
    }

    @Test
    void foregroundDeletionWaitsForBlockingDependents() throws InterruptedException {
        var owner = make("configmaps", "foreground");
        make("secrets", "blocking", blocking(owner));
        registry.change(
                kind("secrets"),
                new ObjectKey("secrets", "default", "blocking"),
                object ->
                        object.with(
                                "metadata",
                                object.objectOrEmpty("metadata")
                                        .with("finalizers", Json.array(Json.of("x.com/hold")))));
        delete("configmaps", "foreground", "Foreground");
        Eventually.holds(() -> isTerminating("secrets", "blocking"));
        assertThat(isTerminating("configmaps", "foreground")).isTrue();
        registry.change(
                kind("secrets"),
                new ObjectKey("secrets", "default", "blocking"),
                object ->
                        object.with(
                                "metadata",
                                object.objectOrEmpty("metadata").without("finalizers")));
        Eventually.holds(() -> found("configmaps", "foreground").isEmpty());
        assertThat(found("secrets", "blocking")).isEmpty();
    }

    private boolean isTerminating(String collection, String name) {
        return found(collection, name)
                .filter(object -> object.objectOrEmpty("metadata").has("deletionTimestamp"))
                .isPresent();
    }

    @Test
    void orphaningRemovesReferencesOfNewDependents() throws InterruptedException {
        for (var i = 0; i < ROUNDS; i++) {
            var owner = make("configmaps", "orphaning-" + i);
            make("secrets", "orphan-" + i, blocking(owner));
            delete("configmaps", "orphaning-" + i, "Orphan");
        }
        for (var i = 0; i < ROUNDS; i++) {
            var number = i;
            Eventually.holds(() -> found("configmaps", "orphaning-" + number).isEmpty());
            var orphan = found("secrets", "orphan-" + i).orElseThrow();
            assertThat(orphan.objectOrEmpty("metadata").has("ownerReferences")).isFalse();
        }
    }

    @Test
    void dependentOfMissingOwnerIsDeleted() throws InterruptedException {
        var owner = make("configmaps", "real");
        var other = reference(owner).with("uid", Json.of("00000000-0000-0000-0000-000000000000"));
        create("secrets", "mistaken", other);
        Eventually.holds(() -> found("secrets", "mistaken").isEmpty());
        assertThat(found("configmaps", "real")).isPresent();
    }

    @Test
    void dependentWithOneRemainingOwnerIsKept() throws InterruptedException {
        var one = make("configmaps", "one");
        var two = make("configmaps", "two");
        make("secrets", "shared", reference(one), reference(two));
        delete("configmaps", "one", "Background");
        Eventually.holds(
                () -> found("secrets", "shared").map(this::owners).filter(n -> n == 1).isPresent());
        delete("configmaps", "two", "Background");
        Eventually.holds(() -> found("secrets", "shared").isEmpty());
    }

    private int owners(JsonObject object) {
        return object.objectOrEmpty("metadata").objects("ownerReferences").size();
    }

    @Test
    void ownersOfUnknownKindsAreAssumedToExist() throws InterruptedException {
        var owner = make("configmaps", "witness");
        var unknown = reference(owner).with("kind", Json.of("Mystery"));
        make("secrets", "doubtful", unknown);
        make("secrets", "witnessed", reference(owner));
        delete("configmaps", "witness", "Background");
        Eventually.holds(() -> found("secrets", "witnessed").isEmpty());
        assertThat(found("secrets", "doubtful")).isPresent();
    }
}
