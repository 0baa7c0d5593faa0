package dev.berth.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ServerSettings;
import dev.berth.server.SteppedServer;
import dev.berth.server.access.User;
import dev.berth.server.operation.ObjectOperation.PatchType;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.IdSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Operations on objects without HTTP: the same authorization, admission and errors.
class InProcessApiTest {

    private static final User ADMIN = User.of("admin", User.MASTERS);
    private static final WriteOptions OPTIONS = WriteOptions.of("test");

    @TempDir private Path directory;

    private SteppedServer server;

    @BeforeEach
    void start() {
        server = new SteppedServer(ServerSettings.in(directory), IdSource.random());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void objectIsCreatedReadAndListed() {
        var created = done(create("{metadata: {name: a}, data: {k: v}}"));
        assertThat(created.text("kind")).isEqualTo("ConfigMap");

        assertThat(done(get("a"))).isEqualTo(created);
        var list = done(new ObjectOperation.List(map(""), ListOptions.NONE));
        assertThat(list.text("kind")).isEqualTo("ConfigMapList");
        assertThat(list.objects("items")).contains(created);
    }

    @Test
    void objectIsUpdatedPatchedAndApplied() {
        var created = done(create("{metadata: {name: a}, data: {k: v}}"));
        done(
                new ObjectOperation.Update(
                        map("a"),
                        OPTIONS,
                        RequestDocument.of(created.with("data", tree("{k: w}")))));
        assertThat(data("a")).isEqualTo(tree("{k: w}"));

        done(patch(PatchType.MERGE, "{data: {l: m}}"));
        assertThat(data("a")).isEqualTo(tree("{k: w, l: m}"));
        done(patch(PatchType.STRATEGIC, "{data: {l: null}}"));
        assertThat(data("a")).isEqualTo(tree("{k: w}"));

        var config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {k: x}}";
        var other = new WriteOptions("other", WriteOptions.FieldValidation.WARN, false);
        var applied = RequestDocument.of(tree(config.formatted("a")));
        assertThat(failure(new ObjectOperation.Apply(map("a"), other, applied, false)).reason())
                .isEqualTo("Conflict");
        done(new ObjectOperation.Apply(map("a"), other, applied, true));
        assertThat(data("a")).isEqualTo(tree("{k: x}"));
        done(
                new ObjectOperation.Apply(
                        map("b"), other, RequestDocument.of(tree(config.formatted("b"))), false));
        assertThat(data("b")).isEqualTo(tree("{k: x}"));
    }

    @Test
    void preconditionsOfDeletionsAreChecked() {
        var uid = done(create("{metadata: {name: a}}")).objectOrEmpty("metadata").text("uid");
        assertThat(failure(delete("another")).code()).isEqualTo(409);
        assertThat(done(delete(uid)).text("status")).isEqualTo("Success");
        assertThat(failure(get("a"))).extracting(ApiError::code).isEqualTo(404);
    }

    @Test
    void dryRunStoresNothing() {
        var dry = new WriteOptions("test", WriteOptions.FieldValidation.WARN, true);
        done(
                new ObjectOperation.Create(
                        map(""), dry, RequestDocument.of(tree("{metadata: {name: a}}"))));
        assertThat(failure(get("a")).code()).isEqualTo(404);
    }

    @Test
    void unauthorizedOperationIsForbidden() {
        var user = User.of("stranger");
        assertThat(server.inProcess().send(user, get("a")))
                .isInstanceOfSatisfying(
                        InProcessApi.Result.Failure.class,
                        failure -> {
                            assertThat(failure.error().code()).isEqualTo(403);
                            assertThat(failure.error().message())
                                    .contains("cannot get resource \"configmaps\"");
                        });
    }

    @Test
    void pathMustFitTheOperation() {
        assertThat(failure(get("")).code()).isEqualTo(405);
        assertThat(failure(new ObjectOperation.List(map("a"), ListOptions.NONE)).code())
                .isEqualTo(405);
        var document = RequestDocument.of(tree("{metadata: {name: a}}"));
        assertThat(failure(new ObjectOperation.Create(map("a"), OPTIONS, document)).code())
                .isEqualTo(405);
        assertThat(failure(get("a/b")).code()).isEqualTo(400);
        var unknown = new ObjectPath("", "v1", "default", "things", "a", "");
        assertThat(failure(new ObjectOperation.Get(unknown, "")).code()).isEqualTo(404);
    }

    @Test
    void bindingsAreAnAliasOfTheSubresourceOfPods() {
        var pods = new ObjectPath("", "v1", "default", "pods", "", "");
        var pod = "{metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}";
        done(new ObjectOperation.Create(pods, OPTIONS, RequestDocument.of(tree(pod))));
        var bindings = new ObjectPath("", "v1", "default", "bindings", "", "");
        var binding = RequestDocument.of(tree("{metadata: {name: p}, target: {name: node-1}}"));
        done(new ObjectOperation.Create(bindings, OPTIONS, binding));

        var path = new ObjectPath("", "v1", "default", "pods", "p", "");
        var bound = done(new ObjectOperation.Get(path, ""));
        assertThat(bound.objectOrEmpty("spec").text("nodeName")).isEqualTo("node-1");
        assertThat(failure(new ObjectOperation.Get(bindings, "")).code()).isEqualTo(405);
    }

    @Test
    void reviewHasAStatus() {
        var path =
                new ObjectPath(
                        "authorization.k8s.io", "v1", "", "selfsubjectaccessreviews", "", "");
        var review =
                RequestDocument.of(
                        tree("{spec: {resourceAttributes: {verb: get, resource: pods}}}"));
        var result = done(new ObjectOperation.Create(path, OPTIONS, review));
        assertThat(result.objectOrEmpty("status").flag("allowed")).contains(true);
        assertThat(failure(new ObjectOperation.List(path, ListOptions.NONE)).code()).isEqualTo(405);
    }

    private static ObjectPath map(String name) {
        return new ObjectPath("", "v1", "default", "configmaps", name, "");
    }

    private static ObjectOperation create(String yaml) {
        return new ObjectOperation.Create(map(""), OPTIONS, RequestDocument.of(tree(yaml)));
    }

    private static ObjectOperation get(String name) {
        return new ObjectOperation.Get(map(name), "");
    }

    private static ObjectOperation patch(PatchType type, String yaml) {
        return new ObjectOperation.Patch(map("a"), OPTIONS, RequestDocument.of(tree(yaml)), type);
    }

    private static ObjectOperation delete(String uid) {
        var options = DeleteOptions.of(Optional.of(uid), OptionalLong.empty());
        return new ObjectOperation.Delete(map("a"), options, false);
    }

    private JsonObject data(String name) {
        return done(get(name)).objectOrEmpty("data");
    }

    private JsonObject done(ObjectOperation operation) {
        return switch (server.inProcess().send(ADMIN, operation)) {
            case InProcessApi.Result.Success(var object) -> object;
            case InProcessApi.Result.Failure(var error) -> throw new AssertionError(error);
        };
    }

    private ApiError failure(ObjectOperation operation) {
        return switch (server.inProcess().send(ADMIN, operation)) {
            case InProcessApi.Result.Success(var object) ->
                    throw new AssertionError("expected a failure: " + object);
            case InProcessApi.Result.Failure(var error) -> error;
        };
    }

    private static JsonObject tree(String yaml) {
        var result = (ParseResult.Documents) YamlReader.read(yaml);
        return (JsonObject) result.documents().getFirst().root();
    }
}
