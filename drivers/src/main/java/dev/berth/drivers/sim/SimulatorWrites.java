package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes of the simulator to the cluster, and when to retry those that failed.
final class SimulatorWrites {

    static final Duration LONG_BACKOFF = Duration.ofSeconds(10);

    private static final Duration SHORT_BACKOFF = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(SimulatorWrites.class);

    private final Cluster cluster;

    SimulatorWrites(Cluster cluster) {
        this.cluster = cluster;
    }

    RequestResult patch(
            ResourcePath address,
            String namespace,
            String name,
            String subresource,
            Request.PatchType style,
            JsonObject change) {
        return cluster.send(
                new Request.Patch(address, namespace, name, subresource, style, change));
    }

    /// Deletes an object without a grace period; returns when to retry if that failed.
    Optional<Instant> delete(ResourcePath address, JsonObject object, Instant now) {
        var ref = JsonMetadata.ref(object);
        var outcome =
                cluster.send(
                        new Request.Delete(
                                address,
                                ref.namespace(),
                                ref.name(),
                                Optional.of(JsonMetadata.uid(object)),
                                OptionalLong.of(0)));
        return outcome.isDone() ? Optional.empty() : retry(outcome, ref.toString(), now);
    }

    /// Caches the object in the response; returns when to retry if the write failed.
    static Optional<Instant> retryOrCache(
            RequestResult outcome, ObjectCache<JsonObject> cache, Instant now) {
        if (outcome instanceof RequestResult.Done(var object)) {
            cache.putWritten(object);
            return Optional.empty();
        }
        return retry(outcome, "write", now);
    }

    static Optional<Instant> retryTime(Optional<RequestResult> failure, String what, Instant now) {
        return failure.flatMap(outcome -> retry(outcome, what, now));
    }

    private static Optional<Instant> retry(RequestResult outcome, String what, Instant now) {
        return switch (outcome) {
            // The watch reports the deletion; no retry is needed.
            case RequestResult.Done _, RequestResult.Missing _ -> Optional.empty();
            case RequestResult.Conflict _, RequestResult.Exists _, RequestResult.Unavailable _ ->
                    Optional.of(now.plus(SHORT_BACKOFF));
            case RequestResult.Refused rejected -> {
                LOG.warn("{}: rejected by the API server: {}", what, rejected.message());
                yield Optional.of(now.plus(LONG_BACKOFF));
            }
        };
    }
}
