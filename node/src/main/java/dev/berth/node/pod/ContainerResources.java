package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.runtime.ContainerSpec.Limits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Resource limits of a container: CPU shares and quota, memory limit, OOM score adjustment.
final class ContainerResources {

    private static final long SHARES_PER_CPU = 1024;
    private static final long MIN_SHARES = 2;
    private static final long QUOTA_MICROS_PER_MILLI = 100;
    private static final long MIN_QUOTA_MICROS = 1_000;
    private static final int GUARANTEED = -997;
    private static final int BEST_EFFORT = 1000;
    private static final int MIN_BURSTABLE = 3;

    private ContainerResources() {}

    /// @param memory capacity of the node in bytes
    static Limits of(PodDefinition pod, ContainerDefinition container, long memory) {
        var resources = container.tree().objectOrEmpty("resources");
        var requests = resources.objectOrEmpty("requests");
        var limits = withDevices(pod, container, resources.objectOrEmpty("limits"));
        var cpuRequest = amount(requests, "cpu").or(() -> amount(limits, "cpu"));
        return new Limits(
                OptionalLong.of(
                        cpuRequest
                                .map(one -> one.milliRoundedUp() * SHARES_PER_CPU / 1000)
                                .filter(one -> one > MIN_SHARES)
                                .orElse(MIN_SHARES)),
                number(
                        amount(limits, "cpu")
                                .map(one -> one.milliRoundedUp() * QUOTA_MICROS_PER_MILLI)
                                .map(one -> Math.max(one, MIN_QUOTA_MICROS))),
                number(amount(limits, "memory").map(Quantity::roundedUp)),
                "",
                oomScoreAdjustment(pod, requests, memory));
    }

    private static OptionalLong number(Optional<Long> value) {
        return value.map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    private static Optional<Quantity> amount(JsonObject amounts, String name) {
        return amounts.string(name).flatMap(Quantity::tryParse).filter(one -> one.signum() > 0);
    }

    /// The `oom_score_adj` of the pod's QoS class, as in the kubelet.
    private static int oomScoreAdjustment(PodDefinition pod, JsonObject requests, long memory) {
        return switch (qosClass(pod)) {
            case "Guaranteed" -> GUARANTEED;
            case "BestEffort" -> BEST_EFFORT;
            default -> {
                var requested = amount(requests, "memory").map(Quantity::roundedUp).orElse(0L);
                var share = memory == 0 ? 0 : (int) (1000L * requested / memory);
                yield Math.clamp(BEST_EFFORT - share, MIN_BURSTABLE, BEST_EFFORT - 1);
            }
        };
    }

    /// The QoS class from the pod's status, or else computed by the same rule.
    private static String qosClass(PodDefinition pod) {
        var qosClassOfStatus = pod.status().text("qosClass");
        if (!qosClassOfStatus.isEmpty()) {
            return qosClassOfStatus;
        }
        var all = pod.all().map(one -> one.tree().objectOrEmpty("resources")).toList();
        var hasNone =
                all.stream()
                        .allMatch(one ->
                                one.objectOrEmpty("requests").isEmpty()
                                        && one.objectOrEmpty("limits").isEmpty());
        return hasNone ? "BestEffort" : isGuaranteed(all) ? "Guaranteed" : "Burstable";
    }

    private static boolean isGuaranteed(List<JsonObject> all) {
        return all.stream()
                .allMatch(one ->
                        Stream.of("cpu", "memory")
                                .allMatch(name -> {
                                    var limit = amount(one.objectOrEmpty("limits"), name);
                                    var request = amount(one.objectOrEmpty("requests"), name);
                                    return limit.isPresent()
                                            && request.or(() -> limit).equals(limit);
                                }));
    }

    /// Limits plus the node-allocatable resources of the container's claims. A resource without a
    /// limit stays unlimited, except huge pages.
    private static JsonObject withDevices(
            PodDefinition pod, ContainerDefinition container, JsonObject limits) {
        var total = limits;
        for (var claim : pod.status().objects("nodeAllocatableResourceClaimStatuses")) {
            if (!claim.strings("containers").contains(container.name())) {
                continue;
            }
            for (var resource : claim.objects("mapping")) {
                total = plus(total, resource.text("name"), resource.text("quantity"));
            }
            for (var resource : claim.objects("overhead")) {
                total = plus(total, resource.text("name"), resource.text("perPod"));
                total = plus(total, resource.text("name"), resource.text("perContainer"));
            }
        }
        return total;
    }

    private static JsonObject plus(JsonObject limits, String name, String amount) {
        var more = Quantity.tryParse(amount);
        var isLimited = limits.has(name) || name.startsWith("hugepages-");
        if (more.isEmpty() || !isLimited) {
            return limits;
        }
        var now = amount(limits, name).orElse(Quantity.ZERO);
        return limits.with(name, Json.of(now.plus(more.get()).toString()));
    }
}
