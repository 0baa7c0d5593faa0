package dev.berth.app.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Data directories of the user's running clusters: one file with a path for each. Entries of
/// killed clusters are removed by the next reader. Clusters run without the registry as well; then
/// `berth status` does not list those outside the default directory.
public final class ClusterRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRegistry.class);

    private final Path directory;

    ClusterRegistry(Path directory) {
        this.directory = directory;
    }

    /// The registry of this user.
    public static ClusterRegistry ofUser() {
        return new ClusterRegistry(DataDirectory.registry(System.getenv()));
    }

    public void add(Path dataDirectory) {
        var path = dataDirectory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(directory);
            Files.writeString(entry(path), path.toString());
        } catch (IOException e) {
            LOG.debug("cannot register {}", path, e);
        }
    }

    public void remove(Path dataDirectory) {
        try {
            Files.deleteIfExists(entry(dataDirectory.toAbsolutePath().normalize()));
        } catch (IOException e) {
            LOG.debug("cannot remove the entry of {}", dataDirectory, e);
        }
    }

    /// The running clusters, by data directory.
    public List<ClusterRecord> running() {
        var running = new ArrayList<ClusterRecord>();
        for (var path : registered()) {
            var cluster = ClusterRecord.running(path);
            cluster.ifPresentOrElse(running::add, () -> remove(path));
        }
        return running;
    }

    private List<Path> registered() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        var paths = new ArrayList<Path>();
        try (var entries = Files.list(directory)) {
            for (var entry : entries.toList()) {
                paths.add(Path.of(Files.readString(entry).strip()));
            }
        } catch (IOException | InvalidPathException e) {
            LOG.debug("cannot read {}", directory, e);
        }
        return paths.stream().sorted().toList();
    }

    private Path entry(Path dataDirectory) {
        var bytes = dataDirectory.toString().getBytes(StandardCharsets.UTF_8);
        return directory.resolve(UUID.nameUUIDFromBytes(bytes).toString());
    }
}
