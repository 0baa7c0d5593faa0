package dev.berth.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.harness.Eventually;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.MessageBytes;
import dev.berth.schema.protobuf.ProtobufCodec;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Media types that are accepted and sent.
class NegotiatedEncodingsTest {

    private static final ResourcePath MAPS = new ResourcePath("", "v1", "configmaps");
    private static final Request READ = new Request.Get(MAPS, "default", "a");
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String BOTH = PROTOBUF + ",application/json;q=0.9";

    @TempDir private Path directory;

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void bodiesAreProtobufOnceTheServerHasRespondedInIt() throws IOException {
        try (var server = new FakeServer((exchange, _) -> protobuf(exchange, encoded()));
                var cluster = cluster(server)) {
            cluster.send(create());
            assertThat(cluster.send(create())).isEqualTo(new RequestResult.Done(map()));
        }
        assertThat(seen)
                .containsExactly(
                        "POST accepts " + BOTH + " sends application/json",
                        "POST accepts " + BOTH + " sends " + PROTOBUF);
    }

    @Test
    void aServerThatRejectsProtobufBodiesGetsJson() throws IOException {
        FakeServer.Script script =
                (exchange, _) -> {
                    if (PROTOBUF.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
                        recordHeaders(exchange);
                        FakeServer.respond(exchange, 415, "{}");
                    } else {
                        protobuf(exchange, encoded());
                    }
                };
        try (var server = new FakeServer(script);
                var cluster = cluster(server)) {
            cluster.send(READ);
            assertThat(cluster.send(create())).isEqualTo(new RequestResult.Done(map()));
            cluster.send(create());
        }
        assertThat(seen)
                .containsExactly(
                        "GET accepts " + BOTH + " sends null",
                        "POST accepts " + BOTH + " sends " + PROTOBUF,
                        "POST accepts " + BOTH + " sends application/json",
                        "POST accepts " + BOTH + " sends application/json");
    }

    @Test
    void objectsWithUnknownFieldsAreReadAsJson() throws IOException {
        FakeServer.Script script =
                (exchange, _) -> {
                    if (exchange.getRequestHeaders().getFirst("Accept").equals(BOTH)) {
                        protobuf(exchange, withUnknownField());
                    } else {
                        recordHeaders(exchange);
                        FakeServer.respond(exchange, 200, "{\"future\":true}");
                    }
                };
        try (var server = new FakeServer(script);
                var cluster = cluster(server)) {
            assertThat(cluster.send(READ))
                    .isEqualTo(new RequestResult.Done(JsonObject.of("future", Json.of(true))));
            cluster.send(create());
        }
        assertThat(seen)
                .containsExactly(
                        "GET accepts " + BOTH + " sends null",
                        "GET accepts application/json sends null",
                        "POST accepts application/json sends application/json");
    }

    @Test
    void customKindsAreJson() throws IOException {
        FakeServer.Script script =
                (exchange, _) -> {
                    recordHeaders(exchange);
                    FakeServer.respond(exchange, 200, "{}");
                };
        try (var server = new FakeServer(script);
                var cluster = cluster(server)) {
            cluster.send(new Request.Get(new ResourcePath("example.com", "v1", "things"), "", "a"));
        }
        assertThat(seen).containsExactly("GET accepts application/json sends null");
    }

    @Test
    void listsAndWatchesAreRead() throws Exception {
        var cache = ObjectCache.ofJson();
        FakeServer.Script script =
                (exchange, target) -> {
                    if (target.contains("watch=true")) {
                        protobuf(exchange, frames());
                    } else {
                        protobuf(exchange, list());
                    }
                };
        try (var server = new FakeServer(script);
                var cluster = cluster(server);
                var _ = cluster.watch(MAPS, "", cache)) {
            assertThat(cache.awaitSynced(Duration.ofSeconds(30))).isTrue();
            Eventually.holds("two objects have arrived", () -> cache.size() >= 2);
            assertThat(cache.all()).extracting(one -> one.text("kind")).containsOnly("ConfigMap");
        }
    }

