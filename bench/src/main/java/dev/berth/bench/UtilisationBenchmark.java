package dev.berth.bench;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceClassSpec;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourcePool;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/// CPU time to compute the utilisation of 5,000 nodes: first in a new JVM, after one claim changed,
/// and of the same snapshot again. Measures whole devices (8 GPUs and 8 NICs a node, a third in use
/// in random places) and the partitioned GPUs of [GpuCluster].
///
/// A plain program instead of JMH, since the first computation matters: `java -Xmx3g -cp
/// bench/target/benchmarks.jar dev.berth.bench.UtilisationBenchmark`. The argument is the number of
/// nodes.
public final class UtilisationBenchmark {

    private static final int NODES = 5_000;
    private static final int DEVICES = 8;
    private static final Set<AllocatorFeature> FEATURES = Set.of(AllocatorFeature.values());

    private final Random random = new Random(1);
    private final int nodes;
    private int claims;

    private UtilisationBenchmark(int nodes) {
        this.nodes = nodes;
    }

    /// Runs the benchmark and prints the results.
    public static void main(String[] arguments) {
        var nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : NODES;
        new UtilisationBenchmark(nodes).run();
    }

    private void run() {
        measure("whole devices", wholeDevices());
        measure("partitions, all free", GpuCluster.snapshot(nodes, FEATURES));
    }

    private void measure(String what, ClusterSnapshot snapshot) {
        var calculator =
                new UtilisationCalculator(new Allocator(Allocator.DEFAULT_BUDGET), FEATURES);
        print(what + ", first", () -> calculator.of(snapshot));
        var next = snapshot;
        for (var i = 0; i < 3; i++) {
            next = next.with(claim("node-" + "%04d".formatted(i * 7), "nic-0"));
            var changed = next;
            print(what + ", one claim changed", () -> calculator.of(changed));
        }
        var same = next;
        print(what + ", nothing changed", () -> calculator.of(same));
        print(
                what + ", all again",
                () ->
                        new UtilisationCalculator(new Allocator(Allocator.DEFAULT_BUDGET), FEATURES)
                                .of(same));
    }

    private static void print(String what, Supplier<ClusterUtilisation> action) {
        var threads = ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadCpuTime();
        var result = action.get();
        var millis = (threads.getCurrentThreadCpuTime() - before) / 1e6;
        System.out.printf("%s: %.1f ms CPU%n", what, millis);
        result.classes()
                .forEach((name, one) ->
                        System.out.printf(
                                "  %s: %.1f of %d, %s%n",
                                name,
                                one.total().inUse(),
                                one.total().devices(),
                                one.fits().stream()
                                        .map(fit -> fit.size().label() + "x" + fit.now())
                                        .toList()));
    }

    private ClusterSnapshot wholeDevices() {
        var snapshot = ClusterSnapshot.empty(AllocatorFeature.rules(FEATURES));
        var slices = new ArrayList<ResourceSlice>();
        for (var node = 0; node < nodes; node++) {
            snapshot = snapshot.with(GpuCluster.node(node));
            slices.add(slice(node, "gpu"));
            slices.add(slice(node, "nic"));
        }
        snapshot = snapshot.with(slices).with(deviceClass("gpu")).with(deviceClass("nic"));
        for (var node = 0; node < nodes; node++) {
            for (var device = 0; device < DEVICES; device++) {
                if (random.nextInt(3) == 0) {
                    var claim = claim(GpuCluster.nodeName(node), "gpu-" + device);
                    snapshot = snapshot.with(claim);
                }
            }
        }
        return snapshot;
    }

    private static DeviceClass deviceClass(String kind) {
        var selector = new DeviceSelector.Cel("device.driver == '%s.example.com'".formatted(kind));
        return new DeviceClass(
                ObjectMeta.of(kind),
                new DeviceClassSpec(List.of(selector), List.of(), Optional.empty()));
    }

    private static ResourceSlice slice(int node, String kind) {
        var devices = new ArrayList<Device>();
        for (var i = 0; i < DEVICES; i++) {
            devices.add(
                    Device.named(kind + "-" + i)
                            .withAttributes(
                                    Map.of(
                                            "uuid",
                                            new AttributeValue.StringValue(
                                                    "%s-%d-%d".formatted(kind, node, i)),
                                            "resource.kubernetes.io/numaNode",
                                            new AttributeValue.IntValue(i / 4))));
        }
        return new ResourceSlice(
                ObjectMeta.of(GpuCluster.nodeName(node) + "-" + kind),
                new ResourceSliceSpec(
                        kind + ".example.com",
                        new ResourcePool(GpuCluster.nodeName(node), 1, 1),
                        new NodeScope.OneNode(GpuCluster.nodeName(node)),
                        devices,
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    private ResourceClaim claim(String node, String device) {
        var driver = device.startsWith("gpu") ? "gpu.example.com" : GpuCluster.NIC_DRIVER;
        var allocated =
                new AllocatedDevice(
                        "request",
                        new DeviceId(driver, node, device),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        List.of());
        return new ResourceClaim(
                ObjectMeta.of("team-" + claims % 10, "claim-" + claims++),
                ResourceClaimSpec.EMPTY,
                new ResourceClaimStatus(
                        Optional.of(
                                new AllocationResult(
                                        List.of(allocated),
                                        List.of(),
                                        Optional.empty(),
                                        Optional.empty())),
                        List.of(),
                        List.of()));
    }
}
