package dev.berth.core.explain;

import dev.berth.core.explain.Explanation.Fits;
import dev.berth.core.explain.Explanation.Misfit;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Renders an explanation as JSON. Its sentences are those of [ExplanationText].
public final class ExplanationJson {

    private ExplanationJson() {}

    public static JsonObject of(Explanation explanation) {
        var tree =
                JsonObject.of("summary", Json.of(ExplanationText.summary(explanation)))
                        .with("fits", Json.of(explanation instanceof Fits));
        return switch (explanation) {
            case Fits fits -> fits(tree, fits);
            case Misfit misfit -> misfit(tree, misfit);
        };
    }

    private static <T> Json list(Collection<T> items, Function<T, Json> shape) {
        return Json.array(items.stream().map(shape).toList());
    }

    private static Json text(Object value) {
        return Json.of(value.toString());
    }

    private static JsonObject fits(JsonObject tree, Fits fits) {
        return tree.with("node", Json.of(fits.node()))
                .with("otherNodes", list(fits.others(), Json::of))
                .with("claims", list(fits.allocations(), ExplanationJson::allocation))
                .with("failures", list(fits.failures(), ExplanationJson::node))
                .with("tolerated", list(fits.tolerated(), Json::of));
    }

    private static Json allocation(Explanation.ClaimAllocation allocation) {
        var tree =
                JsonObject.of("claim", text(allocation.claim()))
                        .with("held", Json.of(allocation.isHeld()))
                        .with("devices", list(allocation.devices(), ExplanationJson::device));
        return allocation.mappings().isEmpty()
                ? tree
                : tree.with("serves", list(allocation.mappings(), ExplanationJson::mapping));
    }

    private static Json mapping(RequestMapping mapping) {
        return JsonObject.of("container", Json.of(mapping.containerName()))
                .with("resource", Json.of(mapping.resourceName()))
                .with("request", Json.of(mapping.requestName()));
    }

    private static Json device(AllocatedDevice device) {
        return JsonObject.of("request", Json.of(device.request()))
                .with("device", text(device.id()));
    }

    private static JsonObject misfit(JsonObject tree, Misfit misfit) {
        var all =
                tree.with("requests", list(misfit.cluster(), ExplanationJson::request))
                        .with("nodes", list(misfit.nodes(), ExplanationJson::node))
                        .with("holders", list(misfit.holders(), ExplanationJson::holder))
                        .with("waiting", waiting(misfit.waiting()))
                        .with(
                                "changes",
                                list(misfit.suggestions(), one -> verified(one, misfit.cluster())));
        return misfit.nearestMiss().map(miss -> all.with("nearestMiss", miss(miss))).orElse(all);
    }

    private static Json request(RequestReport report) {
        return JsonObject.of("claim", text(report.claim()))
                .with("request", Json.of(report.request()))
                .with("serves", list(report.serves(), ExplanationJson::mapping))
                .with("deviceClass", Json.of(report.deviceClass()))
                .with("all", Json.of(report.all()))
                .with("needed", Json.of(report.needed()))
                .with("seen", Json.of(report.seen()))
                .with("ofClass", Json.of(report.ofClass()))
                .with("left", Json.of(report.left()))
                .with("obstacles", list(report.obstacles(), ExplanationJson::count));
    }

    private static Json count(ObstacleCount count) {
        return JsonObject.of("kind", Json.of(kind(count.obstacle())))
                .with("devices", Json.of(count.devices()))
                .with("text", Json.of(ExplanationWording.count(count)))
                .with("seen", counts(count.seen()))
                .with("holders", refs(count.holders()));
    }

