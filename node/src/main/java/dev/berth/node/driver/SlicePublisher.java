package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.workqueue.Backoff;
import dev.berth.client.workqueue.WorkQueueRunner;
import dev.berth.client.workqueue.WorkResult;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceCommand;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.OwnerReference;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.Uid;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.node.slices.SliceWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps what the cluster has of a driver's pools as the driver wants them, whoever changes it.
///
/// All work is for one key, so that it is done by one thread at a time.
final class SlicePublisher implements AutoCloseable {

    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final String KEY = "slices";
    private static final Backoff PACE = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(30));

    /// How long to wait for more when something changes in the cluster.
    private static final Duration SETTLING = Duration.ofMillis(100);

    /// How long to wait when the cluster does not let us; somebody may give us the right.
    private static final Duration FORBIDDEN = Duration.ofSeconds(30);

    /// Nodes register within seconds of each other's start, so they are looked for more often.
    private static final Backoff NODE_PACE =
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    private static final int INVALID = 422;

    private final DriverOptions options;
    private final Cluster cluster;
    private final DriverMetrics metrics;
    private final WaitReport waits;
    private final SliceWriter writer;
    private final Codec codec = new Codec();
    private final ObjectCache<ResourceSlice> ofNode = ObjectCache.ofRecords();
    private final ObjectCache<ResourceSlice> ofNoNode = ObjectCache.ofRecords();
    private final DroppedFields dropped = new DroppedFields();
    private final RestoreLimit restores = new RestoreLimit();
    private volatile Optional<List<DesiredPool>> desired = Optional.empty();
    private final WorkQueueRunner<String> queue;
    private final Cluster.Subscription subscription;
    private Optional<Cluster.Subscription> otherSubscription = Optional.empty();

    /// Attempts in a row that ended with waiting. Of the thread of the queue alone.
    private int failures;

    /// Writes that are still to be made, as far as we know.
    private volatile int commandsLeft = 1;

    /// Pools without a node that were wanted once, and so are ours to delete.
    private final Set<PoolId> ownShared = new HashSet<>();

    SlicePublisher(
            DriverOptions options, Cluster cluster, DriverMetrics metrics, WaitReport waits) {
        this.options = options;
        this.cluster = cluster;
        this.metrics = metrics;
        this.waits = waits;
        this.writer = new SliceWriter(cluster);
        this.queue =
                new WorkQueueRunner<>(
                        options.driver() + "-slices", 1, PACE, options.clock(), _ -> work());
        addListener(ofNode);
        addListener(ofNoNode);
        this.subscription =
                cluster.watch(
                        Kinds.RESOURCE_SLICE,
                        "spec.driver=%s,spec.nodeName=%s"
                                .formatted(options.driver(), options.node()),
                        new ReportingHandler<>(ofNode, waits));
    }

    private void addListener(ObjectCache<ResourceSlice> mirror) {
        mirror.addListener(listener());
        mirror.onSynced(() -> queue.add(KEY));
    }

    private ObjectCache.Listener<ResourceSlice> listener() {
        return new ObjectCache.Listener<>() {
            @Override
            public void added(ResourceSlice slice) {
                queue.addAfter(KEY, SETTLING);
            }

            @Override
            public void changed(ResourceSlice before, ResourceSlice after) {
                queue.addAfter(KEY, SETTLING);
            }

            @Override
            public void removed(ResourceSlice last) {
                queue.addAfter(KEY, SETTLING);
            }
        };
    }

    /// Wants these pools from now on, and no others.
    void publish(List<DesiredPool> pools) {
        desired = Optional.of(List.copyOf(pools));
        queue.add(KEY);
    }

    /// True when the cluster has what was published last, as far as we know.
    boolean isPublished() {
        return desired.isPresent() && queue.isIdle() && commandsLeft == 0;
    }

    private WorkResult work() {
        commandsLeft = 1;
        var wanted = desired;
        if (wanted.isEmpty()) {
            return WorkResult.DONE;
        }
        var shared = wanted.get().stream().filter(pool -> !isOfNode(pool)).toList();
        shared.forEach(pool -> ownShared.add(pool.id()));
        if (!ownShared.isEmpty() && otherSubscription.isEmpty()) {
            otherSubscription =
                    Optional.of(
                            cluster.watch(
                                    Kinds.RESOURCE_SLICE,
                                    "spec.driver=%s,spec.nodeName=".formatted(options.driver()),
                                    new ReportingHandler<>(ofNoNode, waits)));
        }
        if (!ofNode.isSynced() || (!ownShared.isEmpty() && !ofNoNode.isSynced())) {
            return awaitLists();
        }
        var mine = wanted.get().stream().filter(SlicePublisher::isOfNode).toList();
        var problem = writeMine(mine).or(() -> writeShared(shared));
        if (problem.isPresent()) {
            return problem.get();
        }
        failures = 0;
        waits.ended(WaitReport.Cause.API_SERVER);
        waits.ended(WaitReport.Cause.NODE);
        waits.ended(WaitReport.Cause.PERMISSION);
        return WorkResult.DONE;
    }

    /// The first lists have not arrived. When they arrive the queue is told; until then a request
    /// now and then finds out whether the server answers at all.
    private WorkResult awaitLists() {
        if (failures > 0 && node() instanceof RequestResult.Unavailable(var message)) {
            return awaitServer(message);
        }
        return again(PACE);
    }

    private WorkResult awaitServer(String message) {
        waits.waiting(WaitReport.Cause.API_SERVER, () -> "waiting for the API server: " + message);
        return again(PACE);
    }

    /// Not a retry of the queue: that would be logged each time.
    private WorkResult again(Backoff pace) {
        failures++;
        return new WorkResult.RequeueAfter(pace.after(failures));
    }

    private RequestResult node() {
        return cluster.send(new Request.Get(NODES, "", options.node()));
    }

    private static boolean isOfNode(DesiredPool pool) {
        return pool.scope() instanceof NodeScope.OneNode;
    }

    private Optional<WorkResult> writeMine(List<DesiredPool> pools) {
        if (pools.isEmpty() && ofNode.size() == 0) {
            commandsLeft = 0;
            return Optional.empty();
        }
        var outcome = node();
        if (!(outcome instanceof RequestResult.Done(var node))) {
            return Optional.of(awaitNode(outcome));
        }
        var uid = new Uid(node.objectOrEmpty("metadata").text("uid"));
        var owner = OwnerReference.controller("v1", "Node", options.node(), uid);
        var current = ofNode.all().stream().map(dropped::asWanted).toList();
        return write(pools, new SliceReconciler(List.of(owner)).commands(pools, current), ofNode);
    }

    private WorkResult awaitNode(RequestResult outcome) {
        return switch (outcome) {
            case RequestResult.Missing _ -> {
                waits.waiting(WaitReport.Cause.NODE, this::missingNode);
                yield again(NODE_PACE);
            }
            case RequestResult.Refused(_, _, var message) -> {
                waits.waiting(
                        WaitReport.Cause.PERMISSION, () -> "waiting for permission: " + message);
                yield again(PACE);
            }
            default -> awaitServer(outcome.message());
        };
    }

    private String missingNode() {
        return "waiting for Node %s: it does not exist in the cluster %s; set NODE_NAME to %s"
                .formatted(
                        options.node(),
                        cluster.description(),
                        ExistingNodes.of(cluster)
                                .map(names -> "one of: " + names)
                                .orElse("the name of the Node on which the driver runs"));
    }

    private Optional<WorkResult> writeShared(List<DesiredPool> pools) {
        if (ownShared.isEmpty()) {
            return Optional.empty();
        }
        var current =
                ofNoNode.all().stream()
                        .filter(slice -> ownShared.contains(slice.poolId()))
                        .map(dropped::asWanted)
                        .toList();
        return write(pools, new SliceReconciler(List.of()).commands(pools, current), ofNoNode);
    }

    /// Why not all could be written, if so.
    private Optional<WorkResult> write(
            List<DesiredPool> pools,
            List<SliceCommand> commands,
            ObjectCache<ResourceSlice> mirror) {
        commandsLeft = commands.size();
        if (!commands.isEmpty()) {
            var now = options.clock().instant();
            var delay = restores.delay(pools, now);
            if (delay.isPositive()) {
                waits.waiting(WaitReport.Cause.SLICES, this::contested);
                return Optional.of(new WorkResult.RequeueAfter(delay));
            }
            restores.wrote(pools, now);
        }
        var failure = writer.write(commands, new Noting(mirror));
        if (failure.isEmpty()) {
            commandsLeft = 0;
        }
        return failure.map(this::verdict);
    }

    private String contested() {
        return "waiting: another client keeps deleting or changing the slices of this driver on"
                + " Node %s in the cluster %s; simulated nodes accept no drivers but their own"
                        .formatted(options.node(), cluster.description());
    }

    private WorkResult verdict(RequestResult outcome) {
        if (outcome instanceof RequestResult.Unavailable(var message)) {
            return awaitServer(message);
        }
        if (!(outcome instanceof RequestResult.Refused(var code, _, var message))) {
            return new WorkResult.Retry(outcome.message());
        }
        options.problems().accept(new DriverProblem.DevicesRefused(message));
        return code == INVALID ? WorkResult.DONE : new WorkResult.RequeueAfter(FORBIDDEN);
    }

    /// Keeps a mirror ahead of its watch.
    private final class Noting implements SliceWriter.Listener {

        private final ObjectCache<ResourceSlice> mirror;

        private Noting(ObjectCache<ResourceSlice> mirror) {
            this.mirror = mirror;
        }

        @Override
        public void answered(RequestResult outcome, long begin) {
            metrics.note("publish", !outcome.isDone(), begin);
        }

        @Override
        public void stored(ResourceSlice sent, ResourceSlice stored) {
            dropped.compare(sent, stored, codec)
                    .ifPresent(problem -> options.problems().accept(problem));
            mirror.put(stored);
        }

        @Override
        public void deleted(ResourceSlice slice) {
            dropped.forget(slice);
            mirror.remove(slice);
        }
    }

    @Override
    public void close() {
        subscription.close();
        queue.close();
        otherSubscription.ifPresent(Cluster.Subscription::close);
    }
}
