package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.explain.finding.Finding;
import dev.berth.core.taint.Taints;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Checks the numbers and names in the sentences of findings about devices against the slices and
/// claims that they are about.
final class FindingFacts {

    private record Published(String driver, Device device) {}

    private final ExplainInputs inputs;
    private final String seed;
    private final List<Published> devices = new ArrayList<>();
    private int checked;

    FindingFacts(ExplainInputs inputs, long seed) {
        this.inputs = inputs;
        this.seed = "seed " + seed;
        for (var slice : inputs.slices()) {
            slice.spec()
                    .devices()
                    .forEach(one -> devices.add(new Published(slice.spec().driver(), one)));
        }
    }

    /// The number of facts that were checked in a sentence.
    int check(Finding finding) {
        checked = 0;
        var text = finding.sentence();
        each("no device has attribute (\\S+?)(?=;|$)", text, this::noAttribute);
        each("attribute (\\S+) is in domain (\\S+), not (\\S+)", text, this::domain);
        each("no device has capacity (\\S+?)(?=;|$)", text, this::noCapacity);
        each("(\\d+) devices? (?:is|are) requested, no node has more than (\\d+)", text, this::few);
        each("all (\\d+) matching devices", text, this::atMostAll);
        each("(\\d+) of (\\d+) matching devices", text, this::someOfAll);
        each("(all|\\d+ of) (\\d+) matching devices are in use by", text, this::inUse);
        each("\\b(others/holder-\\d+)", text, this::holder);
        each(
                "(?:(\\d+) of )?(?:all )?(\\d+) matching devices are tainted (\\S+)",
                text,
                this::taint);
        each("all (\\d+) devices of DeviceClass", text, this::atMostAll);
        each("the pool is incomplete: (\\d+) of (\\d+) slices exist", text, this::incomplete);
        return checked;
    }

    private void each(String pattern, String text, BiConsumer<MatchResult, String> check) {
        Pattern.compile(pattern)
                .matcher(text)
                .results()
                .forEach(match -> {
                    checked++;
                    check.accept(match, seed + ": " + text);
                });
    }

    private List<QualifiedName> attributes() {
        return devices.stream()
                .flatMap(one ->
                        one.device.attributes().keySet().stream()
                                .map(name -> QualifiedName.of(name, one.driver)))
                .toList();
    }

    private void noAttribute(MatchResult match, String what) {
        assertThat(attributes()).as(what).doesNotContain(QualifiedName.of(match.group(1), ""));
    }

    private void domain(MatchResult match, String what) {
        assertThat(attributes())
                .as(what)
                .contains(new QualifiedName(match.group(2), match.group(1)))
                .doesNotContain(new QualifiedName(match.group(3), match.group(1)));
    }

    private void noCapacity(MatchResult match, String what) {
        assertThat(devices)
                .as(what)
                .noneMatch(one ->
                        one.device.capacity().keySet().stream()
                                .map(name -> QualifiedName.of(name, one.driver).toString())
                                .anyMatch(match.group(1)::equals));
    }

    private void few(MatchResult match, String what) {
        assertThat(number(match, 2)).as(what).isLessThan(number(match, 1));
        assertThat(number(match, 2)).as(what).isLessThanOrEqualTo(devices.size());
    }

    private void atMostAll(MatchResult match, String what) {
        assertThat(number(match, 1)).as(what).isBetween(1, devices.size());
    }

    private void someOfAll(MatchResult match, String what) {
        assertThat(number(match, 1)).as(what).isBetween(1, number(match, 2) - 1);
        assertThat(number(match, 2)).as(what).isLessThanOrEqualTo(devices.size());
    }

    private void inUse(MatchResult match, String what) {
        var count =
                match.group(1).equals("all")
                        ? number(match, 2)
                        : Integer.parseInt(match.group(1).replace(" of", ""));
        var held =
                inputs.holders().stream()
                        .flatMap(one -> one.status().allocation().stream())
                        .flatMap(one -> one.devices().stream())
                        .map(one -> one.id())
                        .distinct()
                        .count();
        assertThat((long) count).as(what).isLessThanOrEqualTo(held);
    }

    private void holder(MatchResult match, String what) {
        assertThat(inputs.holders())
                .as(what)
                .anyMatch(one -> one.ref().toString().equals(match.group(1)));
    }

    private void taint(MatchResult match, String what) {
        var count = match.group(1) == null ? number(match, 2) : number(match, 1);
        var tainted =
                devices.stream()
                        .filter(one ->
                                one.device.taints().stream()
                                        .map(Taints::format)
                                        .anyMatch(match.group(3)::equals))
                        .count();
        assertThat((long) count).as(what).isLessThanOrEqualTo(tainted);
    }

    private void incomplete(MatchResult match, String what) {
        if (!inputs.features().contains(AllocatorFeature.COMPATIBILITY_GROUPS)) {
            // Slices with groups do not exist for such a cluster.
            return;
        }
        assertThat(inputs.slices())
                .as(what)
                .anyMatch(slice ->
                        slice.spec().pool().resourceSliceCount() == number(match, 2)
                                && inputs.slices().stream()
                                                .filter(other ->
                                                        other.poolId().equals(slice.poolId())
                                                                && other.spec().pool().generation()
                                                                        == slice.spec()
                                                                                .pool()
                                                                                .generation())
                                                .count()
                                        == number(match, 1));
    }

    private static int number(MatchResult match, int group) {
        return Integer.parseInt(match.group(group));
    }
}
