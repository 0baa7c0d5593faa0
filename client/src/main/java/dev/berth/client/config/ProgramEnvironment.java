package dev.berth.client.config;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/// Environment variables, home directory and clock of the process.
///
/// @param serviceAccount the directory in which a pod has its token
public record ProgramEnvironment(
        Map<String, String> environment, Path home, Path serviceAccount, Clock clock) {

    private static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    public ProgramEnvironment {
        environment = Map.copyOf(environment);
    }

    /// The environment of this process. The home directory is `$HOME`, as for kubectl, not that of
    /// the user database.
    public static ProgramEnvironment system() {
        var environment =
                new ProgramEnvironment(
                        System.getenv(),
                        Path.of(System.getProperty("user.home", "/")),
                        SERVICE_ACCOUNT,
                        Clock.systemUTC());
        return environment.variable("HOME").map(Path::of).map(environment::at).orElse(environment);
    }

    private ProgramEnvironment at(Path otherHome) {
        return new ProgramEnvironment(environment, otherHome, serviceAccount, clock);
    }

    /// An environment variable; an empty one counts as absent.
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
