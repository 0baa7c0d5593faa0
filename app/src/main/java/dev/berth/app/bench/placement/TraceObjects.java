package dev.berth.app.bench.placement;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Kubernetes objects of traces.
final class TraceObjects {

    static final String NAMESPACE = "bench";

    private static final String DOMAIN = "bench.berth.dev";

    /// A partition profile of a GPU.
    private record Profile(String name, int memory, int compute, List<Integer> starts) {}

    private static final List<Profile> PROFILES =
            List.of(
                    new Profile("1g.10gb", 1, 1, List.of(0, 1, 2, 3, 4, 5, 6)),
                    new Profile("1g.20gb", 2, 1, List.of(0, 2, 4, 6)),
                    new Profile("2g.20gb", 2, 2, List.of(0, 2, 4)),
                    new Profile("3g.40gb", 4, 3, List.of(0, 4)),
                    new Profile("4g.40gb", 4, 4, List.of(0)),
                    new Profile("7g.80gb", 8, 7, List.of(0)));

    private TraceObjects() {}

    static JsonObject node(String name, String cpu, String memory) {
        return json(
                """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"status":{
                "allocatable":{"cpu":"%s","memory":"%s","pods":"1001"},
                "capacity":{"cpu":"%s","memory":"%s","pods":"1001"}}}
                """,
                name, cpu, memory, cpu, memory);
    }

    static JsonObject deviceClass(String name) {
        return json(
                """
                {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"%s"},
                "spec":{"selectors":[{"cel":{"expression":"device.driver == '%s.%s'"}}]}}
                """,
                name, name, DOMAIN);
    }

    /// GPUs of a model that can be shared in thousandths.
    static JsonObject sharedGpus(String node, int count, String model) {
        return slice(
                node,
                "gpu",
                "",
                1,
                devices(
                        count,
                        i ->
                                """
                                {"name":"gpu-%d","allowMultipleAllocations":true,
                                "attributes":{"model":{"string":"%s"}},
                                "capacity":{"milli":{"value":"1000"}}}\
                                """
                                        .formatted(i, model)));
    }

    /// Devices on PCIe roots with two devices each, with two roots for each NUMA node.
    static JsonObject locatedDevices(String node, String kind, int count) {
        return slice(
                node,
                kind,
                "",
                1,
                devices(
                        count,
                        i ->
                                """
                                {"name":"%s-%d","attributes":{
                                "resource.kubernetes.io/pcieRoot":{"string":"pci0000:%02x"},
                                "resource.kubernetes.io/numaNode":{"int":%d}}}\
                                """
                                        .formatted(kind, i, i / 2, i / 4)));
    }

    /// The slices of a node with GPUs of 8 memory slices and 7 compute slices.
    static List<JsonObject> partitionedGpus(String node, int count) {
        var slices = new ArrayList<JsonObject>();
        var counters =
                IntStream.range(0, count)
                        .mapToObj(gpu ->
                                ("{\"name\":\"gpu-%d\",\"counters\":"
                                                + "{%s,\"compute\":{\"value\":\"7\"}}}")
                                        .formatted(gpu, memory(0, 8)))
                        .collect(Collectors.joining(","));
        slices.add(
                json(
                        """
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
                        "metadata":{"name":"%s-gpu-counters"},"spec":{"driver":"gpu.%s",
                        "nodeName":"%s","pool":{"name":"%s","generation":1,
                        "resourceSliceCount":%d},"sharedCounters":[%s]}}
                        """,
                        node, DOMAIN, node, node, count + 1, counters));
        for (var gpu = 0; gpu < count; gpu++) {
            slices.add(slice(node, "gpu", "-" + gpu, count + 1, partitions(gpu)));
        }
        return slices;
    }

    private static String partitions(int gpu) {
        var partitions = new ArrayList<String>();
        for (var profile : PROFILES) {
            for (var start : profile.starts) {
                partitions.add(
                        """
                        {"name":"gpu-%d-%s-%d","attributes":{"profile":{"string":"%s"}},
                        "consumesCounters":[{"counterSet":"gpu-%d","counters":{%s,
                        "compute":{"value":"%d"}}}]}\
                        """
                                .formatted(
                                        gpu,
                                        profile.name.replace('.', '-'),
                                        start,
                                        profile.name,
                                        gpu,
                                        memory(start, profile.memory),
                                        profile.compute));
            }
        }
        return String.join(",", partitions);
    }

    private static String memory(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj("\"memory-%d\":{\"value\":\"1\"}"::formatted)
                .collect(Collectors.joining(","));
    }

    private static String devices(int count, IntFunction<String> device) {
        return IntStream.range(0, count).mapToObj(device).collect(Collectors.joining(","));
    }

    private static JsonObject slice(
            String node, String driver, String suffix, int slices, String devices) {
        return json(
                """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":
                "%s-%s%s"},"spec":{"driver":"%s.%s","nodeName":"%s","pool":
                {"name":"%s","generation":1,"resourceSliceCount":%d},"devices":[%s]}}
                """,
                node, driver, suffix, driver, DOMAIN, node, node, slices, devices);
    }

    /// A pod that uses claims with the same names as the device classes.
    static JsonObject pod(String name, String requests, List<String> classes) {
        var entries =
                classes.stream()
                        .map(one ->
                                "{\"name\":\"%s\",\"resourceClaimName\":\"%s-%s\"}"
                                        .formatted(one, name, one))
                        .collect(Collectors.joining(","));
        var uses =
                classes.stream()
                        .map("{\"name\":\"%s\"}"::formatted)
                        .collect(Collectors.joining(","));
        return json(
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s",
                "uid":"%s"},"spec":{"containers":[{"name":"c","image":"pause","resources":{
                "requests":{%s},"claims":[%s]}}],"resourceClaims":[%s]}}
                """,
                name, NAMESPACE, name, requests, uses, entries);
    }

    /// A claim for devices of a class.
    ///
    /// @param more further fields of the request as JSON, with a leading comma
    static JsonObject claim(String pod, String deviceClass, int count, String more) {
        return json(
                """
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":
                "%s-%s","namespace":"%s","uid":"%s-%s"},"spec":{"devices":{"requests":[{"name":"d",
                "exactly":{"deviceClassName":"%s","allocationMode":"ExactCount","count":%d%s}}]}}}
                """,
                pod, deviceClass, NAMESPACE, pod, deviceClass, deviceClass, count, more);
    }

    /// A selector for devices with one of several values of an attribute.
    static String selector(String attribute, String... values) {
        var list =
                Arrays.stream(values)
                        .sorted()
                        .distinct()
                        .map("'%s'"::formatted)
                        .collect(Collectors.joining(","));
        return (",\"selectors\":[{\"cel\":{\"expression\":"
                        + "\"device.attributes['gpu.%s'].%s in [%s]\"}}]")
                .formatted(DOMAIN, attribute, list);
    }
}
