package dev.berth.core.explain.text;

import dev.berth.core.explain.HiddenHolders;
import dev.berth.core.explain.Obstacle;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.Suggestion;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.NodeResourcesFitFilter;
import dev.berth.core.place.filter.NodeUnschedulableFilter;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Words for obstacles and suggestions.
public final class ExplanationWording {

    private static final int MAX_LISTED = 4;

    private static final Pattern MEMBER =
            Pattern.compile(
                    "device\\.(?:attributes|capacity)\\[[\"'][^\"']*[\"']\\]"
                            + "(?:\\.(\\w+)|\\[[\"']([^\"']*)[\"']\\])");
    private static final Pattern COMPARED =
            Pattern.compile("\\.compareTo\\((.*?)\\)\\s*(<=|>=|==|!=|<|>)\\s*0(?!\\w)");
    private static final Pattern GREATER = Pattern.compile("\\.isGreaterThan\\(([^()]*)\\)");
    private static final Pattern LESS = Pattern.compile("\\.isLessThan\\(([^()]*)\\)");
    private static final Pattern LITERAL =
            Pattern.compile("(?:quantity|semver)\\([\"']([^\"']*)[\"']\\)");

    private ExplanationWording() {}

    /// A CEL condition in short form: `memory >= 80Gi`.
    public static String brief(String part) {
        var text =
                MEMBER.matcher(part).replaceAll(m -> m.group(1) == null ? m.group(2) : m.group(1));
        text = LITERAL.matcher(text).replaceAll("$1");
        text = COMPARED.matcher(text).replaceAll(" $2 $1");
        text = GREATER.matcher(text).replaceAll(" > $1");
        text = LESS.matcher(text).replaceAll(" < $1");
        return text.strip().replaceAll("\\s+", " ");
    }

    /// `20 fail memory >= 80Gi`.
    public static String count(ObstacleCount count) {
        var n = count.devices();
        var one = n == 1;
        return switch (count.obstacle()) {
            case Obstacle.NoSuchClass(var name) -> "device class %s does not exist".formatted(name);
            case Obstacle.Condition(_, var part) ->
                    "%d %s %s".formatted(n, one ? "fails" : "fail", brief(part));
            case Obstacle.Fault(_, var part, var message) ->
                    "%d %s an error in %s: %s"
                            .formatted(
                                    n, one ? "causes" : "cause", brief(part), firstLine(message));
            case Obstacle.OutOfReach _ -> n + " not accessible";
            case Obstacle.PoolUnusable(var pool, var why) ->
                    "%d in pool %s, which is %s".formatted(n, pool, why);
            case Obstacle.CapacityRefused _ -> n + " cannot serve the capacity request";
            case Obstacle.Unsupported(var what) ->
                    "%d %s %s, which is not supported here"
                            .formatted(n, one ? "needs" : "need", what);
            case Obstacle.Tainted(var taint) -> "%d tainted %s".formatted(n, Taints.format(taint));
            case Obstacle.Held _ -> n + " held";
            case Obstacle.CountersShort(_, var counter) ->
                    "%d %s counter %s".formatted(n, one ? "lacks" : "lack", counter);
            case Obstacle.GroupsClash _ ->
                    n + " incompatible with devices in use on the same counters";
            case Obstacle.CapacityTaken(var name) ->
                    "%d %s too little %s left".formatted(n, one ? "has" : "have", name);
            case Obstacle.MissingAttribute(var name) ->
                    "%d without attribute %s, which a constraint compares".formatted(n, name);
        };
    }

    private static String firstLine(String message) {
        return message.strip().lines().findFirst().orElse("");
    }

    /// The actual values of the devices and the holders, in brackets; empty when there are none.
    public static String detail(ObstacleCount count) {
        var parts = new ArrayList<String>();
        if (!count.seen().isEmpty()) {
            parts.add(counted(count.seen()));
        }
        if (!count.holders().isEmpty()) {
            parts.add(claims(count.holders()));
        }
        return parts.isEmpty() ? "" : " (" + String.join("; ", parts) + ")";
    }

    /// The obstacle of one device: `fails memory >= 80Gi (40Gi)`.
    public static String occurrence(Obstacle.Occurrence occurrence) {
        var seen =
                occurrence.seen().isEmpty()
                        ? Map.<String, Integer>of()
                        : Map.of(occurrence.seen(), 1);
        var count = new ObstacleCount(occurrence.obstacle(), 1, seen, occurrence.holders());
        var text = count(count);
        return (text.startsWith("1 ") ? text.substring(2) : text) + detail(count);
    }

    public static String counted(Map<String, Integer> values) {
        var shown = new ArrayList<String>();
        values.forEach(
                (value, count) -> shown.add(literal(value) + (count == 1 ? "" : " on " + count)));
        return listed(shown, ", ");
    }

    private static String literal(String value) {
        return LITERAL.matcher(value).replaceAll("$1");
    }

    public static String claims(Collection<ObjectRef> claims) {
        var names =
                claims.stream()
                        .filter(claim -> !HiddenHolders.isHidden(claim))
                        .map(ObjectRef::toString)
                        .toList();
        var hidden = claims.size() - names.size();
        var others =
                hidden == 1
                        ? "a claim in another namespace"
                        : "%d claims in other namespaces".formatted(hidden);
        var known = (names.size() == 1 ? "claim " : "claims ") + listed(names, ", ");
        return hidden == 0 ? known : names.isEmpty() ? others : known + " and " + others;
    }

