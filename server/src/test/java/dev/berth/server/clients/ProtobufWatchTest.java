package dev.berth.server.clients;

import static dev.berth.server.clients.ProtobufHttp.PROTOBUF;
import static dev.berth.server.clients.ProtobufHttp.name;
import static dev.berth.server.clients.ProtobufHttp.revision;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.protobuf.ProtobufBytes;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Informers of Go clients: lists and watches in protobuf, many on one HTTP/2 connection.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufWatchTest {

    private static final int INFORMERS = 12;
    private static final int WRITES = 150;
    private static final int MANY = 2_000;
    private static final int VALUE_BYTES = 1_500;

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

    /// The collection of ConfigMaps in a new namespace.
    private String maps(String namespace) throws InterruptedException {
        http.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace));
        var maps = "/api/v1/namespaces/%s/configmaps".formatted(namespace);
        // Every namespace gets one, which would be among the events.
        Eventually.holds(() -> http.get(maps).names().contains("kube-root-ca.crt"));
        return maps;
    }

    private static byte[] map(String namespace, String name, String value) {
        var metadata =
                new ProtobufBytes()
                        .text(1, name)
                        .text(2, "")
                        .text(3, namespace)
                        .text(5, "")
                        .number(7, 0)
                        .message(8, new ProtobufBytes());
        var object = new ProtobufBytes().message(1, metadata).entry(2, "value", value);
        return ProtobufBytes.body("v1", "ConfigMap", object);
    }

    @Test
    void informersOnOneConnectionReceiveAllEvents() throws Exception {
        var maps = maps("informers");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var informers = new ArrayList<Future<Map<String, String>>>();
            var frames = new ArrayList<ProtobufHttp.Frames>();
            for (var i = 0; i < INFORMERS; i++) {
                var list = protobuf.get(maps + "?limit=500&resourceVersion=0").object();
                var watch =
                        protobuf.watch(
                                maps
                                        + "?watch=true&allowWatchBookmarks=true&resourceVersion="
                                        + revision(list));
                assertThat(watch.type()).isEqualTo(PROTOBUF + ";stream=watch");
                frames.add(watch);
                informers.add(threads.submit(() -> replay(watch)));
            }
            for (var i = 0; i < WRITES; i++) {
                var name = "m" + i % 40;
                var body = map("informers", name, "value " + i);
                var made = protobuf.send("POST", maps, body);
                if (made.code() == 409) {
                    made = protobuf.send("PUT", maps + "/" + name, body);
                }
                assertThat(made.code()).isIn(200, 201);
                if (i % 7 == 0) {
                    http.delete(maps + "/" + name, "");
                }
            }
            assertThat(protobuf.send("POST", maps, map("informers", "last", "")).code())
                    .isEqualTo(201);
            var expected = new TreeMap<String, String>();
            for (var object : protobuf.get(maps).object().objects("items")) {
                expected.put(name(object), revision(object));
            }
            expected.remove("kube-root-ca.crt");
            for (var informer : informers) {
                assertThat(informer.get(60, TimeUnit.SECONDS)).isEqualTo(expected);
            }
            frames.forEach(ProtobufHttp.Frames::close);
        }
    }

    /// Objects by name with their versions, after all events up to the object `last`.
    private static Map<String, String> replay(ProtobufHttp.Frames frames) {
        var objects = new TreeMap<String, String>();
        for (var frame = frames.next(); ; frame = frames.next()) {
            switch (frame.type()) {
                case "ADDED", "MODIFIED" ->
                        objects.put(name(frame.object()), revision(frame.object()));
                case "DELETED" -> objects.remove(name(frame.object()));
                case "BOOKMARK" -> {}
                default -> throw new AssertionError(frame.toString());
            }
            if (name(frame.object()).equals("last")) {
                return objects;
            }
        }
    }

    @Test
    void largeListsAreCompletePlainAndCompressed() throws Exception {
        var maps = maps("large");
        var value = "0123456789abcdef".repeat(VALUE_BYTES / 16);
        try (var watch =
                protobuf.watch(maps + "?watch=true&resourceVersion=" + revision(list(maps)))) {
            for (var i = 0; i < MANY; i++) {
                assertThat(protobuf.send("POST", maps, map("large", "m" + i, value)).code())
                        .isEqualTo(201);
            }
            var plain = protobuf.get(maps);
            assertThat(plain.bytes().length).isGreaterThan(MANY * VALUE_BYTES);
            assertThat(plain.names()).hasSize(MANY + 1);
            assertThat(compressed(maps)).isEqualTo(plain.bytes());
            var pages = new ArrayList<String>();
            var page = protobuf.get(maps + "?limit=700").object();
            for (var next = page; ; next = protobuf.get(next(maps, next)).object()) {
                next.objects("items").forEach(item -> pages.add(name(item)));
                if (next.objectOrEmpty("metadata").text("continue").isEmpty()) {
                    break;
                }
            }
            assertThat(pages).isEqualTo(plain.names());
            for (var i = 0; i < MANY; i++) {
                assertThat(watch.nextName()).isEqualTo("ADDED m" + i);
            }
        }
    }

    private JsonObject list(String maps) {
        return protobuf.get(maps).object();
    }

    private static String next(String maps, JsonObject page) {
        return maps + "?limit=700&continue=" + page.objectOrEmpty("metadata").text("continue");
    }

    private byte[] compressed(String path) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(http.uri(path))
                        .header("Accept", PROTOBUF)
                        .header("Accept-Encoding", "gzip")
                        .build();
        var response = http.client().send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        try (var unzipped = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return unzipped.readAllBytes();
        }
    }

    @Test
    void initialEventsEndWithABookmark() throws InterruptedException {
        var maps = maps("initial");
        protobuf.send("POST", maps, map("initial", "one", ""));
        var query =
                "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true";
        try (var frames = protobuf.watch(maps + query)) {
            assertThat(List.of(frames.nextName(), frames.nextName()))
                    .containsExactly("ADDED kube-root-ca.crt", "ADDED one");
            var bookmark = frames.next();
            assertThat(bookmark.type()).isEqualTo("BOOKMARK");
            assertThat(bookmark.object().text("kind")).isEqualTo("ConfigMap");
            var metadata = bookmark.object().objectOrEmpty("metadata");
            assertThat(metadata.text("resourceVersion")).isEqualTo(revision(list(maps)));
            assertThat(metadata.objectOrEmpty("annotations").text("k8s.io/initial-events-end"))
                    .isEqualTo("true");
        }
    }

    @Test
    void compactedRevisionIsAnErrorWithStatus() throws InterruptedException {
        var maps = maps("expired");
        var old = revision(list(maps));
        protobuf.send("POST", maps, map("expired", "one", ""));
        protobuf.send("POST", maps, map("expired", "two", ""));
        server.registry().store().compact(server.registry().store().revision());
        try (var frames = protobuf.watch(maps + "?watch=1&resourceVersion=" + old)) {
            var error = frames.next();
            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.object().text("kind")).isEqualTo("Status");
            assertThat(error.object().number("code")).hasValue(410);
            assertThat(error.object().text("reason")).isEqualTo("Expired");
            assertThat(frames.nextName()).isEqualTo("END");
        }
    }

    @Test
    void watchEndsAfterItsTimeout() throws InterruptedException {
        var maps = maps("timeout");
        var path = maps + "?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=";
        try (var frames = protobuf.watch(path + revision(list(maps)))) {
            assertThat(frames.next().type()).isEqualTo("BOOKMARK");
            assertThat(frames.nextName()).isEqualTo("END");
        }
    }

    @Test
    void webSocketsCarryEventsAsBinaryMessages() throws InterruptedException {
        var maps = maps("sockets");
        var messages = new LinkedBlockingQueue<byte[]>();
        var address = http.uri(maps).toString().replace("https:", "wss:");
        var socket =
                http.client()
                        .newWebSocketBuilder()
                        .header("Accept", PROTOBUF + ";stream=watch")
                        .buildAsync(
                                URI.create(
                                        address
                                                + "?watch=1&resourceVersion="
                                                + revision(list(maps))),
                                new Collector(messages, new ByteArrayOutputStream()))
                        .join();
        protobuf.send("POST", maps, map("sockets", "one", "v"));
        var event = ProtobufCodec.builtIn().decodeFrame(taken(messages));
        assertThat(event.type()).isEqualTo("ADDED");
        assertThat(name(event.object())).isEqualTo("one");
        http.delete(maps + "/one", "");
        assertThat(ProtobufCodec.builtIn().decodeFrame(taken(messages)).type())
                .isEqualTo("DELETED");
        socket.abort();
    }

    private static byte[] taken(BlockingQueue<byte[]> messages) throws InterruptedException {
        var message = messages.poll(20, TimeUnit.SECONDS);
        assertThat(message).as("a message within 20 s").isNotNull();
        return message;
    }

    /// Puts whole binary messages into a queue.
    private record Collector(BlockingQueue<byte[]> messages, ByteArrayOutputStream part)
            implements WebSocket.Listener {

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            var bytes = new byte[data.remaining()];
            data.get(bytes);
            part.writeBytes(bytes);
            if (last) {
                messages.add(part.toByteArray());
                part.reset();
            }
            socket.request(1);
            return null;
        }
    }
}
