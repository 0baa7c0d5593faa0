package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.PodDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the status of one pod to the API server. Not thread-safe.
final class PodStatusWriter {

    private static final Logger LOG = LoggerFactory.getLogger(PodStatusWriter.class);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    private final Cluster cluster;
    private JsonObject lastSent = JsonObject.EMPTY;
    private JsonObject lastResponse = JsonObject.EMPTY;
    private String lastRefusal = "";

    /// Result of a status write.
    sealed interface WriteResult {

        /// The API server has this status already.
        record Unchanged() implements WriteResult {}

        /// The status was written, and this is the pod now.
        record Written(JsonObject pod) implements WriteResult {}

        /// The status could not be written.
        record Failed() implements WriteResult {}

        /// The pod has changed meanwhile, so the decision may be outdated.
        record Outdated(JsonObject pod) implements WriteResult {}

        /// The pod was deleted.
        record Gone() implements WriteResult {}
    }

    PodStatusWriter(Cluster cluster) {
        this.cluster = cluster;
    }

    WriteResult write(PodDefinition definition, JsonObject status) {
        // Not written again for a server that drops some of its fields.
        var isSame = status.equals(lastSent) && definition.status().equals(lastResponse);
        if (isSame || status.equals(definition.status())) {
            return new WriteResult.Unchanged();
        }
        var outcome =
                cluster.send(
                        new Request.Update(
                                PODS,
                                definition.ref().namespace(),
                                definition.ref().name(),
                                "status",
                                definition.tree().with("status", status)));
        return switch (outcome) {
            case RequestResult.Done(var written) -> {
                lastSent = status;
                lastResponse = written.objectOrEmpty("status");
                yield isOf(definition, written)
                        ? new WriteResult.Written(written)
                        : new WriteResult.Gone();
            }
            case RequestResult.Conflict _, RequestResult.Missing _ -> reread(definition);
            case RequestResult.Refused refused -> {
                if (!refused.message().equals(lastRefusal)) {
                    LOG.warn(
                            "the API server rejects the status of pod {}: {}",
                            definition,
                            refused.message());
                }
                lastRefusal = refused.message();
                yield new WriteResult.Failed();
            }
            case RequestResult other -> {
                LOG.debug("status of pod {}: {}", definition, other.message());
                yield new WriteResult.Failed();
            }
        };
    }

    private WriteResult reread(PodDefinition definition) {
        var outcome =
                cluster.send(
                        new Request.Get(
                                PODS, definition.ref().namespace(), definition.ref().name()));
        return switch (outcome) {
            case RequestResult.Done(var now) ->
                    isOf(definition, now) ? new WriteResult.Outdated(now) : new WriteResult.Gone();
            case RequestResult.Missing _ -> new WriteResult.Gone();
            case RequestResult _ -> new WriteResult.Failed();
        };
    }

    /// False if another pod has the same name now.
    private static boolean isOf(PodDefinition definition, JsonObject pod) {
        return pod.objectOrEmpty("metadata").text("uid").equals(definition.uid().value());
    }
}
