package dev.berth.drivers.cpu;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;

/// Claim parameters of the CPU driver.
///
/// @param partition isolation of the cores
record CpuParameters(Partition partition) {

    /// Isolation of the cores: the cpuset partition type of cgroup v2.
    enum Partition {
        /// Exclusive cores, as long as only one container uses the claim.
        ROOT,
        /// Exclusive cores without load balancing by the kernel.
        ISOLATED,
        /// The container is pinned to the cores; other containers may use them too.
        MEMBER;

        @Override
        public String toString() {
            return switch (this) {
                case ROOT -> "root";
                case ISOLATED -> "isolated";
                case MEMBER -> "member";
            };
        }
    }

    static final Parameters<CpuParameters> PARAMETERS =
            Parameters.of(
                    "cpu.berth.dev/v1",
                    "Cores",
                    CpuParameters::read,
                    new CpuParameters(Partition.ROOT));

    private static CpuParameters read(ParameterFields fields) {
        return new CpuParameters(
                fields.oneOf("partition", List.of(Partition.values())).orElse(Partition.ROOT));
    }
}
