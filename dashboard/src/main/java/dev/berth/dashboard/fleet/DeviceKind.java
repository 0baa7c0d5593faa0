package dev.berth.dashboard.fleet;

import java.util.List;
import java.util.Locale;

/// The kind of a device, by which it is drawn. ResourceSlices have no such field, so it is
/// recognised by words in the attribute `type`, the driver, the classes and the name, in this
/// order.
enum DeviceKind {
    GPU("g", List.of("gpu", "mig.", "cuda")),
    NETWORK("n", List.of("nic", "net", "rdma", "sriov", "roce", "infiniband", "ethernet", "vf")),
    CPU("c", List.of("cpu", "core")),
    MEMORY("m", List.of("memory", "hugepage", "cxl", "dram", "mem")),
    DISK("d", List.of("disk", "nvme", "ssd", "storage", "block")),
    FPGA("f", List.of("fpga")),
    ACCELERATOR("a", List.of("accel", "tpu", "npu", "gaudi", "ascend", "neuron", "hpu", "furiosa")),
    PARTITION("p", List.of()),
    OTHER("o", List.of());

    private final String letter;
    private final List<String> words;

    DeviceKind(String letter, List<String> words) {
        this.letter = letter;
        this.words = words;
    }

    String letter() {
        return letter;
    }

    /// The kind for texts in the order of their importance.
    static DeviceKind of(List<String> texts) {
        for (var text : texts) {
            var lower = text.toLowerCase(Locale.ROOT);
            for (var kind : values()) {
                if (kind.words.stream().anyMatch(lower::contains)) {
                    return kind;
                }
            }
        }
        return OTHER;
    }
}