    @Test
    void aWatchWithUnknownFieldsResumesAsJson() throws Exception {
        var cache = ObjectCache.ofJson();
        FakeServer.Script script =
                (exchange, target) -> {
                    if (!target.contains("watch=true")) {
                        protobuf(exchange, list());
                    } else if (exchange.getRequestHeaders().getFirst("Accept").equals(BOTH)) {
                        protobuf(exchange, framed(List.of(event("ADDED", withUnknownField()))));
                    } else {
                        FakeServer.respond(
                                exchange,
                                200,
                                """
                                {"type":"ADDED","object":{"future":true,
                                "metadata":{"name":"c","resourceVersion":"6"}}}
                                """
                                                .replace("\n", "")
                                        + "\n");
                    }
                };
        try (var server = new FakeServer(script);
                var cluster = cluster(server);
                var _ = cluster.watch(MAPS, "", cache)) {
            Eventually.holds("two objects have arrived", () -> cache.size() >= 2);
            assertThat(cache.all()).anyMatch(one -> one.has("future"));
        }
    }

    private HttpCluster cluster(FakeServer server) throws IOException {
        var settings =
                ClientOptions.of("test", "0")
                        .withBackoff(Duration.ofMillis(1), Duration.ofMillis(5))
                        .withEncoding(ClientOptions.Encoding.PROTOBUF);
        return new HttpCluster(server.access(directory, "{}"), settings);
    }

    private static Request create() {
        return Request.Create.of(MAPS, "default", map());
    }

    private static JsonObject map() {
        return map("a", 5);
    }

    private static JsonObject map(String name, int revision) {
        return JsonObject.of("kind", Json.of("ConfigMap"))
                .with("apiVersion", Json.of("v1"))
                .with(
                        "metadata",
                        JsonObject.of("name", Json.of(name))
                                .with("resourceVersion", Json.of(Integer.toString(revision))))
                .with("data", JsonObject.of("key", Json.of("value")));
    }

    private static byte[] encoded() {
        return ProtobufCodec.builtIn().encode(map());
    }

    private static byte[] withUnknownField() throws IOException {
        var message = ProtobufCodec.builtIn().enveloped(map(), "v1", "ConfigMap");
        // Field 100, a varint of value 1.
        var unknown = new byte[] {(byte) 0xa0, 6, 1};
        var bytes = new ByteArrayOutputStream();
        bytes.write(
                MessageBytes.envelopeHead("v1", "ConfigMap", message.length() + unknown.length));
        bytes.write(message.bytes(), message.offset(), message.length());
        bytes.write(unknown);
        bytes.write(MessageBytes.envelopeTail());
        return bytes.toByteArray();
    }

    private static byte[] list() {
        var items = new ArrayList<Json>(List.of(map()));
        return ProtobufCodec.builtIn()
                .encode(
                        JsonObject.of("kind", Json.of("ConfigMapList"))
                                .with("apiVersion", Json.of("v1"))
                                .with("metadata", JsonObject.of("resourceVersion", Json.of("5")))
                                .with("items", new Json.JsonArray(items)));
    }

    private static byte[] frames() throws IOException {
        return framed(
                List.of(
                        event("ADDED", ProtobufCodec.builtIn().encode(map("b", 6))),
                        event("BOOKMARK", ProtobufCodec.builtIn().encode(map("", 7)))));
    }

    private static byte[] event(String type, byte[] object) {
        return ProtobufCodec.watchEvent(type, object);
    }

    private static byte[] framed(List<byte[]> messages) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        for (var message : messages) {
            out.writeInt(message.length);
            out.write(message);
        }
        return bytes.toByteArray();
    }

    private void protobuf(HttpExchange exchange, byte[] body) throws IOException {
        recordHeaders(exchange);
        exchange.getResponseHeaders().add("Content-Type", PROTOBUF);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private void recordHeaders(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        seen.add(
                "%s accepts %s sends %s"
                        .formatted(
                                exchange.getRequestMethod(),
                                headers.getFirst("Accept"),
                                headers.getFirst("Content-Type")));
    }
}
