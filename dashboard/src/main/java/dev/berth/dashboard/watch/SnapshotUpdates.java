package dev.berth.dashboard.watch;

import dev.berth.client.cache.ObjectCache;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/// Collects the changes of the watched objects, and applies them to a snapshot at once.
///
/// All feature gates are considered on: what a cluster has is shown, whether or not the cluster
/// uses it.
public final class SnapshotUpdates implements WatchListener {

    /// Features of the snapshot.
    public static final Set<AllocatorFeature> FEATURES = PlacementFeatures.of(FeatureGates.all());

    /// Which slices are usable in the snapshot.
    public static final Pool.Rules RULES = PlacementFeatures.rules(FEATURES);

    /// Limit of collected changes; above it the snapshot is built anew.
    private static final int MAX_CHANGES = 20_000;

    private final ClusterWatch watch;
    private final Semaphore signal = new Semaphore(0);
    private final AtomicBoolean needsRebuild = new AtomicBoolean(true);

    // These two are guarded by the list.
    private final List<UnaryOperator<ClusterSnapshot>> changes = new ArrayList<>();
    private Set<ObjectRef> touchedClaims = new HashSet<>();

    private SnapshotUpdates(ClusterWatch watch) {
        this.watch = watch;
    }

    /// Listens to the caches of a watch that has not started.
    public static SnapshotUpdates of(ClusterWatch watch) {
        var updates = new SnapshotUpdates(watch);
        watch.addListener(updates);
        updates.listen(
                watch.nodes(), ClusterSnapshot::with, (all, one) -> all.withoutNode(one.name()));
        updates.listen(
                watch.slices(),
                ClusterSnapshot::with,
                (all, one) -> all.withoutSlice(one.metadata().name()));
        updates.listen(
                watch.classes(),
                ClusterSnapshot::with,
                (all, one) -> all.withoutClass(one.metadata().name()));
        updates.listen(
                watch.claims(), ClusterSnapshot::with, (all, one) -> all.withoutClaim(one.ref()));
        updates.listen(
                watch.pods(), ClusterSnapshot::with, (all, one) -> all.withoutPod(one.ref()));
        updates.listen(
                watch.taintRules(),
                ClusterSnapshot::with,
                (all, one) -> all.withoutTaintRule(one.metadata().name()));
        watch.claims()
                .addListener(
                        ObjectCache.Listener.of((before, after) ->
                                after.or(() -> before).ifPresent(one -> updates.touch(one.ref()))));
        return updates;
    }

    private void touch(ObjectRef claim) {
        synchronized (changes) {
            touchedClaims.add(claim);
        }
        signal();
    }

    /// The claims that changed since the last call.
    public Set<ObjectRef> takeTouchedClaims() {
        synchronized (changes) {
            var taken = touchedClaims;
            touchedClaims = new HashSet<>();
            return taken;
        }
    }

    /// A change of a snapshot by an object.
    private interface Change<T> {
        ClusterSnapshot apply(ClusterSnapshot snapshot, T object);
    }

    private <T> void listen(ObjectCache<T> cache, Change<T> put, Change<T> remove) {
        cache.addListener(
                ObjectCache.Listener.of((before, after) -> {
                    if (after.isPresent()) {
                        add(snapshot -> put.apply(snapshot, after.get()));
                    } else {
                        before.ifPresent(last -> add(snapshot -> remove.apply(snapshot, last)));
                    }
                }));
    }

    private void add(UnaryOperator<ClusterSnapshot> change) {
        synchronized (changes) {
            if (needsRebuild.get()) {
                signal();
                return;
            }
            if (changes.size() == MAX_CHANGES) {
                changes.clear();
                needsRebuild.set(true);
            } else {
                changes.add(change);
            }
        }
        signal();
    }

    /// Wakes the thread that waits for changes.
    public void signal() {
        signal.release();
    }

    @Override
    public void listed() {
        signal();
    }

    /// Builds the snapshot anew at the next update.
    @Override
    public void accessChanged() {
        synchronized (changes) {
            changes.clear();
            needsRebuild.set(true);
        }
        signal();
    }

    /// Waits for a change.
    public void await() throws InterruptedException {
        signal.acquire();
        signal.drainPermits();
    }

    /// The snapshot with all changes until now.
    public ClusterSnapshot applied(ClusterSnapshot before) {
        List<UnaryOperator<ClusterSnapshot>> taken;
        synchronized (changes) {
            taken = List.copyOf(changes);
            changes.clear();
            if (needsRebuild.compareAndSet(true, false)) {
                taken = List.of(_ -> built());
            }
        }
        var next = before;
        for (var change : taken) {
            next = change.apply(next);
        }
        return next;
    }

    private ClusterSnapshot built() {
        var slices = List.copyOf(watch.slices().all());
        var inventory =
                ClusterInventory.of(
                        nodes(slices),
                        slices,
                        List.<DeviceClass>copyOf(watch.classes().all()),
                        RULES);
        for (var rule : watch.taintRules().all()) {
            inventory = inventory.with(rule);
        }
        return ClusterSnapshot.of(
                inventory,
                ClusterUsage.of(
                        List.copyOf(watch.pods().all()), List.copyOf(watch.claims().all())));
    }

    /// The nodes; those that slices name, for users who may not read nodes.
    private List<Node> nodes(List<ResourceSlice> slices) {
        if (watch.mayReadNodes()) {
            return List.copyOf(watch.nodes().all());
        }
        return slices.stream()
                .map(SnapshotUpdates::nodeOf)
                .flatMap(Optional::stream)
                .distinct()
                .map(name -> new Node(ObjectMeta.of(name), NodeSpec.EMPTY, NodeStatus.EMPTY))
                .toList();
    }

    private static Optional<String> nodeOf(ResourceSlice slice) {
        return slice.spec().scope() instanceof NodeScope.OneNode(var name)
                ? Optional.of(name)
                : Optional.empty();
    }
}
