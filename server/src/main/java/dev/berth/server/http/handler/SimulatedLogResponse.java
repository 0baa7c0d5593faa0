package dev.berth.server.http.handler;

import dev.berth.model.json.JsonObject;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.registry.ApiError;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/// The log of a container on a simulated node, filtered by the query. All lines have the start time
/// of the container.
record SimulatedLogResponse(RequestQuery query, Instant now) {

    String of(JsonObject pod, String container, String text) {
        var name = pod.objectOrEmpty("metadata").text("name");
        if (query.flag("previous")) {
            throw ApiError.badRequest(
                            "previous terminated container \"%s\" in pod \"%s\" not found"
                                    .formatted(container, name))
                    .exception();
        }
        var started = startedAt(pod);
        if (started.isEmpty()) {
            throw ApiError.badRequest(
                            "container \"%s\" in pod \"%s\" is waiting to start: ContainerCreating"
                                    .formatted(container, name))
                    .exception();
        }
        if (since().filter(since -> started.get().isBefore(since)).isPresent()) {
            return "";
        }
        var lines = text.lines().toList();
        var tail = query.number("tailLines").orElse(lines.size());
        var result = new StringBuilder();
        for (var line : last(lines, tail)) {
            result.append(query.flag("timestamps") ? started.get() + " " : "");
            result.append(line).append('\n');
        }
        return limited(result.toString());
    }

    private static List<String> last(List<String> lines, long count) {
        return lines.subList((int) Math.max(0, lines.size() - count), lines.size());
    }

    private String limited(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var limit = query.number("limitBytes").orElse(bytes.length);
        return limit >= bytes.length
                ? text
                : new String(bytes, 0, Math.toIntExact(limit), StandardCharsets.UTF_8);
    }

    /// The start of the pod, which is that of its containers; empty before it.
    private static Optional<Instant> startedAt(JsonObject pod) {
        return pod.objectOrEmpty("status").string("startTime").flatMap(SimulatedLogResponse::time);
    }

    private Optional<Instant> since() {
        var seconds = query.number("sinceSeconds");
        return seconds.isPresent()
                ? Optional.of(now.minusSeconds(seconds.getAsLong()))
                : time(query.text("sinceTime"));
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
