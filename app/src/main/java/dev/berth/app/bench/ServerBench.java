package dev.berth.app.bench;

import dev.berth.app.print.Progress;
import dev.berth.model.file.TemporaryDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Measures the latency, throughput and memory of an API server.
final class ServerBench {

    private static final String NAMESPACE = "berth-bench";
    private static final String IN_NAMESPACE = "/api/v1/namespaces/" + NAMESPACE;
    private static final String CLAIMS =
            "/apis/resource.k8s.io/v1/namespaces/" + NAMESPACE + "/resourceclaims";
    private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
    private static final String LABELLED = "?labelSelector=berth-bench%3Dyes";
    private static final int FILLERS = 16;
    private static final int LISTINGS = 5;
    private static final int EVENTS = 100;
    private static final int WATCH_BUFFER_BYTES = 512;

    /// Watches that are opened at the same time. With all of them at once, handshakes on a busy
    /// machine take longer than the server allows.
    private static final int OPENING = 64;

    private static final int WARM_UP_LISTS = 100;
    private static final long IDLE_MILLIS = 3_000;
    private static final String MILLIS = "ms CPU of the server each";
    private static final byte[] NOTHING = {};

    /// Parameters of the measurement.
    ///
    /// @param warmUpSeconds duration of claim creation before the measurement, so that the server's
    ///   code is compiled
    record Plan(
            Encoding encoding,
            List<Integer> clients,
            int seconds,
            int warmUpSeconds,
            int slices,
            int watchers) {
        Plan {
            clients = List.copyOf(clients);
        }
    }

    private final Plan plan;
    private final Progress progress;
    private final BenchReport report = new BenchReport();
    private ProcessUsage usage = ProcessUsage.UNKNOWN;
    private int made;
    private final AtomicLong names = new AtomicLong(System.currentTimeMillis());

    ServerBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /// Measures a server that is started for this purpose.
    BenchReport own() throws IOException, InterruptedException {
        try (var temporary = TemporaryDirectory.create("berth-bench")) {
            var directory = temporary.path();
            circumstances();
            progress.show("starting a server");
            try (var first = ServerProcess.start(directory)) {
                report.add("first start, makes its keys", first.startSeconds(), "s", "");
            }
            try (var server = ServerProcess.start(directory)) {
                report.add("start", server.startSeconds(), "s", "<= 1.5");
                Thread.sleep(IDLE_MILLIS);
                usage = server.usage();
                memory("memory when idle", "<= 200");
                createsAndLists(server.access());
            }
        }
        if (plan.watchers > 0) {
            ownWatches();
        }
        return report;
    }

    /// Measures watchers on a server of their own, without the claims of the previous measurement.
    private void ownWatches() throws IOException, InterruptedException {
        try (var directory = TemporaryDirectory.create("berth-bench");
                var server = ServerProcess.start(directory.path())) {
            usage = server.usage();
            makeNamespace(server.access());
            watches(server.access());
        }
    }

