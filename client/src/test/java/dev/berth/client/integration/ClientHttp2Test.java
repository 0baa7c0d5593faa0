package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2 connections that the requests of a process share.
class ClientHttp2Test {

    private static final ResourcePath MAPS = new ResourcePath("", "v1", "configmaps");
    private static final Request READ = new Request.Get(MAPS, "default", "a");
    private static final int DEFAULT_STREAMS = 100;

    @TempDir private Path directory;

    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void tlsServerNameIsSentAndCompared() throws Exception {
        Http2Server.Script script = (_, body) -> write(body, "{}");
        try (var server = new Http2Server(directory, DEFAULT_STREAMS, script)) {
            assertThat(result(server, "localhost", "")).isInstanceOf(RequestResult.Done.class);
            assertThat(result(server, "localhost", "extra.example"))
                    .isInstanceOf(RequestResult.Done.class);
            assertThat(result(server, "127.0.0.1", "extra.example"))
                    .isInstanceOf(RequestResult.Done.class);
            // The certificate is for the host of the address, which is not compared.
            assertThat(result(server, "localhost", "other.example").message())
                    .contains("is for another name");
            assertThat(server.names())
                    .containsExactly("localhost", "extra.example", "extra.example");
            assertThat(server.protocols()).containsOnly("HTTP/2.0");
        }
    }

    @Test
    void moreRequestsThanAConnectionAllowsUseMoreConnections() throws Exception {
        var requests = 40;
        var arrived = new CountDownLatch(requests);
        Http2Server.Script script =
                (_, body) -> {
                    arrived.countDown();
                    arrived.await();
                    write(body, "{}");
                };
        try (var server = new Http2Server(directory, 5, script);
                var cluster = server.cluster("127.0.0.1", "", Servers.clientOptions());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outcomes = new ArrayList<Future<RequestResult>>();
            for (var i = 0; i < requests; i++) {
                outcomes.add(threads.submit(() -> cluster.send(READ)));
            }
            for (var result : outcomes) {
                assertThat(result.get()).isInstanceOf(RequestResult.Done.class);
            }
            assertThat(server.protocols()).containsOnly("HTTP/2.0");
        }
    }

    @Test
    void watchesAndCallsShareOneConnection() throws Exception {
        var handlers = 60;
        var watches = new CountDownLatch(handlers);
        Http2Server.Script script =
                (target, body) -> {
                    if (target.contains("watch=true")) {
                        body.flush();
                        watches.countDown();
                        end.await();
                    } else {
                        write(body, list());
                    }
                };
        try (var server = new Http2Server(directory, DEFAULT_STREAMS, script);
                var cluster = server.cluster("127.0.0.1", "", Servers.clientOptions())) {
            for (var i = 0; i < handlers; i++) {
                cluster.watch(MAPS, "metadata.name=m" + i, new Blocked(new CountDownLatch(0)));
            }
            watches.await();
            assertThat(cluster.send(READ)).isInstanceOf(RequestResult.Done.class);
            assertThat(server.connections()).isEqualTo(1);
            end.countDown();
        }
    }

    @Test
    void slowReadersDoNotBlockOthers() throws Exception {
        var handlers = 4;
        var written = new AtomicLong();
        var event = event(100_000);
        Http2Server.Script script =
                (target, body) -> {
                    if (!target.contains("watch=true")) {
                        write(body, list());
                        return;
                    }
                    for (var i = 0; i < 400; i++) {
                        write(body, event);
                        written.addAndGet(event.length());
                    }
                };
        try (var server = new Http2Server(directory, DEFAULT_STREAMS, script);
                var cluster = server.cluster("127.0.0.1", "", Servers.clientOptions())) {
            for (var i = 0; i < handlers; i++) {
                cluster.watch(MAPS, "metadata.name=m" + i, new Blocked(end));
            }
            awaitFullWindows(written);
            assertThat(cluster.send(READ)).isInstanceOf(RequestResult.Done.class);
            assertThat(server.connections()).isEqualTo(1);
            end.countDown();
        }
    }

    /// Waits until the server cannot write more.
    private static void awaitFullWindows(AtomicLong written) throws InterruptedException {
        var before = -1L;
        while (written.get() == 0 || written.get() != before) {
            before = written.get();
            Thread.sleep(300);
        }
    }

    /// An event handler that blocks until it is released.
    private record Blocked(CountDownLatch mayRead) implements Cluster.EventHandler<JsonObject> {

        @Override
        public void replaceAll(Iterable<JsonObject> objects) {}

        @Override
        public void put(JsonObject object) {
            try {
                mayRead.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void remove(JsonObject object) {}
    }

    private static RequestResult result(Http2Server server, String host, String name)
            throws Exception {
        try (var cluster = server.cluster(host, name, Servers.clientOptions())) {
            return cluster.send(READ);
        }
    }

    private static String list() {
        return "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\","
                + "\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}";
    }

    private static String event(int bytes) {
        return "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\","
                + "\"resourceVersion\":\"6\"},\"data\":{\"k\":\"%s\"}}}\n"
                        .formatted("x".repeat(bytes));
    }

    private static void write(OutputStream body, String text) throws IOException {
        body.write(text.getBytes(StandardCharsets.UTF_8));
        body.flush();
    }
}
