package dev.berth.app.ui;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/// The directory in which `berth ui` keeps the history of a cluster: below `$XDG_STATE_HOME/berth`
/// or `~/.local/state/berth`.
final class StateDirectory {

    private StateDirectory() {}

    static Path of(URI server, String namespace) {
        var name =
                UUID.nameUUIDFromBytes(
                        (server + "|" + namespace).getBytes(StandardCharsets.UTF_8));
        return base().resolve("ui-" + name);
    }

    private static Path base() {
        return Optional.ofNullable(System.getenv("XDG_STATE_HOME"))
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "state"))
                .resolve("berth");
    }
}