    private static String kind(Obstacle obstacle) {
        return switch (obstacle) {
            case Obstacle.NoSuchClass _ -> "NoSuchClass";
            case Obstacle.Condition _ -> "Condition";
            case Obstacle.Fault _ -> "Fault";
            case Obstacle.OutOfReach _ -> "OutOfReach";
            case Obstacle.PoolUnusable _ -> "PoolUnusable";
            case Obstacle.CapacityRefused _ -> "CapacityRefused";
            case Obstacle.Unsupported _ -> "Unsupported";
            case Obstacle.Tainted _ -> "Tainted";
            case Obstacle.Held _ -> "Held";
            case Obstacle.CountersShort _ -> "CountersShort";
            case Obstacle.GroupsClash _ -> "GroupsClash";
            case Obstacle.CapacityTaken _ -> "CapacityTaken";
            case Obstacle.MissingAttribute _ -> "MissingAttribute";
        };
    }

    private static Json counts(Map<String, Integer> counts) {
        var tree = JsonObject.EMPTY;
        for (var entry : counts.entrySet()) {
            tree = tree.with(entry.getKey(), Json.of(entry.getValue()));
        }
        return tree;
    }

    private static Json refs(Collection<ObjectRef> refs) {
        return list(refs, ExplanationJson::text);
    }

    private static Json node(NodeReport report) {
        var tree =
                JsonObject.of("node", Json.of(report.node()))
                        .with("requests", list(report.requests(), ExplanationJson::request))
                        .with("pools", list(report.pools(), ExplanationJson::pool))
                        .with(
                                "together",
                                list(
                                        report.conflicts(),
                                        e ->
                                                Json.of(
                                                        ExplanationSummary.conflict(
                                                                e, report.requests()))));
        if (!report.isOpen()) {
            tree = tree.with("barred", list(report.rejections(), ExplanationJson::reason));
        }
        return report.failure().isPresent()
                ? tree.with("failure", Json.of(report.failure().get()))
                : tree;
    }

    private static Json reason(Rejection reason) {
        return JsonObject.of("rule", Json.of(reason.rule()))
                .with("text", Json.of(reason.description()))
                .with("kubernetes", Json.of(reason.text()));
    }

    private static Json pool(NodeReport.UnusablePool pool) {
        return JsonObject.of("pool", text(pool.pool())).with("why", Json.of(pool.why()));
    }

    private static Json holder(Explanation.Holder holder) {
        return JsonObject.of("claim", text(holder.claim()))
                .with("users", list(holder.users(), u -> Json.of(u.resource() + "/" + u.name())));
    }

    private static Json miss(NearestMiss miss) {
        return JsonObject.of("node", Json.of(miss.node()))
                .with("device", text(miss.device()))
                .with("claim", text(miss.claim()))
                .with("request", Json.of(miss.request()))
                .with(
                        "obstacles",
                        list(miss.occurrences(), e -> Json.of(ExplanationWording.occurrence(e))));
    }

    private static Json waiting(WaitForecast waiting) {
        return switch (waiting) {
            case WaitForecast.AfterRelease(var holders) ->
                    JsonObject.of("helps", Json.of("yes")).with("claims", refs(holders));
            case WaitForecast.AfterPublishing(var pools) ->
                    JsonObject.of("helps", Json.of("maybe"))
                            .with("pools", list(pools, ExplanationJson::text));
            case WaitForecast.AfterPodChanges(var node, var reasons, var devicesToo) ->
                    JsonObject.of("helps", Json.of("maybe"))
                            .with("node", Json.of(node))
                            .with("reasons", list(reasons, ExplanationJson::reason))
                            .with("devicesToo", Json.of(devicesToo));
            case WaitForecast.WillNotHelp _ -> JsonObject.of("helps", Json.of("no"));
            case WaitForecast.Unknown _ -> JsonObject.of("helps", Json.of("unknown"));
        };
    }

    private static Json verified(Suggestion.Verified verified, List<RequestReport> requests) {
        var tree =
                JsonObject.of(
                                "text",
                                Json.of(
                                        ExplanationWording.suggestion(
                                                verified.suggestion(), requests)))
                        .with("node", Json.of(verified.node()));
        return switch (verified.suggestion()) {
            case Suggestion.Release(var claims) -> tree.with("release", refs(claims));
            case Suggestion.EditSelector edit ->
                    tree.with("expression", Json.of(edit.expression()));
            default -> tree;
        };
    }
}
