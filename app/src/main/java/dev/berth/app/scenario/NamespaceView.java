package dev.berth.app.scenario;

import dev.berth.core.cel.ListedDevice;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A namespace and the devices of the cluster at one moment.
///
/// @param pods of the namespace
/// @param claims of all namespaces
/// @param events of the namespace
record NamespaceView(
        List<Pod> pods,
        List<ResourceClaim> claims,
        List<JsonObject> events,
        List<Node> nodes,
        List<ResourceSlice> slices,
        List<DeviceClass> classes) {

    private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";

    /// The pods of an expectation that are not being deleted.
    List<Pod> pods(String pattern) {
        return pods.stream()
                .filter(pod -> Expectation.isAbout(pattern, pod.metadata().name()))
                .filter(pod -> !pod.metadata().isDeleting())
                .sorted(Comparator.comparing(pod -> pod.metadata().name()))
                .toList();
    }

    /// The existing claims of a pod.
    List<ResourceClaim> claims(Pod pod) {
        var found = new ArrayList<ResourceClaim>();
        for (var ref : PodClaimReferences.all(pod)) {
            claims.stream().filter(claim -> claim.ref().equals(ref)).forEach(found::add);
        }
        return found;
    }

    /// A device in the newest generation of its pool.
    Optional<ListedDevice> listed(DeviceId id) {
        return slices.stream()
                .filter(slice -> slice.poolId().equals(id.poolId()))
                .sorted(Comparator.comparingLong(slice -> -slice.spec().pool().generation()))
                .flatMap(slice -> slice.spec().devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst()
                .map(device -> ListedDevice.of(id.driver(), device));
    }

    /// All devices of the cluster.
    Map<DeviceId, ListedDevice> listed() {
        var all = new LinkedHashMap<DeviceId, ListedDevice>();
        for (var slice : slices) {
            var driver = slice.spec().driver();
            for (var device : slice.spec().devices()) {
                all.put(
                        new DeviceId(driver, slice.spec().pool().name(), device.name()),
                        ListedDevice.of(driver, device));
            }
        }
        return all;
    }

    /// Devices allocated to other claims, without admin access.
    Set<DeviceId> heldByOthers(ResourceClaim own) {
        var held = new HashSet<DeviceId>();
        for (var claim : claims) {
            if (!claim.ref().equals(own.ref())) {
                claim.status()
                        .allocation()
                        .ifPresent(allocation ->
                                allocation.devices().stream()
                                        .filter(one -> !one.isAdmin() && one.share().isEmpty())
                                        .forEach(one -> held.add(one.id())));
            }
        }
        return held;
    }

    String instanceType(String node) {
        return nodes.stream()
                .filter(one -> one.name().equals(node))
                .map(one -> one.labels().getOrDefault(INSTANCE_TYPE, ""))
                .findFirst()
                .orElse("");
    }

    /// The message of the PodScheduled condition of a pod.
    static String schedulingMessage(Pod pod) {
        return pod.status().conditions().stream()
                .filter(condition -> condition.type().equals("PodScheduled"))
                .map(Condition::message)
                .findFirst()
                .orElse("");
    }

    /// The conditions that drivers report for an allocated device.
    static List<Condition> conditions(ResourceClaim claim, AllocatedDevice device) {
        return claim.status().devices().stream()
                .filter(status -> status.id().equals(device.id()))
                .flatMap(status -> status.conditions().stream())
                .toList();
    }
}
