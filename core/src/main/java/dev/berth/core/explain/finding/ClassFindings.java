package dev.berth.core.explain.finding;

import dev.berth.core.cel.ListedDevice;
import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.RequestAlternative;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.SelectorEvaluation;
import dev.berth.core.explain.text.ExplanationWording;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Findings of requests whose DeviceClass does not exist or selects no device, whose devices no
/// node can access, or whose selectors read attributes that only devices of other classes have.
final class ClassFindings {

    private static final Pattern DRIVER =
            Pattern.compile("device\\.driver\\s*==\\s*(?:\"([^\"]*)\"|'([^']*)')");

    private final ExplainInputs inputs;
    private final ChangeTargets targets;
    private final SelectorEvaluation selectors;

    ClassFindings(ExplainInputs inputs, ChangeTargets targets, SelectorEvaluation selectors) {
        this.inputs = inputs;
        this.targets = targets;
        this.selectors = selectors;
    }

    /// The class does not exist or selects none of the published devices.
    Finding withoutDevices(RequestReport request, PublishedNames names) {
        var target = targets.request(request.claim(), request.request(), "deviceClassName");
        var known = inputs.classes().stream().map(c -> c.metadata().name()).toList();
        if (!known.contains(request.deviceClass())) {
            return new Finding(
                    target,
                    "DeviceClass %s does not exist".formatted(request.deviceClass()),
                    SpellingSuggestions.nearest(request.deviceClass(), known)
                            .map("did you mean %s?"::formatted)
                            .orElse(known.isEmpty() ? "" : "classes: " + listed(known)));
        }
        var drivers = drivers();
        return inputs.classes().stream()
                .filter(one -> one.metadata().name().equals(request.deviceClass()))
                .findFirst()
                .flatMap(one -> mistakeOfClass(one, drivers, names))
                .orElseGet(() ->
                        new Finding(
                                target,
                                "no published device is of DeviceClass " + request.deviceClass(),
                                drivers.isEmpty()
                                        ? "no driver has published ResourceSlices"
                                        : "drivers with devices: " + listed(List.copyOf(drivers))));
    }

    private Set<String> drivers() {
        var drivers = new TreeSet<String>();
        inputs.slices().forEach(slice -> drivers.add(slice.spec().driver()));
        return drivers;
    }

    private static String listed(List<String> items) {
        return ExplanationWording.listed(items, ", ");
    }

    /// A misspelt driver or attribute in a selector of a class. The attributes of drivers that have
    /// not published devices are unknown.
    private Optional<Finding> mistakeOfClass(
            DeviceClass deviceClass, Set<String> drivers, PublishedNames names) {
        var all = deviceClass.spec().selectors();
        for (var i = 0; i < all.size(); i++) {
            if (!(all.get(i) instanceof DeviceSelector.Cel(var expression))) {
                continue;
            }
            var field =
                    new ObjectField(
                            "DeviceClass",
                            new ObjectRef("", deviceClass.metadata().name()),
                            "selectors[%d]".formatted(i),
                            "spec.selectors[%d].cel.expression".formatted(i));
            var named = DRIVER.matcher(expression);
            if (named.find()) {
                var driver = named.group(1) == null ? named.group(2) : named.group(1);
                if (!drivers.contains(driver)) {
                    return SpellingSuggestions.nearest(driver, drivers)
                            .map(near ->
                                    new Finding(
                                            field,
                                            "no driver %s has published devices".formatted(driver),
                                            "did you mean %s?".formatted(near)));
                }
            }
            var mistake =
                    new SelectorDiagnosis(selectors, names)
                            .nameMistakes(expression, drivers).stream()
                                    .filter(one -> one.meant().isPresent())
                                    .findFirst();
            if (mistake.isPresent()) {
                return Optional.of(new Finding(field, mistake.get().text()));
            }
        }
        return Optional.empty();
    }

    /// The pools of the class when no node of the cluster can access any of them.
    Optional<Finding> unreachable(RequestAlternative alternative) {
        var pools = new TreeSet<String>();
        var drivers = new TreeSet<String>();
        var scopes = new TreeSet<String>();
        for (var slice : inputs.slices()) {
            if (!isOfClass(alternative, slice)) {
                continue;
            }
            var scope = scope(slice.spec().scope());
            if (scope.isEmpty()) {
                return Optional.empty();
            }
            pools.add(slice.spec().pool().name());
            drivers.add(slice.spec().driver());
            scopes.add(scope.get());
        }
        return pools.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding(
                                ChangeTargets.driver(
                                        listed(List.copyOf(drivers)), List.copyOf(pools)),
                                "its devices are for "
                                        + listed(List.copyOf(scopes))
                                        + ", and no node is one"));
    }

    private boolean isOfClass(RequestAlternative alternative, ResourceSlice slice) {
        return slice.spec().devices().stream()
                .anyMatch(device ->
                        selectors
                                .ofClass(
                                        alternative, ListedDevice.of(slice.spec().driver(), device))
                                .isEmpty());
    }

    /// The nodes that a slice names; empty when one of them exists.
    private Optional<String> scope(SliceScope scope) {
        return switch (scope) {
            case NodeScope.OneNode(var name) ->
                    inputs.nodes().stream().map(Node::name).anyMatch(name::equals)
                            ? Optional.empty()
                            : Optional.of("node " + name);
            case NodeScope.MatchingNodes(var selector) ->
                    inputs.nodes().stream()
                                    .anyMatch(node -> NodeSelectorMatcher.matches(selector, node))
                            ? Optional.empty()
                            : Optional.of("nodes with " + NodeSelectorText.of(selector));
            case NodeScope.AllNodes _, SliceScope.PerDevice _, SliceScope.Unrecognised _ ->
                    Optional.empty();
        };
    }

    /// The text for an attribute that devices have, but none of those of the requested class.
    Optional<String> ofOtherClass(
            RequestReport request, RequestAlternative alternative, String part) {
        var reads = selectors.program(part).map(program -> program.reads().attributes());
        if (reads.isEmpty() || reads.get().size() != 1) {
            return Optional.empty();
        }
        var name = reads.get().iterator().next();
        var classes = new TreeSet<String>();
        var isPublished = false;
        for (var slice : inputs.slices()) {
            var driver = slice.spec().driver();
            for (var device : slice.spec().devices()) {
                var has =
                        device.attributes().keySet().stream()
                                .anyMatch(one -> QualifiedName.of(one, driver).equals(name));
                if (!has) {
                    continue;
                }
                var view = ListedDevice.of(driver, device);
                if (selectors.ofClass(alternative, view).isEmpty()) {
                    return Optional.empty();
                }
                if (!isPublished) {
                    inputs.classes().stream()
                            .filter(one -> selectors.isOfClass(one, view))
                            .forEach(one -> classes.add(one.metadata().name()));
                }
                isPublished = true;
            }
        }
        return isPublished
                ? Optional.of(
                        "only devices of %s have attribute %s, those of DeviceClass %s do not"
                                .formatted(
                                        classes.isEmpty()
                                                ? "other classes"
                                                : "DeviceClass " + listed(List.copyOf(classes)),
                                        name.id(),
                                        request.deviceClass()))
                : Optional.empty();
    }
}
