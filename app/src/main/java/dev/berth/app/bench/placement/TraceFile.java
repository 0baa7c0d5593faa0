package dev.berth.app.bench.placement;

import dev.berth.app.bench.placement.ArrivalTrace.Kind;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// Reads trace files: CSV with a header that tells the format.
final class TraceFile {

    private static final String OPENB = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec";
    private static final String PARTITIONS = "arrival_s,lifetime_s,profile";
    private static final String LOCATIONS = "arrival_s,lifetime_s,gpus,nics";
    private static final int WHOLE = 1000;
    private static final int PARTITIONED_NODES = 25;
    private static final int LOCATED_NODES = 16;
    private static final int UNCOUNTED = 100;

    private final Path path;
    private final String workload;
    private final String seed;

    private TraceFile(Path path) {
        this.path = path;
        var name = path.getFileName().toString().replaceAll("\\.csv$", "");
        var dash = name.lastIndexOf('-');
        this.workload = dash < 0 ? name : name.substring(0, dash);
        this.seed = dash < 0 ? "" : name.substring(dash + 1);
    }

    /// The trace files of a directory, or a file itself.
    static List<Path> find(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (var files = Files.list(path)) {
            var found = new ArrayList<Path>();
            for (var file : files.sorted().toList()) {
                if (file.toString().endsWith(".csv") && isTrace(file)) {
                    found.add(file);
                }
            }
            return found;
        }
    }

