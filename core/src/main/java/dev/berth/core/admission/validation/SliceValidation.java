package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Validates the spec of a slice. For single devices see [DeviceValidation].
final class SliceValidation {

    static final int MAX_COUNTER_SETS = 8;
    static final int MAX_COUNTERS = 32;
    private static final int MAX_DEVICES = 128;
    private static final int MAX_ADVANCED_DEVICES = 64;

    private static final FieldPath PATH = FieldPath.of("spec");

    private final FeatureGates gates;
    private final FieldErrors problems;

    private SliceValidation(FeatureGates gates, FieldErrors problems) {
        this.gates = gates;
        this.problems = problems;
    }

    static void check(
            FeatureGates gates, Optional<JsonObject> old, JsonObject slice, FieldErrors problems) {
        new SliceValidation(gates, problems)
                .spec(old.map(o -> o.objectOrEmpty("spec")), slice.objectOrEmpty("spec"));
    }

    private void spec(Optional<JsonObject> old, JsonObject spec) {
        problems.addAll(DeviceNameValidation.driver(spec.text("driver"), PATH.child("driver")));
        pool(spec.objectOrEmpty("pool"), PATH.child("pool"));
        old.ifPresent(before -> immutable(before, spec));
        nodes(spec);
        if (spec.has("sharedCounters") && spec.has("devices")) {
            problems.add(
                    FieldError.invalid(
                            PATH, "", "only one of `sharedCounters` or `devices` is allowed"));
        }
        devices(old, spec);
        problems.set(
                spec.objects("sharedCounters"),
                MAX_COUNTER_SETS,
                PATH.child("sharedCounters"),
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                this::counterSet,
                set -> Json.of(set.text("name")));
        spec.string("partitionTypeAttribute").ifPresent(name -> partitionType(name, spec));
        BindingConditionValidation.skippedOperations(spec, PATH, problems);
    }

    private void pool(JsonObject pool, FieldPath path) {
        problems.addAll(DeviceNameValidation.pool(pool.text("name"), path.child("name")));
        var slices = pool.number("resourceSliceCount").orElse(0);
        if (slices <= 0) {
            problems.add(
                    FieldError.invalid(
                            path.child("resourceSliceCount"),
                            Json.of(slices),
                            "must be greater than zero"));
        }
        var generation = pool.number("generation").orElse(0);
        if (generation < 0) {
            problems.add(
                    FieldError.invalid(
                            path.child("generation"),
                            Json.of(generation),
                            "must be greater than or equal to zero"));
        }
    }

    private void immutable(JsonObject old, JsonObject spec) {
        var poolName = spec.objectOrEmpty("pool").text("name");
        if (!poolName.equals(old.objectOrEmpty("pool").text("name"))) {
            problems.add(FieldError.immutable(PATH.child("pool").child("name"), Json.of(poolName)));
        }
        if (!spec.text("driver").equals(old.text("driver"))) {
            problems.add(FieldError.immutable(PATH.child("driver"), Json.of(spec.text("driver"))));
        }
        if (!spec.string("nodeName").equals(old.string("nodeName"))) {
            problems.add(
                    FieldError.immutable(
                            PATH.child("nodeName"),
                            spec.member("nodeName").orElse(JsonNull.INSTANCE)));
        }
    }

    private void nodes(JsonObject spec) {
        var set = new ArrayList<String>();
        spec.string("nodeName")
                .ifPresent(name -> {
                    if (name.isEmpty()) {
                        problems.add(
                                FieldError.invalid(
                                        PATH.child("nodeName"),
                                        name,
                                        "must be either unset or set to a non-empty " + "string"));
                    } else {
                        set.add("`nodeName`");
                        problems.addAll(
                                DeviceNameValidation.subdomain(name, PATH.child("nodeName")));
                    }
                });
        spec.object("nodeSelector")
                .ifPresent(selector -> {
                    set.add("`nodeSelector`");
                    NodeSelectorValidation.checkSingleTerm(
                            selector, PATH.child("nodeSelector"), problems);
                });
        trueOrUnset(spec, "allNodes", PATH, set, problems);
        trueOrUnset(spec, "perDeviceNodeSelection", PATH, set, problems);
        var choice =
                "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` "
                        + "is required";
        if (set.isEmpty()) {
            problems.add(FieldError.required(PATH, choice));
        } else if (set.size() > 1) {
            problems.add(
                    FieldError.invalid(
                            PATH,
                            "{" + String.join(", ", set) + "}",
                            choice + ", but multiple fields are set"));
        }
    }

