package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.app.bench.scheduling.WorkloadShape.Mode;
import dev.berth.app.bench.scheduling.WorkloadShape.Use;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The workload shapes of Kubernetes' own scheduler_perf benchmark for DRA.
final class WorkloadShapes {

    static final String CLASS = "bench-class";

    private static final int NODES = 500;
    private static final int FEWER_NODES = 200;
    private static final int FREE = 10;
    private static final int NAMES = 25;

    private static final JsonObject ONE = exactly(1, "");
    private static final JsonObject TWO = exactly(2, "");

    private static final String GOOD_SELECTOR =
            """
            ,"selectors":[{"cel":{"expression":"device.attributes['bench.berth.dev'].driverVersion\
            .major() >= 1 && device.capacity['bench.berth.dev'].memory\
            .isGreaterThan(quantity('1Mi'))"}}]\
            """;

    private WorkloadShapes() {}

    static List<WorkloadShape> all() {
        var all = new ArrayList<WorkloadShape>();
        all.add(gpus("burst", "1 of 10 devices, half of them held", n -> n * 5, new Mode.Burst(5)));
        all.add(
                gpus("burst-200", "the same on 200 nodes", n -> n * 5, new Mode.Burst(5))
                        .onNodes(FEWER_NODES));
        all.add(gpus("empty", "1 of 10 devices, none held", _ -> 0, new Mode.Steady()));
        all.add(gpus("half", "1 of 10 devices, half of them held", n -> n * 5, new Mode.Steady()));
        all.add(gpus("full", "1 of 10 devices, 10 left", n -> n * 10 - FREE, new Mode.Steady()));
        all.add(
                steady(
                        "selector",
                        "1 of 10 by a selector",
                        BenchSlices::tenGpus,
                        exactly(1, GOOD_SELECTOR),
                        _ -> 0));
        all.add(
                steady(
                        "match",
                        "5 of 10 devices on one PCI root",
                        BenchSlices::tenGpus,
                        matched(),
                        _ -> 0));
        all.addAll(counters());
        all.addAll(capacity());
        all.add(
                steady(
                        "lists",
                        "32 of 64 that share a value",
                        BenchSlices::lists,
                        listed(),
                        _ -> 0));
        all.addAll(others());
        return all;
    }

    static Optional<WorkloadShape> named(String name) {
        return all().stream().filter(shape -> shape.name().equals(name)).findFirst();
    }

    private static List<WorkloadShape> counters() {
        Function<String, List<JsonObject>> plain = node -> BenchSlices.partitions(node, "");
        Function<String, List<JsonObject>> groups =
                node ->
                        BenchSlices.partitions(
                                node, ",\"compatibilityGroups\":[\"one\",\"other\"]");
        return List.of(
                steady("partitions", "2 that share counters", plain, TWO, _ -> 0),
                steady("partitions-full", "the same, 10 nodes left", plain, TWO, n -> n - FREE),
                steady(
                        "backtrack",
                        "7 of 8, not the first 7",
                        BenchSlices::greedy,
                        exactly(7, ""),
                        _ -> 0),
                steady(
                        "backtrack-full",
                        "the same, 10 nodes left",
                        BenchSlices::greedy,
                        exactly(7, ""),
                        n -> n - FREE),
                steady(
                        "compatibility",
                        "2 of one group, 10 nodes left",
                        groups,
                        TWO,
                        n -> n - FREE));
    }

    private static List<WorkloadShape> capacity() {
        var devices =
                json(
                        """
                        {"requests":[{"name":"r","exactly":{"deviceClassName":"%s",
                        "allocationMode":"ExactCount","count":2,
                        "capacity":{"requests":{"bandwidth":"2500M"}}}}],
                        "constraints":[{"requests":["r"],"distinctAttribute":"%s/index"}]}
                        """,
                        CLASS, BenchSlices.DRIVER);
        return List.of(
                steady("capacity", "2 shares of 4 links", BenchSlices::links, devices, _ -> 0),
                steady(
                        "capacity-half",
                        "the same, half held",
                        BenchSlices::links,
                        devices,
                        n -> n * 4),
                steady(
                        "capacity-full",
                        "the same, 10 left",
                        BenchSlices::links,
                        devices,
                        n -> n * 8 - FREE));
    }

    private static List<WorkloadShape> others() {
        Function<String, List<JsonObject>> pair = node -> BenchSlices.gpus(node, 2);
        return List.of(
                new WorkloadShape(
                        "shared",
                        "5 pods use one claim",
                        NODES,
                        pair,
                        List.of(),
                        ONE,
                        new Use.Shared(5),
                        n -> n,
                        new Mode.Burst(5)),
                new WorkloadShape(
                        "extended",
                        "by the name of an extended resource",
                        NODES,
                        BenchSlices::tenGpus,
                        extendedClasses(),
                        ONE,
                        new Use.Extended(NAMES),
                        _ -> 0,
                        new Mode.Burst(5)),
                new WorkloadShape(
                        "gang-shared",
                        "50 pods of a group use one claim",
                        NODES,
                        BenchSlices::tenGpus,
                        List.of(),
                        ONE,
                        new Use.Grouped(50),
                        _ -> 0,
                        new Mode.Burst(10)));
    }

    private static WorkloadShape gpus(
            String name, String says, IntFunction<Integer> held, Mode mode) {
        var use = new Use.Template();
        return new WorkloadShape(
                name, says, NODES, BenchSlices::tenGpus, List.of(), ONE, use, held, mode);
    }

    private static WorkloadShape steady(
            String name,
            String says,
            Function<String, List<JsonObject>> hardware,
            JsonObject devices,
            IntFunction<Integer> held) {
        return new WorkloadShape(
                name,
                says,
                NODES,
                hardware,
                List.of(),
                devices,
                new Use.Template(),
                held,
                new Mode.Steady());
    }

    private static JsonObject exactly(int count, String more) {
        return json(
                """
                {"requests":[{"name":"r","exactly":{"deviceClassName":"%s",
                "allocationMode":"ExactCount","count":%d%s}}]}
                """,
                CLASS, count, more);
    }

    private static String requests(int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        """
                        {"name":"r%d","exactly":{"deviceClassName":"%s","allocationMode":\
                        "ExactCount","count":1}}\
                        """
                                .formatted(i, CLASS))
                .collect(Collectors.joining(","));
    }

    private static JsonObject matched() {
        return json(
                """
                {"requests":[%s],
                "constraints":[{"matchAttribute":"resource.kubernetes.io/pcieRoot"}]}
                """,
                requests(5));
    }

    private static JsonObject listed() {
        return json(
                """
                {"requests":[%s],"constraints":[{"matchAttribute":"%s/groups"}]}
                """,
                requests(32), BenchSlices.DRIVER);
    }

    private static List<JsonObject> extendedClasses() {
        return IntStream.range(0, NAMES)
                .mapToObj(i ->
                        json(
                                """
                                {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":
                                {"name":"%s-%d","labels":{"berth-bench":"yes"}},"spec":{
                                "extendedResourceName":"%s/gpu-%d","selectors":[{"cel":
                                {"expression":"device.driver == '%s'"}}]}}
                                """,
                                CLASS, i, BenchSlices.DRIVER, i, BenchSlices.DRIVER))
                .toList();
    }
}
