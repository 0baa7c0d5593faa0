package dev.berth.drivers.machine;

import dev.berth.model.file.AtomicFile;
import dev.berth.node.cdi.ContainerEdits.Hook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/// An OCI createRuntime hook: a script that container runtimes run, independent of the driver
/// process.
public final class HookScript {

    private static final String PERMISSIONS = "rwxr-xr-x";
    private static final int TIMEOUT_SECONDS = 30;

    /// Hooks inherit no environment variables.
    private static final List<String> ENVIRONMENT =
            List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");

    private final Class<?> owner;
    private final String name;
    private final Path file;

    /// @param owner class whose package contains the script resource
    /// @param directory directory to install the script in
    public HookScript(Class<?> owner, String name, Path directory) {
        this.owner = owner;
        this.name = name;
        this.file = directory.resolve(name);
    }

    /// Installs the script and returns a hook that runs it.
    public Hook hook(String... arguments) throws IOException {
        install();
        var line = new ArrayList<String>();
        line.add(file.toString());
        line.addAll(Arrays.asList(arguments));
        return new Hook(
                "createRuntime",
                file.toString(),
                line,
                ENVIRONMENT,
                OptionalInt.of(TIMEOUT_SECONDS));
    }

    private void install() throws IOException {
        byte[] text;
        try (var in = owner.getResourceAsStream(name)) {
            text = Objects.requireNonNull(in, name).readAllBytes();
        }
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), text)) {
            return;
        }
        Files.createDirectories(file.resolveSibling(""));
        AtomicFile.write(file, text, PERMISSIONS);
    }
}
