package dev.berth.node.driver;

import dev.berth.client.Cluster;

/// Passes everything on to another follower, and reports a missing permission to list objects.
record ReportingFollower<T>(Cluster.Follower<T> follower, WaitReport waits)
        implements Cluster.Follower<T> {

    @Override
    public void replaceAll(Iterable<T> objects) {
        follower.replaceAll(objects);
    }

    @Override
    public void put(T object) {
        follower.put(object);
    }

    @Override
    public void remove(T object) {
        follower.remove(object);
    }

    @Override
    public void refuse(String message) {
        waits.waiting(WaitReport.Cause.PERMISSION, () -> "waiting for permission: " + message);
        follower.refuse(message);
    }

    @Override
    public void together(Runnable tellings) {
        follower.together(tellings);
    }
}