    /// Prints the load of the machine: on a busy machine the figures are not comparable.
    private void circumstances() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        report.add("processors", system.getAvailableProcessors(), "", "");
        report.add("load before", system.getSystemLoadAverage(), "", "");
    }

    private void memory(String name, String target) {
        usage.residentMegabytes().ifPresent(has -> report.add(name, has, "MB RSS", target));
    }

    /// Reports the CPU time of the server since `before` for each of `count` units. Unlike rates,
    /// this hardly depends on what else the machine does.
    private void cpu(
            String name, OptionalDouble before, double unitsPerSecond, String unit, long count) {
        var now = usage.cpuSeconds();
        if (before.isPresent() && now.isPresent() && count > 0) {
            var spent = now.getAsDouble() - before.getAsDouble();
            report.add(name, spent * unitsPerSecond / count, unit, "");
        }
    }

    /// Measures a running server.
    BenchReport other(BenchTarget access, ProcessUsage server)
            throws IOException, InterruptedException {
        usage = server;
        circumstances();
        createsAndLists(access);
        if (plan.watchers > 0) {
            watches(access);
        }
        try (var connection = BenchConnection.to(access)) {
            connection.send("DELETE", IN_NAMESPACE, NOTHING);
            connection.send("DELETE", SLICES + LABELLED, NOTHING);
        }
        return report;
    }

    private static void makeNamespace(BenchTarget access) throws IOException {
        try (var connection = BenchConnection.to(access)) {
            connection.send(
                    "POST",
                    "/api/v1/namespaces",
                    Encoding.JSON.body(BenchObjects.namespace(NAMESPACE)));
        }
    }

    private void createsAndLists(BenchTarget access) throws IOException, InterruptedException {
        makeNamespace(access);
        progress.show("warming up");
        if (plan.warmUpSeconds > 0) {
            creates(access, Collections.max(plan.clients), plan.warmUpSeconds);
            warmUpLists(access);
        }
        for (var clients : plan.clients) {
            progress.show("creating claims with " + clients + " clients");
            var name = "durable creates of 2 KB claims, %d clients".formatted(clients);
            var before = usage.cpuSeconds();
            var rate = creates(access, clients, plan.seconds);
            report.add(name, rate, "/s", clients == 128 ? ">= 5000" : "");
            cpu(name, before, 1e3, MILLIS, made);
        }
        if (plan.slices > 0) {
            lists(access);
        }
        memory("memory after creates and lists", "");
    }

    /// Compiles the code that lists and encodes slices, so that the first measured list shows its
    /// own cost.
    private void warmUpLists(BenchTarget access) throws IOException {
        try (var connection = BenchConnection.to(access, plan.encoding)) {
            for (var i = 0; i < WARM_UP_LISTS; i++) {
                connection.expect(200, "GET", CLAIMS + "?limit=500", NOTHING);
            }
        }
    }

    /// Measures creates per second.
    private double creates(BenchTarget access, int clients, int seconds)
            throws IOException, InterruptedException {
        var connections = new ArrayList<BenchConnection>();
        try {
            // Handshakes are not measured.
            connections.addAll(together(Collections.nCopies(clients, () -> opened(access))));
            var begin = System.nanoTime();
            var end = begin + seconds * 1_000_000_000L;
            var tasks = new ArrayList<Callable<Integer>>();
            for (var connection : connections) {
                tasks.add(() -> creates(connection, end));
            }
            made = together(tasks).stream().mapToInt(Integer::intValue).sum();
            return made / ((System.nanoTime() - begin) / 1e9);
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private BenchConnection opened(BenchTarget access) throws IOException {
        var connection = BenchConnection.to(access, plan.encoding);
        connection.expect(200, "GET", "/readyz", NOTHING);
        return connection;
    }

    private int creates(BenchConnection connection, long end) throws IOException {
        var count = 0;
        while (System.nanoTime() < end) {
            var claim = plan.encoding.body(BenchObjects.claim("c" + names.incrementAndGet()));
            connection.expect(201, "POST", CLAIMS, claim);
            count++;
        }
        return count;
    }

    private void lists(BenchTarget access) throws IOException, InterruptedException {
        progress.show("creating " + plan.slices + " ResourceSlices");
        var next = new AtomicInteger();
        together(Collections.nCopies(FILLERS, () -> fill(access, next)));
        progress.show("listing " + plan.slices + " ResourceSlices");
        var what = "list of %,d ResourceSlices, ".formatted(plan.slices);
        try (var connection = BenchConnection.to(access, plan.encoding)) {
            var before = usage.cpuSeconds();
            report.add(what + "first", list(connection).seconds * 1e3, "ms", "");
            cpu(what + "first", before, 1e3, MILLIS, 1);
            var again = what + "best of %d".formatted(LISTINGS);
            before = usage.cpuSeconds();
            var best = list(connection);
            for (var i = 1; i < LISTINGS; i++) {
                var one = list(connection);
                best = one.seconds < best.seconds ? one : best;
            }
            cpu(again, before, 1e3, MILLIS, LISTINGS);
            report.add(again, best.seconds * 1e3, "ms", "");
            report.add(again, best.bytes / 1e6 / best.seconds, "MB/s", "");
            report.add(again, best.bytes / 1e6, "MB", "");
        }
    }

    private int fill(BenchTarget access, AtomicInteger next) throws IOException {
        try (var connection = BenchConnection.to(access, plan.encoding)) {
            for (var n = next.getAndIncrement(); n < plan.slices; n = next.getAndIncrement()) {
                var slice = BenchObjects.slice("s" + names.incrementAndGet(), n);
                connection.expect(201, "POST", SLICES, plan.encoding.body(slice));
            }
        }
        return 0;
    }

    private record Listing(double seconds, int bytes) {}

    private static Listing list(BenchConnection connection) throws IOException {
        var begin = System.nanoTime();
        var bytes = connection.expect(200, "GET", SLICES + LABELLED, NOTHING).body().length;
        return new Listing((System.nanoTime() - begin) / 1e9, bytes);
    }

    private void watches(BenchTarget access) throws IOException, InterruptedException {
        progress.show("opening " + plan.watchers + " watches");
        var target = IN_NAMESPACE + "/configmaps?watch=1&resourceVersion=" + revision(access);
        var connections = new ArrayList<BenchConnection>();
        try {
            var begun = System.nanoTime();
            while (connections.size() < plan.watchers) {
                var count = Math.min(OPENING, plan.watchers - connections.size());
                connections.addAll(
                        together(Collections.nCopies(count, () -> watching(access, target))));
            }
            var name = "%,d watchers".formatted(plan.watchers);
            report.add(name + ", opening", (System.nanoTime() - begun) / 1e9, "s", "");
            progress.show("sending " + EVENTS + " events");
            var before = usage.cpuSeconds();
            var seconds = events(access, connections);
            var events = "%s × %d events".formatted(name, EVENTS);
            report.add(events + ", to the last", seconds, "s", "");
            var count = (long) plan.watchers * EVENTS;
            cpu(events, before, 1e6, "µs CPU of the server each", count);
            heap(access, name);
            memory(name + ", memory", "<= 400");
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private BenchConnection watching(BenchTarget access, String target) throws IOException {
        var connection = BenchConnection.to(access, plan.encoding, WATCH_BUFFER_BYTES);
        connection.watch(target);
        return connection;
    }

    private static String revision(BenchTarget access) throws IOException {
        try (var connection = BenchConnection.to(access)) {
            var list = connection.expect(200, "GET", IN_NAMESPACE + "/configmaps", NOTHING).text();
            return BenchObjects.revision(list);
        }
    }

    /// Creates objects one after the other, each when all watchers have received the previous one.
    /// So every watcher is sent every event by itself: events that the server sends together cost
    /// less, and how many these are depends on the load of the machine.
    private double events(BenchTarget access, List<BenchConnection> connections)
            throws IOException, InterruptedException {
        var received = new Phaser(connections.size() + 1);
        var tasks = new ArrayList<Callable<Long>>();
        for (var connection : connections) {
            tasks.add(() -> receive(connection, received));
        }
        var begin = System.nanoTime();
        tasks.add(() -> {
            try (var connection = BenchConnection.to(access, plan.encoding)) {
                for (var i = 0; i < EVENTS; i++) {
                    var event = BenchObjects.configMap("e" + names.incrementAndGet());
                    var made = plan.encoding.body(event);
                    connection.expect(201, "POST", IN_NAMESPACE + "/configmaps", made);
                    received.arriveAndAwaitAdvance();
                }
            } finally {
                received.forceTermination();
            }
            return begin;
        });
        var last = together(tasks).stream().mapToLong(Long::longValue).max().orElse(begin);
        return (last - begin) / 1e9;
    }

    private static long receive(BenchConnection connection, Phaser received) throws IOException {
        try {
            for (var i = 0; i < EVENTS; i++) {
                connection.await(1);
                received.arriveAndAwaitAdvance();
            }
            return System.nanoTime();
        } catch (IOException e) {
            received.forceTermination();
            throw e;
        }
    }

    /// Reports the heap size from the metrics of Berth; other servers do not have this metric.
    private void heap(BenchTarget access, String name) throws IOException {
        try (var connection = BenchConnection.to(access)) {
            connection
                    .metric("process_heap_bytes")
                    .ifPresent(bytes -> report.add(name + ", heap", bytes / 1e6, "MB", ""));
        }
    }

    private static <T> List<T> together(List<? extends Callable<T>> tasks)
            throws IOException, InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (Future<T> future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }
}
