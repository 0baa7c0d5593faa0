package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.Obstacle;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.List;

/// Findings of requests whose matching devices are tainted, in use, or draw on counters that are
/// used up.
public final class InUseFindings {

    private final ExplainInputs inputs;
    private final ChangeTargets targets;

    InUseFindings(ExplainInputs inputs) {
        this.inputs = inputs;
        this.targets = new ChangeTargets(inputs);
    }

    /// @param total number of devices that match the request, free or not
    Finding of(RequestReport request, ObstacleCount count, int total) {
        var some =
                "%s matching device%s"
                        .formatted(
                                count.devices() == total
                                        ? total == 1 ? "the only" : "all " + total
                                        : "%d of %d".formatted(count.devices(), total),
                                total == 1 ? "" : "s");
        var are = count.devices() == 1 ? "is" : "are";
        var holders = holders(count.holders());
        return switch (count.obstacle()) {
            case Obstacle.Tainted(var taint) ->
                    new Finding(
                            targets.request(request.claim(), request.request(), "tolerations"),
                            "%s %s tainted %s%s"
                                    .formatted(some, are, Taints.format(taint), by(taint)));
            case Obstacle.CapacityTaken(var name) ->
                    new Finding(
                            targets.capacity(request.claim(), request.request(), name),
                            "%s %s too little left (%s)"
                                    .formatted(
                                            some,
                                            count.devices() == 1 ? "has" : "have",
                                            ExplanationWording.counted(count.seen())),
                            holders.isEmpty() ? "" : "used by " + holders);
            case Obstacle.CountersShort(_, var counter) ->
                    new Finding(
                            amount(request),
                            "%s %s short of counter %s%s"
                                    .formatted(
                                            some,
                                            are,
                                            counter,
                                            holders.isEmpty() ? "" : ", used by " + holders),
                            ExplanationWording.counted(count.seen()));
            case Obstacle.GroupsClash _ ->
                    new Finding(
                            amount(request),
                            "%s %s incompatible with the partitions in use".formatted(some, are),
                            holders.isEmpty() ? "" : "used by " + holders);
            default ->
                    new Finding(
                            amount(request),
                            "%s %s in use%s"
                                    .formatted(
                                            some, are, holders.isEmpty() ? "" : " by " + holders));
        };
    }

    /// The field with the number of devices; the class when that number is one.
    private ObjectField amount(RequestReport request) {
        var field =
                request.all()
                        ? "allocationMode"
                        : request.needed() == 1 ? "deviceClassName" : "count";
        return targets.request(request.claim(), request.request(), field);
    }

    /// Claims that hold devices, with the pods of a single one.
    private String holders(List<ObjectRef> claims) {
        if (claims.isEmpty()) {
            return "";
        }
        var users =
                inputs.holders().stream()
                        .filter(holder ->
                                claims.size() == 1 && holder.ref().equals(claims.getFirst()))
                        .flatMap(holder -> holder.status().reservedFor().stream())
                        .map(user -> user.name())
                        .toList();
        return ExplanationWording.claims(claims)
                + (users.isEmpty()
                        ? ""
                        : " (pod %s)".formatted(ExplanationWording.listed(users, ", ")));
    }

    /// ` by DeviceTaintRule maintenance`, or ` by its driver`.
    private String by(DeviceTaint taint) {
        var rules =
                inputs.taintRules().stream()
                        .filter(rule -> isSame(rule.spec().taint(), taint))
                        .map(rule -> rule.metadata().name())
                        .sorted()
                        .toList();
        return rules.isEmpty()
                ? " by the driver"
                : " by DeviceTaintRule " + ExplanationWording.listed(rules, ", ");
    }

    public static boolean isSame(DeviceTaint one, DeviceTaint other) {
        return one.key().equals(other.key())
                && one.value().equals(other.value())
                && one.effect().equals(other.effect());
    }
}
