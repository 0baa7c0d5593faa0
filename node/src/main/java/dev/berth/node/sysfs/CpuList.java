package dev.berth.node.sysfs;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// CPU lists of Linux, such as `0-3,8,10-11`.
public final class CpuList {

    /// Upper bound of CPU numbers, above that of any kernel.
    private static final int MAX_CPUS = 1 << 16;

    private CpuList() {}

    /// The numbers in ascending order; invalid parts are ignored.
    public static List<Integer> parse(String text) {
        var cpus = new ArrayList<Integer>();
        for (var part : text.strip().split(",", -1)) {
            var dash = part.indexOf('-');
            var from = Sysfs.number(dash < 0 ? part : part.substring(0, dash));
            var to = dash < 0 ? from : Sysfs.number(part.substring(dash + 1));
            if (from.isEmpty() || to.isEmpty() || to.getAsInt() >= MAX_CPUS) {
                continue;
            }
            for (var cpu = from.getAsInt(); cpu <= to.getAsInt(); cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus.stream().distinct().sorted().toList();
    }

    static OptionalInt first(String text) {
        var cpus = parse(text);
        return cpus.isEmpty() ? OptionalInt.empty() : OptionalInt.of(cpus.getFirst());
    }
}
