package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.core.publish.DesiredPool;
import dev.berth.core.publish.SliceCommand;
import dev.berth.core.publish.SliceReconciler;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.Backoff;
import dev.berth.model.workqueue.ControlLoopRunner;
import dev.berth.model.workqueue.WorkQueueLoop;
import dev.berth.model.workqueue.WorkResult;
import dev.berth.node.slices.SliceWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reconciles the ResourceSlices of a driver with its desired pools, also after changes by other
/// clients.
///
/// All work has one key, so one thread at a time does it.
final class SlicePublisher extends WorkQueueLoop<String> implements AutoCloseable {

    private static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    private static final String KEY = "slices";
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(30));

    /// Delay after a change in the cluster, to combine it with further changes.
    private static final Duration SETTLING = Duration.ofMillis(100);

    /// Retry interval after a 403: the permission may be granted later.
    private static final Duration FORBIDDEN_INTERVAL = Duration.ofSeconds(30);

    /// Back-off while the Node does not exist. Nodes register within seconds, so it is shorter.
    private static final Backoff NODE_BACKOFF =
            new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    private static final int INVALID = 422;

    /// How long closing waits for a write in progress.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

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
    private final ControlLoopRunner runner;
    private final Cluster.Subscription subscription;
    private Optional<Cluster.Subscription> otherSubscription = Optional.empty();

    /// Consecutive attempts that ended with waiting. Used by the queue's thread only.
    private int failures;

    /// Writes that are still to be made, as far as known.
    private volatile int commandsLeft = 1;

    /// Pools without a node that this host has published, so it may delete them.
    private final Set<PoolId> ownSharedPools = new HashSet<>();

    SlicePublisher(
            DriverOptions options, Cluster cluster, DriverMetrics metrics, WaitReport waits) {
        super(BACKOFF);
        this.options = options;
        this.cluster = cluster;
        this.metrics = metrics;
        this.waits = waits;
        this.writer = new SliceWriter(cluster);
        this.runner =
                ControlLoopRunner.start(
                        options.driver() + "-slices", this, 1, options.clock(), CLOSE_TIMEOUT);
        addListener(ofNode);
        addListener(ofNoNode);
        this.subscription =
                cluster.watch(
                        Kinds.RESOURCE_SLICE,
                        "spec.driver=%s,spec.nodeName=%s"
                                .formatted(options.driver(), options.node()),
                        new ReportingHandler<>(ofNode, waits));
    }

    private void addListener(ObjectCache<ResourceSlice> cache) {
        cache.addListener(listener());
        cache.onSynced(() -> add(KEY));
    }

    private ObjectCache.Listener<ResourceSlice> listener() {
        return new ObjectCache.Listener<>() {
            @Override
            public void added(ResourceSlice slice) {
                addAfterSettling();
            }

            @Override
            public void changed(ResourceSlice before, ResourceSlice after) {
                addAfterSettling();
            }

            @Override
            public void removed(ResourceSlice last) {
                addAfterSettling();
            }
        };
    }

    private void addAfterSettling() {
        addAt(KEY, options.clock().instant().plus(SETTLING));
    }

    /// Sets the desired pools.
    void publish(List<DesiredPool> pools) {
        desired = Optional.of(List.copyOf(pools));
        add(KEY);
    }

    /// True if the cluster has the desired pools, as far as known.
    boolean isPublished() {
        return desired.isPresent() && isIdle(options.clock().instant()) && commandsLeft == 0;
    }

    @Override
    protected WorkResult reconcile(String key, Instant now) {
        commandsLeft = 1;
        var pools = desired;
        if (pools.isEmpty()) {
            return WorkResult.DONE;
        }
        var sharedPools = pools.get().stream().filter(pool -> !isOfNode(pool)).toList();
        sharedPools.forEach(pool -> ownSharedPools.add(pool.id()));
        if (!ownSharedPools.isEmpty() && otherSubscription.isEmpty()) {
            otherSubscription =
                    Optional.of(
                            cluster.watch(
                                    Kinds.RESOURCE_SLICE,
                                    "spec.driver=%s,spec.nodeName=".formatted(options.driver()),
                                    new ReportingHandler<>(ofNoNode, waits)));
        }
        if (!ofNode.isSynced() || (!ownSharedPools.isEmpty() && !ofNoNode.isSynced())) {
            return awaitLists();
        }
        var nodePools = pools.get().stream().filter(SlicePublisher::isOfNode).toList();
        var problem = writeNodePools(nodePools).or(() -> writeSharedPools(sharedPools));
        if (problem.isPresent()) {
            return problem.get();
        }
        failures = 0;
        waits.ended(WaitReport.Cause.API_SERVER);
        waits.ended(WaitReport.Cause.NODE);
        waits.ended(WaitReport.Cause.PERMISSION);
        return WorkResult.DONE;
    }

    /// The initial lists have not arrived; their arrival enqueues the key. Until then occasional
    /// requests find out whether the API server responds at all.
    private WorkResult awaitLists() {
        if (failures > 0 && node() instanceof RequestResult.Unavailable(var message)) {
            return awaitServer(message);
        }
        return requeue(BACKOFF);
    }

    private WorkResult awaitServer(String message) {
        waits.waiting(WaitReport.Cause.API_SERVER, () -> "waiting for the API server: " + message);
        return requeue(BACKOFF);
    }

    /// Requeues instead of reporting a retry, which the queue would log each time.
    private WorkResult requeue(Backoff backoff) {
        failures++;
        return requeueAfter(backoff.after(failures));
    }

    /// The delay starts now, not when the attempt began: its requests may have timed out.
    private WorkResult requeueAfter(Duration delay) {
        return new WorkResult.RequeueAt(options.clock().instant().plus(delay));
    }

    private RequestResult node() {
        return cluster.send(new Request.Get(NODES, "", options.node()));
    }

    private static boolean isOfNode(DesiredPool pool) {
        return pool.scope() instanceof NodeScope.OneNode;
    }

    private Optional<WorkResult> writeNodePools(List<DesiredPool> pools) {
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
        var current = ofNode.all().stream().map(dropped::asSent).toList();
        return write(pools, new SliceReconciler(List.of(owner)).commands(pools, current), ofNode);
    }

    private WorkResult awaitNode(RequestResult outcome) {
        return switch (outcome) {
            case RequestResult.Missing _ -> {
                waits.waiting(WaitReport.Cause.NODE, this::missingNode);
                yield requeue(NODE_BACKOFF);
            }
            case RequestResult.Refused(_, _, var message) -> {
                waits.waiting(
                        WaitReport.Cause.PERMISSION, () -> "waiting for permission: " + message);
                yield requeue(BACKOFF);
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

    private Optional<WorkResult> writeSharedPools(List<DesiredPool> pools) {
        if (ownSharedPools.isEmpty()) {
            return Optional.empty();
        }
        var current =
                ofNoNode.all().stream()
                        .filter(slice -> ownSharedPools.contains(slice.poolId()))
                        .map(dropped::asSent)
                        .toList();
        return write(pools, new SliceReconciler(List.of()).commands(pools, current), ofNoNode);
    }

    /// Executes commands. Returns when to try again, if not all succeeded.
    private Optional<WorkResult> write(
            List<DesiredPool> pools,
            List<SliceCommand> commands,
            ObjectCache<ResourceSlice> cache) {
        commandsLeft = commands.size();
        if (!commands.isEmpty()) {
            var now = options.clock().instant();
            var delay = restores.delay(pools, now);
            if (delay.isPositive()) {
                waits.waiting(WaitReport.Cause.SLICES, this::contested);
                return Optional.of(requeueAfter(delay));
            }
            restores.wrote(pools, now);
        }
        var failure = writer.write(commands, new CacheUpdater(cache));
        if (failure.isEmpty()) {
            commandsLeft = 0;
        }
        return failure.map(this::resultOf);
    }

    private String contested() {
        return "waiting: another client keeps deleting or changing the slices of this driver on"
                + " Node %s in the cluster %s; simulated nodes accept no drivers but their own"
                        .formatted(options.node(), cluster.description());
    }

    private WorkResult resultOf(RequestResult outcome) {
        if (outcome instanceof RequestResult.Unavailable(var message)) {
            return awaitServer(message);
        }
        if (!(outcome instanceof RequestResult.Refused(var code, _, var message))) {
            return new WorkResult.Retry(outcome.message());
        }
        options.problems().accept(new DriverProblem.DevicesRefused(message));
        return code == INVALID ? WorkResult.DONE : requeueAfter(FORBIDDEN_INTERVAL);
    }

    /// Updates the cache with own writes, ahead of the watch.
    private final class CacheUpdater implements SliceWriter.Listener {

        private final ObjectCache<ResourceSlice> cache;

        private CacheUpdater(ObjectCache<ResourceSlice> cache) {
            this.cache = cache;
        }

        @Override
        public void responded(RequestResult outcome, long startNanos) {
            metrics.observe("publish", !outcome.isDone(), startNanos);
        }

        @Override
        public void stored(ResourceSlice sent, ResourceSlice stored) {
            dropped.compare(sent, stored, codec)
                    .ifPresent(problem -> options.problems().accept(problem));
            cache.put(stored);
        }

        @Override
        public void deleted(ResourceSlice slice) {
            dropped.forget(slice);
            cache.remove(slice);
        }
    }

    @Override
    public void close() {
        subscription.close();
        stop();
        runner.close();
        otherSubscription.ifPresent(Cluster.Subscription::close);
    }
}
