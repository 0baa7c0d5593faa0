package dev.berth.client.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.Kind;
import dev.berth.model.event.Event;
import dev.berth.model.event.EventSource;
import dev.berth.model.event.EventType;
import dev.berth.model.event.InvolvedObject;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Requests of the recorder, with a cluster that answers as the test says.
class EventRecorderTest {

    private static final Instant START = Instant.parse("2026-11-18T12:00:00.123456789Z");
    private static final EventSource SOURCE = EventSource.controller("job-controller");

    /// A cluster that records requests.
    private static final class AnsweringCluster implements Cluster {

        private final List<Request> sent = new ArrayList<>();
        private Function<Request, RequestResult> answer =
                _ -> new RequestResult.Done(JsonObject.EMPTY);

        @Override
        public RequestResult send(Request request) {
            sent.add(request);
            return answer.apply(request);
        }

        @Override
        public <T extends KubernetesObject> Subscription watch(
                Kind<T> kind, String selector, EventHandler<T> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription watch(
                ResourcePath path, String selector, EventHandler<JsonObject> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private final AnsweringCluster cluster = new AnsweringCluster();
    private final EventRecorder recorder = new EventRecorder(cluster);
    private Instant now = START;

    private static InvolvedObject job(String name) {
        return new InvolvedObject("batch/v1", "Job", "team", name, name + "-uid", "12", "");
    }

    private void record(String job, String message) {
        recorder.record(Event.warning(SOURCE, job(job), "FailedCreate", message));
    }

    private void writeAll() {
        while (recorder.step(now)) {
            assertThat(cluster.sent.size()).isLessThan(100_000);
        }
    }

    private static String body(Request request) {
        return switch (request) {
            case Request.Create create ->
                    create.address().path(create.namespace(), "", "")
                            + " "
                            + JsonWriter.compact(create.object());
            case Request.Patch patch ->
                    patch.address().path(patch.namespace(), patch.name(), "")
                            + " "
                            + JsonWriter.compact(patch.patch());
            case Request other -> throw new AssertionError(other);
        };
    }

    @Test
    void eventIsCreatedAndItsRepetitionPatched() {
        record("j", "no quota");
        writeAll();
        now = now.plusSeconds(7);
        record("j", "no quota");
        writeAll();

        assertThat(cluster.sent.stream().map(EventRecorderTest::body))
                .containsExactly(
                        "/api/v1/namespaces/team/events {\"apiVersion\":\"v1\",\"kind\":\"Event\","
                            + "\"metadata\":{\"name\":\"j.18e921e6720c4d15\","
                            + "\"namespace\":\"team\"},"
                            + "\"involvedObject\":{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\","
                            + "\"name\":\"j\",\"uid\":\"j-uid\",\"namespace\":\"team\","
                            + "\"resourceVersion\":\"12\"},"
                            + "\"type\":\"Warning\",\"reason\":\"FailedCreate\",\"message\":\"no"
                            + " quota\",\"source\":{\"component\":\"job-controller\"},"
                            + "\"reportingComponent\":\"job-controller\","
                            + "\"reportingInstance\":\"\","
                            + "\"firstTimestamp\":\"2026-11-18T12:00:00Z\","
                            + "\"lastTimestamp\":\"2026-11-18T12:00:00Z\",\"count\":1}",
                        "/api/v1/namespaces/team/events/j.18e921e6720c4d15 "
                                + "{\"count\":2,\"lastTimestamp\":\"2026-11-18T12:00:07Z\"}");
        assertThat(recorder.statistics()).isEqualTo(new EventRecorder.Statistics(2, 0, 0));
    }

    @Test
    void schedulerEventIsASeriesOfTheOtherApi() {
        var source = EventSource.scheduler("default-scheduler", "default-scheduler-1");
        var pod = new InvolvedObject("v1", "Pod", "team", "p", "p-uid", "3", "");
        var event =
                new Event(
                        source,
                        pod,
                        EventType.WARNING,
                        "FailedScheduling",
                        "Scheduling",
                        "0/1 nodes are available");
        recorder.record(event);
        recorder.record(event);
        writeAll();

        assertThat(cluster.sent.stream().map(EventRecorderTest::body))
                .containsExactly(
                        "/apis/events.k8s.io/v1/namespaces/team/events "
                                + "{\"apiVersion\":\"events.k8s.io/v1\",\"kind\":\"Event\","
                                + "\"metadata\":{\"name\":\"p.18e921e6720c4d15\","
                                + "\"namespace\":\"team\"},"
                                + "\"regarding\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\","
                                + "\"name\":\"p\",\"uid\":\"p-uid\",\"namespace\":\"team\","
                                + "\"resourceVersion\":\"3\"},"
                                + "\"type\":\"Warning\",\"reason\":\"FailedScheduling\","
                                + "\"action\":\"Scheduling\","
                                + "\"note\":\"0/1 nodes are available\","
                                + "\"reportingController\":\"default-scheduler\","
                                + "\"reportingInstance\":\"default-scheduler-1\","
                                + "\"eventTime\":\"2026-11-18T12:00:00.123456Z\"}",
                        "/apis/events.k8s.io/v1/namespaces/team/events/p.18e921e6720c4d15 "
                                + "{\"series\":{\"count\":2,"
                                + "\"lastObservedTime\":\"2026-11-18T12:00:00.123456Z\"}}");
    }

    @Test
    void deletedEventIsCreatedAgainWithItsCount() {
        record("j", "no quota");
        writeAll();
        cluster.answer =
                request ->
                        request instanceof Request.Patch
                                ? new RequestResult.Missing("gone")
                                : new RequestResult.Done(JsonObject.EMPTY);
        record("j", "no quota");
        writeAll();

        assertThat(cluster.sent).hasSize(3);
        assertThat(body(cluster.sent.getLast())).contains("\"count\":2");
    }

    @Test
    void unavailableServerIsTriedTwelveTimesEveryTenSeconds() {
        cluster.answer = _ -> new RequestResult.Unavailable("connection refused");
        record("j", "first");
        record("j", "second");
        writeAll();
        assertThat(cluster.sent).hasSize(1);
        assertThat(recorder.nextDue()).contains(START.plusSeconds(10));
        for (var i = 1; i < 12; i++) {
            now = now.plusSeconds(10);
            writeAll();
        }
        assertThat(recorder.statistics().lost()).isEqualTo(1);
        assertThat(cluster.sent).hasSize(13);

        cluster.answer = _ -> new RequestResult.Done(JsonObject.EMPTY);
        now = now.plusSeconds(10);
        writeAll();
        assertThat(body(cluster.sent.getLast())).contains("\"message\":\"second\"");
        assertThat(recorder.statistics()).isEqualTo(new EventRecorder.Statistics(1, 0, 1));
    }

    @Test
    void eventsOfOtherObjectsDoNotWaitForARetry() {
        cluster.answer =
                request ->
                        body(request).contains("\"name\":\"a\"")
                                ? new RequestResult.Unavailable("timeout")
                                : new RequestResult.Done(JsonObject.EMPTY);
        record("a", "x");
        record("b", "x");
        writeAll();
        assertThat(recorder.statistics().written()).isEqualTo(1);
    }

    @Test
    void refusedEventIsLost() {
        cluster.answer = _ -> new RequestResult.Refused(403, "Forbidden", "no");
        record("j", "x");
        writeAll();
        assertThat(cluster.sent).hasSize(1);
        assertThat(recorder.statistics()).isEqualTo(new EventRecorder.Statistics(0, 0, 1));
        assertThat(recorder.nextDue()).isEmpty();
    }

    @Test
    void fullQueueLosesNewEventsAndCountsThem() {
        for (var i = 0; i < EventRecorder.MAX_QUEUED + 5; i++) {
            record("j" + i, "x");
        }
        writeAll();
        assertThat(cluster.sent).hasSize(EventRecorder.MAX_QUEUED);
        assertThat(recorder.statistics().lost()).isEqualTo(5);
    }

    @Test
    void filteredEventsAreCounted() {
        for (var i = 0; i < 30; i++) {
            record("j", "x");
        }
        writeAll();
        assertThat(recorder.statistics()).isEqualTo(new EventRecorder.Statistics(25, 5, 0));
    }

    @Test
    void furtherOccurrencesOfASeriesAreWrittenLater() {
        var source = EventSource.scheduler("s", "s-1");
        var pod = new InvolvedObject("v1", "Pod", "team", "p", "p-uid", "3", "");
        var event = new Event(source, pod, EventType.WARNING, "FailedScheduling", "Scheduling", "");
        for (var i = 0; i < 5; i++) {
            recorder.record(event);
        }
        writeAll();
        assertThat(cluster.sent).hasSize(2);
        assertThat(recorder.nextDue()).contains(now.plus(Duration.ofMinutes(6)));
        now = now.plus(Duration.ofMinutes(6));
        writeAll();
        assertThat(body(cluster.sent.getLast())).contains("{\"series\":{\"count\":5,");
    }
}
