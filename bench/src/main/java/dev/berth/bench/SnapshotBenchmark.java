package dev.berth.bench;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// Heap size of a snapshot of 5,000 nodes, and the time to apply a change and to evaluate a pod
/// that requests one GPU.
///
/// A plain program instead of JMH, since it also measures the heap: `java -Xmx2g -cp
/// bench/target/benchmarks.jar dev.berth.bench.SnapshotBenchmark`. The argument is the number of
/// nodes.
public final class SnapshotBenchmark {

    private static final int NODES = 5_000;
    private static final int TIMES = 1_000;
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());
    private static final List<String> PROFILES =
            List.of("7g.80gb", "1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb");

    private final int nodes;
    private final FitCache fitCache =
            new FitCache(
                    new PlacementRules(
                            new Allocator(Allocator.DEFAULT_BUDGET),
                            FEATURES,
                            PlacementPolicy.KUBERNETES,
                            () -> "share"));
    private ClusterSnapshot snapshot = ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES));
    private List<NodeFit.Fits> fitting = List.of();

    private SnapshotBenchmark(int nodes) {
        this.nodes = nodes;
    }

    /// Runs the benchmark and prints the results.
    public static void main(String[] arguments) {
        new SnapshotBenchmark(arguments.length > 0 ? Integer.parseInt(arguments[0]) : NODES).run();
    }

    private void run() {
        var runtime = Runtime.getRuntime();
        System.out.printf(
                "%s %s, %d processors, heap of at most %d MiB%n",
                System.getProperty("java.vm.vendor"),
                System.getProperty("java.vm.version"),
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20);
        var before = heap();
        var started = System.nanoTime();
        snapshot = GpuCluster.snapshot(nodes, FEATURES);
        System.out.printf("%d nodes created and added: %.0f ms%n", nodes, millisSince(started));
        var rows = rows();
        var size = heap() - before;
        System.out.printf(
                "heap of the snapshot: %.1f MiB, %d device rows, %.0f bytes a row%n",
                size / 1048576.0, rows, (double) size / rows);
        PROFILES.forEach(this::evaluateFirst);
        measure("one slice updated", this::slice, this::apply);
        measure("one claim allocated", this::allocation, this::apply);
        measure("one claim deallocated", this::deallocation, this::apply);
        measure("nodes that fit one pod, nothing changed", this::request, this::evaluate);
        measure("nodes that fit one pod, one slice changed", this::afterSlice, this::evaluate);
        measure("nodes that fit one pod, one claim changed", this::afterClaim, this::evaluate);
        measure("one pod: fitting nodes, best node, assume", this::request, this::place);
        System.out.printf("heap at the end: %.1f MiB%n", (heap() - before) / 1048576.0);
    }

    private long rows() {
        var rows = 0L;
        for (var node : snapshot.inventory().nodes()) {
            for (var pool : snapshot.inventory().pools(node.name())) {
                rows += pool.size();
            }
        }
        return rows;
    }

    /// The first pod of its shape; the very first one also runs with a cold JVM.
    private void evaluateFirst(String profile) {
        var started = System.nanoTime();
        fitting = fitCache.evaluate(GpuCluster.requestOne("pod", profile), snapshot).fitting();
        System.out.printf(
                "first pod that requests one %s: %d nodes fit, %.1f ms%n",
                profile, fitting.size(), millisSince(started));
    }

    /// A prepared change of the snapshot.
    private interface Change {
        ClusterSnapshot after(ClusterSnapshot before);
    }

    private void apply(Change change) {
        snapshot = change.after(snapshot);
    }

    /// Drivers mostly republish unchanged devices.
    private Change slice(int i) {
        var slice = GpuCluster.partitions(someNode(i), i % 3, 1);
        return before -> before.with(slice);
    }

    private int someNode(int i) {
        return (int) (i * 7919L % nodes);
    }

    /// A claim gets the devices that the allocator chooses on some node.
    private Change allocation(int i) {
        var request = GpuCluster.requestOne("claim-" + i, PROFILES.getFirst());
        var claim = request.toAllocate().getFirst();
        var nodeFits = fitCache.evaluate(request, snapshot);
        var fits = (NodeFit.Fits) nodeFits.fit(node(i)).orElseThrow();
        var held = allocated(claim, fits);
        return before -> before.with(held);
    }

    private String node(int i) {
        return GpuCluster.nodeName(someNode(i));
    }

    private static ResourceClaim allocated(ResourceClaim claim, NodeFit.Fits fits) {
        return claim.withStatus(
                new ResourceClaimStatus(
                        Optional.of(fits.allocations().getFirst().result()), List.of(), List.of()));
    }

    private Change deallocation(int i) {
        var claim = snapshot.usage().claim(new ObjectRef("default", "claim-" + i));
        var free = claim.orElseThrow().withStatus(ResourceClaimStatus.EMPTY);
        return before -> before.with(free);
    }

    private PlacementRequest request(int i) {
        return GpuCluster.requestOne("pod-" + i, PROFILES.getFirst());
    }

    private PlacementRequest afterSlice(int i) {
        apply(slice(i));
        return request(i);
    }

    private PlacementRequest afterClaim(int i) {
        apply(allocation(i));
        return request(i);
    }

    private void evaluate(PlacementRequest request) {
        fitting = fitCache.evaluate(request, snapshot).fitting();
    }

    private void place(PlacementRequest request) {
        var nodeFits = fitCache.evaluate(request, snapshot);
        snapshot = snapshot.assume(request.placement(nodeFits.best().orElseThrow()));
    }

    /// Measures an action after as many warm-up runs; its input is prepared outside the measured
    /// time.
    private static <T> void measure(String what, IntFunction<T> make, Consumer<T> act) {
        for (var i = 0; i < TIMES; i++) {
            act.accept(make.apply(i));
        }
        var nanos = new long[TIMES];
        for (var i = 0; i < TIMES; i++) {
            var made = make.apply(TIMES + i);
            var started = System.nanoTime();
            act.accept(made);
            nanos[i] = System.nanoTime() - started;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%s: best %.1f us, median %.1f us, 99 of 100 below %.1f us%n",
                what, nanos[0] / 1e3, nanos[TIMES / 2] / 1e3, nanos[TIMES * 99 / 100] / 1e3);
    }

    private static double millisSince(long started) {
        return (System.nanoTime() - started) / 1e6;
    }

    private static long heap() {
        for (var i = 0; i < 4; i++) {
            System.gc();
        }
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
