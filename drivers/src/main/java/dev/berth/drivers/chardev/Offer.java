package dev.berth.drivers.chardev;

import java.util.List;

/// Device files that are given away together.
record Offer(String name, Rule rule, List<DeviceFile> files) {

    Offer {
        files = List.copyOf(files);
    }

    /// The file that stands for all.
    DeviceFile first() {
        return files.getFirst();
    }
}
