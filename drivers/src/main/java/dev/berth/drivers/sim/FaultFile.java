package dev.berth.drivers.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches `faults.yaml` in a data directory and applies the faults in it.
///
/// A missing file means no faults. An invalid file leaves the active faults unchanged and is logged
/// once.
public final class FaultFile implements AutoCloseable {

    /// Name of the file.
    public static final String NAME = "faults.yaml";

    private static final Logger LOG = LoggerFactory.getLogger(FaultFile.class);
    private static final long POLL_MILLIS = 200;

    private final Path file;
    private final Consumer<FaultSet> listener;
    private final Thread thread;
    private String last = "";
    private String lastError = "";

    private FaultFile(Path file, Consumer<FaultSet> listener) {
        this.file = file;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("faults").unstarted(this::poll);
    }

    /// Watches a file until this is closed.
    ///
    /// @param listener receives the fault set whenever the file changes
    public static FaultFile watch(Path file, Consumer<FaultSet> listener) {
        var faults = new FaultFile(file, listener);
        faults.thread.start();
        return faults;
    }

    private void poll() {
        try {
            while (true) {
                reload();
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void reload() {
        try {
            var text = text();
            if (!text.equals(last)) {
                last = text;
                listener.accept(FaultReader.read(text));
                lastError = "";
            }
        } catch (IOException | InvalidFaultsException e) {
            warnOnce(String.valueOf(e.getMessage()));
        }
    }

    private void warnOnce(String text) {
        if (!text.equals(lastError)) {
            LOG.warn("cannot apply {}: {}", file, text);
            lastError = text;
        }
    }

    private String text() throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
