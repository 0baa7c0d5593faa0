package dev.berth.control.schedule;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import dev.berth.server.access.User;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;

/// Measures scheduling throughput in pods per second: half of all devices are allocated, then five
/// pods per node are created at once, each with a claim for one device.
///
/// Arguments: nodes, `sqlite` or `memory`, a policy.
final class BurstThroughput {

    private static final int DEVICES = 10;
    private static final int WRITERS = 64;
    private static final String DRIVER = "gpu.example.com";

    private final Cluster cluster;
    private final int nodes;

    private BurstThroughput(Cluster cluster, int nodes) {
        this.cluster = cluster;
        this.nodes = nodes;
    }

    public static void main(String[] arguments) throws Exception {
        var nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
        var store =
                arguments.length > 1 && arguments[1].equals("memory")
                        ? new StoreChoice.Memory()
                        : new StoreChoice.Sqlite();
        var policy =
                arguments.length > 2
                        ? PlacementPolicy.parse(arguments[2])
                        : PlacementPolicy.KUBERNETES;
        var directory = Files.createTempDirectory("berth-burst");
        try (var server =
                        ApiServer.start(
                                ServerSettings.in(directory)
                                        .withStore(store)
                                        .withAddress("127.0.0.1", 0));
                var cluster = cluster(server);
                var scheduler =
                        new Scheduler(
                                cluster,
                                Clock.systemUTC(),
                                SchedulerOptions.defaults().withPolicy(policy),
                                EventSink.NONE)) {
            scheduler.start();
            var burst = new BurstThroughput(cluster, nodes);
            burst.prepare();
            for (var round = 0; round < 2; round++) {
                burst.run(round, scheduler);
            }
        }
        System.exit(0);
    }

    private static Cluster cluster(ApiServer server) {
        return new EmbeddedCluster(server, User.of("bench", User.MASTERS), "bench");
    }

    private void prepare() throws Exception {
        create(
                Kinds.DEVICE_CLASS,
                JsonObject.of("metadata", JsonObject.of("name", Json.of("gpu")))
                        .with(
                                "spec",
                                JsonObject.of(
                                        "selectors",
                                        Json.array(
                                                JsonObject.of(
                                                        "cel",
                                                        JsonObject.of(
                                                                "expression",
                                                                Json.of(
                                                                        "device.driver == '"
                                                                                + DRIVER
                                                                                + "'")))))));
        all(
                nodes,
                i ->
                        () -> {
                            node(i);
                            create(Kinds.RESOURCE_SLICE, slice(i));
                            for (var d = 0; d < DEVICES / 2; d++) {
                                allocatedClaim(i, d);
                            }
                        });
    }

    private void run(int round, Scheduler scheduler) throws Exception {
        var pods = nodes * DEVICES / 4;
        var before = scheduler.status().bound();
        var decisions = scheduler.status().decisions();
        var cpu = cpuOfScheduler();
        var all = cpuOfProcess();
        var start = System.nanoTime();
        all(
                pods,
                i ->
                        () -> {
                            var name = "p-" + round + "-" + i;
                            create(Kinds.RESOURCE_CLAIM, claim(name));
                            create(Kinds.POD, pod(name));
                        });
        var created = System.nanoTime();
        while (scheduler.status().bound() < before + pods) {
            Thread.sleep(1);
        }
        var end = System.nanoTime();
        System.out.printf(
                Locale.ROOT,
                "%d nodes, %d pods: %.0f pods/s (created in %.1f s, all bound in %.1f s),"
                        + " scheduler %.2f ms CPU a pod, all %.2f ms, %d decisions%n",
                nodes,
                pods,
                pods / ((end - start) / 1e9),
                (created - start) / 1e9,
                (end - start) / 1e9,
                (cpuOfScheduler() - cpu) / 1e6 / pods,
                (cpuOfProcess() - all) / 1e6 / pods,
                scheduler.status().decisions() - decisions);
    }

