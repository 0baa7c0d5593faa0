package dev.berth.drivers.chardev;

import java.util.List;

/// Device files that are given away together.
record PublishedChardev(String name, ChardevRule rule, List<CharacterDevice> files) {

    PublishedChardev {
        files = List.copyOf(files);
    }

    /// The file that stands for all.
    CharacterDevice first() {
        return files.getFirst();
    }
}
