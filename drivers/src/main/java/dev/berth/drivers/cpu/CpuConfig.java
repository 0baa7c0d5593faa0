package dev.berth.drivers.cpu;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import dev.berth.node.sysfs.CpuList;
import java.util.List;
import java.util.Optional;

/// Configuration of the CPU driver.
///
/// @param reserved CPUs reserved for the system; the first core by default
public record CpuConfig(Optional<List<Integer>> reserved) {

    public static final CpuConfig DEFAULTS = new CpuConfig(Optional.empty());

    public CpuConfig {
        reserved = reserved.map(List::copyOf);
    }

    public static Parameters<CpuConfig> parameters() {
        return Parameters.plain(CpuConfig::read, DEFAULTS);
    }

    private static CpuConfig read(ParameterFields fields) {
        var text = fields.text("reserved");
        if (text.isPresent() && !text.get().matches("|[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*")) {
            fields.refuse(
                    "reserved", "\"%s\" is not a list of CPUs like 0-1,8".formatted(text.get()));
        }
        return new CpuConfig(text.map(CpuList::parse));
    }
}
