package dev.berth.core.testkit.conformance;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.quantity.Quantity;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// A recorded allocation request with the outcome in Kubernetes.
///
/// @param steps number of search steps in Kubernetes; empty if it failed before the search
public record ConformanceCase(
        String name,
        AllocationRequest allocationRequest,
        ExpectedOutcome outcome,
        OptionalLong steps) {

    /// Reads one line of `allocator.jsonl`.
    public static ConformanceCase of(String line) {
        if (!(JsonReader.read(line) instanceof ParseResult.Documents(var documents))
                || !(documents.getFirst().root() instanceof JsonObject json)) {
            throw new IllegalArgumentException("invalid case: " + line);
        }
        var codec = new Codec();
        var allocationRequest =
                new AllocationRequest(
                        json.strings("features").stream()
                                .map(ConformanceCase::feature)
                                .collect(Collectors.toSet()),
                        codec.readTree(
                                        Kinds.NODE,
                                        json.objectOrEmpty("node"),
                                        UnknownFieldPolicy.LENIENT)
                                .orThrow(),
                        objects(codec, Kinds.DEVICE_CLASS, json, "classes"),
                        objects(codec, Kinds.RESOURCE_SLICE, json, "slices"),
                        holdings(json),
                        objects(codec, Kinds.RESOURCE_CLAIM, json, "claims"));
        return new ConformanceCase(
                json.text("name"),
                allocationRequest,
                outcome(codec, json.objectOrEmpty("answer")),
                json.number("referenceSteps"));
    }

    private static AllocatorFeature feature(String name) {
        return Arrays.stream(AllocatorFeature.values())
                .filter(feature -> feature.upstreamName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown feature: " + name));
    }

    private static <T extends KubernetesObject> List<T> objects(
            Codec codec, Kind<T> kind, JsonObject json, String member) {
        return json.objects(member).stream()
                .map(tree -> codec.readTree(kind, tree, UnknownFieldPolicy.LENIENT).orThrow())
                .toList();
    }

    private static Holdings holdings(JsonObject json) {
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var entry : json.objects("consumedCapacity")) {
            var amounts = new HashMap<String, Quantity>();
            var written = entry.objectOrEmpty("consumedCapacity");
            written.names().forEach(name -> amounts.put(name, Quantity.parse(written.text(name))));
            consumed.put(device(entry), amounts);
        }
        return new Holdings(
                json.objects("allocatedDevices").stream()
                        .map(ConformanceCase::device)
                        .collect(Collectors.toSet()),
                json.objects("allocatedShares").stream()
                        .map(entry -> new ShareId(device(entry), entry.text("shareID")))
                        .collect(Collectors.toSet()),
                consumed);
    }

    private static DeviceId device(JsonObject entry) {
        return new DeviceId(entry.text("driver"), entry.text("pool"), entry.text("device"));
    }

    private static ExpectedOutcome outcome(Codec codec, JsonObject json) {
        if (json.string("error").isPresent()) {
            return new ExpectedOutcome.Fault(json.text("error"));
        }
        return json.array("results").isEmpty()
                ? new ExpectedOutcome.DoesNotFit()
                : new ExpectedOutcome.Results(
                        json.objects("results").stream().map(tree -> result(codec, tree)).toList());
    }

    /// AllocationResult is not an API kind, so it is decoded as part of a claim status.
    private static AllocationResult result(Codec codec, JsonObject tree) {
        var claim =
                JsonObject.of("apiVersion", new Json.JsonString("resource.k8s.io/v1"))
                        .with("kind", new Json.JsonString("ResourceClaim"))
                        .with("status", JsonObject.of("allocation", tree));
        return codec.readTree(Kinds.RESOURCE_CLAIM, claim, UnknownFieldPolicy.LENIENT)
                .orThrow()
                .status()
                .allocation()
                .orElseThrow();
    }
}
