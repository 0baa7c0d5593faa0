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

/// Notifies listeners when conmon writes exit files of containers.
final class ExitWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ExitWatch.class);

    private final WatchService service;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private ExitWatch(WatchService service) {
        this.service = service;
    }

    static ExitWatch on(Path directory) throws IOException {
        var service = directory.getFileSystem().newWatchService();
        // A file is written under another name and then renamed, which is a creation event, too.
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
                listeners.forEach(ExitWatch::notifyListener);
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

    private static void notifyListener(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException e) {
            LOG.error("a listener of container exits failed", e);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            LOG.warn("cannot close the watch of the exit directory: {}", e.getMessage());
        }
    }
}
