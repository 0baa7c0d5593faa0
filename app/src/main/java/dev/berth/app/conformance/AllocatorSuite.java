package dev.berth.app.conformance;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.DeviceOrder;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.quantity.Quantity;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Cases of the allocator: which devices are chosen for claims on a node, in how many steps.
final class AllocatorSuite implements Suite {

    private static final String SHARE = "00000000-0000-0000-0000-000000000000";

    private final Codec codec = new Codec();
    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Override
    public Optional<Difference> compare(JsonObject recorded) {
        var answer =
                allocator
                        .allocate(question(recorded).toNodeRequest(DeviceOrder.FIRST), () -> SHARE)
                        .outcome();
        var expected = expected(recorded.objectOrEmpty("answer"));
        var actual = shown(answer);
        if (!agree(expected, actual)) {
            return Optional.of(new Difference(expected, actual));
        }
        var allowed = recorded.number("referenceSteps");
        return allowed.isPresent() && answer.steps() > allowed.getAsLong()
                ? Optional.of(
                        new Difference(
                                "at most %d steps".formatted(allowed.getAsLong()),
                                "%d steps".formatted(answer.steps())))
                : Optional.empty();
    }

    /// Error messages are equal if they differ only in the last clause, which quotes other errors,
    /// and in the device: recorded devices have lost their empty lists.
    private static boolean agree(String expected, String actual) {
        return expected.equals(actual)
                || (expected.startsWith("error: ") && fault(expected).equals(fault(actual)));
    }

    private static String fault(String text) {
        var end = Math.max(0, text.lastIndexOf(": "));
        return text.substring(0, end).replaceAll("device \\S+/\\S+", "device");
    }

    private String expected(JsonObject answer) {
        var error = answer.string("error");
        if (error.isPresent()) {
            return "error: " + error.get();
        }
        return answer.array("results").isEmpty()
                ? "does not fit"
                : shown(answer.objects("results").stream().map(this::result).toList());
    }

    private String shown(AllocationOutcome answer) {
        return switch (answer) {
            case AllocationOutcome.Allocated(var results, _) -> shown(results);
            case AllocationOutcome.DoesNotFit _ -> "does not fit";
            case AllocationOutcome.Failed failed -> "error: " + failed.message();
            case AllocationOutcome.Undecided _ -> "undecided";
        };
    }

    private String shown(List<AllocationResult> results) {
        var text = new StringBuilder();
        for (var result : results) {
            var status = new ResourceClaimStatus(Optional.of(result), List.of(), List.of());
            var claim = read(Kinds.RESOURCE_CLAIM, JsonObject.EMPTY).withStatus(status);
            var tree = codec.toTree(Kinds.RESOURCE_CLAIM, claim).objectOrEmpty("status");
            text.append(text.isEmpty() ? "" : "\n")
                    .append(JsonWriter.compact(tree.objectOrEmpty("allocation")));
        }
        return text.toString();
    }

    private AllocationResult result(JsonObject tree) {
        var devices = tree.objectOrEmpty("devices");
        var results = devices.objects("results").stream().map(AllocatorSuite::withOurShare);
        var comparable =
                devices.has("results")
                        ? tree.with(
                                "devices", devices.with("results", Json.array(results.toList())))
                        : tree;
        var claim = JsonObject.of("status", JsonObject.of("allocation", comparable));
        return read(Kinds.RESOURCE_CLAIM, claim).status().allocation().orElseThrow();
    }

    /// Share ids are random.
    private static JsonObject withOurShare(JsonObject device) {
        return device.has("shareID") ? device.with("shareID", Json.of(SHARE)) : device;
    }

    private <T extends KubernetesObject> T read(Kind<T> kind, JsonObject tree) {
        var typed =
                tree.with("apiVersion", Json.of(kind.apiVersion()))
                        .with("kind", Json.of(kind.name()));
        return codec.readTree(kind, typed, UnknownFieldPolicy.LENIENT).orThrow();
    }

    private <T extends KubernetesObject> List<T> readAll(Kind<T> kind, List<JsonObject> trees) {
        return trees.stream().map(tree -> read(kind, tree)).toList();
    }

    private AllocationRequest question(JsonObject recorded) {
        return new AllocationRequest(
                features(recorded.strings("features")),
                read(Kinds.NODE, recorded.objectOrEmpty("node")),
                readAll(Kinds.DEVICE_CLASS, recorded.objects("classes")),
                readAll(Kinds.RESOURCE_SLICE, recorded.objects("slices")),
                holdings(recorded),
                readAll(Kinds.RESOURCE_CLAIM, recorded.objects("claims")));
    }

    private static Set<AllocatorFeature> features(List<String> names) {
        var features = EnumSet.noneOf(AllocatorFeature.class);
        for (var feature : AllocatorFeature.values()) {
            if (names.contains(feature.upstreamName())) {
                features.add(feature);
            }
        }
        return features;
    }

    private static Holdings holdings(JsonObject recorded) {
        var exclusive = new HashSet<DeviceId>();
        recorded.objects("allocatedDevices").forEach(device -> exclusive.add(id(device)));
        var shares = new HashSet<ShareId>();
        recorded.objects("allocatedShares")
                .forEach(share -> shares.add(new ShareId(id(share), share.text("shareID"))));
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var device : recorded.objects("consumedCapacity")) {
            var amounts = new HashMap<String, Quantity>();
            var written = device.objectOrEmpty("consumedCapacity");
            for (var name : written.names()) {
                amounts.put(name, Quantity.parse(written.text(name)));
            }
            consumed.put(id(device), amounts);
        }
        return new Holdings(exclusive, shares, consumed);
    }

    private static DeviceId id(JsonObject device) {
        return new DeviceId(device.text("driver"), device.text("pool"), device.text("device"));
    }
}
