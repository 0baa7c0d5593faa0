package dev.berth.control;

import dev.berth.core.admission.gate.Gate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The available controllers.
public enum Controller {
    CLAIMS("resourceclaim", true, true),
    DEVICE_TAINT_EVICTION("device-taint-eviction", true, true),
    POOL_STATUS("resource-pool-status", true, false),
    SLICE_CLEANUP("slice-cleanup", false, false),
    GONE_NODE_PODS("pod-cleanup", true, false),
    ENDED_PODS("ended-pods", true, false),
    NODES("node-lifecycle", true, false),
    REPLICA_SETS("replicaset", true, true),
    DEPLOYMENTS("deployment", true, false),
    JOBS("job", true, true),
    DISRUPTION("disruption", true, false),
    VOLUMES("persistentvolume-binder", true, false);

    private final String id;
    private final boolean inKubernetes;
    private final boolean busy;

    /// @param inKubernetes whether kube-controller-manager has it
    Controller(String id, boolean inKubernetes, boolean busy) {
        this.id = id;
        this.inKubernetes = inKubernetes;
        this.busy = busy;
    }

    /// The name on the command line.
    public String id() {
        return id;
    }

    /// The feature gate without which the controller does nothing.
    public Optional<Gate> gate() {
        return switch (this) {
            case DEVICE_TAINT_EVICTION -> Optional.of(Gate.DRA_DEVICE_TAINTS);
            case POOL_STATUS -> Optional.of(Gate.DRA_RESOURCE_POOL_STATUS);
            default -> Optional.empty();
        };
    }

    boolean isBusy() {
        return busy;
    }

    /// Controllers that kube-controller-manager lacks.
    public static Set<Controller> missingInKubernetes() {
        var missing = EnumSet.noneOf(Controller.class);
        Arrays.stream(values()).filter(one -> !one.inKubernetes).forEach(missing::add);
        return missing;
    }

    /// Parses `a,b,-c` or `*,-c`: controllers to run, or to exclude from the defaults.
    ///
    /// @param byDefault the defaults; evaluated only if needed
    public static Choice choice(String text, Supplier<Set<Controller>> byDefault) {
        var chosen = EnumSet.noneOf(Controller.class);
        var parts = Arrays.stream(text.split(",")).map(String::strip).filter(s -> !s.isEmpty());
        var names = parts.toList();
        if (names.stream().allMatch(name -> name.startsWith("-"))) {
            chosen.addAll(byDefault.get());
        }
        for (var name : names) {
            if (name.equals("*")) {
                chosen.addAll(EnumSet.allOf(Controller.class));
                continue;
            }
            var isExcluded = name.startsWith("-");
            var found = named(isExcluded ? name.substring(1) : name);
            if (found.isEmpty()) {
                return new Choice.Unknown(name);
            }
            if (isExcluded) {
                chosen.remove(found.get());
            } else {
                chosen.add(found.get());
            }
        }
        return new Choice.Chosen(chosen);
    }

    private static Optional<Controller> named(String name) {
        return Arrays.stream(values()).filter(one -> one.id.equals(name)).findFirst();
    }

    /// The parsed list of controllers.
    public sealed interface Choice {

        record Chosen(Set<Controller> controllers) implements Choice {
            public Chosen {
                controllers = Set.copyOf(controllers);
            }
        }

        record Unknown(String name) implements Choice {}
    }
}
