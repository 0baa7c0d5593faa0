package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.Obstacle;
import dev.berth.core.explain.ObstacleCount;
import dev.berth.core.explain.ReportBuilder;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.SelectorEvaluation;
import dev.berth.core.explain.SelectorLocation;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.model.api.meta.QualifiedName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds the field of a claim, or of an object of others, that keeps a request from getting devices
/// on the nodes that the pod can use.
///
/// A request whose selectors match no device has a mistake in its class, selectors or capacity. A
/// request that matches fewer devices than it needs on every node has too high a count. Otherwise
/// the matching devices are tainted, in use or short of counters.
public final class DeviceFindings {

    private final ExplainInputs inputs;
    private final ReportBuilder reportBuilder;
    private final List<NodeReport> open;
    private final ChangeTargets targets;
    private final SelectorEvaluation selectors;
    private final InUseFindings inUse;
    private final ClassFindings classFindings;
    private Optional<PublishedNames> published = Optional.empty();

    public DeviceFindings(
            ExplainInputs inputs,
            ReportBuilder reportBuilder,
            SelectorEvaluation selectors,
            List<NodeReport> open) {
        this.inputs = inputs;
        this.reportBuilder = reportBuilder;
        this.open = open;
        this.targets = new ChangeTargets(inputs);
        this.selectors = selectors;
        this.inUse = new InUseFindings(inputs);
        this.classFindings = new ClassFindings(inputs, targets, selectors);
    }

    /// The findings of requests that are short on every node, and of requests that do not fit
    /// together.
    public List<Finding> of(List<RequestReport> cluster) {
        var found = new ArrayList<Finding>();
        for (var i = 0; i < cluster.size(); i++) {
            if (isHopeless(cluster.get(i))) {
                found.add(ofRequest(i, cluster.get(i)));
            }
        }
        if (found.isEmpty()) {
            new ConflictFindings(inputs, open).first().ifPresent(found::add);
        }
        return found;
    }

    /// True when no node has enough devices for any alternative of the request.
    private boolean isHopeless(RequestReport request) {
        return open.stream()
                .allMatch(node ->
                        node.requests().stream()
                                .filter(r ->
                                        r.claim().equals(request.claim())
                                                && r.wholeRequest().equals(request.wholeRequest()))
                                .allMatch(RequestReport::isShort));
    }

    private Finding ofRequest(int alternative, RequestReport request) {
        var most = mostMatching(request);
        if (request.ofClass() == 0) {
            return classFindings.withoutDevices(request, names());
        }
        if (most == 0 && !request.obstacles().isEmpty()) {
            return mistake(alternative, request);
        }
        if (!request.all() && most < request.needed()) {
            return tooMany(request, most);
        }
        if (request.obstacles().isEmpty()) {
            return tooMany(request, most);
        }
        return largest(request, Kind.IN_USE)
                .map(count -> inUse.of(request, count, matching(request)))
                .orElseGet(() -> mistake(alternative, request));
    }

    /// The largest number of devices on one node that match the class, the selectors and the
    /// capacity of a request, free or not.
    private long mostMatching(RequestReport request) {
        return open.stream()
                .flatMap(node -> node.requests().stream())
                .filter(r ->
                        r.claim().equals(request.claim()) && r.request().equals(request.request()))
                .mapToLong(r ->
                        r.left()
                                + r.obstacles().stream()
                                        .filter(count -> kind(count.obstacle()) == Kind.IN_USE)
                                        .mapToLong(ObstacleCount::devices)
                                        .sum())
                .max()
                .orElse(0);
    }

    /// Whether an obstacle is a property of the request and the device, or passes with time.
    private enum Kind {
        MISMATCH,
        UNUSABLE,
        IN_USE
    }

    private static Kind kind(Obstacle obstacle) {
        return switch (obstacle) {
            case Obstacle.NoSuchClass _,
                    Obstacle.Condition _,
                    Obstacle.Fault _,
                    Obstacle.CapacityRefused _,
                    Obstacle.MissingAttribute _ ->
                    Kind.MISMATCH;
            case Obstacle.OutOfReach _, Obstacle.PoolUnusable _, Obstacle.Unsupported _ ->
                    Kind.UNUSABLE;
            case Obstacle.Tainted _,
                    Obstacle.Held _,
                    Obstacle.CountersShort _,
                    Obstacle.GroupsClash _,
                    Obstacle.CapacityTaken _ ->
                    Kind.IN_USE;
        };
    }

    /// The number of devices that match, free or not.
    private static int matching(RequestReport request) {
        return request.obstacles().stream()
                        .filter(one -> kind(one.obstacle()) == Kind.IN_USE)
                        .mapToInt(ObstacleCount::devices)
                        .sum()
                + request.left();
    }

    /// Read once, and only for mistakes in names.
    private PublishedNames names() {
        if (published.isEmpty()) {
            published = Optional.of(new PublishedNames(inputs.slices()));
        }
        return published.orElseThrow();
    }

    private static Optional<ObstacleCount> largest(RequestReport request, Kind kind) {
        return request.obstacles().stream()
                .filter(count -> kind(count.obstacle()) == kind)
                .max(Comparator.comparingInt(ObstacleCount::devices));
    }

    private static String listed(List<String> items) {
        return ExplanationWording.listed(items, ", ");
    }

