package dev.berth.app.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The local Maven repository of a user.
final class LocalRepository {

    private LocalRepository() {}

    /// `localRepository` of `.m2/settings.xml`, or `.m2/repository`.
    ///
    /// @param home of the user
    /// @throws IOException when the settings cannot be read, or use a variable that is not known
    static Path find(Path home) throws IOException {
        var usual = home.resolve(".m2/repository");
        var settings = home.resolve(".m2/settings.xml");
        if (!Files.exists(settings)) {
            return usual;
        }
        var configured = Pom.text(settings, "localRepository").orElse("");
        if (configured.isEmpty()) {
            return usual;
        }
        var path = configured.replace("${user.home}", home.toString());
        if (path.contains("${")) {
            throw new IOException(
                    "localRepository in %s is \"%s\"; name the directory with --local-repository"
                            .formatted(settings, configured));
        }
        return Path.of(path);
    }
}
