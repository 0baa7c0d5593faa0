package dev.berth.node.image;

import dev.berth.model.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A packed image of an archive, layout or directory.
///
/// @param names from its metadata
/// @param digest of its manifest; empty if it has none
/// @param id digest of its configuration
/// @param layers lowest first
record ImageArchive(
        List<String> names, String digest, String id, JsonObject config, List<Layer> layers) {

    ImageArchive {
        names = List.copyOf(names);
        layers = List.copyOf(layers);
    }

    /// A layer in a file.
    ///
    /// @param digest of the file; empty if unknown
    record Layer(Path file, Optional<String> digest) {}
}
