package dev.berth.app.scenario;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.QualifiedName;
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

/// Judges whether a namespace is as expected: a pure function of both.
final class ExpectationCheck {

    private final CompiledSelectors selectors;
    private final Expectation expectation;
    private final NamespaceView sight;

    private ExpectationCheck(
            CompiledSelectors selectors, Expectation expectation, NamespaceView sight) {
        this.selectors = selectors;
        this.expectation = expectation;
        this.sight = sight;
    }

    /// @param shows what of devices is told
    /// @param earlier what was told of pods before
    static ExpectationResult judge(
            CompiledSelectors selectors,
            Expectation expectation,
            NamespaceView sight,
            List<String> shows,
            List<PodResult> earlier) {
        var stories =
                sight.pods(expectation.pods()).stream()
                        .map(pod -> PodResult.of(pod, sight, shows))
                        .toList();
        var reason =
                new ExpectationCheck(selectors, expectation, sight).objection(stories, earlier);
        return reason.isPresent()
                ? new ExpectationResult.NotYet(reason.get())
                : new ExpectationResult.Met(stories, sight);
    }

    private Optional<String> objection(List<PodResult> stories, List<PodResult> earlier) {
        if (stories.size() != expectation.count()) {
            return no(
                    "there are %d pods %s, and not %d"
                            .formatted(stories.size(), expectation.pods(), expectation.count()));
        }
        for (var story : stories) {
            var objection = objection(story);
            if (objection.isPresent()) {
                return objection;
            }
        }
        var together = expectation.together();
        if (together.onOneNode() && distinct(stories, PodResult::node) > 1) {
            return no("the pods are on several nodes");
        }
        if (together.withSameDevices() && distinct(stories, ExpectationCheck::ids) > 1) {
            return no("the pods have different devices");
        }
        if (expectation.isAnew() && stories.stream().anyMatch(one -> isOld(one, earlier))) {
            return no("the pods, or their devices, are those from before");
        }
        return told();
    }

    private static <T> int distinct(List<PodResult> stories, Function<PodResult, T> what) {
        var values = new HashSet<T>();
        stories.forEach(story -> values.add(what.apply(story)));
        return values.size();
    }

    private static Set<DeviceId> ids(PodResult story) {
        var ids = new TreeSet<DeviceId>();
        story.devices().forEach(device -> ids.add(device.id()));
        return ids;
    }

    private static boolean isOld(PodResult story, List<PodResult> earlier) {
        return earlier.stream()
                .anyMatch(old ->
                        old.uid().equals(story.uid())
                                || ids(old).stream().anyMatch(ids(story)::contains));
    }

    private Optional<String> objection(PodResult story) {
        var pod = "pod " + story.pod();
        if (!story.phase().equals(expectation.phase())) {
            var message = story.message().isEmpty() ? "" : ": " + story.message();
            return no("%s is %s%s".formatted(pod, story.phase(), message));
        }
        var nodes = expectation.nodes();
        if (!nodes.isEmpty() && !nodes.contains(story.instanceType())) {
            return no("%s is on node \"%s\"".formatted(pod, story.node()));
        }
        for (var part : expectation.message()) {
            if (!story.message().contains(part)) {
                return no(
                        "%s is told \"%s\", without \"%s\"".formatted(pod, story.message(), part));
            }
        }
        return expectation.devices().stream()
                .flatMap(devices -> objection(story, devices).stream())
                .findFirst()
                .or(() ->
                        expectation.sameValues().stream()
                                .flatMap(name -> difference(story, name).stream())
                                .findFirst());
    }

    private Optional<String> objection(PodResult story, Expectation.Devices expected) {
        var asked = expected.request();
        var given =
                story.devices().stream()
                        .filter(device -> asked.isEmpty() || asked.get().equals(device.request()))
                        .toList();
        var what = asked.map(request -> " for " + request).orElse("");
        if (given.size() != expected.count()) {
            return no(
                    "pod %s has %d devices%s, and not %d"
                            .formatted(story.pod(), given.size(), what, expected.count()));
        }
        for (var device : given) {
            var wrong = objection(device, expected);
            if (wrong.isPresent()) {
                return no(
                        "device %s of pod %s: %s".formatted(device.id(), story.pod(), wrong.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<String> objection(PodResult.Given device, Expectation.Devices expected) {
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

    private boolean isSo(PodResult.Given device, String expression) {
        return sight.listed(device.id())
                .filter(listed -> selectors.matches(expression, listed))
                .isPresent();
    }

    private Optional<String> difference(PodResult story, String attribute) {
        var values = new ArrayList<Optional<String>>();
        for (var device : story.devices()) {
            var name = QualifiedName.of(attribute, device.id().driver());
            values.add(sight.listed(device.id()).flatMap(one -> DeviceText.attribute(one, name)));
        }
        return values.stream().distinct().count() == 1 && values.getFirst().isPresent()
                ? Optional.empty()
                : no("the devices of pod %s differ in %s".formatted(story.pod(), attribute));
    }

    private Optional<String> told() {
        if (expectation.event().isEmpty()) {
            return Optional.empty();
        }
        var expected = expectation.event().get();
        return sight.events().stream()
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
