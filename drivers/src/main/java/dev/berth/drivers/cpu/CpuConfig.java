package dev.berth.drivers.cpu;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import dev.berth.node.sysfs.CpuList;
import java.util.List;
import java.util.Optional;

/// What the administrator says about cores.
///
/// @param reserved CPUs that stay with the system; the first core when nothing is said
public record CpuConfig(Optional<List<Integer>> reserved) {

    public static final CpuConfig USUAL = new CpuConfig(Optional.empty());

    public CpuConfig {
        reserved = reserved.map(List::copyOf);
    }

    public static Parameters<CpuConfig> parameters() {
        return Parameters.plain(CpuConfig::read, USUAL);
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
