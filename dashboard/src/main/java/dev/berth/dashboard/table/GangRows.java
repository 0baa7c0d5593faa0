package dev.berth.dashboard.table;

import dev.berth.dashboard.pending.PendingPods;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodGroup;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Rows of the table of gangs: pod groups with their pods.
final class GangRows {

    private final ClusterWatch watch;

    GangRows(ClusterWatch watch) {
        this.watch = watch;
    }

    List<JsonObject> all() {
        var members = new TreeMap<ObjectRef, List<Pod>>();
        watch.podGroups().all().forEach(group -> members.put(group.ref(), new ArrayList<>()));
        for (var pod : watch.pods().all()) {
            pod.spec()
                    .podGroupName()
                    .ifPresent(name ->
                            members.computeIfAbsent(
                                            new ObjectRef(pod.ref().namespace(), name),
                                            _ -> new ArrayList<>())
                                    .add(pod));
        }
        var rows = new ArrayList<JsonObject>();
        members.forEach((ref, pods) -> rows.add(row(ref, pods)));
        return rows;
    }

    /// A gang with its members; empty when there is neither a group nor a pod of it.
    Optional<JsonObject> one(ObjectRef ref) {
        var pods = pods(ref);
        if (pods.isEmpty() && watch.podGroups().find(ref).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                row(ref, pods)
                        .with("members", Json.array(pods.stream().map(this::member).toList())));
    }

    /// The first pending pod of a gang.
    Optional<ObjectRef> pending(ObjectRef ref) {
        return pods(ref).stream().filter(PendingPods::isPending).map(Pod::ref).findFirst();
    }

    private List<Pod> pods(ObjectRef ref) {
        return watch.pods().all().stream()
                .filter(pod ->
                        pod.ref().namespace().equals(ref.namespace())
                                && pod.spec().podGroupName().orElse("").equals(ref.name()))
                .sorted(Comparator.comparing(Pod::ref))
                .toList();
    }

    private JsonObject row(ObjectRef ref, List<Pod> pods) {
        var group = watch.podGroups().find(ref);
        var pending = pods.stream().filter(PendingPods::isPending).count();
        var claims =
                pods.stream()
                        .flatMap(pod -> PodClaimReferences.all(pod).stream())
                        .distinct()
                        .map(claim -> watch.claims().find(claim))
                        .flatMap(Optional::stream)
                        .toList();
        var tree =
                JsonObject.of("namespace", Json.of(ref.namespace()))
                        .with("name", Json.of(ref.name()))
                        .with("minCount", Json.of(group.map(GangRows::minCount).orElse(0L)))
                        .with("pods", Json.of(pods.size()))
                        .with("placed", Json.of(pods.size() - pending))
                        .with("pending", Json.of(pending))
                        .with("claims", Json.of(claims.size()))
                        .with(
                                "devices",
                                Json.of(claims.stream().mapToLong(GangRows::devices).sum()));
        return TableRows.created(tree, group.map(PodGroup::metadata).orElse(ObjectMeta.EMPTY));
    }

    private static long minCount(PodGroup group) {
        return group.schedulingPolicy()
                .flatMap(policy -> policy.object("gang"))
                .flatMap(gang ->
                        gang.number("minCount").isPresent()
                                ? Optional.of(gang.number("minCount").getAsLong())
                                : Optional.empty())
                .orElse(0L);
    }

    private static long devices(ResourceClaim claim) {
        return claim.status().allocation().map(one -> (long) one.devices().size()).orElse(0L);
    }

    private JsonObject member(Pod pod) {
        var claims = PodClaimReferences.all(pod);
        var devices =
                claims.stream()
                        .map(claim -> watch.claims().find(claim))
                        .flatMap(Optional::stream)
                        .mapToLong(GangRows::devices)
                        .sum();
        return JsonObject.of("pod", Json.of(pod.ref().name()))
                .with("node", Json.of(pod.spec().nodeName()))
                .with("phase", Json.of(pod.status().phase().text()))
                .with("devices", Json.of(devices))
                .with(
                        "claims",
                        TableRows.texts(claims.stream().map(one -> one.name()).toList()));
    }
}
