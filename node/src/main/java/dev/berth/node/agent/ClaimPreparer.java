package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.metrics.CallbackMetric;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.Container;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.node.agent.NodeClaimState.Phase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Prepares the claims of a pod before it starts, and unprepares them after it has terminated.
///
/// The claim states are written to disk before drivers are called. After a crash everything that a
/// driver may have done is therefore known and can be undone. Both operations are idempotent and
/// can be repeated until they succeed.
public final class ClaimPreparer {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final Cluster cluster;
    private final PluginWatcher plugins;
    private final ClaimStateFile file;
    private final Codec codec = new Codec();
    private final DraMetrics metrics;

    // Guards the state and its file; not held while drivers are called.
    private final ReentrantLock lock = new ReentrantLock();
    private NodeClaimStates claimStates;

    /// Continues from the claim state file.
    ///
    /// @param root the kubelet's directory
    /// @param metrics registry of the process
    /// @throws IOException when the file cannot be read; the message names the remedy
    public ClaimPreparer(Cluster cluster, PluginWatcher plugins, Path root, MetricsRegistry metrics)
            throws IOException {
        this.cluster = cluster;
        this.metrics = new DraMetrics(metrics);
        this.plugins = plugins;
        this.file = new ClaimStateFile(root);
        this.claimStates = file.read();
    }

    /// The current claim states.
    public NodeClaimStates claimStates() {
        lock.lock();
        try {
            return claimStates;
        } finally {
            lock.unlock();
        }
    }

    /// The CDI device IDs of a container whose pod is prepared.
    public List<String> devices(Pod pod, Container container) {
        return ContainerDevices.ids(claimStates(), pod, container);
    }

    /// Counts the claims in use when metrics are read, until the result is closed.
    CallbackMetric.Registration observe() {
        return metrics.observe(this::claimStates);
    }

    /// Prepares all claims of a pod. Returns the error, if it failed.
    public Optional<String> prepare(Pod pod) throws IOException {
        var startNanos = System.nanoTime();
        var problem =
                switch (PodClaimNames.of(pod)) {
                    case PodClaimNames.Unresolved(var reason) -> Optional.of(reason);
                    case PodClaimNames.Resolved names -> prepare(pod, names);
                };
        if (!pod.spec().resourceClaims().isEmpty()) {
            metrics.operation("PrepareResources", problem.isPresent(), startNanos);
        }
        return problem;
    }

    private Optional<String> prepare(Pod pod, PodClaimNames.Resolved names) throws IOException {
        var claims = new ArrayList<ResourceClaim>();
        for (var name : names.all()) {
            var outcome = cluster.send(new Request.Get(CLAIMS, pod.metadata().namespace(), name));
            var claim =
                    outcome instanceof RequestResult.Done(var tree)
                            ? codec.readTree(Kinds.RESOURCE_CLAIM, tree, UnknownFieldPolicy.LENIENT)
                                    .value()
                            : Optional.<ResourceClaim>empty();
            if (claim.isEmpty()) {
                return Optional.of("fetch ResourceClaim %s: %s".formatted(name, outcome.message()));
            }
            claims.add(claim.get());
        }
        return prepare(pod, claims, names.generated());
    }

    private Optional<String> prepare(Pod pod, List<ResourceClaim> claims, List<String> generated)
            throws IOException {
        PrepareDecision decision;
        lock.lock();
        try {
            decision =
                    PrepareDecision.decide(
                            claimStates,
                            pod,
                            claims,
                            generated,
                            driver -> plugins.find(driver).isPresent());
            if (decision instanceof PrepareDecision.Allowed(var next, var _)) {
                store(next);
            }
        } finally {
            lock.unlock();
        }
        return switch (decision) {
            case PrepareDecision.Refused(var reason) -> Optional.of(reason);
            case PrepareDecision.Allowed(var next, var calls) -> {
                countSkips(next.of(pod.metadata().uid()));
                yield prepare(calls, claims);
            }
        };
    }

    private void countSkips(List<NodeClaimState> claims) {
        for (var claim : claims) {
            claim.drivers()
                    .forEach((driver, part) -> {
                        if (claim.phase() == Phase.PREPARING
                                && part.skips(SkipNodeOperation.Known.PREPARE.text())) {
                            metrics.prepareSkipped(driver);
                        }
                    });
        }
    }

