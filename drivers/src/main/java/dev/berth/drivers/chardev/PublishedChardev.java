package dev.berth.drivers.chardev;

import java.util.List;

/// A published device: device files that are allocated together.
record PublishedChardev(String name, ChardevRule rule, List<CharacterDevice> files) {

    PublishedChardev {
        files = List.copyOf(files);
    }

    /// The file that the attributes describe.
    CharacterDevice first() {
        return files.getFirst();
    }
}
