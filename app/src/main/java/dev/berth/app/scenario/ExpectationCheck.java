package dev.berth.app.scenario;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Checks the state of a namespace against an expectation. Pure function.
final class ExpectationCheck {

    private final CompiledSelectors selectors;
    private final Expectation expectation;
    private final NamespaceView view;

    private ExpectationCheck(
            CompiledSelectors selectors, Expectation expectation, NamespaceView view) {
        this.selectors = selectors;
        this.expectation = expectation;
        this.view = view;
    }

    /// Checks an expectation.
    ///
    /// @param shows attributes and capacities to report
    /// @param earlier pods of earlier reports
    static ExpectationResult check(
            CompiledSelectors selectors,
            Expectation expectation,
            NamespaceView view,
            List<String> shows,
            List<PodResult> earlier) {
        var results =
                view.pods(expectation.pods()).stream()
                        .map(pod -> PodResult.of(pod, view, shows))
                        .toList();
        var reason = new ExpectationCheck(selectors, expectation, view).mismatch(results, earlier);
        return reason.isPresent()
                ? new ExpectationResult.NotYet(reason.get())
                : new ExpectationResult.Met(results, view);
    }

    private Optional<String> mismatch(List<PodResult> results, List<PodResult> earlier) {
        if (results.size() != expectation.count()) {
            return no(
                    "there are %d pods %s, and not %d"
                            .formatted(results.size(), expectation.pods(), expectation.count()));
        }
        for (var result : results) {
            var mismatch = mismatch(result);
            if (mismatch.isPresent()) {
                return mismatch;
            }
        }
        var together = expectation.together();
        if (together.onOneNode() && distinct(results, PodResult::node) > 1) {
            return no("the pods are on several nodes");
        }
        if (together.withSameDevices() && distinct(results, ExpectationCheck::ids) > 1) {
            return no("the pods have different devices");
        }
        if (expectation.isRecreated() && results.stream().anyMatch(one -> isOld(one, earlier))) {
            return no("the pods, or their devices, are those from before");
        }
        return schedulingMessage();
    }

    private static <T> int distinct(List<PodResult> results, Function<PodResult, T> what) {
        var values = new HashSet<T>();
        results.forEach(result -> values.add(what.apply(result)));
        return values.size();
    }

    private static Set<DeviceId> ids(PodResult result) {
        var ids = new TreeSet<DeviceId>();
        result.devices().forEach(device -> ids.add(device.id()));
        return ids;
    }

    private static boolean isOld(PodResult result, List<PodResult> earlier) {
        return earlier.stream()
                .anyMatch(old ->
                        old.uid().equals(result.uid())
                                || ids(old).stream().anyMatch(ids(result)::contains));
    }

    private Optional<String> mismatch(PodResult result) {
        var pod = "pod " + result.pod();
        if (!result.phase().equals(expectation.phase())) {
            var message = result.message().isEmpty() ? "" : ": " + result.message();
            return no("%s is %s%s".formatted(pod, result.phase(), message));
        }
        var nodes = expectation.nodes();
        if (!nodes.isEmpty() && !nodes.contains(result.instanceType())) {
            return no("%s is on node \"%s\"".formatted(pod, result.node()));
        }
        for (var part : expectation.message()) {
            if (!result.message().contains(part)) {
                return no(
                        "%s is told \"%s\", without \"%s\"".formatted(pod, result.message(), part));
            }
        }
        return expectation.devices().stream()
                .flatMap(devices -> mismatch(result, devices).stream())
                .findFirst()
                .or(() ->
                        expectation.sameValues().stream()
                                .flatMap(name -> difference(result, name).stream())
                                .findFirst());
    }

    private Optional<String> mismatch(PodResult result, Expectation.Devices expected) {
        var asked = expected.request();
        var given =
                result.devices().stream()
                        .filter(device -> asked.isEmpty() || asked.get().equals(device.request()))
                        .toList();
        var what = asked.map(request -> " for " + request).orElse("");
        if (given.size() != expected.count()) {
            return no(
                    "pod %s has %d devices%s, and not %d"
                            .formatted(result.pod(), given.size(), what, expected.count()));
        }
        for (var device : given) {
            var wrong = mismatch(device, expected);
            if (wrong.isPresent()) {
                return no(
                        "device %s of pod %s: %s"
                                .formatted(device.id(), result.pod(), wrong.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> mismatch(
            PodResult.AllocatedDeviceView device, Expectation.Devices expected) {
        if (expected.where().isPresent() && !isSo(device, expected.where().get())) {
            return no("it is not so that " + expected.where().get());
        }
        if (expected.condition().isPresent()
                && !device.conditions().contains(expected.condition().get())) {
            return no("condition %s is not true".formatted(expected.condition().get()));
        }
        for (Map.Entry<String, Quantity> entry : expected.consumes().entrySet()) {
            var has = Optional.ofNullable(device.consumed().get(entry.getKey()));
            if (has.flatMap(Quantity::tryParse).filter(entry.getValue()::equals).isEmpty()) {
                return no(
                        "of %s it gives %s, and not %s"
                                .formatted(
                                        entry.getKey(), has.orElse("nothing"), entry.getValue()));
            }
        }
        for (Map.Entry<String, Json> entry : expected.config().members().entrySet()) {
            var said =
                    device.config().stream()
                            .flatMap(one -> one.member(entry.getKey()).stream())
                            .findFirst();
            if (!said.equals(Optional.of(entry.getValue()))) {
                return no("its driver is not told the right " + entry.getKey());
            }
        }
        return Optional.empty();
    }

    private boolean isSo(PodResult.AllocatedDeviceView device, String expression) {
        return view.listed(device.id())
                .filter(listed -> selectors.matches(expression, listed))
                .isPresent();
    }

    private Optional<String> difference(PodResult result, String attribute) {
        var values = new ArrayList<Optional<String>>();
        for (var device : result.devices()) {
            var name = QualifiedName.of(attribute, device.id().driver());
            values.add(view.listed(device.id()).flatMap(one -> DeviceText.attribute(one, name)));
        }
        return values.stream().distinct().count() == 1 && values.getFirst().isPresent()
                ? Optional.empty()
                : no("the devices of pod %s differ in %s".formatted(result.pod(), attribute));
    }

    private Optional<String> schedulingMessage() {
        if (expectation.event().isEmpty()) {
            return Optional.empty();
        }
        var expected = expectation.event().get();
        return view.events().stream()
                        .anyMatch(event ->
                                expectation.isAbout(
                                                event.objectOrEmpty("involvedObject").text("name"))
                                        && event.text("reason").equals(expected.reason())
                                        && event.text("message").contains(expected.message()))
                ? Optional.empty()
                : no("no event %s tells \"%s\"".formatted(expected.reason(), expected.message()));
    }

    private static Optional<String> no(String reason) {
        return Optional.of(reason);
    }
}
