package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads and writes over HTTP in all forms. Each test has a namespace of its own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestProtocolTest {

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

    private final AtomicInteger count = new AtomicInteger();
    private ApiServer server;
    private Http http;
    private String namespace = "";
    private String secrets = "";

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

    @BeforeEach
    void namespace() {
        namespace = "ns" + count.incrementAndGet();
        http.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
        secrets = "/api/v1/namespaces/%s/secrets".formatted(namespace);
    }

    private Http.Response make(String name) {
        return http.post(
                secrets,
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"n\":\"%s\"}}}".formatted(name, name));
    }

    @Test
    void pagesAreOfOneRevision() {
        List.of("a", "b", "c", "d").forEach(this::make);
        var first = http.get(secrets + "?limit=2");
        assertThat(first.names()).containsExactly("a", "b");
        assertThat(first.metadata().number("remainingItemCount")).hasValue(2);
        http.delete(secrets + "/c", "");
        var next = first.metadata().text("continue");
        var second = http.get(secrets + "?limit=2&continue=" + next);
        assertThat(second.names()).containsExactly("c", "d");
        assertThat(second.metadata().has("continue")).isFalse();
        assertThat(second.metadata().text("resourceVersion"))
                .isEqualTo(first.metadata().text("resourceVersion"));
        var chosen = http.get(secrets + "?limit=1&labelSelector=n+in+(b,d)");
        assertThat(chosen.names()).containsExactly("b");
        assertThat(chosen.metadata().has("remainingItemCount")).isFalse();
        assertThat(http.get(secrets + "?continue=nonsense").code()).isEqualTo(400);
        assertThat(http.get(secrets + "?resourceVersion=5&continue=" + next).code()).isEqualTo(400);
    }

    @Test
    void listsSupportExactAndMinimumRevisions() {
        var old = make("a").metadata().text("resourceVersion");
        var now = make("b").metadata().text("resourceVersion");
        assertThat(list("Exact", old).names()).containsExactly("a");
        assertThat(list("NotOlderThan", old).names()).containsExactly("a", "b");
        assertThat(list("", "0").names()).containsExactly("a", "b");
        assertThat(http.get(secrets + "?limit=9&resourceVersion=" + old).names())
                .containsExactly("a");
        assertThat(list("Exact", "0").code()).isEqualTo(422);
        assertThat(list("Exact", "").code()).isEqualTo(422);
        assertThat(list("Newest", now).code()).isEqualTo(422);
        assertThat(list("", "one").code()).isEqualTo(422);
        assertThat(http.get(secrets + "/a?resourceVersion=" + now).code()).isEqualTo(200);
        var future = list("Exact", now + "000");
        assertThat(future.code()).isEqualTo(504);
        assertThat(future.json().objectOrEmpty("details").objects("causes").getFirst())
                .extracting(cause -> cause.text("reason"))
                .isEqualTo("ResourceVersionTooLarge");
    }

    private Http.Response list(String match, String revision) {
        return http.get(
                secrets + "?resourceVersionMatch=%s&resourceVersion=%s".formatted(match, revision));
    }

    @Test
    void concurrentUpdatesConflict() {
        var made = make("a").text();
        http.patch(secrets + "/a", "merge", "{\"stringData\":{\"k\":\"v\"}}");
        var refused = http.put(secrets + "/a", made);
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.json().text("reason")).isEqualTo("Conflict");
        var again = make("a");
        assertThat(again.code()).isEqualTo(409);
        assertThat(again.json().text("reason")).isEqualTo("AlreadyExists");
        var stale =
                http.patch(secrets + "/a", "merge", "{\"metadata\":{\"resourceVersion\":\"1\"}}");
        assertThat(stale.code()).isEqualTo(409);
    }

    @Test
    void deletePreconditionsAreChecked() {
        var uid = make("a").metadata().text("uid");
        var wrong = http.delete(secrets + "/a", "{\"preconditions\":{\"uid\":\"other\"}}");
        assertThat(wrong.code()).isEqualTo(409);
        assertThat(
                        http.delete(
                                        secrets + "/a",
                                        "{\"preconditions\":{\"resourceVersion\":\"1\"}}")
                                .code())
                .isEqualTo(409);
        assertThat(http.delete(secrets + "/a?dryRun=All", "").code()).isEqualTo(200);
        var right =
                http.delete(secrets + "/a", "{\"preconditions\":{\"uid\":\"%s\"}}".formatted(uid));
        assertThat(right.code()).isEqualTo(200);
        assertThat(right.json().text("status")).isEqualTo("Success");
        assertThat(right.json().objectOrEmpty("details").text("uid")).isEqualTo(uid);
        assertThat(http.get(secrets + "/a").code()).isEqualTo(404);
        assertThat(http.delete(secrets + "/a?propagationPolicy=Sideways", "").code())
                .isEqualTo(422);
    }

    @Test
    void collectionsAreDeletedBySelector() {
        List.of("a", "b", "c").forEach(this::make);
        var deleted = http.delete(secrets + "?labelSelector=n!%3Db", "");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.json().text("kind")).isEqualTo("SecretList");
        assertThat(http.get(secrets).names()).containsExactly("b");
        assertThat(http.delete(secrets + "?dryRun=All", "").code()).isEqualTo(200);
        assertThat(http.get(secrets).names()).containsExactly("b");
    }

    @Test
    void objectsAreServedWholeAsTableOrAsMetadata() {
        make("a");
        var table = http.get(secrets, "Accept", TABLE + ",application/json").json();
        assertThat(table.text("kind")).isEqualTo("Table");
        assertThat(table.objects("columnDefinitions"))
                .extracting(column -> column.text("name"))
                .containsExactly("Name", "Type", "Data", "Age");
        var row = table.objects("rows").getFirst();
        assertThat(row.strings("cells")).contains("a", "Opaque");
        assertThat(row.objectOrEmpty("object").text("kind")).isEqualTo("PartialObjectMetadata");
        var whole = http.get(secrets + "?includeObject=Object", "Accept", TABLE).json();
        assertThat(whole.objects("rows").getFirst().objectOrEmpty("object").text("kind"))
                .isEqualTo("Secret");
        var part = http.get(secrets + "/a", "Accept", METADATA).json();
        assertThat(part.text("kind")).isEqualTo("PartialObjectMetadata");
        assertThat(part.has("type")).isFalse();
        var parts = http.get(secrets, "Accept", METADATA.replace("Metadata;", "MetadataList;"));
        assertThat(parts.json().text("kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(parts.names()).containsExactly("a");
    }

    @Test
    void yamlIsSupported() {
        var yaml = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: why\nstringData: {k: v}\n";
        var made =
                http.post(
                        secrets,
                        yaml,
                        "Content-Type",
                        "application/yaml",
                        "Accept",
                        "application/yaml");
        assertThat(made.code()).isEqualTo(201);
        assertThat(made.header("Content-Type")).isEqualTo("application/yaml");
        assertThat(made.text()).contains("name: why", "k: dg==");
        assertThat(http.get(secrets, "Accept", "application/yaml").text())
                .contains("kind: SecretList");
    }

    @Test
    void largeResponsesAreCompressed() {
        var large = "x".repeat(200_000);
        http.post(
                secrets,
                "{\"metadata\":{\"name\":\"l\"},\"stringData\":{\"k\":\"%s\"}}".formatted(large));
        var plain = http.get(secrets + "/l");
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        var small = http.send("GET", secrets + "/l", "", "Accept-Encoding", "gzip");
        assertThat(small.header("Content-Encoding")).isEqualTo("gzip");
        assertThat(Long.parseLong(small.header("Content-Length")))
                .isLessThan(Long.parseLong(plain.header("Content-Length")) / 10);
    }

    @Test
    void fieldValidationWarnsOrRejects() {
        var odd = "{\"metadata\":{\"name\":\"o\"},\"foo\":1,\"type\":\"a\",\"type\":\"b\"}";
        var warned = http.post(secrets + "?dryRun=All", odd);
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.headers().allValues("Warning"))
                .containsExactly(
                        "299 - \"unknown field \\\"foo\\\"\"",
                        "299 - \"duplicate field \\\"type\\\"\"");
        var refused = http.post(secrets + "?fieldValidation=Strict", odd);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.json().text("message"))
                .contains("strict decoding error: unknown field \"foo\", duplicate field \"type\"");
        assertThat(http.post(secrets + "?fieldValidation=Ignore&dryRun=All", odd).headers().map())
                .doesNotContainKey("warning");
        assertThat(http.get(secrets + "/o").code()).isEqualTo(404);
        assertThat(http.post(secrets + "?fieldValidation=Maybe", odd).code()).isEqualTo(422);
        assertThat(http.post(secrets + "?dryRun=Some", odd).code()).isEqualTo(422);
    }

    @Test
    void managedFieldsAreRecorded() {
        http.post(secrets + "?fieldManager=me", "{\"metadata\":{\"name\":\"m\"}}");
        var applied =
                http.patch(
                        secrets + "/m?fieldManager=you",
                        "apply",
                        "{apiVersion: v1, kind: Secret, metadata: {name: m}, data: {k: dg==}}");
        assertThat(applied.metadata().objects("managedFields"))
                .extracting(entry -> entry.text("manager") + " " + entry.text("operation"))
                .containsExactly("you Apply", "me Update");
        assertThat(http.patch(secrets + "/m", "apply", "{}").code()).isEqualTo(422);
        assertThat(http.patch(secrets + "/m?force=true", "merge", "{}").code()).isEqualTo(422);
        assertThat(http.patch(secrets + "/m?fieldManager=" + "x".repeat(129), "merge", "{}").code())
                .isEqualTo(422);
        var made =
                http.patch(
                        secrets + "/new?fieldManager=you",
                        "apply",
                        "{apiVersion: v1, kind: Secret, metadata: {name: new}}");
        assertThat(made.code()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: Secret, metadata: {name: a}} | 400"
                        + " | invalid object type: /, Kind=Secret",
                "{apiVersion: v2, kind: Secret, metadata: {name: a}} | 400"
                        + " | invalid object type: /v2, Kind=Secret",
                "{apiVersion: apps/v1, kind: Secret, metadata: {name: a}} | 400"
                        + " | invalid object type: apps/v1, Kind=Secret",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}} | 400"
                        + " | invalid object type: /v1, Kind=ConfigMap",
                "{apiVersion: v1, kind: Secret, metadata: {name: a}, foo: 1} | 500"
                        + " | failed to create typed patch object (/a; /v1, Kind=Secret):"
                        + " .foo: field not declared in schema",
                "{apiVersion: v1, kind: Secret, metadata: {name: a, foo: 1}} | 500"
                        + " | failed to create typed patch object (/a; /v1, Kind=Secret):"
                        + " .metadata.foo: field not declared in schema",
            })
    void configurationsOfAnotherKindOrWithUnknownFieldsAreNotApplied(
            String config, int code, String message) {
        for (var validation : List.of("", "&fieldValidation=Strict", "&fieldValidation=Ignore")) {
            var response = http.patch(secrets + "/a?fieldManager=me" + validation, "apply", config);
            assertThat(response.code()).isEqualTo(code);
            assertThat(response.json().text("message")).isEqualTo(message);
        }
        assertThat(http.get(secrets + "/a").code()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void managedFieldsAreClearedByAnEmptyEntry(String name) {
        http.post(secrets, "{\"metadata\":{\"name\":\"a\"}}");
        http.post(secrets, "{\"metadata\":{\"name\":\"b\"},\"data\":{\"k\":\"dg==\"}}");
        var cleared =
                http.patch(
                        secrets + "/" + name,
                        "json",
                        "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\","
                                + "\"value\":[{}]}]");
        assertThat(cleared.code()).as(cleared.text()).isEqualTo(200);
        assertThat(http.get(secrets + "/" + name).metadata().has("managedFields")).isFalse();
    }

    @Test
    void createInTerminatingNamespaceIsRejected() throws InterruptedException {
        http.post(secrets, "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/x\"]}}");
        var home = "/api/v1/namespaces/" + namespace;
        assertThat(http.delete(home, "").code()).isEqualTo(200);
        var late = make("late");
        assertThat(late.code()).isEqualTo(403);
        assertThat(late.json().objectOrEmpty("details").objects("causes").getFirst())
                .extracting(cause -> cause.text("reason"))
                .isEqualTo("NamespaceTerminating");
        http.patch(secrets + "/held", "merge", "{\"metadata\":{\"finalizers\":null}}");
        Eventually.holds(() -> http.get(home).code() == 404);
    }
}
