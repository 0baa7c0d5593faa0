package dev.berth.app.up;

import dev.berth.app.node.LocalNode;
import dev.berth.app.node.NodeOptions;
import dev.berth.app.node.NodeSetupException;
import dev.berth.drivers.local.LocalClasses;
import dev.berth.drivers.sim.StandardClasses;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.node.agent.NodeAgentOptions;
import dev.berth.node.endpoint.EndpointOptions;
import dev.berth.server.access.User;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/// This machine as a node of a cluster in the same process.
final class InProcessNode {

    private static final String MANAGER = "berth-node";

    /// Address of the node endpoint: only the server in this process connects to it.
    private static final String ADDRESS = "127.0.0.1";

    private InProcessNode() {}

    /// Starts the node.
    ///
    /// @param directory data directory of the cluster
    static LocalNode start(
            EmbeddedBerth cluster, Path directory, NodeOptions flags, CommandLine command)
            throws NodeSetupException, InterruptedException {
        var server = cluster.server();
        var root = directory.toAbsolutePath().resolve("node");
        var options =
                NodeAgentOptions.of(root)
                        .withAddress(ADDRESS)
                        .withMetrics(cluster.metrics())
                        .withEndpoint(
                                EndpointOptions.local(
                                        root.resolve("door"),
                                        List.of(server.authority().certificate())));
        var user = User.of("system:node:" + options.name(), "system:nodes");
        var drivers = cluster.cluster("berth-drivers");
        LocalClasses.create(drivers);
        var settings = flags.settings(command, options);
        StandardClasses.createFor(drivers, settings.simulated().stream().toList());
        return LocalNode.start(settings, new EmbeddedCluster(server, user, MANAGER), drivers);
    }
}