    /// No device matches: the most frequent mismatch, or why the pools cannot be used.
    private Finding mistake(int alternative, RequestReport request) {
        var count =
                largest(request, Kind.MISMATCH)
                        .or(() -> largest(request, Kind.UNUSABLE))
                        .orElseGet(() -> request.obstacles().getFirst());
        return switch (count.obstacle()) {
            case Obstacle.Condition(var at, var part) -> selector(alternative, request, at, part);
            case Obstacle.Fault(var at, var part, _) -> selector(alternative, request, at, part);
            case Obstacle.CapacityRefused _ -> capacity(alternative, request, count);
            case Obstacle.MissingAttribute(var attribute) -> missingAttribute(request, attribute);
            case Obstacle.PoolUnusable(var pool, var why) ->
                    new Finding(
                            ChangeTargets.driver(pool.driver(), List.of(pool.pool())),
                            "the pool is " + why,
                            "its driver has to publish it");
            case Obstacle.OutOfReach _ ->
                    classFindings
                            .unreachable(reportBuilder.alternatives().get(alternative))
                            .orElseGet(() -> unspecific(request, count));
            default -> unspecific(request, count);
        };
    }

    private Finding unspecific(RequestReport request, ObstacleCount count) {
        return new Finding(
                targets.request(request.claim(), request.request(), "deviceClassName"),
                ExplanationWording.count(count) + " of " + ExplanationWording.deviceCount(request));
    }

    private Finding selector(
            int alternative, RequestReport request, SelectorLocation at, String part) {
        var target = targets.selector(at);
        var mistake =
                new SelectorDiagnosis(selectors, names())
                        .mistake(part, drivers(alternative))
                        .or(() ->
                                classFindings.ofOtherClass(
                                        request,
                                        reportBuilder.alternatives().get(alternative),
                                        part));
        if (mistake.isPresent()) {
            return new Finding(target, mistake.get());
        }
        var count =
                request.obstacles().stream()
                        .filter(one -> isPart(one.obstacle(), part))
                        .findFirst()
                        .orElseThrow();
        return new Finding(
                target,
                "%s devices of DeviceClass %s %s"
                        .formatted(
                                count.devices() == request.ofClass()
                                        ? "all " + count.devices()
                                        : count.devices() + " of " + request.ofClass(),
                                request.deviceClass(),
                                failing(count)),
                count.seen().isEmpty()
                        ? ""
                        : "devices have " + ExplanationWording.counted(count.seen()));
    }

    /// `fail memory >= 80Gi`, without the number.
    private static String failing(ObstacleCount count) {
        var plural =
                new ObstacleCount(
                        count.obstacle(), Math.max(2, count.devices()), Map.of(), List.of());
        var text = ExplanationWording.count(plural);
        return text.substring(text.indexOf(' ') + 1);
    }

    private static boolean isPart(Obstacle obstacle, String part) {
        return switch (obstacle) {
            case Obstacle.Condition(_, var other) -> other.equals(part);
            case Obstacle.Fault(_, var other, _) -> other.equals(part);
            default -> false;
        };
    }

    /// The drivers of devices of the class.
    private Set<String> drivers(int alternative) {
        return reportBuilder.bestFits(alternative).entrySet().stream()
                .filter(entry -> entry.getValue().fit().ofClass())
                .map(entry -> entry.getKey().driver())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Finding capacity(int alternative, RequestReport request, ObstacleCount count) {
        var requested =
                reportBuilder.alternatives().stream()
                        .filter(one ->
                                one.claim().equals(request.claim())
                                        && one.name().equals(request.request()))
                        .flatMap(one -> one.demand().capacity().stream())
                        .flatMap(capacity -> capacity.requests().keySet().stream())
                        .sorted()
                        .toList();
        for (var name : requested) {
            var mistake = capacityMistake(name, drivers(alternative));
            if (mistake.isPresent()) {
                return new Finding(capacityField(request, name), mistake.get());
            }
        }
        var unserved = "no device of DeviceClass %s can serve it".formatted(request.deviceClass());
        return count.seen().keySet().stream()
                .findFirst()
                .map(seen ->
                        new Finding(
                                capacityField(request, listed(requested)),
                                // A single name is in the field.
                                requested.size() == 1
                                        ? seen.replace(requested.getFirst() + ": ", "")
                                        : seen,
                                unserved))
                .orElseGet(() -> new Finding(capacityField(request, listed(requested)), unserved));
    }

    private Set<String> allDrivers() {
        var drivers = new TreeSet<String>();
        inputs.slices().forEach(slice -> drivers.add(slice.spec().driver()));
        return drivers;
    }

    private Optional<String> capacityMistake(String name, Set<String> drivers) {
        var isKnown =
                drivers.stream().anyMatch(d -> names().hasCapacity(QualifiedName.of(name, d)));
        return isKnown
                ? Optional.empty()
                : drivers.stream()
                        .map(driver ->
                                names().capacityMistake(QualifiedName.of(name, driver), drivers))
                        .flatMap(Optional::stream)
                        .min(Comparator.comparing(one -> one.meant().isEmpty()))
                        .map(PublishedNames.NameMistake::text);
    }

    private ObjectField capacityField(RequestReport request, String name) {
        return targets.capacity(request.claim(), request.request(), name);
    }

    private Finding missingAttribute(RequestReport request, String attribute) {
        var number = targets.constraintOf(request.claim(), attribute);
        var mistake = names().attributeMistake(QualifiedName.of(attribute, ""), allDrivers());
        return new Finding(
                targets.constraint(request.claim(), number),
                mistake.map(PublishedNames.NameMistake::text)
                        .orElse(
                                "no device of request %s has attribute %s"
                                        .formatted(request.request(), attribute)));
    }

    private Finding tooMany(RequestReport request, long most) {
        var serves = !request.serves().isEmpty();
        var target = targets.request(request.claim(), request.request(), "count");
        return new Finding(
                target,
                "%s requested, no node has more than %d matching of DeviceClass %s"
                        .formatted(
                                request.needed() == 1
                                        ? "1 device is"
                                        : request.needed() + (serves ? " are" : " devices are"),
                                most,
                                request.deviceClass()));
    }
}
