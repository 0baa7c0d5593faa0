package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.ConfigSource;
import dev.berth.model.api.DeviceAllocationConfiguration;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.ResourceClaim;
import dev.berth.testkit.cel.Derivation;
import dev.berth.testkit.cel.ReferenceExpressions;
import dev.berth.testkit.cel.SeenDevice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Whether the devices of a claim go together, and whether its result says all that it must.
final class ClaimRules {

    private final AllocationRequest question;
    private final ReferenceExpressions expressions;
    private final RuleViolations findings;

    ClaimRules(
            AllocationRequest question, ReferenceExpressions expressions, RuleViolations findings) {
        this.question = question;
        this.expressions = expressions;
        this.findings = findings;
    }

    void check(ResourceClaim claim, List<AllocatedRow> grants, AllocationResult result) {
        claim.spec().constraints().forEach(one -> checkConstraint(claim, one, grants));
        var config = config(claim, grants);
        findings.expect(
                result.config().equals(config),
                "claim %s: config is %s, not %s",
                claim.ref(),
                config,
                result.config());
        checkNodeSelector(claim, grants, result.nodeSelector());
    }

    private void checkConstraint(
            ResourceClaim claim, DeviceConstraint constraint, List<AllocatedRow> grants) {
        var values = new ArrayList<Set<Object>>();
        for (var grant : grants) {
            var names = constraint.requests();
            if (names.isEmpty()
                    || names.contains(grant.request())
                    || names.contains(grant.device().request())) {
                values.add(elements(constraint, grant, values.isEmpty()));
            }
        }
        findings.expect(
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
        findings.expect(holds, "claim %s: %s: values are %s", claim.ref(), constraint, values);
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

    private Set<Object> elements(DeviceConstraint constraint, AllocatedRow grant, boolean isFirst) {
        var name =
                switch (constraint) {
                    case DeviceConstraint.MatchAttribute match -> match.attribute();
                    case DeviceConstraint.DistinctAttribute distinct -> distinct.attribute();
                    case DeviceConstraint.Unrecognised _ -> "";
                };
        var value = derived(name, grant).or(() -> published(name, grant));
        var asSets = question.features().contains(AllocatorFeature.LIST_TYPE_ATTRIBUTES);
        if (value.isEmpty()) {
            return Set.of();
        }
        // Without lists only the first device may have one, as there is nothing to compare it with.
        return asSets || (!isFirst && elements(value.get()).size() != 1)
                ? elements(value.get())
                : Set.of(value.get());
    }

    private Optional<AttributeValue> derived(String name, AllocatedRow grant) {
        var seen = SeenDevice.of(grant.device().id().driver(), grant.spot().device());
        Optional<AttributeValue> value = Optional.empty();
        for (var one : grant.demand().derivedAttributes()) {
            if (one.name().equals(name)
                    && expressions.derive(one.expression(), seen)
                            instanceof Derivation.Derived(var computed)) {
                value = Optional.of(computed);
            }
        }
        return value;
    }

    private static Optional<AttributeValue> published(String name, AllocatedRow grant) {
        var attributes = grant.spot().device().attributes();
        var slash = name.indexOf('/');
        var isOwn = slash >= 0 && name.substring(0, slash).equals(grant.device().id().driver());
        var found = Optional.ofNullable(attributes.get(name));
        return found.isPresent() || !isOwn
                ? found
                : Optional.ofNullable(attributes.get(name.substring(slash + 1)));
    }

    /// Versions and strings are told apart by a mark.
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
            ResourceClaim claim, List<AllocatedRow> grants) {
        var names = new ArrayList<String>();
        var classes = new ArrayList<String>();
        for (var request : claim.spec().requests()) {
            grants.stream()
                    .filter(grant -> grant.request().equals(request.name()))
                    .findFirst()
                    .ifPresent(grant -> {
                        names.add(grant.device().request());
                        classes.add(grant.demand().deviceClassName());
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
            question.classes().stream()
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

    /// The selector must let the pod go to exactly those nodes that all devices can be used from.
    private void checkNodeSelector(
            ResourceClaim claim, List<AllocatedRow> grants, Optional<NodeSelector> actual) {
        var isLocal = false;
        var needed = new HashSet<String>();
        for (var grant : grants) {
            var scope = grant.spot().scope().orElse(new NodeScope.AllNodes());
            if (scope instanceof NodeScope.OneNode
                    || grant.spot().device().bindsToNode().orElse(false)) {
                isLocal = true;
            }
            if (scope instanceof NodeScope.MatchingNodes(var selector)) {
                needed.addAll(requirements(selector));
            }
        }
        var expected = isLocal ? requirements(NodeSelector.ofNode(question.node().name())) : needed;
        var written = actual.map(ClaimRules::requirements).orElse(List.of());
        findings.expect(
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
