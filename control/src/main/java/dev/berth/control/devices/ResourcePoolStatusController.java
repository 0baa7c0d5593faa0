package dev.berth.control.devices;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.cache.ObjectCache;
import dev.berth.client.cache.ObjectCache.Listener;
import dev.berth.control.loop.KeyedControlLoop;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.lifecycle.PoolStatusReport;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.ResourcePoolStatusRequest;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Fills in the status of ResourcePoolStatusRequests, and deletes them when they expire.
///
/// Unlike Kubernetes, it completes a request for an incomplete pool as soon as its last slice
/// arrives, or its first one is deleted.
public final class ResourcePoolStatusController extends KeyedControlLoop<ObjectRef> {

    public static final String NAME = "resourcepoolstatusrequest-controller";

    private static final Kind<ResourcePoolStatusRequest> KIND = Kinds.RESOURCE_POOL_STATUS_REQUEST;

    private final Cluster cluster;
    private final Codec codec = new Codec();
    private final ObjectCache<ResourcePoolStatusRequest> requests;
    private final ObjectCache<ResourceSlice> slices;
    private final ObjectCache<ResourceClaim> claims;
    private final ObjectCache<DeviceTaintRule> rules;

    public ResourcePoolStatusController(
            Cluster cluster, SharedCaches caches, ObjectCache<DeviceTaintRule> rules) {
        this.cluster = cluster;
        this.requests = needs(caches.of(KIND));
        this.slices = needs(caches.of(Kinds.RESOURCE_SLICE));
        this.claims = needs(caches.of(Kinds.RESOURCE_CLAIM));
        this.rules = needs(rules);
        requests.addListener(Listener.of((_, after) -> after.ifPresent(one -> add(one.ref()))));
        slices.addListener(
                Listener.of((before, after) -> onSlice(after.or(() -> before).orElseThrow())));
    }

    private void onSlice(ResourceSlice slice) {
        for (var request : requests.all()) {
            if (request.status().isEmpty()
                    && request.spec().driver().equals(slice.spec().driver())) {
                add(request.ref());
            }
        }
    }

    @Override
    protected WorkResult reconcile(ObjectRef key, Instant now) {
        return requests.find(key).map(request -> reconcile(request, now)).orElse(WorkResult.DONE);
    }

    private WorkResult reconcile(ResourcePoolStatusRequest request, Instant now) {
        var end = PoolStatusReport.expiresAt(request);
        if (end.filter(at -> !at.isAfter(now)).isPresent()) {
            return cluster.send(
                            new Request.Delete(
                                    ResourcePath.of(KIND),
                                    "",
                                    request.metadata().name(),
                                    Optional.of(request.metadata().uid().value()),
                                    OptionalLong.empty()))
                    .asWorkResult();
        }
        var later = end.<WorkResult>map(WorkResult.RequeueAt::new).orElse(WorkResult.DONE);
        if (request.status().isPresent()) {
            return later;
        }
        var report =
                new PoolStatusReport(claims.all(), List.copyOf(rules.all()))
                        .calculate(request, slices.all(), now);
        return report.missing().isEmpty() ? write(request, report) : later;
    }

    private WorkResult write(ResourcePoolStatusRequest request, PoolStatusReport.Result report) {
        var completed =
                new ResourcePoolStatusRequest(
                        request.metadata(), request.spec(), Optional.of(report.status()));
        return cluster.send(
                        new Request.Update(
                                ResourcePath.of(KIND),
                                "",
                                request.metadata().name(),
                                "status",
                                codec.toTree(KIND, completed)))
                .asWorkResult();
    }
}
