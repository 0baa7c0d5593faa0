package dev.berth.dashboard.history;

import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file of JSON lines to which the history is appended. Lines that cannot be read are skipped: a
/// killed process may leave half a line.
final class HistoryFile {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);

    /// Size above which the file is written anew with the history that is still kept.
    static final long MAX_BYTES = 32L << 20;

    private final Path path;
    private boolean isBroken;

    HistoryFile(Path path) {
        this.path = path;
    }

    /// All lines; none without a file.
    List<JsonObject> read() {
        var lines = new ArrayList<JsonObject>();
        try {
            if (Files.exists(path) && Files.size(path) <= 2 * MAX_BYTES) {
                for (var line : Files.readAllLines(path)) {
                    if (JsonReader.read(line) instanceof ParseResult.Documents(var documents)
                            && documents.size() == 1
                            && documents.getFirst().root() instanceof JsonObject tree) {
                        lines.add(tree);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot read the history {}", path, e);
        }
        return lines;
    }

    void append(List<JsonObject> lines) {
        if (isBroken || lines.isEmpty()) {
            return;
        }
        try {
            if (!Files.exists(path)) {
                PrivateDirectory.make(Objects.requireNonNull(path.getParent()));
                PrivateFile.write(path, "");
            }
            Files.writeString(path, text(lines), StandardOpenOption.APPEND);
        } catch (IOException e) {
            // Reported once: the disk may be full for long.
            isBroken = true;
            LOG.warn("the history is kept in memory only: cannot write {}", path, e);
        }
    }

    boolean isTooLarge() {
        try {
            return !isBroken && Files.exists(path) && Files.size(path) > MAX_BYTES;
        } catch (IOException _) {
            return false;
        }
    }

    void replace(List<JsonObject> lines) {
        try {
            PrivateFile.write(path, text(lines));
        } catch (IOException e) {
            isBroken = true;
            LOG.warn("the history is kept in memory only: cannot write {}", path, e);
        }
    }

    private static String text(List<JsonObject> lines) {
        var text = new StringBuilder();
        for (var line : lines) {
            text.append(JsonWriter.compact(line)).append('\n');
        }
        return text.toString();
    }
}
