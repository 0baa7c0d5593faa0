package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.certificate.NodeTrustNames;
import dev.berth.model.codec.Kinds;
import dev.berth.node.endpoint.NodeEndpoint;
import dev.berth.node.file.PrivateDirectory;
import dev.berth.node.logs.LogRotation;
import dev.berth.node.pod.PodObservation.NodeFacts;
import dev.berth.node.pod.SecurityDefaults;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.socket.SocketServer;
import dev.berth.node.volume.VolumeMounter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a kubelet does, on a machine without one: keeps the Node, runs the pods that are bound to
/// it with the devices of their claims, and tells how they are.
///
/// What runs goes on when it is closed or killed; the next one finds it again.
public final class NodeAgent implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final NodeAgentOptions options;
    private final ContainerRuntime runtime;
    private final ClaimPreparer claims;
    private final RuntimeStatusCache view;
    private final VolumeMounter volumes;
    private final PluginWatcher plugins;
    private final NodeRegistration node;
    private final StaleSliceCleaner wiper;
    private final PodWorkers keeper;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /// Starts.
    ///
    /// @param runtime stays open when the agent is closed
    /// @throws IOException when the directory cannot be used, with what to do
    public static NodeAgent start(
            NodeAgentOptions options, Cluster cluster, ContainerRuntime runtime)
            throws IOException {
        // Also those of earlier versions and of other programs, which were open to all users.
        for (var directory :
                List.of(
                        options.root(),
                        options.registry(),
                        options.plugins(),
                        options.pods(),
                        options.logs(),
                        options.podResources())) {
            PrivateDirectory.make(directory);
        }
        return new NodeAgent(options, cluster, runtime);
    }

    private NodeAgent(NodeAgentOptions options, Cluster cluster, ContainerRuntime runtime)
            throws IOException {
        this.options = options;
        this.runtime = runtime;
        var clock = options.clock();
        var machine = MachineFacts.look(options.root());
        this.plugins = open(new PluginWatcher(options.registry()));
        this.claims = new ClaimPreparer(cluster, plugins, options.root());
        this.view = open(new RuntimeStatusCache(runtime));
        this.volumes = new VolumeMounter(options.pods(), cluster, machine.capacity(), clock);
        var events = open(new PodEventRecorder(cluster, options.name(), clock));
        var health = open(new HealthWatcher(plugins, clock));
        var shop =
                new PodServices(
                        cluster,
                        runtime,
                        view,
                        claims,
                        volumes,
                        events,
                        new NodeFacts(List.of(options.address()), runtime.identity().name()),
                        options.logs(),
                        new SecurityDefaults(
                                options.seccompProfiles(),
                                options.containers().hasSeccompDefault()),
                        machine.capacity(),
                        pod -> AllocatedResourcesStatus.statuses(claims.held(), pod, health::of),
                        clock);
        this.keeper = open(new PodWorkers(shop));
        open(
                new LogRotation(
                        runtime,
                        () ->
                                view.last()
                                        .map(RuntimeStatusCache.Snapshot::containers)
                                        .orElse(List.of()),
                        options.containers().logs()));
        view.onChange(keeper::wake);
        health.onChange(keeper::wakeAll);
        open(
                SocketServer.start(
                        options.podResources().resolve("kubelet.sock"),
                        List.of(new PodResourcesService(keeper::pods, claims::held))));
        this.wiper = open(new StaleSliceCleaner(cluster, options.name(), plugins, clock));
        var door =
                options.door()
                        .map(settings ->
                                open(
                                        NodeEndpoint.start(
                                                settings, runtime, keeper, claims::metrics)));
        var object = object(machine, door);
        this.node = open(new NodeRegistration(cluster, object, this::problem, clock));
        open(cluster.watch(PODS, "spec.nodeName=" + options.name(), keeper));
    }

    private NodeObject object(MachineFacts machine, Optional<NodeEndpoint> door) {
        return new NodeObject(
                options.name(),
                machine,
                options.address(),
                runtime.identity().toString(),
                door.map(NodeEndpoint::port).orElse(0),
                options.labels(),
                door.map(one ->
                                Map.of(
                                        NodeTrustNames.SERVING_CERTIFICATE,
                                        one.fingerprint().toString()))
                        .orElse(Map.of()));
    }

    private <T extends AutoCloseable> T open(T part) {
        parts.push(part);
        return part;
    }

    private String problem() {
        var problem = view.problem();
        return problem.isEmpty() ? "" : "the container runtime does not answer: " + problem;
    }

    public NodeAgentOptions options() {
        return options;
    }

    /// Waits until the cluster has the Node, and nothing that earlier drivers have published for
    /// it; false when that takes longer.
    public boolean awaitReady(Duration patience) throws InterruptedException {
        return node.awaitRegistered(patience) && wiper.awaitClean(patience);
    }

    /// The claims that are held now.
    public NodeClaimStates held() {
        return claims.held();
    }

    /// The names of the drivers that have registered.
    public List<String> drivers() {
        return plugins.drivers().stream().sorted().toList();
    }

    /// Ends all pods on this machine and gives back what they had. The cluster is not told: the
    /// next agent starts those again that are still wanted.
    public void stopPods() {
        keeper.close();
        try {
            for (var container : runtime.containers()) {
                runtime.stopContainer(container.id(), STOP_GRACE);
            }
            for (var sandbox : runtime.sandboxes()) {
                runtime.removeSandbox(sandbox.id());
                var problem = claims.unprepare(sandbox.uid());
                problem.ifPresent(text -> LOG.warn("pod {}: {}", sandbox.pod(), text));
                volumes.remove(sandbox.uid());
            }
        } catch (RuntimeFailure | IOException e) {
            LOG.warn("not all pods could be ended: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                LOG.warn("a part of the agent did not end: {}", e.getMessage());
            }
        }
    }
}
