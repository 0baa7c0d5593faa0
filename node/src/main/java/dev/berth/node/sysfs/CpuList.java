package dev.berth.node.sysfs;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Numbers of CPUs as Linux writes them: `0-3,8,10-11`.
public final class CpuList {

    /// More CPUs than any kernel has are refused rather than counted.
    private static final int MAX_CPUS = 1 << 16;

    private CpuList() {}

    /// The numbers in ascending order; what is no number is passed over.
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
