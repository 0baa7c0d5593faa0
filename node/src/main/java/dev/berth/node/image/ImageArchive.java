package dev.berth.node.image;

import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// An image as it comes, not yet unpacked.
///
/// @param names those that it brings along
/// @param digest of its manifest; empty where there is none
/// @param id the digest of its configuration
/// @param layers the lowest first
record ImageArchive(
        List<String> names, String digest, String id, JsonObject config, List<Layer> layers) {

    ImageArchive {
        names = List.copyOf(names);
        layers = List.copyOf(layers);
    }

    /// A layer in a file.
    ///
    /// @param digest of the file as it is; empty where nobody said
    record Layer(Path file, Optional<String> digest) {}
}
