package dev.berth.drivers.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has go wrong what a file says, for as long as it says so: `faults.yaml` in a data directory.
///
/// A file that is not there says nothing. One that cannot be understood changes nothing, and is
/// complained of once.
public final class FaultFile implements AutoCloseable {

    /// What the file is called.
    public static final String NAME = "faults.yaml";

    private static final Logger LOG = LoggerFactory.getLogger(FaultFile.class);
    private static final long PAUSE_MILLIS = 200;

    private final Path file;
    private final Consumer<FaultSet> listener;
    private final Thread thread;
    private String last = "";
    private String complaint = "";

    private FaultFile(Path file, Consumer<FaultSet> listener) {
        this.file = file;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("faults").unstarted(this::follow);
    }

    /// Follows a file until it is closed.
    ///
    /// @param listener told whenever something else is to go wrong
    public static FaultFile follow(Path file, Consumer<FaultSet> listener) {
        var faults = new FaultFile(file, listener);
        faults.thread.start();
        return faults;
    }

    private void follow() {
        try {
            while (true) {
                look();
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            var text = text();
            if (!text.equals(last)) {
                last = text;
                listener.accept(FaultReader.read(text));
                complaint = "";
            }
        } catch (IOException | InvalidFaultsException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String text) {
        if (!text.equals(complaint)) {
            LOG.warn("{} changes nothing: {}", file, text);
            complaint = text;
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
