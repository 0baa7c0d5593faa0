package dev.berth.model.workqueue;

import java.time.Duration;

/// Observes the keys of a work queue, for metrics. Called with the lock of the queue held.
public interface WorkQueueObserver {

    /// Observes nothing.
    WorkQueueObserver NONE =
            new WorkQueueObserver() {
                @Override
                public void added(Object key) {}

                @Override
                public void taken(Object key, Duration overdue) {}

                @Override
                public void retried(Object key) {}

                @Override
                public void finished(Object key) {}
            };

    /// A key was queued for immediate processing. Not called for keys that are queued already.
    void added(Object key);

    /// The processing of a key begins.
    ///
    /// @param overdue time since the key was due
    void taken(Object key, Duration overdue);

    /// The processing of a key failed; it is queued again after its back-off.
    void retried(Object key);

    /// The processing of a key ended.
    void finished(Object key);
}
