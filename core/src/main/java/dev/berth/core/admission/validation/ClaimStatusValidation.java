package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.IpPrefixes;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Validates updates of a claim's status.
public final class ClaimStatusValidation {

    static final int MAX_CONSUMERS = 256;
    static final int MAX_RESULTS = 32;
    static final int MAX_CONFIGS = 64;
    static final int MAX_CONDITIONS = 8;
    static final int MAX_ADDRESSES = 16;
    static final int MAX_INTERFACE_NAME = 256;
    static final int MAX_HARDWARE_ADDRESS = 128;
    static final List<String> SOURCES = List.of("FromClaim", "FromClass");

    private static final FieldPath PATH = FieldPath.of("status");

    private final FieldErrors problems;
    private final RequestNames names;

    private ClaimStatusValidation(RequestNames names, FieldErrors problems) {
        this.names = names;
        this.problems = problems;
    }

    static void checkUpdate(JsonObject old, JsonObject claim, FieldErrors problems) {
        var devices = claim.objectOrEmpty("spec").objectOrEmpty("devices");
        var rules = new ClaimStatusValidation(RequestNames.of(devices), problems);
        var deleted = claim.objectOrEmpty("metadata").has("deletionTimestamp");
        rules.update(old.objectOrEmpty("status"), claim.objectOrEmpty("status"), deleted);
    }

    private void update(JsonObject old, JsonObject status, boolean deleted) {
        problems.set(
                status.objects("reservedFor"),
                MAX_CONSUMERS,
                PATH.child("reservedFor"),
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                this::consumer,
                consumer -> Json.of(consumer.text("uid")));
        var devices = status.objects("devices");
        var allocated = devices.isEmpty() ? Set.<Json>of() : allocatedDevices(status);
        problems.set(
                devices,
                FieldErrors.UNLIMITED,
                PATH.child("devices"),
                FieldErrors.Cover.UNIQUENESS,
                (device, at) -> deviceStatus(device, allocated, at),
                ClaimStatusValidation::deviceId);
        reservation(old, status, deleted);
        var allocation = status.object("allocation");
        if (allocation.isPresent() && old.has("allocation")) {
            if (!SemanticEquality.sameMember("allocation", old, status)) {
                problems.covered(FieldError.immutable(PATH.child("allocation"), allocation.get()));
            }
        } else if (allocation.isPresent()) {
            allocation(allocation.get(), PATH.child("allocation"));
        }
    }

    private void consumer(JsonObject consumer, FieldPath path) {
        for (var name : List.of("resource", "name", "uid")) {
            if (consumer.text(name).isEmpty()) {
                problems.add(FieldError.required(path.child(name)));
            }
        }
    }

    private void reservation(JsonObject old, JsonObject status, boolean deleted) {
        var consumers = status.items("reservedFor");
        if (consumers.isEmpty()) {
            return;
        }
        if (!status.has("allocation")) {
            problems.add(
                    FieldError.forbidden(
                            PATH.child("reservedFor"),
                            "may not be specified when `allocated` is not set"));
        } else if (deleted && !old.items("reservedFor").containsAll(consumers)) {
            problems.add(
                    FieldError.forbidden(
                            PATH.child("reservedFor"),
                            "new entries may not be added while `deallocationRequested` or "
                                    + "`deletionTimestamp` are set"));
        }
    }

    public static Set<Json> allocatedDevices(JsonObject status) {
        var devices = new TreeSet<>(JsonOrder.INSTANCE);
        for (var result :
                status.objectOrEmpty("allocation").objectOrEmpty("devices").objects("results")) {
            devices.add(deviceId(result));
        }
        return devices;
    }

    /// Identity of an allocated device, as printed in error messages.
    public static Json deviceId(JsonObject holder) {
        var id = new LinkedHashMap<String, Json>();
        id.put("Driver", Json.of(holder.text("driver")));
        id.put("Pool", Json.of(holder.text("pool")));
        id.put("Device", Json.of(holder.text("device")));
        id.put("ShareID", Json.of(holder.text("shareID")));
        return new JsonObject(id);
    }

