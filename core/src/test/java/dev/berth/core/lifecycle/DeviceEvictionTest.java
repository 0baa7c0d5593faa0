package dev.berth.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.DeviceTaintRuleSpec;
import dev.berth.model.api.taint.DeviceTaintSelector;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.api.taint.TolerationOperator;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeviceEvictionTest {

    private static final Instant ADDED = Instant.parse("2026-01-01T00:00:00Z");
    private static final DeviceTaint TAINT =
            new DeviceTaint("k", "v", TaintEffect.Known.NO_EXECUTE, Optional.of(ADDED));

    private static DeviceToleration toleration(Optional<TaintEffect> effect, OptionalLong seconds) {
        return new DeviceToleration("", TolerationOperator.Known.EXISTS, "", effect, seconds);
    }

    private static DeviceToleration seconds(long seconds) {
        return toleration(Optional.of(TaintEffect.Known.NO_EXECUTE), OptionalLong.of(seconds));
    }

    private static ResourceClaim claim(DeviceToleration... tolerations) {
        var device =
                new AllocatedDevice(
                        "r",
                        new DeviceId("d", "p", "x"),
                        Optional.empty(),
                        List.of(tolerations),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        List.of());
        var allocation =
                new AllocationResult(
                        List.of(device), List.of(), Optional.empty(), Optional.empty());
        return new ResourceClaim(
                ObjectMeta.of("ns", "c"),
                ResourceClaimSpec.EMPTY,
                new ResourceClaimStatus(Optional.of(allocation), List.of(), List.of()));
    }

    private static Optional<Instant> deadline(DeviceToleration... tolerations) {
        return new DeviceEviction(_ -> List.of(TAINT), List.of())
                .of(claim(tolerations))
                .map(DeviceEviction.Decision::at);
    }

    @Test
    void shortestTolerationCounts() {
        assertThat(deadline()).contains(ADDED);
        assertThat(deadline(seconds(30), seconds(10))).contains(ADDED.plusSeconds(10));
        assertThat(deadline(seconds(-5))).contains(ADDED);
        var forever = toleration(Optional.of(TaintEffect.Known.NO_EXECUTE), OptionalLong.empty());
        assertThat(deadline(seconds(30), forever)).isEmpty();
    }

    @Test
    void overflowingTolerationSecondsAreClamped() {
        assertThat(deadline(seconds(Long.MAX_VALUE))).contains(Instant.MAX);
        assertThat(deadline(seconds(31_600_000_000_000_000L))).contains(Instant.MAX);
        assertThat(deadline(seconds(Long.MAX_VALUE), seconds(10))).contains(ADDED.plusSeconds(10));
    }

    @Test
    void tolerationWithoutEffectOrForAnotherOneDoesNotCount() {
        assertThat(deadline(toleration(Optional.empty(), OptionalLong.empty()))).contains(ADDED);
        var other = toleration(Optional.of(TaintEffect.Known.NO_SCHEDULE), OptionalLong.empty());
        assertThat(deadline(other)).contains(ADDED);
    }

    private static Optional<Instant> byRule(Optional<DeviceTaintSelector> selector) {
        var rule =
                new DeviceTaintRule(
                        ObjectMeta.of("r"), new DeviceTaintRuleSpec(selector, TAINT), List.of());
        return new DeviceEviction(_ -> List.of(), List.of(rule))
                .of(claim())
                .map(DeviceEviction.Decision::at);
    }

    @Test
    void ruleEvictsConsumersOfSelectedDevices() {
        var all = new DeviceTaintSelector(Optional.empty(), Optional.empty(), Optional.empty());
        var other =
                new DeviceTaintSelector(Optional.of("another"), Optional.empty(), Optional.empty());

        assertThat(byRule(Optional.of(all))).contains(ADDED);
        assertThat(byRule(Optional.of(other))).isEmpty();
        assertThat(byRule(Optional.empty())).isEmpty();
    }

    private static String message(TaintEffect effect, TaintRuleConditions.Counts counts) {
        var taint = new DeviceTaint("k", "", effect, Optional.empty());
        var rule =
                new DeviceTaintRule(
                        ObjectMeta.of("r"),
                        new DeviceTaintRuleSpec(Optional.empty(), taint),
                        List.of());
        var change = TaintRuleConditions.change(rule, counts, ADDED).orElseThrow();
        return change.status() + " " + change.reason() + ": " + change.message();
    }

    @Test
    void conditionsOfRulesEqualThoseOfKubernetes() {
        assertThat(
                        message(
                                TaintEffect.Known.NO_EXECUTE,
                                new TaintRuleConditions.Counts(0, 0, 2, 2, 1)))
                .isEqualTo(
                        "True PodsPendingEviction: 2 pods need to be evicted in 2 different"
                                + " namespaces. 1 pod evicted since starting the controller.");
        assertThat(
                        message(
                                TaintEffect.Known.NO_EXECUTE,
                                new TaintRuleConditions.Counts(0, 0, 0, 0, 2)))
                .isEqualTo("False Completed: 2 pods evicted since starting the controller.");
        assertThat(
                        message(
                                TaintEffect.Known.NO_EXECUTE,
                                new TaintRuleConditions.Counts(0, 0, 0, 0, 0)))
                .isEqualTo("False NotStarted: ");
        assertThat(
                        message(
                                TaintEffect.Known.NO_SCHEDULE,
                                new TaintRuleConditions.Counts(0, 0, 0, 0, 0)))
                .isEqualTo("False OtherEffect: Eviction only happens for the NoExecute effect.");
    }
}
