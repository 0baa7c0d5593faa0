package dev.berth.node.driver;

import dev.berth.client.Cluster;

/// Delegates to another event handler and reports a missing permission to list objects.
record ReportingHandler<T>(Cluster.EventHandler<T> handler, WaitReport waits)
        implements Cluster.EventHandler<T> {

    @Override
    public void replaceAll(Iterable<T> objects) {
        handler.replaceAll(objects);
    }

    @Override
    public void put(T object) {
        handler.put(object);
    }

    @Override
    public void remove(T object) {
        handler.remove(object);
    }

    @Override
    public void onForbidden(String message) {
        waits.waiting(WaitReport.Cause.PERMISSION, () -> "waiting for permission: " + message);
        handler.onForbidden(message);
    }

    @Override
    public void batch(Runnable changes) {
        handler.batch(changes);
    }
}
