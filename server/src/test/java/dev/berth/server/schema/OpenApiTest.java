package dev.berth.server.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.GoldenFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.Schemas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    private static final Schemas SCHEMAS = Schemas.builtIn();
    private static final OpenApi API = new OpenApi(SCHEMAS);
    private static final Set<String> VERBS =
            Set.of(
                    "get",
                    "list",
                    "watch",
                    "create",
                    "update",
                    "patch",
                    "delete",
                    "deletecollection");

    private static OpenApiResource served(
            String group, String version, String kind, String plural, boolean namespaced) {
        var shape = SCHEMAS.kind(group, version, kind).orElseThrow();
        return new OpenApiResource(
                group,
                version,
                kind,
                plural,
                namespaced,
                VERBS,
                List.of(OpenApiResource.status(group, version, kind, shape)),
                shape);
    }

    private static final List<OpenApiResource> DEVICES =
            List.of(
                    served("resource.k8s.io", "v1", "DeviceClass", "deviceclasses", false),
                    served("resource.k8s.io", "v1", "ResourceClaim", "resourceclaims", true),
                    served("resource.k8s.io", "v1", "ResourceSlice", "resourceslices", false));

    private static final List<OpenApiResource> CORE =
            List.of(
                    served("", "v1", "Pod", "pods", true),
                    served("", "v1", "Namespace", "namespaces", false));

    @Test
    void resourceGroupEqualsGoldenFile() throws IOException {
        var file = Path.of("src/test/resources/openapi/resource.k8s.io-v1.json");
        GoldenFile.check(file, JsonWriter.pretty(API.v3(DEVICES)));
    }

    @Test
    void everyReferenceIsDefined() {
        for (var resources : List.of(DEVICES, CORE)) {
            var v3 = API.v3(resources);
            var types = v3.objectOrEmpty("components").objectOrEmpty("schemas");
            assertThat(references(v3, "#/components/schemas/")).isSubsetOf(types.names());
            var v2 = API.v2(resources);
            assertThat(references(v2, "#/definitions/"))
                    .isSubsetOf(v2.objectOrEmpty("definitions").names());
        }
    }

    private static List<String> references(Json value, String prefix) {
        var found = new ArrayList<String>();
        collect(value, prefix, found);
        return found;
    }

    private static void collect(Json value, String prefix, List<String> found) {
        if (value instanceof JsonObject object) {
            object.members()
                    .forEach((name, member) -> {
                        if (name.equals("$ref") && member instanceof JsonString(var to)) {
                            assertThat(to).startsWith(prefix);
                            found.add(to.substring(prefix.length()));
                        }
                        collect(member, prefix, found);
                    });
        } else if (value instanceof JsonArray(var items)) {
            items.forEach(item -> collect(item, prefix, found));
        }
    }

    /// kubectl reads these to detect support for dry run and field validation.
    @Test
    void patchesHaveTheParametersThatKubectlReads() {
        var patch =
                API.v3(CORE)
                        .objectOrEmpty("paths")
                        .objectOrEmpty("/api/v1/namespaces/{namespace}/pods/{name}")
                        .objectOrEmpty("patch");

        assertThat(patch.objects("parameters"))
                .extracting(one -> one.text("name"))
                .contains("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(patch.objects("parameters")).allMatch(one -> one.text("in").equals("query"));
        assertThat(patch.objectOrEmpty("x-kubernetes-group-version-kind"))
                .isEqualTo(
                        SampleObjects.object(
                                "{'group':'','kind':'Pod','version':'v1'}".replace('\'', '"')));
        assertThat(patch.text("x-kubernetes-action")).isEqualTo("patch");
    }

    @Test
    void kindsAreFoundByTheirNames() {
        var types = API.v3(CORE).objectOrEmpty("components").objectOrEmpty("schemas");

        assertThat(
                        types.objectOrEmpty("io.k8s.api.core.v1.Pod")
                                .objects("x-kubernetes-group-version-kind"))
                .containsExactly(
                        SampleObjects.object(
                                "{\"group\":\"\",\"kind\":\"Pod\",\"version\":\"v1\"}"));
        assertThat(
                        types.objectOrEmpty("io.k8s.api.core.v1.PodList")
                                .objects("x-kubernetes-group-version-kind"))
                .extracting(one -> one.text("kind"))
                .containsExactly("PodList");
    }

    @Test
    void listsHaveMergeExtensions() {
        var container =
                API.v3(CORE)
                        .objectOrEmpty("components")
                        .objectOrEmpty("schemas")
                        .objectOrEmpty("io.k8s.api.core.v1.Container")
                        .objectOrEmpty("properties")
                        .objectOrEmpty("ports");

        assertThat(container.text("x-kubernetes-list-type")).isEqualTo("map");
        assertThat(container.strings("x-kubernetes-list-map-keys"))
                .containsExactly("containerPort", "protocol");
        assertThat(container.text("x-kubernetes-patch-merge-key")).isEqualTo("containerPort");
        assertThat(container.text("x-kubernetes-patch-strategy")).isEqualTo("merge");
    }

    @Test
    void theIndexChangesWithTheContent() {
        var one = OpenApi.index(Map.of("api/v1", API.v3(CORE)));
        var same = OpenApi.index(Map.of("api/v1", API.v3(CORE)));
        var other = OpenApi.index(Map.of("api/v1", API.v3(CORE.subList(0, 1))));

        assertThat(one).isEqualTo(same).isNotEqualTo(other);
        assertThat(one.objectOrEmpty("paths").objectOrEmpty("api/v1").text("serverRelativeURL"))
                .matches("/openapi/v3/api/v1\\?hash=[0-9A-F]{128}");
    }

    @Test
    void customResourcesPublishTheirSchema() {
        var schema =
                SampleObjects.object(
                        """
                        {"type":"object","description":"A thing.",
                         "properties":{"spec":{"type":"object",
                          "properties":{"size":{"type":"integer","minimum":1}}}}}
                        """);
        var shape = new CrdSchemas(SCHEMAS).shape("example.com", "v1", "Thing", schema);
        var served =
                new OpenApiResource(
                        "example.com",
                        "v1",
                        "Thing",
                        "things",
                        true,
                        VERBS,
                        List.of(),
                        List.of(),
                        shape,
                        Optional.of(CrdSchemas.published(schema)));

        var document = API.v3(List.of(served));

        assertThat(document.objectOrEmpty("paths").names())
                .contains("/apis/example.com/v1/namespaces/{namespace}/things/{name}");
        var thing =
                document.objectOrEmpty("components")
                        .objectOrEmpty("schemas")
                        .objectOrEmpty("com.example.v1.Thing");
        assertThat(thing.objectOrEmpty("properties").names())
                .containsExactlyInAnyOrder("spec", "apiVersion", "kind", "metadata");
        assertThat(thing.has("x-kubernetes-group-version-kind")).isTrue();
    }

    @Test
    void streamingSubresourcesHaveQueryParameters() {
        var pod = SCHEMAS.kind("", "v1", "Pod").orElseThrow();
        var options = SCHEMAS.struct("io.k8s.api.core.v1.PodExecOptions");
        var exec =
                new OpenApiResource.StreamingSubresource(
                        "exec", "PodExecOptions", Set.of("get", "create"), options);
        var served =
                new OpenApiResource(
                        "",
                        "v1",
                        "Pod",
                        "pods",
                        true,
                        VERBS,
                        List.of(),
                        List.of(exec),
                        pod,
                        Optional.empty());

        var item =
                API.v3(List.of(served))
                        .objectOrEmpty("paths")
                        .objectOrEmpty("/api/v1/namespaces/{namespace}/pods/{name}/exec");

        assertThat(item.names()).containsExactlyInAnyOrder("get", "post", "parameters");
        assertThat(item.objectOrEmpty("post").text("x-kubernetes-action")).isEqualTo("connect");
        assertThat(item.objects("parameters"))
                .extracting(one -> one.text("name"))
                .containsExactly(
                        "stdin",
                        "stdout",
                        "stderr",
                        "tty",
                        "container",
                        "command",
                        "name",
                        "namespace");
    }
}
