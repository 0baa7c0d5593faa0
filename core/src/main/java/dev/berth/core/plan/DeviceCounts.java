package dev.berth.core.plan;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.EvaluationResult.Matched;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Counts the devices of an inventory by class and by node.
final class DeviceCounts {

    /// @param nodes nodes that can access the device
    private record Entry(DeviceId id, Set<String> classes, List<String> nodes) {}

    private final Map<DeviceId, Entry> entries = new LinkedHashMap<>();
    private final ClusterInventory inventory;

    DeviceCounts(ClusterInventory inventory) {
        this.inventory = inventory;
        var programs = new LinkedHashMap<String, Optional<List<CelProgram>>>();
        inventory.classes().forEach((name, one) -> programs.put(name, compiled(one)));
        for (var node : inventory.nodes()) {
            for (var pool : inventory.pools(node.name())) {
                for (var row = 0; pool.isUsable() && row < pool.size(); row++) {
                    if (isReached(pool, row, node)) {
                        entry(pool, row, programs).nodes.add(node.name());
                    }
                }
            }
        }
    }

    private static Optional<List<CelProgram>> compiled(DeviceClass deviceClass) {
        var compiler = new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
        var programs = new ArrayList<CelProgram>();
        for (var selector : deviceClass.spec().selectors()) {
            if (selector instanceof DeviceSelector.Cel(var text)
                    && compiler.compileSelector(text) instanceof Compilation.Compiled(var good)) {
                programs.add(CelProgram.of(good));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(programs);
    }

    private static boolean isReached(PoolView pool, int row, Node node) {
        return !(pool.scope(row) instanceof SliceScope.PerDevice)
                || Pool.reaches(pool.traits(row).scope(), node);
    }

    private Entry entry(PoolView pool, int row, Map<String, Optional<List<CelProgram>>> programs) {
        var id = pool.device(row);
        var known = entries.get(id);
        if (known != null) {
            return known;
        }
        var view = view(pool, row);
        var classes = new HashSet<String>();
        programs.forEach((name, all) -> {
            if (all.isPresent() && all.get().stream().allMatch(program -> matches(program, view))) {
                classes.add(name);
            }
        });
        var entry = new Entry(id, classes, new ArrayList<>());
        entries.put(id, entry);
        return entry;
    }

    private static boolean matches(CelProgram program, ListedDevice view) {
        return program.evaluate(view) instanceof Matched matched && matched.matches();
    }

    private static ListedDevice view(PoolView pool, int row) {
        var driver = pool.id().driver();
        var attributes = new HashMap<QualifiedName, AttributeValue>();
        pool.attributes(row)
                .forEach((name, value) -> attributes.put(QualifiedName.of(name, driver), value));
        var capacity = new HashMap<QualifiedName, Quantity>();
        pool.capacities(row)
                .forEach((name, value) ->
                        capacity.put(QualifiedName.of(name, driver), value.value()));
        return new ListedDevice(driver, pool.traits(row).shareable(), attributes, capacity);
    }

    DeviceUsage usage(ClusterUsage state) {
        var held = held(state);
        var byClass = new TreeMap<String, DeviceUsage.Share>();
        var byNode = new TreeMap<String, DeviceUsage.Share>();
        inventory.classes().keySet().forEach(name -> byClass.put(name, DeviceUsage.Share.NONE));
        inventory.nodes().forEach(node -> byNode.put(node.name(), DeviceUsage.Share.NONE));
        for (var entry : entries.values()) {
            var isHeld = held.contains(entry.id);
            for (var name : entry.classes) {
                byClass.merge(name, DeviceUsage.Share.NONE, (old, _) -> old.plus(isHeld));
            }
            if (entry.nodes.size() == 1) {
                byNode.merge(
                        entry.nodes.getFirst(),
                        DeviceUsage.Share.NONE,
                        (old, _) -> old.plus(isHeld));
            }
        }
        return new DeviceUsage(byClass, byNode);
    }

    private static Set<DeviceId> held(ClusterUsage state) {
        var holdings = Holdings.of(state.claims());
        var held = new HashSet<>(holdings.exclusive());
        holdings.shares().forEach(share -> held.add(share.device()));
        return held;
    }

    /// Available devices of a class compared with the requested number.
    PlannedPod.Shortage shortage(String deviceClass, long requested, ClusterUsage state) {
        var held = held(state);
        var free = 0L;
        var total = 0L;
        var perNode = new HashMap<String, Long>();
        for (var entry : entries.values()) {
            if (entry.classes.contains(deviceClass)) {
                total++;
                if (!held.contains(entry.id)) {
                    free++;
                    entry.nodes.forEach(node -> perNode.merge(node, 1L, Long::sum));
                }
            }
        }
        var most = perNode.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return new PlannedPod.Shortage(deviceClass, requested, free, total, most);
    }
}
