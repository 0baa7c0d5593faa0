package dev.berth.drivers.cpu;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.Device;
import dev.berth.node.sysfs.CpuList;
import dev.berth.node.sysfs.StandardAttributes;
import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/// Reads the processor cores from sysfs.
final class CpuCores {

    private static final String CPUS = "devices/system/cpu";

    private final Sysfs sysfs;

    CpuCores(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /// All online cores, sorted by their first CPU.
    List<CpuCore> all() {
        var isolated = CpuList.parse(text(CPUS + "/isolated").orElse(""));
        var efficient = CpuList.parse(text("devices/cpu_atom/cpus").orElse(""));
        var fast = CpuList.parse(text("devices/cpu_core/cpus").orElse(""));
        var cores = new ArrayList<CpuCore>();
        var seen = new HashSet<Integer>();
        var online = online();
        for (var cpu : online) {
            if (!seen.contains(cpu)) {
                var threads = threads(cpu, online);
                seen.addAll(threads);
                cores.add(
                        new CpuCore(
                                threads,
                                number(cpu, "topology/core_id"),
                                number(cpu, "topology/physical_package_id"),
                                sysfs.numaNodeOfCpu(cpu),
                                number(cpu, "cache/index3/id"),
                                isolated.containsAll(threads),
                                type(cpu, fast, efficient)));
            }
        }
        return cores;
    }

    private List<Integer> online() {
        return text(CPUS + "/online")
                .map(CpuList::parse)
                .orElseGet(() ->
                        sysfs.names(Path.of(CPUS)).stream()
                                .filter(name -> name.matches("cpu[0-9]+"))
                                .map(name -> Integer.parseInt(name.substring("cpu".length())))
                                .sorted()
                                .toList());
    }

    private List<Integer> threads(int cpu, List<Integer> online) {
        var siblings =
                text("%s/cpu%d/topology/thread_siblings_list".formatted(CPUS, cpu))
                        .map(CpuList::parse)
                        .orElse(List.of());
        return siblings.contains(cpu)
                ? siblings.stream().filter(online::contains).toList()
                : List.of(cpu);
    }

    private static Optional<String> type(int cpu, List<Integer> fast, List<Integer> efficient) {
        if (efficient.contains(cpu)) {
            return Optional.of("efficiency");
        }
        return fast.contains(cpu) && !efficient.isEmpty()
                ? Optional.of("performance")
                : Optional.empty();
    }

    private OptionalInt number(int cpu, String file) {
        return text("%s/cpu%d/%s".formatted(CPUS, cpu, file))
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(text -> OptionalInt.of(Integer.parseInt(text)))
                .orElse(OptionalInt.empty());
    }

    private Optional<String> text(String file) {
        return sysfs.text(Path.of(file));
    }

    /// The cores that can be allocated: all except reserved ones. By default the first core is
    /// reserved if there are several.
    static List<CpuCore> allocatable(List<CpuCore> cores, CpuConfig config) {
        if (config.reserved().isPresent()) {
            var reserved = config.reserved().get();
            return cores.stream()
                    .filter(core -> core.cpus().stream().noneMatch(reserved::contains))
                    .toList();
        }
        return cores.size() > 1 ? cores.subList(1, cores.size()) : cores;
    }

    static Device device(CpuCore core) {
        var attributes = new TreeMap<String, AttributeValue>();
        attributes.put("cpus", new StringValue(core.cpuList()));
        attributes.put("threads", new IntValue(core.cpus().size()));
        attributes.put("isolated", new BoolValue(core.isolated()));
        put(attributes, "coreID", core.id());
        put(attributes, "socketID", core.socket());
        put(attributes, "l3CacheID", core.cache());
        put(attributes, StandardAttributes.NUMA_NODE, core.numaNode());
        core.type().ifPresent(type -> attributes.put("coreType", new StringValue(type)));
        return Device.named(core.name()).withAttributes(attributes);
    }

    private static void put(
            Map<String, AttributeValue> attributes, String name, OptionalInt number) {
        number.ifPresent(value -> attributes.put(name, new IntValue(value)));
    }
}
