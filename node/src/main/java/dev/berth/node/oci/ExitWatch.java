package dev.berth.node.oci;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells listeners when monitors leave exit codes.
final class ExitWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ExitWatch.class);

    private final WatchService service;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private ExitWatch(WatchService service) {
        this.service = service;
    }

    static ExitWatch on(Path directory) throws IOException {
        var service = directory.getFileSystem().newWatchService();
        // A file comes under another name first and then takes its own, which is a creation too.
        directory.register(
                service,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY);
        var watch = new ExitWatch(service);
        Thread.ofPlatform().daemon().name("container-exits").start(watch::follow);
        return watch;
    }

    void add(Runnable listener) {
        listeners.add(listener);
    }

    private void follow() {
        try {
            while (true) {
                var key = service.take();
                key.pollEvents();
                listeners.forEach(ExitWatch::tell);
                if (!key.reset()) {
                    return;
                }
            }
        } catch (ClosedWatchServiceException _) {
            // The runtime is closed.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.error("somebody who was told of a container's end failed", e);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            LOG.warn("the watch for exits cannot be closed: {}", e.getMessage());
        }
    }
}
