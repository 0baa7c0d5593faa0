package dev.berth.drivers.machine;

import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/// A script that runtimes run when a container is being created, whether the driver lives or not.
public final class HookScript {

    private static final String PERMISSIONS = "rwxr-xr-x";
    private static final int TIMEOUT_SECONDS = 30;

    /// Hooks get nothing of the environment but what they are given.
    private static final List<String> ENVIRONMENT =
            List.of("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");

    private final Class<?> owner;
    private final String name;
    private final Path file;

    /// @param owner beside whose class the script is in the jar
    /// @param directory where it is put
    public HookScript(Class<?> owner, String name, Path directory) {
        this.owner = owner;
        this.name = name;
        this.file = directory.resolve(name);
    }

    /// A hook that runs the script, which is there from now on.
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
