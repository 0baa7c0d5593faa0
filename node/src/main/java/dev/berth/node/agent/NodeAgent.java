package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.model.certificate.NodeTrustNames;
import dev.berth.model.close.CloseStack;
import dev.berth.model.codec.Kinds;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.node.endpoint.NodeEndpoint;
import dev.berth.node.logs.LogRotation;
import dev.berth.node.pod.PodObservation.NodeFacts;
import dev.berth.node.pod.SecurityDefaults;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.socket.SocketServer;
import dev.berth.node.volume.VolumeMounter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Node agent: does the kubelet's work on a machine without one. It registers the Node, runs the
/// pods that are bound to it with the devices of their claims, and reports their status.
///
/// Containers keep running when the agent is closed or killed; the next agent finds them.
public final class NodeAgent implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeAgent.class);
    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);

    private final NodeAgentOptions options;
    private final ContainerRuntime runtime;
    private final ClaimPreparer claims;
    private final RuntimeStatusCache statusCache;
    private final VolumeMounter volumes;
    private final PluginWatcher plugins;
    private final NodeRegistration node;
    private final StaleSliceCleaner sliceCleaner;
    private final PodWorkers workers;
    private final CloseStack parts = new CloseStack();

    /// Starts the agent.
    ///
    /// @param runtime stays open when the agent is closed
    /// @throws IOException when the directory cannot be used; the message names the remedy
    public static NodeAgent start(
            NodeAgentOptions options, Cluster cluster, ContainerRuntime runtime)
            throws IOException {
        // Also tightens directories of earlier versions and other programs, which were open to all
        // users.
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
        var machine = MachineFacts.read(options.root());
        this.plugins = parts.push(new PluginWatcher(options.registry()));
        this.claims = new ClaimPreparer(cluster, plugins, options.root(), options.metrics());
        parts.push(claims.observe());
        this.statusCache = parts.push(new RuntimeStatusCache(runtime));
        this.volumes = new VolumeMounter(options.pods(), cluster, machine.capacity(), clock);
        var events = parts.push(new PodEventRecorder(cluster, options.name(), clock));
        var health = parts.push(new HealthWatcher(plugins, clock));
        var services =
                new PodServices(
                        cluster,
                        runtime,
                        statusCache,
                        claims,
                        volumes,
                        events,
                        new NodeFacts(List.of(options.address()), runtime.identity().name()),
                        options.logs(),
                        new SecurityDefaults(
                                options.seccompProfiles(),
                                options.containers().hasSeccompDefault()),
                        machine.capacity(),
                        pod ->
                                AllocatedResourcesStatus.statuses(
                                        claims.claimStates(), pod, health::of),
                        clock);
        this.workers = parts.push(new PodWorkers(services));
        parts.push(new LogRotation(runtime, statusCache::containers, options.containers().logs()));
        statusCache.onChange(workers::wake);
        health.onChange(workers::wakeAll);
        parts.push(
                SocketServer.start(
                        options.podResources().resolve("kubelet.sock"),
                        List.of(new PodResourcesService(workers::pods, claims::claimStates))));
        this.sliceCleaner =
                parts.push(new StaleSliceCleaner(cluster, options.name(), plugins, clock));
        var endpoint =
                options.endpoint()
                        .map(one ->
                                parts.push(
                                        NodeEndpoint.start(
                                                one, runtime, workers, options.metrics())));
        var object = object(machine, endpoint);
        this.node = parts.push(new NodeRegistration(cluster, object, this::problem, clock));
        parts.push(cluster.watch(PODS, "spec.nodeName=" + options.name(), workers));
    }

    private NodeObject object(MachineFacts machine, Optional<NodeEndpoint> endpoint) {
        return new NodeObject(
                options.name(),
                machine,
                options.address(),
                runtime.identity().toString(),
                endpoint.map(NodeEndpoint::port).orElse(0),
                options.labels(),
                endpoint.map(one ->
                                Map.of(
                                        NodeTrustNames.SERVING_CERTIFICATE,
                                        one.fingerprint().toString()))
                        .orElse(Map.of()));
    }

    private String problem() {
        var problem = statusCache.problem();
        return problem.isEmpty() ? "" : "the container runtime does not respond: " + problem;
    }

    public NodeAgentOptions options() {
        return options;
    }

    /// Waits until the Node is registered and slices of earlier drivers are deleted. Returns false
    /// on timeout.
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        return node.awaitRegistered(timeout) && sliceCleaner.awaitClean(timeout);
    }

    /// The current claim states.
    public NodeClaimStates claimStates() {
        return claims.claimStates();
    }

    /// The names of the registered drivers.
    public List<String> drivers() {
        return plugins.drivers().stream().sorted().toList();
    }

    /// Stops all pods on this machine, unprepares their claims and removes their volumes. Does not
    /// change the pods in the cluster: the next agent restarts those that still exist.
    public void stopPods() {
        workers.close();
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
            LOG.warn("not all pods could be stopped: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        parts.close(e -> LOG.warn("shutdown of the agent is incomplete: {}", e.getMessage()));
    }
}
