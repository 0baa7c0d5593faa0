package dev.berth.node.cdi;

import dev.berth.model.file.AtomicFile;
import dev.berth.model.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A directory to which CDI specs are written.
///
/// Specs are written atomically, so that a runtime never reads half of one.
public final class CdiDirectory {

    /// Directory of specs that drivers create at run time.
    public static final Path DYNAMIC = Path.of("/var/run/cdi");

    /// Directory of specs of administrators.
    public static final Path STATIC = Path.of("/etc/cdi");

    /// Readable by all: runtimes run as root, but administrators read specs, too.
    private static final String PERMISSIONS = "rw-r--r--";

    private final Path directory;

    public CdiDirectory(Path directory) {
        this.directory = directory;
    }

    /// Result of a write.
    public sealed interface Written {

        /// The spec was written.
        record Done(Path file) implements Written {}

        /// The spec is invalid, or dangerous for runtimes, and was not written.
        record Refused(List<CdiProblem> problems) implements Written {
            public Refused {
                problems = List.copyOf(problems);
            }

            public String message() {
                return String.join("; ", problems.stream().map(CdiProblem::toString).toList());
            }
        }
    }

    /// Writes or replaces a spec under a name such as [#fileName] returns, in the version that it
    /// needs.
    public Written write(String fileName, CdiSpec spec) throws IOException {
        var toWrite = spec.withVersion(CdiVersions.toWrite(spec));
        var problems = CdiValidation.check(toWrite);
        if (!problems.isEmpty()) {
            return new Written.Refused(problems);
        }
        var text = JsonWriter.pretty(CdiJson.of(toWrite));
        Files.createDirectories(directory);
        var file = directory.resolve(fileName);
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8), PERMISSIONS);
        return new Written.Done(file);
    }

    /// Deletes a spec if it exists.
    public void delete(String fileName) throws IOException {
        AtomicFile.delete(directory.resolve(fileName));
    }

    public boolean has(String fileName) {
        return Files.exists(directory.resolve(fileName));
    }

    public Path path() {
        return directory;
    }

    /// The file name of a kind: `vendor.com-class.json`, or `vendor.com-class_id.json` for a spec
    /// that belongs to another object.
    ///
    /// @param id of the object it belongs to, such as a claim
    public static String fileName(CdiKind kind, Optional<String> id) {
        var base = kind.vendor() + "-" + kind.className();
        return id.map(one -> base + "_" + one.replace('/', '_')).orElse(base) + ".json";
    }
}