    public static String listed(List<String> items, String separator) {
        var shown = String.join(separator, items.stream().limit(MAX_LISTED).toList());
        var more = items.size() - MAX_LISTED;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }

    public static String devices(long count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    /// The name of a request: `request gpu`, or the extended resource that it serves.
    public static String request(RequestReport report) {
        return report.serves().isEmpty()
                ? "request " + report.request()
                : resource(report.serves());
    }

    /// The name of a request, looked up in the reports.
    public static String request(List<RequestReport> reports, ObjectRef claim, String name) {
        return reports.stream()
                .filter(one -> one.claim().equals(claim) && one.request().equals(name))
                .findFirst()
                .map(ExplanationWording::request)
                .orElse("request " + name);
    }

    /// `resource example.com/gpu of container main`.
    public static String resource(List<RequestMapping> serves) {
        var containers = serves.stream().map(RequestMapping::containerName).distinct().toList();
        return "resource %s of container%s %s"
                .formatted(
                        serves.getFirst().resourceName(),
                        containers.size() == 1 ? "" : "s",
                        listed(containers, ", "));
    }

    public static String deviceCount(RequestReport report) {
        var name =
                report.serves().isEmpty()
                        ? report.deviceClass()
                        : "%s, which provides %s"
                                .formatted(
                                        report.deviceClass(),
                                        report.serves().getFirst().resourceName());
        if (report.ofClass() > 0) {
            return "%s of class %s".formatted(devices(report.ofClass()), name);
        }
        return report.seen() == 0
                ? "no devices are published"
                : "no device of class %s among %s".formatted(name, devices(report.seen()));
    }

    /// A suggestion as an imperative.
    ///
    /// @param requests reports, for the names of the requests
    public static String suggestion(Suggestion suggestion, List<RequestReport> requests) {
        return switch (suggestion) {
            case Suggestion.Release(var claims) -> "release " + claims(claims);
            case Suggestion.Tolerate(_, var request, var taints) ->
                    "let request %s tolerate %s"
                            .formatted(
                                    request,
                                    listed(taints.stream().map(Taints::format).toList(), ", "));
            case Suggestion.LowerCount(var claim, var request, var from, var to) ->
                    "lower the count of %s from %d to %d"
                            .formatted(request(requests, claim, request), from, to);
            case Suggestion.LowerCapacity(_, var request, var name, var from, var to) ->
                    "lower capacity %s from %s to %s in request %s"
                            .formatted(name, from, to, request);
            case Suggestion.EditSelector edit -> edit(edit);
            case Suggestion.RenameInConstraint(_, var number, var from, var to) ->
                    "write %s instead of %s in constraint %d: no device has the latter"
                            .formatted(to, from, number);
            case Suggestion.DropConstraint(_, var number, var attribute) ->
                    "drop constraint %d on %s".formatted(number, attribute);
            case Suggestion.UseClass(_, var request, var from, var to) ->
                    "use class %s instead of %s in request %s".formatted(to, from, request);
            case Suggestion.AllowNode(var node, var reasons) ->
                    "let the pod use node %s: %s".formatted(node, remedies(node, reasons));
            case Suggestion.DeleteTaintRule(var rule, var taint) ->
                    "delete DeviceTaintRule %s, which adds taint %s"
                            .formatted(rule, Taints.format(taint));
            case Suggestion.ShortenPool(var pool, var present, var expected) ->
                    "publish pool %s with resourceSliceCount %d instead of %d: %d %s"
                            .formatted(
                                    pool,
                                    present,
                                    expected,
                                    present,
                                    present == 1 ? "slice exists" : "slices exist");
        };
    }

    private static String remedies(String node, List<Rejection> reasons) {
        return reasons.stream()
                .flatMap(reason -> remedy(node, reason).stream())
                .collect(Collectors.joining("; "));
    }

    /// The remedy with the name of the node, or with what the user can change.
    private static Optional<String> remedy(String node, Rejection reason) {
        return switch (reason) {
            case NodeUnschedulableFilter.Unschedulable _ -> Optional.of("kubectl uncordon " + node);
            case NodeResourcesFitFilter.Insufficient(var resource, var requested, var left, _)
                    when left.signum() > 0 && !resource.equals("pods") ->
                    Optional.of(
                            "request %s of %s instead of %s".formatted(left, resource, requested));
            default -> reason.remedy();
        };
    }

    private static String edit(Suggestion.EditSelector edit) {
        var at = edit.at();
        var where =
                "selector %d of %s"
                        .formatted(
                                at.number(),
                                at.deviceClass()
                                        .map(name -> "class " + name)
                                        .orElse("request " + at.request()));
        return switch (edit.edit()) {
            case RENAME ->
                    "write %s instead of %s in %s: no device has the latter"
                            .formatted(edit.to(), edit.from(), where);
            case MOVE ->
                    "read %s instead of %s in %s: no device has the latter"
                            .formatted(edit.to(), edit.from(), where);
            case LOOSEN ->
                    "write %s instead of %s in %s"
                            .formatted(
                                    edit.to().contains("semver(") ? edit.to() : brief(edit.to()),
                                    brief(edit.from()),
                                    where);
            case GUARD -> "write %s in %s".formatted(edit.to(), where);
            case DROP -> "drop %s from %s".formatted(brief(edit.from()), where);
        };
    }
}
