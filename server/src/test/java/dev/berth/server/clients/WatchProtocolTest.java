package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Watches over HTTP. Each test has a namespace of its own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WatchProtocolTest {

    private final AtomicInteger count = new AtomicInteger();
    private ApiServer server;
    private Http http;
    private String maps = "";

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
    void namespace() throws InterruptedException {
        var name = "ns" + count.incrementAndGet();
        http.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
        maps = "/api/v1/namespaces/%s/configmaps".formatted(name);
        // The ConfigMap that every namespace gets would be among the events.
        Eventually.holds(() -> http.get(maps).names().contains("kube-root-ca.crt"));
    }

    private Http.Response make(String name) {
        return http.post(
                maps,
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"my\":\"yes\"}}}".formatted(name));
    }

    private String revision() {
        return http.get(maps).metadata().text("resourceVersion");
    }

    @Test
    void watchContinuesFromTheRevisionOfAList() {
        make("before");
        var revision = revision();
        make("after");
        try (var events = http.watch(maps + "?watch=1&resourceVersion=" + revision)) {
            assertThat(events.code()).isEqualTo(200);
            assertThat(events.next()).isEqualTo("ADDED after");
            http.patch(maps + "/before", "merge", "{\"data\":{\"a\":\"b\"}}");
            assertThat(events.next()).isEqualTo("MODIFIED before");
            http.delete(maps + "/after", "");
            var last = events.nextEvent();
            assertThat(last.text("type")).isEqualTo("DELETED");
            var told = last.objectOrEmpty("object").objectOrEmpty("metadata");
            assertThat(told.text("resourceVersion")).isEqualTo(revision());
        }
    }

    @Test
    void watchWithoutRevisionStartsWithExistingObjects() {
        make("there");
        try (var events = http.watch(maps + "?watch=true&labelSelector=my")) {
            assertThat(events.next()).isEqualTo("ADDED there");
            make("new");
            assertThat(events.next()).isEqualTo("ADDED new");
        }
        try (var events = http.watch("/api/v1/watch" + maps.substring(7) + "/there")) {
            assertThat(events.next()).isEqualTo("ADDED there");
        }
    }

    @Test
    void objectThatNoLongerMatchesIsReportedDeleted() {
        make("one");
        try (var events = http.watch(maps + "?watch=1&labelSelector=my%3Dyes")) {
            assertThat(events.next()).isEqualTo("ADDED one");
            http.patch(maps + "/one", "merge", "{\"metadata\":{\"labels\":{\"my\":\"no\"}}}");
            var gone = events.nextEvent();
            assertThat(gone.text("type")).isEqualTo("DELETED");
            var metadata = gone.objectOrEmpty("object").objectOrEmpty("metadata");
            assertThat(metadata.objectOrEmpty("labels").text("my")).isEqualTo("yes");
            http.patch(maps + "/one", "merge", "{\"metadata\":{\"labels\":{\"my\":\"yes\"}}}");
            assertThat(events.next()).isEqualTo("ADDED one");
        }
    }

    @Test
    void initialEventsEndWithABookmark() {
        make("one");
        var query =
                "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true&labelSelector=my";
        for (var from : new String[] {"", "&resourceVersion=0", "&resourceVersion=1"}) {
            try (var events = http.watch(maps + query + from)) {
                assertThat(events.code()).isEqualTo(200);
                assertThat(events.next()).isEqualTo("ADDED one");
                var mark = events.nextEvent();
                assertThat(mark.text("type")).isEqualTo("BOOKMARK");
                var metadata = mark.objectOrEmpty("object").objectOrEmpty("metadata");
                assertThat(metadata.objectOrEmpty("annotations").text("k8s.io/initial-events-end"))
                        .isEqualTo("true");
                assertThat(metadata.text("resourceVersion")).isEqualTo(revision());
            }
        }
        assertThat(http.get(maps + "?watch=1&sendInitialEvents=true").code()).isEqualTo(422);
        assertThat(http.get(maps + "?watch=1&resourceVersionMatch=Exact").code()).isEqualTo(422);
    }

    @Test
    void watchEndsWithABookmarkAfterItsTimeout() {
        var path = maps + "?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=";
        try (var events = http.watch(path + revision())) {
            assertThat(events.nextEvent().text("type")).isEqualTo("BOOKMARK");
            assertThat(events.next()).isEqualTo("end");
        }
    }

    @Test
    void compactedRevisionIsExpired() {
        var old = revision();
        make("one");
        make("two");
        server.registry().store().compact(server.registry().store().revision());
        try (var events = http.watch(maps + "?watch=1&resourceVersion=" + old)) {
            var error = events.nextEvent();
            assertThat(error.text("type")).isEqualTo("ERROR");
            var status = error.objectOrEmpty("object");
            assertThat(status.number("code")).hasValue(410);
            assertThat(status.text("reason")).isEqualTo("Expired");
            assertThat(events.next()).isEqualTo("end");
        }
        var exact = maps + "?resourceVersionMatch=Exact&resourceVersion=";
        assertThat(http.get(exact + old).code()).isEqualTo(410);
    }

    @Test
    void continueTokenOfCompactedRevisionIsExpired() {
        make("one");
        make("two");
        var next = http.get(maps + "?limit=1").metadata().text("continue");
        assertThat(next).isNotEmpty();
        make("three");
        assertThat(http.get(maps + "?limit=5&continue=" + next).names())
                .containsExactly("one", "two");
        server.registry().store().compact(server.registry().store().revision());
        var response = http.get(maps + "?limit=5&continue=" + next);
        assertThat(response.code()).isEqualTo(410);
        assertThat(response.json().text("reason")).isEqualTo("Expired");
    }

    @Test
    void tablesAreWatchedRowByRow() {
        make("one");
        var request =
                http.request(
                        "GET",
                        maps + "?watch=1&timeoutSeconds=1&labelSelector=my",
                        "",
                        "Accept",
                        "application/json;as=Table;v=v1;g=meta.k8s.io");
        var text =
                http.client()
                        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
                        .join()
                        .body();
        var row = Http.parsed(text.lines().findFirst().orElse("")).objectOrEmpty("object");
        assertThat(row.text("kind")).isEqualTo("Table");
        assertThat(row.objects("columnDefinitions")).isNotEmpty();
        assertThat(row.objects("rows")).hasSize(1);
    }

    @Test
    void webSocketsCarryTheSameEvents() throws InterruptedException {
        make("one");
        var messages = new LinkedBlockingQueue<String>();
        var address = http.uri(maps).toString().replace("https:", "wss:");
        var socket =
                http.client()
                        .newWebSocketBuilder()
                        .buildAsync(
                                URI.create(address + "?watch=1&labelSelector=my"),
                                new Collector(messages))
                        .join();
        assertThat(Http.parsed(taken(messages)).text("type")).isEqualTo("ADDED");
        http.delete(maps + "/one", "");
        assertThat(Http.parsed(taken(messages)).text("type")).isEqualTo("DELETED");
        socket.abort();
    }

    private static String taken(BlockingQueue<String> messages) throws InterruptedException {
        var message = messages.poll(20, TimeUnit.SECONDS);
        return message == null ? "nothing came" : message;
    }

    /// Puts complete messages into a queue.
    private record Collector(BlockingQueue<String> messages, StringBuilder part)
            implements WebSocket.Listener {

        private Collector(BlockingQueue<String> messages) {
            this(messages, new StringBuilder());
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                messages.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
