package dev.berth.app.bench.scheduling;

import static dev.berth.app.bench.scheduling.YamlObjects.json;

import dev.berth.app.bench.scheduling.WorkloadShape.Use;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;

/// Builds the pods of a shape and the claims and groups that they share.
///
/// @param scheduler schedulerName of the pods
record BenchPods(WorkloadShape shape, ClusterSetup setup, String scheduler) {

    JsonObject pod(int number) {
        var pod =
                json(
                        """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%d","namespace":
                        "%s"}}
                        """,
                        number, ClusterSetup.NAMESPACE);
        return pod.with("spec", spec(number).with("schedulerName", Json.of(scheduler)));
    }

    private JsonObject spec(int number) {
        return switch (shape.use()) {
            case Use.Template _ -> using("resourceClaimTemplateName", ClusterSetup.TEMPLATE);
            case Use.Shared(var each) -> using("resourceClaimName", "shared-" + number / each);
            case Use.Grouped(var each) ->
                    using("resourceClaimTemplateName", ClusterSetup.TEMPLATE)
                            .with(
                                    "schedulingGroup",
                                    json("{\"podGroupName\":\"group-%d\"}", number / each));
            case Use.Extended(var names) -> extended(number % names);
        };
    }

    private static JsonObject using(String source, String name) {
        return json(
                """
                {"containers":[{"name":"c","image":"pause","resources":{"claims":[{"name":"c"}]}}],
                "resourceClaims":[{"name":"c","%s":"%s"}]}
                """,
                source, name);
    }

    private static JsonObject extended(int number) {
        var resource = "{\"%s/gpu-%d\":\"1\"}".formatted(BenchSlices.DRIVER, number);
        return json(
                """
                {"containers":[{"name":"c","image":"pause","resources":{"requests":%s,
                "limits":%s}}]}
                """,
                resource, resource);
    }

    /// The claims that `count` pods share.
    List<JsonObject> claims(int count) {
        return shape.use() instanceof Use.Shared(var each)
                ? IntStream.range(0, Math.ceilDiv(count, each))
                        .mapToObj(i -> setup.claim("shared-" + i))
                        .toList()
                : List.of();
    }

    /// The groups that `count` pods belong to.
    List<JsonObject> groups(int count) {
        return shape.use() instanceof Use.Grouped(var each)
                ? IntStream.range(0, Math.ceilDiv(count, each)).mapToObj(BenchPods::group).toList()
                : List.of();
    }

    private static JsonObject group(int number) {
        return json(
                """
                {"apiVersion":"scheduling.k8s.io/v1beta1","kind":"PodGroup","metadata":{"name":
                "group-%d","namespace":"%s"},"spec":{"schedulingPolicy":{"basic":{}},
                "resourceClaims":[{"name":"c","resourceClaimTemplateName":"%s"}]}}
                """,
                number, ClusterSetup.NAMESPACE, ClusterSetup.TEMPLATE);
    }
}
