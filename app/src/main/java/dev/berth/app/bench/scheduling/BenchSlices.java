package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// ResourceSlices of benchmark nodes.
final class BenchSlices {

    static final String DRIVER = "bench.berth.dev";

    private static final int LIST_DEVICES = 64;
    private static final int LIST_VALUES = 47;

    private BenchSlices() {}

    static List<JsonObject> tenGpus(String node) {
        return gpus(node, 10);
    }

    /// Devices with as many attributes as those of real drivers, on two PCI roots.
    static List<JsonObject> gpus(String node, int count) {
        return List.of(slice(node, "", devices(count, BenchSlices::gpu)));
    }

    private static String gpu(int index) {
        return """
        {"name":"device-%d","attributes":{"uuid":{"string":"GPU-%08d"},"model":{"string":"Model-X"},
        "brand":{"string":"Bench"},"architecture":{"string":"Latest"},"type":{"string":"gpu"},
        "serial":{"string":"S-%08d"},"productName":{"string":"Bench Model X 24"},
        "driverVersion":{"version":"1.2.3"},"firmware":{"string":"fw-7"},"healthy":{"bool":true},
        "pciBusID":{"string":"0000:%02x:00.0"},"slot":{"string":"%d"},
        "resource.kubernetes.io/pcieRoot":{"string":"pci0000:%02x"}},
        "capacity":{"memory":{"value":"24480Mi"},"millicores":{"value":"1k"}}}\
        """
                .formatted(index, index, index, index, index, index % 2);
    }

    /// Two devices that consume two of the node's four counters each.
    ///
    /// @param group compatibility groups of a device as JSON, with a leading comma
    static List<JsonObject> partitions(String node, String group) {
        var counters =
                IntStream.range(0, 4)
                        .mapToObj(i -> "\"counter-%d\":{\"value\":\"1\"}".formatted(i))
                        .collect(Collectors.joining(","));
        var devices =
                devices(
                        2,
                        i ->
                                """
                                {"name":"device-%d","consumesCounters":[{"counterSet":"set",
                                "counters":
                                {"counter-%d":{"value":"1"},"counter-%d":{"value":"1"}}%s}]}\
                                """
                                        .formatted(i, 2 * i, 2 * i + 1, group));
        return withCounters(node, counters, devices);
    }

    /// Eight devices of which seven fit, and only without the second.
    static List<JsonObject> greedy(String node) {
        var counters =
                IntStream.range(0, 8)
                        .mapToObj(i -> "\"cpu-%d\":{\"value\":\"1\"}".formatted(i))
                        .collect(Collectors.joining(","));
        var devices =
                devices(
                        8,
                        i ->
                                """
                                {"name":"device-%d","consumesCounters":[{"counterSet":"set",
                                "counters":
                                {"cpu-%d":{"value":"1"},"memory":{"value":"%s"}}}]}\
                                """
                                        .formatted(i, i, i == 1 ? "20Gi" : "10Gi"));
        return withCounters(node, counters + ",\"memory\":{\"value\":\"70Gi\"}", devices);
    }

    /// Four devices shared by bandwidth.
    static List<JsonObject> links(String node) {
        return List.of(
                slice(
                        node,
                        "",
                        devices(
                                4,
                                i ->
                                        """
                                        {"name":"device-%d","allowMultipleAllocations":true,
                                        "attributes":{"index":{"int":%d}},"capacity":{"bandwidth":
                                        {"value":"10G","requestPolicy":{"default":"1M","validRange":
                                        {"min":"1M","step":"8"}}}}}\
                                        """
                                                .formatted(i, i))));
    }

    /// Many devices with long list attributes; the last half shares one value.
    static List<JsonObject> lists(String node) {
        return List.of(slice(node, "", devices(LIST_DEVICES, BenchSlices::listed)));
    }

    private static String listed(int index) {
        var own =
                IntStream.range(0, LIST_VALUES)
                        .mapToObj(i -> "\"v-%d-%d\"".formatted(index, i))
                        .collect(Collectors.joining(","));
        var shared = index < LIST_DEVICES / 2 ? "" : ",\"shared\"";
        return "{\"name\":\"device-%d\",\"attributes\":{\"groups\":{\"strings\":[%s%s]}}}"
                .formatted(index, own, shared);
    }

    private static String devices(int count, IntFunction<String> device) {
        return IntStream.range(0, count).mapToObj(device).collect(Collectors.joining(","));
    }

    private static JsonObject slice(String node, String suffix, String devices) {
        return json(
                """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"%s%s",
                "labels":{"berth-bench":"yes"}},"spec":{"driver":"%s","nodeName":"%s","pool":
                {"name":"%s","generation":1,"resourceSliceCount":1},"devices":[%s]}}
                """,
                node, suffix, DRIVER, node, node, devices);
    }

    private static List<JsonObject> withCounters(String node, String counters, String devices) {
        var set =
                json(
                        """
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
                        "metadata":{"name":"%s-counters","labels":{"berth-bench":"yes"}},
                        "spec":{"driver":"%s","nodeName":"%s","pool":{"name":"%s",
                        "generation":1,"resourceSliceCount":2},
                        "sharedCounters":[{"name":"set","counters":{%s}}]}}
                        """,
                        node, DRIVER, node, node, counters);
        var slice = slice(node, "", devices);
        var spec = slice.objectOrEmpty("spec");
        var pool = spec.objectOrEmpty("pool").with("resourceSliceCount", Json.of(2));
        return List.of(set, slice.with("spec", spec.with("pool", pool)));
    }
}
