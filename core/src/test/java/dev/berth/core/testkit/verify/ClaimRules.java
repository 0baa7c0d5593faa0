package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.testkit.cel.Derivation;
import dev.berth.core.testkit.cel.ReferenceExpressions;
import dev.berth.core.testkit.cel.SliceDeviceView;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.NodeScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Verifies the constraints, configuration and node selector of a claim.
final class ClaimRules {

    private final AllocationRequest allocationRequest;
    private final ReferenceExpressions expressions;
    private final RuleViolations violations;

    ClaimRules(
            AllocationRequest allocationRequest,
            ReferenceExpressions expressions,
            RuleViolations violations) {
        this.allocationRequest = allocationRequest;
        this.expressions = expressions;
        this.violations = violations;
    }

    void check(ResourceClaim claim, List<AllocatedRow> rows, AllocationResult result) {
        claim.spec().constraints().forEach(one -> checkConstraint(claim, one, rows));
        var config = config(claim, rows);
        violations.expect(
                result.config().equals(config),
                "claim %s: config is %s, not %s",
                claim.ref(),
                config,
                result.config());
        checkNodeSelector(claim, rows, result.nodeSelector());
    }

    private void checkConstraint(
            ResourceClaim claim, DeviceConstraint constraint, List<AllocatedRow> rows) {
        var values = new ArrayList<Set<Object>>();
        for (var row : rows) {
            var names = constraint.requests();
            if (names.isEmpty()
                    || names.contains(row.request())
                    || names.contains(row.device().request())) {
                values.add(elements(constraint, row, values.isEmpty()));
            }
        }
        violations.expect(
                values.stream().noneMatch(Set::isEmpty),
                "claim %s: %s: a device has no value",
                claim.ref(),
                constraint);
        var holds =
                switch (constraint) {
                    case DeviceConstraint.MatchAttribute _ -> haveCommon(values);
                    case DeviceConstraint.DistinctAttribute _ -> areDisjoint(values);
                    case DeviceConstraint.Unrecognised _ -> false;
                };
        violations.expect(holds, "claim %s: %s: values are %s", claim.ref(), constraint, values);
    }

    private static boolean haveCommon(List<Set<Object>> values) {
        return values.isEmpty()
                || values.getFirst().stream()
                        .anyMatch(one -> values.stream().allMatch(set -> set.contains(one)));
    }

    private static boolean areDisjoint(List<Set<Object>> values) {
        var all = new HashSet<>();
        values.forEach(all::addAll);
        return all.size() == values.stream().mapToInt(Set::size).sum();
    }

    private Set<Object> elements(DeviceConstraint constraint, AllocatedRow row, boolean isFirst) {
        var name =
                switch (constraint) {
                    case DeviceConstraint.MatchAttribute match -> match.attribute();
                    case DeviceConstraint.DistinctAttribute distinct -> distinct.attribute();
                    case DeviceConstraint.Unrecognised _ -> "";
                };
        var value = derived(name, row).or(() -> published(name, row));
        var asSets = allocationRequest.features().contains(AllocatorFeature.LIST_TYPE_ATTRIBUTES);
        if (value.isEmpty()) {
            return Set.of();
        }
        // Without list-type attributes only the first device may have a list, since it is compared
        // with nothing.
        return asSets || (!isFirst && elements(value.get()).size() != 1)
                ? elements(value.get())
                : Set.of(value.get());
    }

    private Optional<AttributeValue> derived(String name, AllocatedRow row) {
        var seen = SliceDeviceView.of(row.device().id().driver(), row.published().device());
        Optional<AttributeValue> value = Optional.empty();
        for (var one : row.demand().derivedAttributes()) {
            if (one.name().equals(name)
                    && expressions.derive(one.expression(), seen)
                            instanceof Derivation.Derived(var computed)) {
                value = Optional.of(computed);
            }
        }
        return value;
    }

    private static Optional<AttributeValue> published(String name, AllocatedRow row) {
        var attributes = row.published().device().attributes();
        var slash = name.indexOf('/');
        var isOwn = slash >= 0 && name.substring(0, slash).equals(row.device().id().driver());
        var found = Optional.ofNullable(attributes.get(name));
        return found.isPresent() || !isOwn
                ? found
                : Optional.ofNullable(attributes.get(name.substring(slash + 1)));
    }

