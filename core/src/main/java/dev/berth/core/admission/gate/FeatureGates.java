package dev.berth.core.admission.gate;

import dev.berth.core.cel.CelFeatures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The set of enabled feature gates. Immutable.
public final class FeatureGates {

    /// The default minimum compatibility version of a 1.37 component.
    private static final int PREVIOUS_MINOR = 36;

    private static final String ALL_ALPHA = "AllAlpha";
    private static final String ALL_BETA = "AllBeta";

    private final Set<Gate> enabled;

    private FeatureGates(Set<Gate> enabled) {
        this.enabled = enabled;
    }

    /// Result of parsing feature gate settings.
    public sealed interface Setting {

        record Accepted(FeatureGates gates) implements Setting {}

        /// No gate was changed. Each problem is one sentence.
        record Refused(List<String> problems) implements Setting {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    /// The defaults of Kubernetes 1.37 without flags.
    public static FeatureGates defaults() {
        return defaultsCompatibleWith(PREVIOUS_MINOR);
    }

    /// The defaults of 1.37 with minimum compatibility version 1.`minor`.
    public static FeatureGates defaultsCompatibleWith(int minor) {
        var enabled = EnumSet.noneOf(Gate.class);
        for (var gate : Gate.values()) {
            if (gate.onByDefault()) {
                enabled.add(gate);
            }
        }
        if (minor > PREVIOUS_MINOR) {
            enabled.add(Gate.DRA_FRACTIONAL_CAPACITY_RANGE);
        }
        return new FeatureGates(enabled);
    }

    public static FeatureGates all() {
        return new FeatureGates(EnumSet.allOf(Gate.class));
    }

    /// Exactly these gates, without checking dependencies: for tests of single rules, not for
    /// servers.
    public static FeatureGates exactly(Collection<Gate> gates) {
        return new FeatureGates(
                gates.isEmpty() ? EnumSet.noneOf(Gate.class) : EnumSet.copyOf(gates));
    }

    /// These gates with settings applied, such as `DRAListTypeAttributes=true`. `AllAlpha` and
    /// `AllBeta` set every gate of their stage that is not set by name.
    public Setting with(List<String> settings) {
        var problems = new ArrayList<String>();
        var stages = new LinkedHashMap<Gate.Stage, Boolean>();
        var single = new LinkedHashMap<Gate, Boolean>();
        for (var setting : settings) {
            read(setting, stages, single).ifPresent(problems::add);
        }
        var result = EnumSet.noneOf(Gate.class);
        for (var gate : Gate.values()) {
            var byStage = gate.locked() ? null : stages.get(gate.stage());
            var before = byStage == null ? enabled(gate) : byStage;
            if (single.getOrDefault(gate, before)) {
                result.add(gate);
            }
        }
        problems.addAll(missingDependencies(result));
        return problems.isEmpty()
                ? new Setting.Accepted(new FeatureGates(result))
                : new Setting.Refused(problems);
    }

    private static Optional<String> read(
            String setting, Map<Gate.Stage, Boolean> stages, Map<Gate, Boolean> single) {
        var equals = setting.indexOf('=');
        var name = equals < 0 ? setting : setting.substring(0, equals).strip();
        var value = equals < 0 ? "" : setting.substring(equals + 1).strip();
        if (!value.equals("true") && !value.equals("false")) {
            return Optional.of(
                    "feature gate setting \"%s\": write name=true or name=false"
                            .formatted(setting));
        }
        var on = value.equals("true");
        if (name.equals(ALL_ALPHA) || name.equals(ALL_BETA)) {
            stages.put(name.equals(ALL_ALPHA) ? Gate.Stage.ALPHA : Gate.Stage.BETA, on);
            return Optional.empty();
        }
        var gate = Gate.named(name);
        if (gate.isEmpty()) {
            return Optional.of(
                    "unrecognized feature gate: %s; known are %s".formatted(name, knownNames()));
        }
        if (gate.get().locked() && on != gate.get().onByDefault()) {
            return Optional.of(
                    "cannot set feature gate %s to %s, feature is locked to %s"
                            .formatted(name, on, gate.get().onByDefault()));
        }
        single.put(gate.get(), on);
        return Optional.empty();
    }

    private static String knownNames() {
        var names = new TreeSet<String>();
        for (var gate : Gate.values()) {
            names.add(gate.gateName());
        }
        return String.join(", ", names);
    }

    private static List<String> missingDependencies(Set<Gate> enabled) {
        var problems = new ArrayList<String>();
        for (var gate : enabled) {
            for (var needed : gate.dependencies()) {
                if (!enabled.contains(needed)) {
                    problems.add(
                            "feature gate %s is on, but it needs %s, which is off"
                                    .formatted(gate, needed));
                }
            }
        }
        return problems;
    }

    public boolean enabled(Gate gate) {
        return enabled.contains(gate);
    }

    /// The enabled gates, in the order of [Gate].
    public Set<Gate> enabled() {
        return enabled.isEmpty() ? Set.of() : EnumSet.copyOf(enabled);
    }

    /// CEL features available to new expressions.
    public CelFeatures cel() {
        return new CelFeatures(
                enabled(Gate.DRA_CONSUMABLE_CAPACITY), enabled(Gate.DRA_LIST_TYPE_ATTRIBUTES));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FeatureGates that && enabled.equals(that.enabled);
    }

    @Override
    public int hashCode() {
        return enabled.hashCode();
    }

    @Override
    public String toString() {
        return enabled.toString();
    }
}
