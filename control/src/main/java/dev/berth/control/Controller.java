package dev.berth.control;

import dev.berth.core.admission.Gate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The controllers that there are.
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
    VOLUMES("persistentvolume-binder", true, false);

    private final String id;
    private final boolean usual;
    private final boolean busy;

    /// @param usual whether a Kubernetes cluster has it of its own
    Controller(String id, boolean usual, boolean busy) {
        this.id = id;
        this.usual = usual;
        this.busy = busy;
    }

    /// How people write it.
    public String id() {
        return id;
    }

    /// The gate without which there is nothing to do.
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

    /// What a Kubernetes cluster lacks.
    public static Set<Controller> lackingElsewhere() {
        var lacking = EnumSet.noneOf(Controller.class);
        Arrays.stream(values()).filter(one -> !one.usual).forEach(lacking::add);
        return lacking;
    }

    /// Reads `a,b,-c` or `*,-c`: names to run, or to leave out of what is usual.
    ///
    /// @param byDefault what is usual; asked for only when that matters
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
            var isLeftOut = name.startsWith("-");
            var found = named(isLeftOut ? name.substring(1) : name);
            if (found.isEmpty()) {
                return new Choice.Unknown(name);
            }
            if (isLeftOut) {
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

    /// What somebody chose.
    public sealed interface Choice {

        record Chosen(Set<Controller> controllers) implements Choice {
            public Chosen {
                controllers = Set.copyOf(controllers);
            }
        }

        record Unknown(String name) implements Choice {}
    }
}