    private static boolean isTrace(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return lines.findFirst()
                    .filter(header -> List.of(OPENB, PARTITIONS, LOCATIONS).contains(header))
                    .isPresent();
        }
    }

    /// Reads a trace.
    ///
    /// @throws IOException if a file is missing, or has an unknown format
    static ArrivalTrace read(Path path) throws IOException {
        return new TraceFile(path).read();
    }

    private ArrivalTrace read() throws IOException {
        var lines = Files.readAllLines(path);
        var rows = rows(lines);
        return switch (lines.isEmpty() ? "" : lines.getFirst()) {
            case OPENB -> openb(rows);
            case PARTITIONS -> partitions(rows);
            case LOCATIONS -> locations(rows);
            default ->
                    throw new IOException(
                            "%s: unknown trace format; the first line must be %s, %s or %s"
                                    .formatted(path, OPENB, PARTITIONS, LOCATIONS));
        };
    }

    private static List<String[]> rows(List<String> lines) {
        return lines.stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(line -> line.split(",", -1))
                .toList();
    }

    private static String podName(int number) {
        return "pod-%05d".formatted(number);
    }

    private ArrivalTrace openb(List<String[]> rows) throws IOException {
        var nodes = new ArrayList<JsonObject>();
        var slices = new ArrayList<JsonObject>();
        var capacity = 0L;
        var positions = positions();
        var nodeRows = rows(Files.readAllLines(path.resolveSibling("nodes.csv")));
        for (var i = 0; i < nodeRows.size(); i++) {
            var row = nodeRows.get(i);
            var name = "%04d-%s".formatted(positions.getOrDefault(i, i), row[0]);
            var gpus = Integer.parseInt(row[3]);
            nodes.add(TraceObjects.node(name, row[1] + "m", row[2] + "Mi"));
            slices.add(TraceObjects.sharedGpus(name, gpus, row[4]));
            capacity += (long) gpus * WHOLE;
        }
        var arrivals =
                IntStream.range(0, rows.size()).mapToObj(i -> openbPod(i, rows.get(i))).toList();
        var cluster =
                new ArrivalTrace.Cluster(nodes, slices, List.of(TraceObjects.deviceClass("gpu")));
        return new ArrivalTrace(workload, seed, Kind.ALLOCATION, cluster, capacity, arrivals, 0);
    }

    /// The position of each node in the order of names, which decides ties.
    private Map<Integer, Integer> positions() throws IOException {
        var positions = new HashMap<Integer, Integer>();
        var file = path.resolveSibling("perm-" + path.getFileName());
        if (Files.exists(file)) {
            for (var line : Files.readAllLines(file)) {
                positions.put(positions.size(), Integer.parseInt(line.strip()));
            }
        }
        return positions;
    }

    private static Arrival openbPod(int number, String[] row) {
        var name = podName(number);
        var requests = "\"cpu\":\"%sm\",\"memory\":\"%sMi\"".formatted(row[1], row[2]);
        var gpus = Integer.parseInt(row[3]);
        var milli = gpus == 1 ? Integer.parseInt(row[4]) : WHOLE;
        var more =
                ",\"capacity\":{\"requests\":{\"milli\":\"%d\"}}".formatted(milli)
                        + (row[5].isEmpty()
                                ? ""
                                : TraceObjects.selector("model", row[5].split("\\|")));
        return new Arrival(
                TraceObjects.pod(name, requests, gpus == 0 ? List.of() : List.of("gpu")),
                gpus == 0 ? List.of() : List.of(TraceObjects.claim(name, "gpu", gpus, more)),
                (long) gpus * milli,
                0,
                OptionalDouble.empty(),
                0);
    }

    private ArrivalTrace partitions(List<String[]> rows) {
        var nodes = new ArrayList<JsonObject>();
        var slices = new ArrayList<JsonObject>();
        for (var i = 0; i < PARTITIONED_NODES; i++) {
            var name = "node-%02d".formatted(i);
            nodes.add(TraceObjects.node(name, "64", "512Gi"));
            slices.addAll(TraceObjects.partitionedGpus(name, 4));
        }
        var arrivals = new ArrayList<Arrival>();
        for (var row : rows) {
            var name = podName(arrivals.size());
            var claim =
                    TraceObjects.claim(name, "gpu", 1, TraceObjects.selector("profile", row[2]));
            arrivals.add(arrival(row, name, List.of("gpu"), List.of(claim), 0));
        }
        return new ArrivalTrace(
                workload,
                seed,
                Kind.ACCEPTANCE,
                new ArrivalTrace.Cluster(nodes, slices, List.of(TraceObjects.deviceClass("gpu"))),
                0,
                arrivals,
                Math.ceilDiv(rows.size(), 3));
    }

    private static Arrival arrival(
            String[] row,
            String name,
            List<String> classes,
            List<JsonObject> claims,
            int fewestRoots) {
        return new Arrival(
                TraceObjects.pod(name, "", classes),
                claims,
                0,
                Double.parseDouble(row[0]),
                OptionalDouble.of(Double.parseDouble(row[1])),
                fewestRoots);
    }

    private ArrivalTrace locations(List<String[]> rows) {
        var nodes = new ArrayList<JsonObject>();
        var slices = new ArrayList<JsonObject>();
        for (var i = 0; i < LOCATED_NODES; i++) {
            var name = "node-%02d".formatted(i);
            nodes.add(TraceObjects.node(name, "64", "512Gi"));
            slices.add(TraceObjects.locatedDevices(name, "gpu", 8));
            slices.add(TraceObjects.locatedDevices(name, "nic", 8));
        }
        var arrivals = new ArrayList<Arrival>();
        for (var row : rows) {
            arrivals.add(located(podName(arrivals.size()), row));
        }
        var classes = List.of(TraceObjects.deviceClass("gpu"), TraceObjects.deviceClass("nic"));
        return new ArrivalTrace(
                workload,
                seed,
                Kind.ALIGNMENT,
                new ArrivalTrace.Cluster(nodes, slices, classes),
                0,
                arrivals,
                UNCOUNTED);
    }

    private static Arrival located(String name, String[] row) {
        var gpus = Integer.parseInt(row[2]);
        var nics = Integer.parseInt(row[3]);
        var claims = new ArrayList<JsonObject>();
        claims.add(TraceObjects.claim(name, "gpu", gpus, ""));
        if (nics > 0) {
            claims.add(TraceObjects.claim(name, "nic", nics, ""));
        }
        var isMeasured = gpus + nics > 1 && gpus < 8;
        return arrival(
                row,
                name,
                nics > 0 ? List.of("gpu", "nic") : List.of("gpu"),
                claims,
                isMeasured ? Math.ceilDiv(Math.max(gpus, nics), 2) : 0);
    }
}
