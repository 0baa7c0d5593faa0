package dev.berth.dashboard.history;

import dev.berth.dashboard.table.ClaimPhase;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The phases of claims, as this process saw them. Earlier phases come from the timestamps of a
/// claim. Thread-safe.
public final class ClaimPhases {

    /// Limits of claims and of phases for each.
    private static final int MAX_CLAIMS = 20_000;

    private static final int MAX_PHASES = 64;

    private final ClusterWatch watch;
    private final Clock clock;

    // The claims that changed last are at the end; guarded by this.
    private final Map<ObjectRef, List<Phase>> phases = new LinkedHashMap<>();

    private record Phase(String uid, String name, Instant from) {}

    public ClaimPhases(ClusterWatch watch, Clock clock) {
        this.watch = watch;
        this.clock = clock;
    }

    /// Notes the phases of claims that may have changed.
    public synchronized void update(Collection<ObjectRef> touched) {
        touched.forEach(this::update);
    }

    private void update(ObjectRef ref) {
        var claim = watch.claims().find(ref);
        var known = phases.remove(ref);
        var now = clock.instant();
        var list = known == null ? new ArrayList<Phase>() : known;
        if (claim.isPresent()) {
            var uid = claim.get().metadata().uid().value();
            if (!list.isEmpty() && !list.getLast().uid.equals(uid)) {
                list.clear();
            }
            if (list.isEmpty()) {
                addEarlier(list, claim.get(), uid);
            }
            add(list, new Phase(uid, ClaimPhase.of(claim.get(), watch, now).text(), now));
        } else if (!list.isEmpty()) {
            add(list, new Phase(list.getLast().uid, "released", now));
        }
        if (!list.isEmpty()) {
            if (phases.size() >= MAX_CLAIMS) {
                phases.remove(phases.keySet().iterator().next());
            }
            phases.put(ref, list);
        }
    }

    private static void addEarlier(List<Phase> list, ResourceClaim claim, String uid) {
        claim.metadata()
                .creationTimestamp()
                .ifPresent(time -> list.add(new Phase(uid, "created", time)));
        claim.status()
                .allocation()
                .flatMap(one -> one.allocationTimestamp())
                .ifPresent(time -> list.add(new Phase(uid, "allocated", time)));
    }

    private static void add(List<Phase> list, Phase phase) {
        var isPending = phase.name.equals(ClaimPhase.PENDING.text());
        var isKnown = !list.isEmpty() && list.getLast().name.equals(phase.name);
        if (!isPending && !isKnown) {
            if (list.size() >= MAX_PHASES) {
                list.remove(1);
            }
            list.add(phase);
        }
    }

    /// The phases of a claim with their beginnings and ends; empty when it was never seen.
    public synchronized Optional<List<JsonObject>> of(ObjectRef claim) {
        update(claim);
        var list = phases.getOrDefault(claim, List.of());
        if (list.isEmpty()) {
            return Optional.empty();
        }
        var result = new ArrayList<JsonObject>();
        for (var i = 0; i < list.size(); i++) {
            var tree =
                    JsonObject.of("phase", Json.of(list.get(i).name))
                            .with("from", Json.of(list.get(i).from));
            result.add(i + 1 < list.size() ? tree.with("to", Json.of(list.get(i + 1).from)) : tree);
        }
        return Optional.of(result);
    }
}
