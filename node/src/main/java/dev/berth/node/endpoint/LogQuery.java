package dev.berth.node.endpoint;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;

/// Parameters of a log request.
///
/// @param isFollowed true to continue until the container terminates
/// @param isPrevious true for the container before this one
/// @param hasTimes true to begin each line with its timestamp
record LogQuery(
        boolean isFollowed,
        boolean isPrevious,
        boolean hasTimes,
        Optional<Instant> since,
        OptionalLong tailLines,
        OptionalLong limitBytes) {

    static LogQuery of(EndpointQuery query, Instant now) throws EndpointError {
        return new LogQuery(
                query.flag("follow"),
                query.flag("previous"),
                query.flag("timestamps"),
                since(query, now),
                query.number("tailLines"),
                query.number("limitBytes"));
    }

    private static Optional<Instant> since(EndpointQuery query, Instant now) throws EndpointError {
        var seconds = query.number("sinceSeconds");
        if (seconds.isPresent()) {
            return Optional.of(now.minusSeconds(seconds.getAsLong()));
        }
        var text = query.text("sinceTime");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            throw query.invalid("sinceTime", "a time such as 2026-01-02T15:04:05Z");
        }
    }
}
