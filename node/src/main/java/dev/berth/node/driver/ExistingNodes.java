package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import java.util.Optional;

/// The names of the Nodes of a cluster, for an error message.
final class ExistingNodes {

    private static final int MAX_NAMES = 10;

    private ExistingNodes() {}

    /// The first names in alphabetical order, or nothing when there are no Nodes or they may not be
    /// listed.
    static Optional<String> of(Cluster cluster) {
        var outcome = cluster.send(new Request.Get(ResourcePath.of(Kinds.NODE), "", ""));
        if (!(outcome instanceof RequestResult.Done(var list)) || list.objects("items").isEmpty()) {
            return Optional.empty();
        }
        var names =
                list.objects("items").stream()
                        .map(node -> node.objectOrEmpty("metadata").text("name"))
                        .sorted()
                        .toList();
        var shown = String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())));
        return Optional.of(
                names.size() <= MAX_NAMES
                        ? shown
                        : "%s (and %d more)".formatted(shown, names.size() - MAX_NAMES));
    }
}
