package dev.berth.app.bench;

import dev.berth.app.print.Progress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Measures a server.
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
    private static final long IDLE_MILLIS = 3_000;
    private static final byte[] NOTHING = {};

    /// What to measure.
    ///
    /// @param warmUpSeconds how long to create claims before anything counts, so that the server's
    ///   code is compiled
    record Plan(List<Integer> clients, int seconds, int warmUpSeconds, int slices, int watchers) {
        Plan {
            clients = List.copyOf(clients);
        }
    }

    private final Plan plan;
    private final Progress progress;
    private final Report report = new Report();
    private Supplier<Duration> cpu = () -> Duration.ZERO;
    private Supplier<OptionalDouble> memory = OptionalDouble::empty;
    private int made;
    private final AtomicLong names = new AtomicLong(System.currentTimeMillis());

    ServerBench(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /// A server that is started for it.
    Report own() throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("berth-bench");
        try {
            circumstances();
            progress.show("starting a server");
            try (var first = OwnServer.start(directory)) {
                report.add("first start, makes its keys", first.startSeconds(), "s", "");
            }
            try (var server = OwnServer.start(directory)) {
                report.add("start", server.startSeconds(), "s", "<= 1.5");
                Thread.sleep(IDLE_MILLIS);
                report.add("memory when idle", server.residentMegabytes(), "MB RSS", "<= 200");
                cpu = server::cpu;
                createsAndLists(server.access());
            }
        } finally {
            OwnServer.delete(directory);
        }
        if (plan.watchers > 0) {
            ownWatches();
        }
        return report;
    }

    /// On a server without the thousands of claims that were created before: what is measured is
    /// what watchers take.
    private void ownWatches() throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("berth-bench");
        try (var server = OwnServer.start(directory)) {
            memory = () -> OptionalDouble.of(server.residentMegabytes());
            makeNamespace(server.access());
            watches(server.access());
        } finally {
            OwnServer.delete(directory);
        }
    }

    /// What figures of this machine are worth: little when it has other things to do.
    private void circumstances() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        report.add("processors", system.getAvailableProcessors(), "", "");
        report.add("load before", system.getSystemLoadAverage(), "", "");
    }

    /// Any other server.
    Report other(Reach access) throws IOException, InterruptedException {
        circumstances();
        createsAndLists(access);
        if (plan.watchers > 0) {
            watches(access);
        }
        try (var connection = Connection.to(access)) {
            connection.send("DELETE", IN_NAMESPACE, NOTHING);
            connection.send("DELETE", SLICES + LABELLED, NOTHING);
        }
        return report;
    }

    private static void makeNamespace(Reach access) throws IOException {
        try (var connection = Connection.to(access)) {
            connection.send("POST", "/api/v1/namespaces", BenchObjects.namespace(NAMESPACE));
        }
    }

    private void createsAndLists(Reach access) throws IOException, InterruptedException {
        makeNamespace(access);
        progress.show("warming up");
        if (plan.warmUpSeconds > 0) {
            creates(access, Collections.max(plan.clients), plan.warmUpSeconds);
        }
        for (var clients : plan.clients) {
            progress.show("creating claims with " + clients + " clients");
            var name = "durable creates of 2 KB claims, %d clients".formatted(clients);
            var before = cpu.get();
            var rate = creates(access, clients, plan.seconds);
            report.add(name, rate, "/s", clients == 128 ? ">= 5000" : "");
            var spent = cpu.get().minus(before);
            if (spent.isPositive() && made > 0) {
                // Unlike the rate this hardly depends on what else the machine does.
                report.add(name, spent.toNanos() / 1e6 / made, "ms CPU of the server each", "");
            }
        }
        if (plan.slices > 0) {
            lists(access);
        }
    }

    /// Creates a second.
    private double creates(Reach access, int clients, int seconds)
            throws IOException, InterruptedException {
        var connections = new ArrayList<Connection>();
        try {
            // Handshakes are not what is measured.
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

    private static Connection opened(Reach access) throws IOException {
        var connection = Connection.to(access);
        connection.expect(200, "GET", "/readyz", NOTHING);
        return connection;
    }

    private int creates(Connection connection, long end) throws IOException {
        var count = 0;
        while (System.nanoTime() < end) {
            var claim = BenchObjects.claim("c" + names.incrementAndGet());
            connection.expect(201, "POST", CLAIMS, claim);
            count++;
        }
        return count;
    }

    private void lists(Reach access) throws IOException, InterruptedException {
        progress.show("creating " + plan.slices + " ResourceSlices");
        var next = new AtomicInteger();
        var tasks = new ArrayList<Callable<Integer>>();
        for (var i = 0; i < FILLERS; i++) {
            tasks.add(() -> {
                try (var connection = Connection.to(access)) {
                    for (var n = next.getAndIncrement();
                            n < plan.slices;
                            n = next.getAndIncrement()) {
                        var slice = BenchObjects.slice("s" + names.incrementAndGet(), n);
                        connection.expect(201, "POST", SLICES, slice);
                    }
                }
                return 0;
            });
        }
        together(tasks);
        progress.show("listing " + plan.slices + " ResourceSlices");
        var best = Double.MAX_VALUE;
        var bytes = 0;
        try (var connection = Connection.to(access)) {
            for (var i = 0; i < LISTINGS; i++) {
                var begin = System.nanoTime();
                bytes = connection.expect(200, "GET", SLICES + LABELLED, NOTHING).body().length;
                best = Math.min(best, (System.nanoTime() - begin) / 1e9);
            }
        }
        var what = "list of %,d ResourceSlices, best of %d".formatted(plan.slices, LISTINGS);
        report.add(what, best * 1e3, "ms", "");
        report.add(what, bytes / 1e6 / best, "MB/s", "");
    }

    private void watches(Reach access) throws IOException, InterruptedException {
        progress.show("opening " + plan.watchers + " watches");
        var target = IN_NAMESPACE + "/configmaps?watch=1&resourceVersion=" + revision(access);
        var connections = new ArrayList<Connection>();
        try {
            var opening = new ArrayList<Callable<Connection>>();
            for (var i = 0; i < plan.watchers; i++) {
                opening.add(() -> {
                    var connection = Connection.to(access, WATCH_BUFFER_BYTES);
                    connection.watch(target);
                    return connection;
                });
            }
            var begun = System.nanoTime();
            connections.addAll(together(opening));
            var name = "%,d watchers".formatted(plan.watchers);
            report.add(name + ", opening", (System.nanoTime() - begun) / 1e9, "s", "");
            progress.show("sending " + EVENTS + " events");
            report.add(
                    "%s × %d events, to the last".formatted(name, EVENTS),
                    events(access, connections),
                    "s",
                    "");
            heap(access, name);
            memory.get().ifPresent(has -> report.add(name + ", memory", has, "MB RSS", "<= 400"));
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private static String revision(Reach access) throws IOException {
        try (var connection = Connection.to(access)) {
            var list = connection.expect(200, "GET", IN_NAMESPACE + "/configmaps", NOTHING).text();
            return BenchObjects.revision(list);
        }
    }

    private double events(Reach access, List<Connection> connections)
            throws IOException, InterruptedException {
        var tasks = new ArrayList<Callable<Long>>();
        for (var connection : connections) {
            tasks.add(() -> {
                connection.await(EVENTS);
                return System.nanoTime();
            });
        }
        var begin = System.nanoTime();
        tasks.add(() -> {
            try (var connection = Connection.to(access)) {
                for (var i = 0; i < EVENTS; i++) {
                    var made = BenchObjects.configMap("e" + names.incrementAndGet());
                    connection.expect(201, "POST", IN_NAMESPACE + "/configmaps", made);
                }
            }
            return begin;
        });
        var last = together(tasks).stream().mapToLong(Long::longValue).max().orElse(begin);
        return (last - begin) / 1e9;
    }

    /// What Berth says of its heap; other servers say nothing under that name.
    private void heap(Reach access, String name) throws IOException {
        try (var connection = Connection.to(access)) {
            var metrics = connection.send("GET", "/metrics", NOTHING).text();
            metrics.lines()
                    .filter(line -> line.startsWith("process_heap_bytes"))
                    .findFirst()
                    .ifPresent(line -> {
                        var bytes = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
                        report.add(name + ", heap", bytes / 1e6, "MB", "");
                    });
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
