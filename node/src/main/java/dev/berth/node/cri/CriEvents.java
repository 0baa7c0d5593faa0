package dev.berth.node.cri;

import dev.berth.wire.cri.GetEventsRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notifies listeners of container events of the runtime. Runtimes without events are polled by the
/// status cache.
final class CriEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CriEvents.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(5);

    private final CriCalls calls;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean isClosed;

    CriEvents(CriCalls calls) {
        this.calls = calls;
        this.thread = Thread.ofVirtual().name("cri-events").unstarted(this::follow);
    }

    void addListener(Runnable listener) {
        listeners.add(listener);
        if (isStarted.compareAndSet(false, true)) {
            thread.start();
        }
    }

    private void follow() {
        try {
            while (!isClosed) {
                if (!listen()) {
                    return;
                }
                Thread.sleep(RETRY_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Reads events until the connection breaks; false if the runtime does not support events.
    private boolean listen() {
        try {
            var events =
                    calls.withoutDeadline()
                            .getContainerEvents(GetEventsRequest.getDefaultInstance());
            while (events.hasNext()) {
                events.next();
                listeners.forEach(Runnable::run);
            }
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                LOG.debug("the runtime does not support container events");
                return false;
            }
            LOG.debug("events of the runtime ended", e);
        }
        return true;
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
