package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.Container;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.SkipNodeOperation;
import dev.berth.model.api.Uid;
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

/// Has claims prepared before a pod starts, and unprepared after it has ended.
///
/// What is held is written down before drivers are called, so that after a crash everything that a
/// driver may have done is known, and undone. Both acts can be repeated until they succeed.
public final class ClaimPreparer {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final Cluster cluster;
    private final PluginWatcher plugins;
    private final ClaimStateFile file;
    private final Codec codec = new Codec();
    private final DraMetrics metrics = new DraMetrics();

    // Guards the state and its file; not held while drivers are called.
    private final ReentrantLock lock = new ReentrantLock();
    private NodeClaimStates held;

    /// Goes on from what an earlier one held.
    ///
    /// @param root the kubelet's directory
    /// @throws IOException when that cannot be read, with what to do
    public ClaimPreparer(Cluster cluster, PluginWatcher plugins, Path root) throws IOException {
        this.cluster = cluster;
        this.plugins = plugins;
        this.file = new ClaimStateFile(root);
        this.held = file.read();
    }

    /// What is held now.
    public NodeClaimStates held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /// The CDI devices of a container whose pod is prepared.
    public List<String> devices(Pod pod, Container container) {
        return ContainerDevices.ids(held(), pod, container);
    }

    /// What has been done so far, as Prometheus reads it.
    public String metrics() {
        return metrics.text(held());
    }

    /// Has all claims of a pod prepared; why that failed, if it did.
    public Optional<String> prepare(Pod pod) throws IOException {
        var begin = System.nanoTime();
        var problem =
                switch (PodClaimNames.of(pod)) {
                    case PodClaimNames.NotYet(var reason) -> Optional.of(reason);
                    case PodClaimNames.Known names -> prepare(pod, names);
                };
        if (!pod.spec().resourceClaims().isEmpty()) {
            metrics.operation("PrepareResources", problem.isPresent(), begin);
        }
        return problem;
    }

    private Optional<String> prepare(Pod pod, PodClaimNames.Known names) throws IOException {
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
                            held,
                            pod,
                            claims,
                            generated,
                            driver -> plugins.find(driver).isPresent());
            if (decision instanceof PrepareDecision.Allowed(var next, var _)) {
                remember(next);
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
                        if (claim.phase() == Phase.ATTACHED
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
            var begin = System.nanoTime();
            var called = plugin.get().prepare(call.getValue());
            metrics.call(call.getKey(), "NodePrepareResources", called.outcome(), begin);
            var problem = problem("NodePrepareResources", called, call.getValue());
            keep(call.getKey(), called, call.getValue());
            if (problem.isPresent()) {
                return problem;
            }
        }
        for (var claim : claims) {
            change(held ->
                    held.find(claim.metadata().ref())
                            .filter(one -> one.phase() == Phase.ATTACHED)
                            .map(one -> held.with(one.withPhase(Phase.PREPARED)))
                            .orElse(held));
        }
        return Optional.empty();
    }

    /// The first thing that is wrong with what a driver answered.
    private static Optional<String> problem(
            String operation, DraPlugin.Called called, List<NodeClaimState> claims) {
        if (!(called instanceof DraPlugin.Called.Answered(var answers))) {
            return Optional.of(((DraPlugin.Called.Failed) called).reason());
        }
        for (var claim : claims) {
            if (answers.get(claim.uid().value()) instanceof DraPlugin.Answer.Failed(var reason)) {
                return Optional.of(
                        "%s failed for ResourceClaim %s: %s"
                                .formatted(operation, claim.ref().name(), reason));
            }
        }
        var skipped =
                claims.stream().filter(claim -> !answers.containsKey(claim.uid().value())).count();
        return skipped == 0
                ? Optional.empty()
                : Optional.of("%s skipped %d ResourceClaims".formatted(operation, skipped));
    }

    /// Takes over what a driver has prepared; each answer replaces the one before.
    private void keep(String driver, DraPlugin.Called called, List<NodeClaimState> claims)
            throws IOException {
        if (!(called instanceof DraPlugin.Called.Answered(var answers))) {
            return;
        }
        for (var claim : claims) {
            if (answers.get(claim.uid().value()) instanceof DraPlugin.Answer.Ready(var devices)) {
                change(held ->
                        held.find(claim.ref())
                                .filter(one -> one.uid().equals(claim.uid()))
                                .map(one -> held.with(one.withDevices(driver, devices)))
                                .orElse(held));
            }
        }
    }

    /// Has the claims of a pod that has ended unprepared, unless other pods use them; why that
    /// failed, if it did.
    public Optional<String> unprepare(Uid pod) throws IOException {
        var begin = System.nanoTime();
        var problem = release(pod);
        metrics.operation("UnprepareResources", problem.isPresent(), begin);
        return problem;
    }

    private Optional<String> release(Uid pod) throws IOException {
        UnprepareDecision decision;
        lock.lock();
        try {
            decision = UnprepareDecision.decide(held, pod);
            remember(decision.next());
        } finally {
            lock.unlock();
        }
        for (var call : decision.calls().entrySet()) {
            var plugin = plugins.find(call.getKey());
            if (plugin.isEmpty()) {
                return Optional.of("DRA driver %s is not registered".formatted(call.getKey()));
            }
            var begin = System.nanoTime();
            var called = plugin.get().unprepare(call.getValue());
            metrics.call(call.getKey(), "NodeUnprepareResources", called.outcome(), begin);
            var problem = problem("NodeUnprepareResources", called, call.getValue());
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
            change(held -> held.without(claim.ref()));
        }
        return Optional.empty();
    }

    private interface Change {
        NodeClaimStates of(NodeClaimStates held);
    }

    private void change(Change change) throws IOException {
        lock.lock();
        try {
            remember(change.of(held));
        } finally {
            lock.unlock();
        }
    }

    /// The disk comes first: what is not there must not be believed.
    private void remember(NodeClaimStates next) throws IOException {
        if (!next.equals(held)) {
            file.write(next);
            held = next;
        }
    }
}
