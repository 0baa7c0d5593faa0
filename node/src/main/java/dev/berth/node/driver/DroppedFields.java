package dev.berth.node.driver;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.ResourceSliceSpec;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Fields of published slices that the API server did not store because it does not know them or
/// their feature gate is off.
///
/// Without this the publisher would update such slices forever.
final class DroppedFields {

    private record Difference(ResourceSliceSpec sent, ResourceSliceSpec stored) {}

    private final Map<String, Difference> differences = new HashMap<>();

    /// Compares a slice as sent and as stored. Returns the dropped fields when they are found for
    /// the first time.
    Optional<DriverProblem> compare(ResourceSlice sent, ResourceSlice stored, Codec codec) {
        var name = stored.metadata().name();
        if (withoutTimes(sent.spec()).equals(withoutTimes(stored.spec()))) {
            differences.remove(name);
            return Optional.empty();
        }
        var old = differences.put(name, new Difference(sent.spec(), stored.spec()));
        var fields = new TreeSet<String>();
        difference(
                codec.toTree(Kinds.RESOURCE_SLICE, sent).objectOrEmpty("spec"),
                codec.toTree(Kinds.RESOURCE_SLICE, stored).objectOrEmpty("spec"),
                "spec",
                fields);
        fields.remove("spec.devices[].taints[].timeAdded");
        return old == null
                ? Optional.of(new DriverProblem.FieldsDropped(name, fields.stream().toList()))
                : Optional.empty();
    }

    /// The slice as it was sent if the API server has it exactly as it was stored then; else the
    /// slice itself.
    ResourceSlice asSent(ResourceSlice current) {
        var difference = differences.get(current.metadata().name());
        return difference != null && difference.stored.equals(current.spec())
                ? new ResourceSlice(current.metadata(), difference.sent)
                : current;
    }

    void forget(ResourceSlice slice) {
        differences.remove(slice.metadata().name());
    }

    /// Ignores `timeAdded` of taints, which the API server sets.
    private static ResourceSliceSpec withoutTimes(ResourceSliceSpec spec) {
        return new ResourceSliceSpec(
                spec.driver(),
                spec.pool(),
                spec.scope(),
                spec.devices().stream().map(DroppedFields::withoutTimes).toList(),
                spec.sharedCounters(),
                spec.partitionTypeAttribute(),
                spec.skipNodeOperations());
    }

    private static Device withoutTimes(Device device) {
        return device.taints().isEmpty()
                ? device
                : device.withTaints(
                        device.taints().stream()
                                .map(taint ->
                                        new DeviceTaint(
                                                taint.key(),
                                                taint.value(),
                                                taint.effect(),
                                                Optional.empty()))
                                .toList());
    }

    private static void difference(Json sent, Json stored, String path, Set<String> fields) {
        if (sent.equals(stored)) {
            return;
        }
        if (sent instanceof JsonObject one && stored instanceof JsonObject other) {
            for (var name : one.names()) {
                var inner = path + "." + name;
                var had = other.member(name);
                if (had.isPresent()) {
                    difference(one.member(name).orElse(sent), had.get(), inner, fields);
                } else {
                    fields.add(inner);
                }
            }
        } else if (sent instanceof Json.JsonArray(var some)
                && stored instanceof Json.JsonArray(var others)
                && some.size() == others.size()) {
            for (var i = 0; i < some.size(); i++) {
                difference(some.get(i), others.get(i), path + "[]", fields);
            }
        } else {
            fields.add(path);
        }
    }
}
