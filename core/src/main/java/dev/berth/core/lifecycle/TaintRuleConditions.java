package dev.berth.core.lifecycle;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.api.taint.TaintEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The condition `EvictionInProgress` of DeviceTaintRules, with the messages of Kubernetes.
public final class TaintRuleConditions {

    public static final String CONDITION = "EvictionInProgress";

    /// A condition in which only counts have changed is not written more often.
    public static final Duration PERIOD = Duration.ofSeconds(10);

    /// Counts for a rule. For a rule without effect: as if its effect were `NoExecute`.
    ///
    /// @param pods to be evicted
    /// @param namespaces of those pods
    /// @param evicted since the controller was started
    public record Counts(
            int publishedDevices, int allocatedDevices, int pods, int namespaces, long evicted) {}

    private TaintRuleConditions() {}

    /// True when the condition is about the current generation of the rule.
    public static boolean isCurrent(DeviceTaintRule rule) {
        return existing(rule)
                .filter(one -> one.observedGeneration() == rule.metadata().generation())
                .isPresent();
    }

    /// The earliest time at which the condition may be written again.
    public static Instant mayChangeAt(DeviceTaintRule rule) {
        return isCurrent(rule)
                ? existing(rule)
                        .flatMap(Condition::lastTransitionTime)
                        .map(time -> time.plus(PERIOD))
                        .orElse(Instant.MIN)
                : Instant.MIN;
    }

    private static Optional<Condition> existing(DeviceTaintRule rule) {
        return rule.conditions().stream().filter(one -> one.type().equals(CONDITION)).findFirst();
    }

    /// The condition to write; empty when the rule has it already.
    public static Optional<Condition> change(DeviceTaintRule rule, Counts counts, Instant now) {
        var effect = rule.spec().taint().effect();
        if (effect == TaintEffect.Known.NONE && isCurrent(rule)) {
            return Optional.empty();
        }
        var pending = effect == TaintEffect.Known.NO_EXECUTE && counts.pods() > 0;
        var desired =
                new Condition(
                        CONDITION,
                        pending ? "True" : "False",
                        rule.metadata().generation(),
                        Optional.of(now),
                        reason(effect, counts),
                        message(effect, counts));
        return existing(rule).filter(one -> isSame(one, desired)).isPresent()
                ? Optional.empty()
                : Optional.of(desired);
    }

    private static boolean isSame(Condition one, Condition other) {
        return one.status().equals(other.status())
                && one.observedGeneration() == other.observedGeneration()
                && one.reason().equals(other.reason())
                && one.message().equals(other.message());
    }

    private static String reason(TaintEffect effect, Counts counts) {
        if (effect == TaintEffect.Known.NONE) {
            return "NoEffect";
        }
        if (effect != TaintEffect.Known.NO_EXECUTE) {
            return "OtherEffect";
        }
        if (counts.pods() > 0) {
            return "PodsPendingEviction";
        }
        return counts.evicted() > 0 ? "Completed" : "NotStarted";
    }

    private static String message(TaintEffect effect, Counts counts) {
        var message = "";
        if (effect == TaintEffect.Known.NONE) {
            message = whatIf(counts);
        } else if (effect != TaintEffect.Known.NO_EXECUTE) {
            message = "Eviction only happens for the NoExecute effect.";
        } else if (counts.pods() > 0) {
            message =
                    "%s to be evicted in %s."
                            .formatted(
                                    counts.pods() == 1
                                            ? "1 pod needs"
                                            : counts.pods() + " pods need",
                                    namespaces(counts.namespaces()));
        }
        if (counts.evicted() == 0) {
            return message;
        }
        var done = plural(counts.evicted(), "pod") + " evicted since starting the controller.";
        return message.isEmpty() ? done : message + " " + done;
    }

    private static String whatIf(Counts counts) {
        return ("%s selected. %s selected. %s would be evicted in %s if the effect was NoExecute. "
                        + "This information will not be updated again. "
                        + "Recreate the DeviceTaintRule to trigger an update.")
                .formatted(
                        plural(counts.publishedDevices(), "published device"),
                        plural(counts.allocatedDevices(), "allocated device"),
                        plural(counts.pods(), "pod"),
                        namespaces(counts.namespaces()));
    }

    private static String plural(long count, String noun) {
        return count == 1 ? "1 " + noun : count + " " + noun + "s";
    }

    private static String namespaces(int count) {
        return count == 1 ? "1 namespace" : count + " different namespaces";
    }
}
