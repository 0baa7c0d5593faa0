package dev.berth.drivers.cpu;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;

/// What a claim may say about its cores.
///
/// @param partition how far others are kept off
record CpuParameters(Partition partition) {

    /// How far others are kept off the cores, where the machine has cgroup v2.
    enum Partition {
        /// Nobody else runs there while one container alone uses the claim.
        ROOT,
        /// The same, and the kernel does not move work between the cores.
        ISOLATED,
        /// The container stays there; others may come.
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
