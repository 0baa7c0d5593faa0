package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.protobuf.GoMessages;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import dev.berth.server.schema.TreeDifference;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Objects of all built-in kinds: protobuf and JSON are equivalent, and Go clients that send zero
/// values store the same as JSON clients.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufKindsTest {

    private static final Pattern IN_TEMPLATE =
            Pattern.compile("\\.spec\\.volumeClaimTemplates\\[0]\\.(kind|apiVersion) is");

    private ApiServer server;
    private Http http;
    private ProtobufHttp protobuf;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        http = Http.admin(server);
        protobuf = new ProtobufHttp(http);
    }

    @AfterAll
    void stop() {
        http.close();
        server.close();
    }

    /// Objects that no controller changes: none with a missing owner, no aggregated role, no quota.
    private static List<KindObjects> objects() {
        return KindObjects.all().stream()
                .filter(one -> !one.path().endsWith("resourcequotas"))
                .filter(one -> !one.object().has("aggregationRule"))
                .filter(one -> !one.object().objectOrEmpty("metadata").has("ownerReferences"))
                .toList();
    }

    /// Objects without JSON schemas, doubles and durations, which [GoMessages] does not encode.
    private static List<KindObjects> plainObjects() {
        return objects().stream()
                .filter(one -> !one.path().endsWith("customresourcedefinitions"))
                .toList();
    }

    private void create(KindObjects one) {
        var response = http.post(one.path(), JsonWriter.compact(one.object()));
        assertThat(response.code()).as(response.text()).isIn(201, 409);
    }

    /// Differences that Go would see. Nested objects have no kind in protobuf.
    private static List<String> difference(Json expected, Json actual) {
        return TreeDifference.of(
                        TreeDifference.withoutEmptyLists(expected),
                        TreeDifference.withoutEmptyLists(actual))
                .stream()
                .filter(line -> !IN_TEMPLATE.matcher(line).lookingAt())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("objects")
    void protobufIsEquivalentToJson(KindObjects one) {
        create(one);
        var response = protobuf.get(one.address());
        assertThat(response.type()).isEqualTo(ProtobufHttp.PROTOBUF);
        assertThat(difference(http.get(one.address()).json(), response.object())).isEmpty();
        var list = protobuf.get(one.path());
        assertThat(difference(item(http.get(one.path()).json(), one), item(list.object(), one)))
                .isEmpty();
    }

    /// The object in a list, which has a kind in protobuf only after decoding.
    private static JsonObject item(JsonObject list, KindObjects one) {
        assertThat(list.text("kind")).isEqualTo(one.object().text("kind") + "List");
        return list.objects("items").stream()
                .filter(item -> ProtobufHttp.name(item).equals(one.name()))
                .findFirst()
                .orElseThrow()
                .without("apiVersion")
                .without("kind");
    }

    /// `kubectl get -o json | kubectl replace` of a Go client.
    @ParameterizedTest
    @MethodSource("objects")
    void updateWithTheReadObjectChangesNothing(KindObjects one) {
        create(one);
        var before = http.get(one.address()).json();
        var response = protobuf.send("PUT", one.address(), protobuf.get(one.address()).bytes());
        assertThat(response.code()).as(() -> response.object().text("message")).isEqualTo(200);
        assertThat(difference(before, http.get(one.address()).json())).isEmpty();
    }

    /// The same, with the zero values that Go writes.
    @ParameterizedTest
    @MethodSource("plainObjects")
    void updateOfAGoClientChangesNothing(KindObjects one) {
        create(one);
        var before = http.get(one.address()).json();
        var read = protobuf.get(one.address()).object();
        var response = protobuf.send("PUT", one.address(), GoMessages.body(read));
        assertThat(response.code()).as(() -> response.object().text("message")).isEqualTo(200);
        var after = http.get(one.address()).json();
        assertThat(difference(stable(before), stable(after))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("plainObjects")
    void goClientCreatesTheSameObjectAsAJsonClient(KindObjects one) {
        // Objects of other tests may exist already.
        var named = named(one.object(), "go-" + one.name());
        var path = one.path() + "?dryRun=All";
        var json = http.post(path, JsonWriter.compact(named));
        assertThat(json.code()).as(json.text()).isEqualTo(201);
        var go = http.sendProtobuf("POST", path, GoMessages.body(named));
        assertThat(go.code()).as(go.text()).isEqualTo(201);
        assertThat(difference(stable(json.json()), stable(go.json()))).isEmpty();
    }

    private static JsonObject named(JsonObject object, String name) {
        var metadata = object.objectOrEmpty("metadata").with("name", Json.of(name));
        return object.with("metadata", metadata);
    }

    /// The object without fields that differ between two equal requests: times, UIDs,
    /// managedFields, and the empty strings and structs that Go cannot omit.
    private static JsonObject stable(JsonObject sent) {
        var uid = sent.objectOrEmpty("metadata").text("uid");
        var object = Http.parsed(JsonWriter.compact(sent).replace(uid, "uid"));
        var metadata =
                object.objectOrEmpty("metadata")
                        .without("uid")
                        .without("creationTimestamp")
                        .without("resourceVersion")
                        .without("managedFields");
        return (JsonObject) withoutEmptyStructs(object.with("metadata", metadata));
    }

    private static Json withoutEmptyStructs(Json tree) {
        return switch (tree) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                object.members()
                        .forEach((name, value) -> {
                            var inner = withoutEmptyStructs(value);
                            if (!isZero(inner) || !GoMessages.isAlwaysWritten(name)) {
                                members.put(name, inner);
                            }
                        });
                yield new JsonObject(members);
            }
            case JsonArray(var items) ->
                    new JsonArray(
                            items.stream().map(ProtobufKindsTest::withoutEmptyStructs).toList());
            default -> tree;
        };
    }

    /// True for zero, the empty string and objects of them.
    private static boolean isZero(Json value) {
        return value instanceof JsonObject object
                ? object.members().values().stream().allMatch(ProtobufKindsTest::isZero)
                : value.equals(Json.of("")) || value.equals(Json.of(0));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void everyServedKindHasAnEncoding(KindObjects one) {
        assertThat(
                        ProtobufCodec.builtIn()
                                .knows(one.object().text("apiVersion"), one.object().text("kind")))
                .isTrue();
    }
}