    /// Versions and strings are distinguished by a prefix.
    private static Set<Object> elements(AttributeValue value) {
        return switch (value) {
            case AttributeValue.IntValue(var one) -> Set.of(one);
            case AttributeValue.BoolValue(var one) -> Set.of(one);
            case AttributeValue.StringValue(var one) -> Set.of("string " + one);
            case AttributeValue.VersionValue(var one) -> Set.of("version " + one);
            case AttributeValue.IntList(var all) -> new HashSet<>(all);
            case AttributeValue.BoolList(var all) -> new HashSet<>(all);
            case AttributeValue.StringList(var all) -> marked("string ", all);
            case AttributeValue.VersionList(var all) -> marked("version ", all);
            case AttributeValue.Unrecognised _ -> Set.of();
        };
    }

    private static Set<Object> marked(String mark, List<String> texts) {
        var marked = new HashSet<>();
        texts.forEach(text -> marked.add(mark + text));
        return marked;
    }

    private List<DeviceAllocationConfiguration> config(
            ResourceClaim claim, List<AllocatedRow> rows) {
        var names = new ArrayList<String>();
        var classes = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            rows.stream()
                    .filter(row -> row.request().equals(request.name()))
                    .findFirst()
                    .ifPresent(row -> {
                        names.add(row.device().request());
                        classes.add(row.demand().deviceClassName());
                    });
        }
        var config = new ArrayList<DeviceAllocationConfiguration>();
        for (var name : new ArrayList<>(new LinkedHashSet<>(classes))) {
            var users = new ArrayList<String>();
            for (var i = 0; i < names.size(); i++) {
                if (classes.get(i).equals(name)) {
                    users.add(names.get(i));
                }
            }
            allocationRequest.classes().stream()
                    .filter(one -> one.metadata().name().equals(name))
                    .flatMap(one -> one.spec().config().stream())
                    .map(one ->
                            new DeviceAllocationConfiguration(
                                    ConfigSource.Known.FROM_CLASS, users, one))
                    .forEach(config::add);
        }
        for (var one : claim.spec().config()) {
            if (one.requests().isEmpty()
                    || names.stream().anyMatch(n -> names(one.requests(), n))) {
                config.add(
                        new DeviceAllocationConfiguration(
                                ConfigSource.Known.FROM_CLAIM,
                                one.requests(),
                                one.configuration()));
            }
        }
        config.replaceAll(one ->
                names.stream().allMatch(name -> names(one.requests(), name))
                        ? new DeviceAllocationConfiguration(
                                one.source(), List.of(), one.configuration())
                        : one);
        return config;
    }

    private static boolean names(List<String> requests, String name) {
        var slash = name.indexOf('/');
        return requests.contains(name)
                || (slash >= 0 && requests.contains(name.substring(0, slash)));
    }

    /// The node selector must match exactly the nodes from which all devices are accessible.
    private void checkNodeSelector(
            ResourceClaim claim, List<AllocatedRow> rows, Optional<NodeSelector> actual) {
        var isLocal = false;
        var needed = new HashSet<String>();
        for (var row : rows) {
            var scope = row.published().scope().orElse(new NodeScope.AllNodes());
            if (scope instanceof NodeScope.OneNode
                    || row.published().device().bindsToNode().orElse(false)) {
                isLocal = true;
            }
            if (scope instanceof NodeScope.MatchingNodes(var selector)) {
                needed.addAll(requirements(selector));
            }
        }
        var expected =
                isLocal
                        ? requirements(NodeSelector.ofNode(allocationRequest.node().name()))
                        : needed;
        var written = actual.map(ClaimRules::requirements).orElse(List.of());
        violations.expect(
                actual.map(one -> one.terms().size() == 1).orElse(expected.isEmpty())
                        && written.size() == new HashSet<>(expected).size()
                        && new HashSet<>(written).equals(new HashSet<>(expected)),
                "claim %s: node selector is %s, not %s",
                claim.ref(),
                expected,
                written);
    }

    private static List<String> requirements(NodeSelector selector) {
        var texts = new ArrayList<String>();
        for (var term : selector.terms()) {
            term.matchFields()
                    .forEach(one ->
                            texts.add(
                                    "field %s %s %s"
                                            .formatted(
                                                    one.key(),
                                                    one.operator().text(),
                                                    new TreeSet<>(one.values()))));
            term.matchExpressions()
                    .forEach(one ->
                            texts.add(
                                    "label %s %s %s"
                                            .formatted(
                                                    one.key(),
                                                    one.operator().text(),
                                                    new TreeSet<>(one.values()))));
        }
        return texts;
    }
}