    /// A boolean field that must be true or absent.
    static void trueOrUnset(
            JsonObject holder,
            String name,
            FieldPath path,
            List<String> set,
            FieldErrors problems) {
        var flag = holder.flag(name);
        if (flag.isEmpty()) {
            return;
        }
        if (flag.get()) {
            set.add("`" + name + "`");
        } else {
            problems.add(
                    FieldError.invalid(
                            path.child(name),
                            Json.of(false),
                            "must be either unset or set to true"));
        }
    }

    private void devices(Optional<JsonObject> old, JsonObject spec) {
        var devices = spec.objects("devices");
        var rules =
                new DeviceValidation(
                        gates,
                        spec.flag("perDeviceNodeSelection").orElse(false),
                        old.map(before -> before.objects("devices")).orElse(List.of()),
                        problems);
        problems.set(
                devices,
                devices.stream().anyMatch(SliceValidation::isAdvanced)
                        ? MAX_ADVANCED_DEVICES
                        : MAX_DEVICES,
                PATH.child("devices"),
                FieldErrors.Cover.NOTHING,
                rules::check,
                device -> Json.of(device.text("name")));
    }

    /// Slices whose devices use these features have a lower maximum number of devices, since such
    /// devices are larger or cost more to allocate.
    private static boolean isAdvanced(JsonObject device) {
        return !device.items("taints").isEmpty()
                || consumesCounters(device)
                || hasListAttribute(device);
    }

    private static boolean consumesCounters(JsonObject device) {
        return !device.items("consumesCounters").isEmpty();
    }

    private static boolean hasListAttribute(JsonObject device) {
        for (var attribute : device.objectOrEmpty("attributes").members().values()) {
            if (attribute instanceof JsonObject value
                    && DeviceValidation.LIST_VALUES.stream().anyMatch(value::has)) {
                return true;
            }
        }
        return false;
    }

    private void counterSet(JsonObject set, FieldPath path) {
        var name = set.text("name");
        problems.allCovered(
                name.isEmpty()
                        ? List.of(FieldError.required(path.child("name")))
                        : DeviceNameValidation.label(name, path.child("name")));
        counters(set, path.child("counters"), problems);
    }

    static void counters(JsonObject holder, FieldPath path, FieldErrors problems) {
        var counters = holder.objectOrEmpty("counters");
        if (counters.isEmpty()) {
            problems.covered(FieldError.required(path));
        } else if (counters.members().size() > MAX_COUNTERS) {
            problems.add(FieldError.tooMany(path, counters.members().size(), MAX_COUNTERS));
        } else {
            for (var name : counters.names()) {
                problems.allCovered(DeviceNameValidation.label(name, path));
            }
        }
    }

    /// Every device that consumes counters must have the partition type attribute.
    private void partitionType(String name, JsonObject spec) {
        var devices = spec.objects("devices");
        if (devices.stream().noneMatch(SliceValidation::consumesCounters)) {
            problems.add(
                    FieldError.invalid(
                            PATH.child("partitionTypeAttribute"),
                            name,
                            "may only be set on a slice which declares devices that consume "
                                    + "counters"));
            return;
        }
        if (!DeviceNameValidation.fullyQualified(name, PATH).isEmpty()) {
            return;
        }
        var ownDomain = spec.text("driver") + "/";
        var bareName = name.startsWith(ownDomain) ? name.substring(ownDomain.length()) : name;
        for (var i = 0; i < devices.size(); i++) {
            if (consumesCounters(devices.get(i))) {
                partitionTypeOf(
                        devices.get(i).objectOrEmpty("attributes"),
                        name,
                        bareName,
                        PATH.child("devices").index(i).child("attributes").key(name));
            }
        }
    }

    private void partitionTypeOf(
            JsonObject attributes, String name, String bareName, FieldPath path) {
        var attribute = attributes.object(name).or(() -> attributes.object(bareName));
        if (attribute.isEmpty()) {
            problems.add(
                    FieldError.required(
                            path,
                            "device consumes counters and `partitionTypeAttribute` names this "
                                    + "attribute, so it must be set"));
        } else if (!attribute.get().has("string")) {
            problems.add(
                    FieldError.invalid(
                            path,
                            attribute.get(),
                            "must be a string value because `partitionTypeAttribute` names this "
                                    + "attribute"));
        }
    }
}
