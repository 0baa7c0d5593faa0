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

/// Tells when the runtime says that something has changed. Runtimes that do not say so are left
/// alone: who wants to know looks now and then.
final class CriEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CriEvents.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final CriCalls calls;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean isClosed;

    CriEvents(CriCalls calls) {
        this.calls = calls;
        this.thread = Thread.ofVirtual().name("cri-events").unstarted(this::follow);
    }

    void tell(Runnable listener) {
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
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Listens until the connection breaks; false when there is nothing to listen to.
    private boolean listen() {
        try {
            var events = calls.endless().getContainerEvents(GetEventsRequest.getDefaultInstance());
            while (events.hasNext()) {
                events.next();
                listeners.forEach(Runnable::run);
            }
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                LOG.debug("the runtime tells no events");
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
