package dev.berth.client.config;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

/// What a program finds around it.
///
/// @param serviceAccount the folder in which a pod finds its token
public record ProgramEnvironment(
        Map<String, String> environment, Path home, Path serviceAccount, Clock clock) {

    private static final Path SERVICE_ACCOUNT =
            Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    public ProgramEnvironment {
        environment = Map.copyOf(environment);
    }

    /// Those of this process. The home is `$HOME`, as kubectl has it, not that of the user
    /// database.
    public static ProgramEnvironment system() {
        var around =
                new ProgramEnvironment(
                        System.getenv(),
                        Path.of(System.getProperty("user.home", "/")),
                        SERVICE_ACCOUNT,
                        Clock.systemUTC());
        return around.variable("HOME").map(Path::of).map(around::at).orElse(around);
    }

    private ProgramEnvironment at(Path otherHome) {
        return new ProgramEnvironment(environment, otherHome, serviceAccount, clock);
    }

    /// A variable of the environment; an empty one counts as absent.
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
