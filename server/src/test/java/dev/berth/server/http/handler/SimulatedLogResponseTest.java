package dev.berth.server.http.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.registry.ApiException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SimulatedLogResponseTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:05:00Z");
    private static final JsonObject POD =
            JsonObject.of("metadata", JsonObject.of("name", Json.of("p")))
                    .with("status", JsonObject.of("startTime", Json.of("2026-01-02T03:04:05Z")));

    @Test
    void linesAreFilteredByTheQuery() {
        assertThat(log(Map.of())).isEqualTo("a\nbb\nccc\n");
        assertThat(log(Map.of("tailLines", "2"))).isEqualTo("bb\nccc\n");
        assertThat(log(Map.of("tailLines", "0"))).isEmpty();
        assertThat(log(Map.of("limitBytes", "3"))).isEqualTo("a\nb");
        assertThat(log(Map.of("timestamps", "true", "tailLines", "1")))
                .isEqualTo("2026-01-02T03:04:05Z ccc\n");
    }

    @Test
    void linesHaveTheStartTimeOfThePod() {
        assertThat(log(Map.of("sinceSeconds", "54"))).isEmpty();
        assertThat(log(Map.of("sinceSeconds", "56"))).isNotEmpty();
        assertThat(log(Map.of("sinceTime", "2026-01-02T03:04:06Z"))).isEmpty();
        assertThat(log(Map.of("sinceTime", "2026-01-02T03:04:05Z"))).isNotEmpty();
    }

    @Test
    void logOfWaitingContainerIsRejected() {
        var reply = new SimulatedLogResponse(new RequestQuery(Map.of()), NOW);
        assertThatThrownBy(() -> reply.of(POD.without("status"), "c", "a"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(
                        "container \"c\" in pod \"p\" is waiting to start: ContainerCreating");
        assertThatThrownBy(() -> log(Map.of("previous", "true")))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("previous terminated container \"c\" in pod \"p\" not found");
    }

    private static String log(Map<String, String> query) {
        var values = new HashMap<String, List<String>>();
        query.forEach((name, value) -> values.put(name, List.of(value)));
        return new SimulatedLogResponse(new RequestQuery(values), NOW).of(POD, "c", "a\nbb\nccc\n");
    }
}
