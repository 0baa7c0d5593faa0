package dev.berth.client.leaderelection;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// The fields of a Lease that leader election uses.
///
/// @param holder identity of the leader; empty when the lease was released
/// @param transitions how often the holder has changed
public record LeaderLease(
        String holder,
        Duration duration,
        Optional<Instant> acquired,
        Optional<Instant> renewed,
        long transitions) {

    /// MicroTime of Kubernetes.
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    public boolean isReleased() {
        return holder.isEmpty();
    }

    static LeaderLease read(JsonObject lease) {
        var spec = lease.objectOrEmpty("spec");
        return new LeaderLease(
                spec.text("holderIdentity"),
                Duration.ofSeconds(spec.number("leaseDurationSeconds").orElse(0)),
                time(spec.text("acquireTime")),
                time(spec.text("renewTime")),
                spec.number("leaseTransitions").orElse(0));
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

    /// The lease with its spec replaced by these values.
    JsonObject writeInto(JsonObject lease) {
        var spec =
                lease.objectOrEmpty("spec")
                        .with("holderIdentity", Json.of(holder))
                        .with("leaseDurationSeconds", Json.of(Math.max(1, duration.toSeconds())))
                        .with("leaseTransitions", Json.of(transitions));
        spec = acquired.isPresent() ? spec.with("acquireTime", text(acquired.get())) : spec;
        spec = renewed.isPresent() ? spec.with("renewTime", text(renewed.get())) : spec;
        return lease.with("spec", spec);
    }

    private static Json text(Instant time) {
        return Json.of(MICROS.format(time));
    }
}
