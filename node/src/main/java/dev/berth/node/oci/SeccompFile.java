package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads a `Localhost` seccomp profile: a file in the format of `linux.seccomp` of the OCI runtime
/// specification.
final class SeccompFile {

    private static final long MAX_BYTES = 4L << 20;

    private SeccompFile() {}

    static JsonObject read(Path file) throws RuntimeFailure {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw invalid(file, "it is larger than %d bytes".formatted(MAX_BYTES));
            }
            return switch (JsonReader.read(Files.readAllBytes(file))) {
                case ParseResult.Malformed(var message, var line, _) ->
                        throw invalid(file, "line %d: %s".formatted(line, message));
                case ParseResult.Documents(var documents) -> {
                    if (documents.getFirst().root() instanceof JsonObject profile) {
                        yield checked(file, profile);
                    }
                    throw invalid(file, "it is not a JSON object");
                }
            };
        } catch (NoSuchFileException _) {
            throw new RuntimeFailure(
                    "seccomp profile %s does not exist on this node".formatted(file));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "seccomp profile %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    /// Rejects what runc would ignore: a profile without an action, and the conditions of Docker's
    /// profiles. The container would run with less confinement than the file specifies.
    private static JsonObject checked(Path file, JsonObject profile) throws RuntimeFailure {
        if (profile.text("defaultAction").isEmpty()) {
            throw invalid(file, "it has no defaultAction");
        }
        for (var call : profile.objects("syscalls")) {
            if (!call.objectOrEmpty("includes").isEmpty()
                    || !call.objectOrEmpty("excludes").isEmpty()) {
                throw invalid(
                        file,
                        "it has rules with includes or excludes, which only Docker's profiles have;"
                                + " write it as linux.seccomp of the OCI runtime specification");
            }
        }
        return profile;
    }

    private static RuntimeFailure invalid(Path file, String problem) {
        return new RuntimeFailure("seccomp profile %s cannot be used: %s".formatted(file, problem));
    }
}
