package dev.berth.app.published;

import dev.berth.app.manifest.Manifest;
import dev.berth.app.manifest.ManifestReader;
import dev.berth.harness.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Manifests published by driver projects, read from a directory beside the repository.
///
/// @param folder the directory
record PublishedManifests(Path folder) {

    /// Finds the directory; tests that need it are skipped without it.
    static PublishedManifests find() {
        return new PublishedManifests(SharedData.driverManifests());
    }

    /// Paths of all files below the directory.
    List<String> files() {
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".yaml"))
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Manifest> objects(String file) {
        try {
            var manifests = new ArrayList<Manifest>();
            var reader = new ManifestReader(manifests::add);
            reader.read(folder.resolve(file).toString(), InputStream.nullInputStream());
            if (!reader.unreadable().isEmpty()) {
                throw new IllegalStateException(reader.unreadable().toString());
            }
            return manifests;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
