package dev.berth.control.devices;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.mirror.Mirror;
import dev.berth.client.mirror.Mirror.Listener;
import dev.berth.control.loop.KeyedLoop;
import dev.berth.control.loop.Mirrors;
import dev.berth.control.loop.Verdict;
import dev.berth.core.lifecycle.PoolReport;
import dev.berth.model.api.DeviceTaintRule;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourcePoolStatusRequest;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Answers questions about pools, and deletes them when they are old.
///
/// Unlike in Kubernetes, a question about a pool that is not whole yet is answered as soon as the
/// last slice comes or the first one goes.
public final class PoolStatusLoop extends KeyedLoop<ObjectRef> {

    public static final String NAME = "resourcepoolstatusrequest-controller";

    private static final Kind<ResourcePoolStatusRequest> KIND = Kinds.RESOURCE_POOL_STATUS_REQUEST;

    private final Cluster cluster;
    private final Codec codec = new Codec();
    private final Mirror<ResourcePoolStatusRequest> requests;
    private final Mirror<ResourceSlice> slices;
    private final Mirror<ResourceClaim> claims;
    private final Mirror<DeviceTaintRule> rules;

    public PoolStatusLoop(Cluster cluster, Mirrors mirrors, Mirror<DeviceTaintRule> rules) {
        this.cluster = cluster;
        this.requests = needs(mirrors.of(KIND));
        this.slices = needs(mirrors.of(Kinds.RESOURCE_SLICE));
        this.claims = needs(mirrors.of(Kinds.RESOURCE_CLAIM));
        this.rules = needs(rules);
        requests.listen(Listener.of((_, after) -> after.ifPresent(one -> add(one.ref()))));
        slices.listen(
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
    protected Verdict work(ObjectRef key, Instant now) {
        return requests.find(key).map(request -> work(request, now)).orElse(Verdict.DONE);
    }

    private Verdict work(ResourcePoolStatusRequest request, Instant now) {
        var end = PoolReport.endsAt(request);
        if (end.filter(at -> !at.isAfter(now)).isPresent()) {
            return Verdict.of(
                    cluster.send(
                            new Request.Delete(
                                    Address.of(KIND),
                                    "",
                                    request.metadata().name(),
                                    Optional.of(request.metadata().uid().value()),
                                    OptionalLong.empty())));
        }
        var later = end.<Verdict>map(Verdict.Again::new).orElse(Verdict.DONE);
        if (request.status().isPresent()) {
            return later;
        }
        var answer =
                new PoolReport(claims.all(), List.copyOf(rules.all()))
                        .to(request, slices.all(), now);
        return answer.missing().isEmpty() ? write(request, answer) : later;
    }

    private Verdict write(ResourcePoolStatusRequest request, PoolReport.Answer answer) {
        var answered =
                new ResourcePoolStatusRequest(
                        request.metadata(), request.spec(), Optional.of(answer.status()));
        return Verdict.of(
                cluster.send(
                        new Request.Update(
                                Address.of(KIND),
                                "",
                                request.metadata().name(),
                                "status",
                                codec.toTree(KIND, answered))));
    }
}
