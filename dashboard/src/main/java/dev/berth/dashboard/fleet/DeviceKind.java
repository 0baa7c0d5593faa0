package dev.berth.dashboard.fleet;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The kind of a device, by which it is drawn. ResourceSlices have no such field, so it is
/// recognised by words in the attribute `type`, the driver, the classes and the name, in this
/// order.
enum DeviceKind {
    GPU("g", "gpu mig. cuda"),
    NETWORK("n", "nic net rdma sriov roce infiniband ethernet vf"),
    CPU("c", "cpu core"),
    MEMORY("m", "memory hugepage cxl dram mem"),
    DISK("d", "disk nvme ssd storage block"),
    FPGA("f", "fpga"),
    ACCELERATOR("a", "accel tpu npu gaudi ascend neuron hpu furiosa"),
    PARTITION("p", ""),
    OTHER("o", "");

    private final String letter;
    private final String words;

    /// @param words separated by spaces
    DeviceKind(String letter, String words) {
        this.letter = letter;
        this.words = words;
    }

    String letter() {
        return letter;
    }

    private boolean isIn(String text) {
        return !words.isEmpty() && Arrays.stream(words.split(" ")).anyMatch(text::contains);
    }

    /// The kind for texts in the order of their importance.
    static DeviceKind of(List<String> texts) {
        for (var text : texts) {
            var lower = text.toLowerCase(Locale.ROOT);
            for (var kind : values()) {
                if (kind.isIn(lower)) {
                    return kind;
                }
            }
        }
        return OTHER;
    }
}
