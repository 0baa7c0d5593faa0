package dev.berth.core.explain.text;

import dev.berth.core.explain.DeviceCheck;
import dev.berth.core.explain.DeviceMatrix;
import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.Explanation.Blocked;
import dev.berth.core.explain.Explanation.Fits;
import dev.berth.core.explain.Explanation.Misfit;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.Obstacle;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.RequestSteps;
import dev.berth.core.explain.Suggestion;
import dev.berth.core.explain.WaitForecast;
import dev.berth.core.explain.finding.Finding;
import dev.berth.core.explain.finding.ObjectField;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Renders an explanation as JSON. Its sentences are those of [ExplanationText]. The format is
/// described in `docs/explain-json.md`.
public final class ExplanationJson {

    /// The version of the format. Members are only added within a version.
    private static final String VERSION = "explain.berth.dev/v1";

    private ExplanationJson() {}

    public static JsonObject of(Explanation explanation) {
        var tree =
                JsonObject.of("apiVersion", Json.of(VERSION))
                        .with("kind", Json.of("Explanation"))
                        .with("summary", Json.of(ExplanationText.summary(explanation)))
                        .with("fits", Json.of(explanation instanceof Fits));
        return switch (explanation) {
            case Fits fits -> fits(tree.with("findings", Json.array(List.of())), fits);
            case Blocked(var findings, var fits) ->
                    blocked(tree.with("findings", list(findings, ExplanationJson::finding)), fits);
            case Misfit misfit ->
                    misfit(
                            tree.with(
                                    "findings", list(misfit.findings(), ExplanationJson::finding)),
                            misfit);
        };
    }

    /// The matrix of a node.
    public static JsonObject of(DeviceMatrix matrix) {
        return JsonObject.of("node", Json.of(matrix.node()))
                .with("checks", list(List.of(DeviceCheck.values()), check -> Json.of(check.text())))
                .with("devices", list(matrix.rows(), ExplanationJson::row));
    }

    private static Json row(DeviceMatrix.Row row) {
        return JsonObject.of("claim", text(row.claim()))
                .with("request", Json.of(row.request()))
                .with("device", text(row.device()))
                .with("available", Json.of(row.failures().isEmpty()))
                .with(
                        "failures",
                        list(
                                row.failures(),
                                one ->
                                        JsonObject.of("check", Json.of(one.check().text()))
                                                .with("text", Json.of(one.text()))));
    }

    private static <T> Json list(Collection<T> items, Function<T, Json> shape) {
        return Json.array(items.stream().map(shape).toList());
    }

    private static Json text(Object value) {
        return Json.of(value.toString());
    }

    private static Json finding(Finding finding) {
        return JsonObject.of("text", Json.of(finding.sentence()))
                .with("object", object(finding.target()))
                .with("problem", Json.of(finding.problem()))
                .with("correction", Json.of(finding.correction()));
    }

    private static JsonObject object(ObjectField field) {
        return JsonObject.of("kind", Json.of(field.kind()))
                .with("namespace", Json.of(field.object().namespace()))
                .with("name", Json.of(field.object().name()))
                .with("field", Json.of(field.path()));
    }

    private static JsonObject blocked(JsonObject tree, Optional<Fits> fits) {
        return fits.map(one -> tree.with("wouldFit", fits(JsonObject.EMPTY, one))).orElse(tree);
    }

    private static JsonObject fits(JsonObject tree, Fits fits) {
        return tree.with("node", Json.of(fits.node()))
                .with("otherNodes", list(fits.others(), Json::of))
                .with("claims", list(fits.allocations(), ExplanationJson::allocation))
                .with("failures", groups(fits.failures()))
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
        var requests = new ArrayList<Json>();
        for (var i = 0; i < misfit.cluster().size(); i++) {
            requests.add(
                    request(misfit.cluster().get(i))
                            .with(
                                    "steps",
                                    list(misfit.steps().get(i).steps(), ExplanationJson::step)));
        }
        var all =
                tree.with("counts", Json.of(ExplanationText.counts(misfit)))
                        .with("requests", Json.array(requests))
                        .with("nodeGroups", groups(misfit.nodes()))
                        .with("holders", list(misfit.holders(), ExplanationJson::holder))
                        .with("waiting", waiting(misfit.waiting()))
                        .with(
                                "suggestions",
                                list(misfit.suggestions(), one -> verified(one, misfit.cluster())));
        return misfit.nearestMiss().map(miss -> all.with("nearestMiss", miss(miss))).orElse(all);
    }

    private static Json step(RequestSteps.Step step) {
        return JsonObject.of("check", Json.of(step.check().text()))
                .with("removed", Json.of(step.removed()))
                .with("remaining", Json.of(step.remaining()))
                .with("removedDevices", list(step.devices(), ExplanationJson::text));
    }

    private static JsonObject request(RequestReport report) {
        return JsonObject.of("claim", text(report.claim()))
                .with("request", Json.of(report.request()))
                .with("serves", list(report.serves(), ExplanationJson::mapping))
                .with("deviceClass", Json.of(report.deviceClass()))
                .with("all", Json.of(report.all()))
                .with("needed", Json.of(report.needed()))
                .with("published", Json.of(report.seen()))
                .with("ofClass", Json.of(report.ofClass()))
                .with("available", Json.of(report.left()))
                .with("obstacles", list(report.obstacles(), ExplanationJson::count));
    }

    private static Json count(ObstacleCount count) {
        return JsonObject.of("kind", Json.of(kind(count.obstacle())))
                .with("check", Json.of(DeviceCheck.of(count.obstacle(), true).text()))
                .with("devices", Json.of(count.devices()))
                .with("text", Json.of(ExplanationWording.count(count)))
                .with("values", counts(count.seen()))
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

    /// Nodes with equal results, in one entry.
    private static Json groups(List<NodeReport> reports) {
        var names = new LinkedHashMap<JsonObject, List<String>>();
        for (var report : reports) {
            names.computeIfAbsent(node(report), _ -> new ArrayList<>()).add(report.node());
        }
        return list(
                names.entrySet(),
                entry ->
                        entry.getKey()
                                .beginningWith(
                                        JsonObject.of("nodes", list(entry.getValue(), Json::of))));
    }

    private static JsonObject node(NodeReport report) {
        var tree =
                JsonObject.of("rejections", list(report.rejections(), ExplanationJson::reason))
                        .with("requests", list(report.requests(), ExplanationJson::request))
                        .with("unusablePools", list(report.pools(), ExplanationJson::pool))
                        .with(
                                "conflicts",
                                list(
                                        report.conflicts(),
                                        e ->
                                                Json.of(
                                                        ExplanationSummary.conflict(
                                                                e, report.requests()))));
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
        return JsonObject.of("pool", text(pool.pool())).with("reason", Json.of(pool.why()));
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
            case WaitForecast.AfterRelease(var holders, _) ->
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
                        .with("owner", Json.of(verified.owner().text()))
                        .with("node", Json.of(verified.node()))
                        .with("objects", list(verified.targets(), ExplanationJson::object));
        return switch (verified.suggestion()) {
            case Suggestion.Release(var claims) -> tree.with("release", refs(claims));
            case Suggestion.EditSelector edit ->
                    tree.with("expression", Json.of(edit.expression()));
            default -> tree;
        };
    }
}