    private static long cpuOfScheduler() {
        var threads = ManagementFactory.getThreadMXBean();
        for (var thread : threads.dumpAllThreads(false, false)) {
            if (thread.getThreadName().equals("scheduler")) {
                return threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return 0;
    }

    private static long cpuOfProcess() {
        return ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private static void all(int count, IntFunction<Runnable> task) throws Exception {
        var places = new Semaphore(WRITERS);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < count; i++) {
                places.acquire();
                var one = task.apply(i);
                threads.execute(() -> {
                    try {
                        one.run();
                    } finally {
                        places.release();
                    }
                });
            }
        }
    }

    private JsonObject create(Kind<?> kind, JsonObject object) {
        var full =
                object.with("apiVersion", Json.of(kind.apiVersion()))
                        .with("kind", Json.of(kind.name()));
        var namespace = kind.isNamespaced() ? "default" : "";
        return switch (cluster.send(Request.Create.of(ResourcePath.of(kind), namespace, full))) {
            case RequestResult.Done(var made) -> made;
            case RequestResult other -> throw new IllegalStateException(other.message());
        };
    }

    private void node(int i) {
        var amounts =
                JsonObject.of("cpu", Json.of("4"))
                        .with("memory", Json.of("32Gi"))
                        .with("pods", Json.of("110"));
        var made =
                create(
                        Kinds.NODE,
                        JsonObject.of("metadata", JsonObject.of("name", Json.of("node-" + i))));
        var status = JsonObject.of("allocatable", amounts).with("capacity", amounts);
        cluster.send(
                new Request.Update(
                        ResourcePath.of(Kinds.NODE),
                        "",
                        "node-" + i,
                        "status",
                        made.with("status", status)));
    }

    private static JsonObject slice(int i) {
        var devices = new ArrayList<Json>();
        for (var d = 0; d < DEVICES; d++) {
            var attributes =
                    JsonObject.of("driverVersion", JsonObject.of("version", Json.of("1.2.3")))
                            .with("healthy", JsonObject.of("bool", Json.of(true)))
                            .with("pciRoot", JsonObject.of("string", Json.of("pci" + d % 2)));
            for (var a = 0; a < 10; a++) {
                attributes =
                        attributes.with("text" + a, JsonObject.of("string", Json.of("value-" + a)));
            }
            var capacity =
                    JsonObject.of("memory", JsonObject.of("value", Json.of("24480Mi")))
                            .with("millicores", JsonObject.of("value", Json.of("1k")));
            devices.add(
                    JsonObject.of("name", Json.of("device-" + d))
                            .with("attributes", attributes)
                            .with("capacity", capacity));
        }
        var name = "slice-" + i;
        var pool =
                JsonObject.of("name", Json.of(name))
                        .with("generation", Json.of(1))
                        .with("resourceSliceCount", Json.of(1));
        return JsonObject.of("metadata", JsonObject.of("name", Json.of(name)))
                .with(
                        "spec",
                        JsonObject.of("driver", Json.of(DRIVER))
                                .with("nodeName", Json.of("node-" + i))
                                .with("pool", pool)
                                .with("devices", Json.array(devices)));
    }

    private static JsonObject claim(String name) {
        var exactly = JsonObject.of("deviceClassName", Json.of("gpu"));
        var request = JsonObject.of("name", Json.of("req")).with("exactly", exactly);
        var devices = JsonObject.of("requests", Json.array(request));
        return JsonObject.of("metadata", JsonObject.of("name", Json.of(name)))
                .with("spec", JsonObject.of("devices", devices));
    }

    private void allocatedClaim(int node, int device) {
        var name = "held-%d-%d".formatted(node, device);
        var made = create(Kinds.RESOURCE_CLAIM, claim(name));
        var result =
                JsonObject.of("request", Json.of("req"))
                        .with("driver", Json.of(DRIVER))
                        .with("pool", Json.of("slice-" + node))
                        .with("device", Json.of("device-" + device));
        var allocation = JsonObject.of("devices", JsonObject.of("results", Json.array(result)));
        cluster.send(
                new Request.Update(
                        ResourcePath.of(Kinds.RESOURCE_CLAIM),
                        "default",
                        name,
                        "status",
                        made.with("status", JsonObject.of("allocation", allocation))));
    }

    private static JsonObject pod(String name) {
        var entry = JsonObject.of("name", Json.of("dev")).with("resourceClaimName", Json.of(name));
        var uses = JsonObject.of("claims", Json.array(JsonObject.of("name", Json.of("dev"))));
        var container =
                JsonObject.of("name", Json.of("c"))
                        .with("image", Json.of("pause"))
                        .with("resources", uses);
        return JsonObject.of("metadata", JsonObject.of("name", Json.of(name)))
                .with(
                        "spec",
                        JsonObject.of("schedulerName", Json.of("berth"))
                                .with("resourceClaims", Json.array(entry))
                                .with("containers", Json.array(List.of(container))));
    }
}