    private Optional<String> prepare(
            Map<String, List<NodeClaimState>> calls, List<ResourceClaim> claims)
            throws IOException {
        for (var call : calls.entrySet()) {
            var plugin = plugins.find(call.getKey());
            if (plugin.isEmpty()) {
                return Optional.of("DRA driver %s is not registered".formatted(call.getKey()));
            }
            var startNanos = System.nanoTime();
            var result = plugin.get().prepare(call.getValue());
            metrics.call(call.getKey(), "NodePrepareResources", result.statusCode(), startNanos);
            var problem = problem("NodePrepareResources", result, call.getValue());
            storeDevices(call.getKey(), result, call.getValue());
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var claim : claims) {
            change(claimStates ->
                    claimStates
                            .find(claim.metadata().ref())
                            .filter(one -> one.phase() == Phase.PREPARING)
                            .map(one -> claimStates.with(one.withPhase(Phase.PREPARED)))
                            .orElse(claimStates));
        }
        return Optional.empty();
    }

    /// The first error in a driver's response.
    private static Optional<String> problem(
            String operation, DraPlugin.CallResult result, List<NodeClaimState> claims) {
        if (!(result instanceof DraPlugin.CallResult.Completed(var results))) {
            return Optional.of(((DraPlugin.CallResult.Failed) result).reason());
        }
        for (var claim : claims) {
            if (results.get(claim.uid().value())
                    instanceof DraPlugin.ClaimResult.Failed(var reason)) {
                return Optional.of(
                        "%s failed for ResourceClaim %s: %s"
                                .formatted(operation, claim.ref().name(), reason));
            }
        }
        var skipped =
                claims.stream().filter(claim -> !results.containsKey(claim.uid().value())).count();
        return skipped == 0
                ? Optional.empty()
                : Optional.of("%s skipped %d ResourceClaims".formatted(operation, skipped));
    }

    /// Stores the devices that a driver has prepared; each response replaces the one before.
    private void storeDevices(
            String driver, DraPlugin.CallResult result, List<NodeClaimState> claims)
            throws IOException {
        if (!(result instanceof DraPlugin.CallResult.Completed(var results))) {
            return;
        }
        for (var claim : claims) {
            if (results.get(claim.uid().value())
                    instanceof DraPlugin.ClaimResult.Done(var devices)) {
                change(claimStates ->
                        claimStates
                                .find(claim.ref())
                                .filter(one -> one.uid().equals(claim.uid()))
                                .map(one -> claimStates.with(one.withDevices(driver, devices)))
                                .orElse(claimStates));
            }
        }
    }

    /// Unprepares the claims of a terminated pod, except those that other pods use. Returns the
    /// error, if it failed.
    public Optional<String> unprepare(Uid pod) throws IOException {
        var startNanos = System.nanoTime();
        var problem = unprepareClaims(pod);
        metrics.operation("UnprepareResources", problem.isPresent(), startNanos);
        return problem;
    }

    private Optional<String> unprepareClaims(Uid pod) throws IOException {
        UnprepareDecision decision;
        lock.lock();
        try {
            decision = UnprepareDecision.decide(claimStates, pod);
            store(decision.next());
        } finally {
            lock.unlock();
        }
        for (var call : decision.calls().entrySet()) {
            var plugin = plugins.find(call.getKey());
            if (plugin.isEmpty()) {
                return Optional.of("DRA driver %s is not registered".formatted(call.getKey()));
            }
            var startNanos = System.nanoTime();
            var result = plugin.get().unprepare(call.getValue());
            metrics.call(call.getKey(), "NodeUnprepareResources", result.statusCode(), startNanos);
            var problem = problem("NodeUnprepareResources", result, call.getValue());
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var claim : decision.released()) {
            claim.drivers()
                    .forEach((driver, part) -> {
                        if (part.skips(SkipNodeOperation.Known.UNPREPARE.text())) {
                            metrics.unprepareSkipped(driver);
                        }
                    });
            change(claimStates -> claimStates.without(claim.ref()));
        }
        return Optional.empty();
    }

    private interface Change {
        NodeClaimStates of(NodeClaimStates claimStates);
    }

    private void change(Change change) throws IOException {
        lock.lock();
        try {
            store(change.of(claimStates));
        } finally {
            lock.unlock();
        }
    }

    /// Writes the file before memory: state that is not on disk must not be relied on.
    private void store(NodeClaimStates next) throws IOException {
        if (!next.equals(claimStates)) {
            file.write(next);
            claimStates = next;
        }
    }
}
