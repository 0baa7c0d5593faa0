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

/// Tells the cluster how one pod is. Use it from one thread.
final class PodStatusWriter {

    private static final Logger LOG = LoggerFactory.getLogger(PodStatusWriter.class);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);

    private final Cluster cluster;
    private JsonObject lastSent = JsonObject.EMPTY;
    private JsonObject lastAnswer = JsonObject.EMPTY;
    private String lastRefusal = "";

    /// What came of telling.
    sealed interface Told {

        /// The cluster knows; the pod is as it was.
        record Known() implements Told {}

        /// The cluster knows, and this is the pod now.
        record Written(JsonObject pod) implements Told {}

        /// The cluster could not be told.
        record Unknown() implements Told {}

        /// The pod has changed meanwhile, so that what was decided may be wrong.
        record Outdated(JsonObject pod) implements Told {}

        /// There is no such pod any more.
        record Gone() implements Told {}
    }

    PodStatusWriter(Cluster cluster) {
        this.cluster = cluster;
    }

    Told tell(PodDefinition task, JsonObject status) {
        // A server that does not keep all of it is not told again and again.
        var isSame = status.equals(lastSent) && task.status().equals(lastAnswer);
        if (isSame || status.equals(task.status())) {
            return new Told.Known();
        }
        var outcome =
                cluster.send(
                        new Request.Update(
                                PODS,
                                task.ref().namespace(),
                                task.ref().name(),
                                "status",
                                task.tree().with("status", status)));
        return switch (outcome) {
            case RequestResult.Done(var written) -> {
                lastSent = status;
                lastAnswer = written.objectOrEmpty("status");
                yield isOf(task, written) ? new Told.Written(written) : new Told.Gone();
            }
            case RequestResult.Conflict _, RequestResult.Missing _ -> reread(task);
            case RequestResult.Refused refused -> {
                if (!refused.message().equals(lastRefusal)) {
                    LOG.warn("the status of pod {} is refused: {}", task, refused.message());
                }
                lastRefusal = refused.message();
                yield new Told.Unknown();
            }
            case RequestResult other -> {
                LOG.debug("status of pod {}: {}", task, other.message());
                yield new Told.Unknown();
            }
        };
    }

    private Told reread(PodDefinition task) {
        var outcome =
                cluster.send(new Request.Get(PODS, task.ref().namespace(), task.ref().name()));
        return switch (outcome) {
            case RequestResult.Done(var now) ->
                    isOf(task, now) ? new Told.Outdated(now) : new Told.Gone();
            case RequestResult.Missing _ -> new Told.Gone();
            case RequestResult _ -> new Told.Unknown();
        };
    }

    /// Another pod may have the same name now.
    private static boolean isOf(PodDefinition task, JsonObject pod) {
        return pod.objectOrEmpty("metadata").text("uid").equals(task.uid().value());
    }
}
