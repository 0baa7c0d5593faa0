package dev.berth.app.running;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Directories of the user in which clusters keep their data and are registered.
public final class DataDirectory {

    private DataDirectory() {}

    /// The data directory of clusters that are started without `--data-dir`.
    public static Path usual() {
        return usual(System.getenv());
    }

    static Path usual(Map<String, String> environment) {
        return variable(environment, "XDG_DATA_HOME")
                .orElseGet(() -> home(environment).resolve(".local").resolve("share"))
                .resolve("berth");
    }

    /// The directory that lists the running clusters of the user.
    static Path registry(Map<String, String> environment) {
        return variable(environment, "XDG_STATE_HOME")
                .orElseGet(() -> home(environment).resolve(".local").resolve("state"))
                .resolve("berth")
                .resolve("clusters");
    }

    /// The directory in which `berth ui` keeps the history of a cluster.
    ///
    /// @param cluster identifies the cluster; any text
    public static Path dashboard(String cluster) {
        var environment = System.getenv();
        var name = UUID.nameUUIDFromBytes(cluster.getBytes(StandardCharsets.UTF_8));
        return variable(environment, "XDG_STATE_HOME")
                .orElseGet(() -> home(environment).resolve(".local").resolve("state"))
                .resolve("berth")
                .resolve("dashboards")
                .resolve(name.toString());
    }

    /// The home directory as shells and kubectl have it.
    private static Path home(Map<String, String> environment) {
        return variable(environment, "HOME")
                .orElseGet(() -> Path.of(System.getProperty("user.home", ".")));
    }

    private static Optional<Path> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isEmpty())
                .map(Path::of);
    }
}