    private void deviceStatus(JsonObject device, Set<Json> allocated, FieldPath path) {
        problems.addAll(DeviceNameValidation.driver(device.text("driver"), path.child("driver")));
        problems.addAll(DeviceNameValidation.pool(device.text("pool"), path.child("pool")));
        problems.addAll(DeviceNameValidation.label(device.text("device"), path.child("device")));
        shareId(device, path);
        if (!allocated.contains(deviceId(device))) {
            problems.add(
                    FieldError.invalid(
                            path, deviceId(device), "must be an allocated device in the claim"));
        }
        var conditions = device.objects("conditions");
        if (conditions.size() > MAX_CONDITIONS) {
            problems.add(
                    FieldError.tooMany(
                            path.child("conditions"), conditions.size(), MAX_CONDITIONS));
        }
        ConditionValidation.check(conditions, path.child("conditions"), problems);
        if (device.has("data")) {
            problems.addAll(
                    OpaqueConfigValidation.raw(device.member("data"), path.child("data"), false));
        }
        device.object("networkData")
                .ifPresent(network -> network(network, path.child("networkData")));
    }

    private void shareId(JsonObject holder, FieldPath path) {
        holder.string("shareID")
                .ifPresent(id ->
                        problems.allCovered(
                                DeviceNameValidation.shareId(id, path.child("shareID"))));
    }

    private void network(JsonObject network, FieldPath path) {
        if (GoText.bytes(network.text("interfaceName")) > MAX_INTERFACE_NAME) {
            problems.covered(FieldError.tooLong(path.child("interfaceName"), MAX_INTERFACE_NAME));
        }
        if (GoText.bytes(network.text("hardwareAddress")) > MAX_HARDWARE_ADDRESS) {
            problems.covered(
                    FieldError.tooLong(path.child("hardwareAddress"), MAX_HARDWARE_ADDRESS));
        }
        problems.set(
                network.strings("ips"),
                MAX_ADDRESSES,
                path.child("ips"),
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                this::address,
                Json::of);
    }

    private void address(String address, FieldPath path) {
        var canonical = IpPrefixes.canonical(address);
        if (canonical.isEmpty()) {
            problems.add(
                    FieldError.invalid(
                            path,
                            address,
                            "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or "
                                    + "2001:db8::1/64)"));
        } else if (!canonical.get().equals(address)) {
            problems.add(
                    FieldError.invalid(
                            path,
                            address,
                            "must be in canonical form (" + GoText.quote(canonical.get()) + ")"));
        }
    }

    private void allocation(JsonObject allocation, FieldPath path) {
        var devices = allocation.objectOrEmpty("devices");
        var devicesPath = path.child("devices");
        problems.list(
                devices.objects("results"),
                MAX_RESULTS,
                devicesPath.child("results"),
                FieldErrors.Cover.SIZE,
                this::result);
        problems.list(
                devices.objects("config"),
                MAX_CONFIGS,
                devicesPath.child("config"),
                FieldErrors.Cover.SIZE,
                this::config);
        allocation
                .object("nodeSelector")
                .ifPresent(selector ->
                        NodeSelectorValidation.check(
                                selector, path.child("nodeSelector"), problems));
    }

    private void result(JsonObject result, FieldPath path) {
        names.check(result.text("request"), path.child("request"), problems);
        problems.allCovered(
                DeviceNameValidation.driver(result.text("driver"), path.child("driver")));
        problems.allCovered(DeviceNameValidation.pool(result.text("pool"), path.child("pool")));
        problems.addAll(DeviceNameValidation.label(result.text("device"), path.child("device")));
        BindingConditionValidation.check(result, path, problems);
        TaintValidation.tolerations(
                result.objects("tolerations"), path.child("tolerations"), problems);
        shareId(result, path);
        BindingConditionValidation.skippedOperations(result, path, problems);
    }

    private void config(JsonObject config, FieldPath path) {
        var source = config.text("source");
        if (source.isEmpty()) {
            problems.covered(FieldError.required(path.child("source")));
        } else if (!SOURCES.contains(source)) {
            problems.covered(FieldError.notSupported(path.child("source"), source, SOURCES));
        }
        names.checkAll(config.strings("requests"), path.child("requests"), problems);
        OpaqueConfigValidation.check(config, path, false, problems);
    }
}
