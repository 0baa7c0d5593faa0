package dev.berth.node.cdi;

import dev.berth.model.json.JsonWriter;
import dev.berth.node.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A directory to which documents are written.
///
/// A document is there as a whole or not at all, so that a runtime never reads half of one.
public final class CdiDirectory {

    /// Where drivers put what they make while they run.
    public static final Path DYNAMIC = Path.of("/var/run/cdi");

    /// Where administrators put what stays.
    public static final Path STATIC = Path.of("/etc/cdi");

    /// Runtimes run as root, but people look too.
    private static final String PERMISSIONS = "rw-r--r--";

    private final Path directory;

    public CdiDirectory(Path directory) {
        this.directory = directory;
    }

    /// What came of writing.
    public sealed interface Written {

        /// The document is there.
        record Done(Path file) implements Written {}

        /// The document would be of no use, or a danger, and is not there.
        record Refused(List<CdiProblem> problems) implements Written {
            public Refused {
                problems = List.copyOf(problems);
            }

            public String message() {
                return String.join("; ", problems.stream().map(CdiProblem::toString).toList());
            }
        }
    }

    /// Writes a document under a name such as [#fileName] gives, in the version that it needs;
    /// replaces what was there.
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

    /// Deletes a document; nothing happens when there is none.
    public void delete(String fileName) throws IOException {
        AtomicFile.delete(directory.resolve(fileName));
    }

    public boolean has(String fileName) {
        return Files.exists(directory.resolve(fileName));
    }

    public Path path() {
        return directory;
    }

    /// The file of a kind: `vendor.com-class.json`, or `vendor.com-class_id.json` for what lives as
    /// long as something else does.
    ///
    /// @param id of what it lives with, such as a claim
    public static String fileName(CdiKind kind, Optional<String> id) {
        var base = kind.vendor() + "-" + kind.className();
        return id.map(one -> base + "_" + one.replace('/', '_')).orElse(base) + ".json";
    }
}
