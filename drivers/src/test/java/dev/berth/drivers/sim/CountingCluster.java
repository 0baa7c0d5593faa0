package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.ForwardingCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts writes to pods.
final class CountingCluster extends ForwardingCluster {

    private final AtomicInteger writes = new AtomicInteger();

    CountingCluster(Cluster cluster) {
        super(cluster);
    }

    AtomicInteger writes() {
        return writes;
    }

    @Override
    public RequestResult send(Request request) {
        if (!(request instanceof Request.Get)
                && request.address().equals(ResourcePath.of(Kinds.POD))) {
            writes.incrementAndGet();
        }
        return super.send(request);
    }
}
