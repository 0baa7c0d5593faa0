package dev.berth.core.admission;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Defaults of the v1 API, applied on every write.
final class Defaults {

    private static final int POOL_LIMIT = 100;

    private final Instant now;

    Defaults(Instant now) {
        this.now = now;
    }

    /// A timestamp in the format of the API, truncated to seconds.
    static Json timestamp(Instant time) {
        return Json.of(time.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    JsonObject apply(AdmissionKind kind, JsonObject object) {
        return switch (kind) {
            case RESOURCE_CLAIM ->
                    TreeEdits.at(
                            TreeEdits.at(object, Defaults::devices, "spec", "devices"),
                            devices -> TreeEdits.each(devices, "results", Defaults::tolerations),
                            "status",
                            "allocation",
                            "devices");
            case RESOURCE_CLAIM_TEMPLATE ->
                    TreeEdits.at(object, Defaults::devices, "spec", "spec", "devices");
            case RESOURCE_SLICE ->
                    TreeEdits.at(
                            object,
                            spec ->
                                    TreeEdits.each(
                                            spec,
                                            "devices",
                                            device ->
                                                    TreeEdits.each(device, "taints", this::taint)),
                            "spec");
            case DEVICE_TAINT_RULE ->
                    TreeEdits.at(
                            object,
                            spec -> spec.with("taint", taint(spec.objectOrEmpty("taint"))),
                            "spec");
            case RESOURCE_POOL_STATUS_REQUEST ->
                    TreeEdits.at(
                            object,
                            spec ->
                                    spec.has("limit")
                                            ? spec
                                            : spec.with("limit", Json.of(POOL_LIMIT)),
                            "spec");
            case DEVICE_CLASS, POD, POD_GROUP, WORKLOAD -> object;
        };
    }

    private static JsonObject devices(JsonObject devices) {
        return TreeEdits.each(
                devices,
                "requests",
                request ->
                        TreeEdits.each(
                                TreeEdits.at(request, Defaults::demand, "exactly"),
                                "firstAvailable",
                                Defaults::demand));
    }

    private static JsonObject demand(JsonObject demand) {
        var result =
                demand.text("allocationMode").isEmpty()
                        ? demand.with("allocationMode", Json.of("ExactCount"))
                        : demand;
        if (result.text("allocationMode").equals("ExactCount")
                && demand.number("count").orElse(0) == 0) {
            result = result.with("count", Json.of(1));
        }
        return tolerations(result);
    }

    private static JsonObject tolerations(JsonObject holder) {
        return TreeEdits.each(
                holder,
                "tolerations",
                toleration ->
                        toleration.text("operator").isEmpty()
                                ? toleration.with("operator", Json.of("Equal"))
                                : toleration);
    }

    private JsonObject taint(JsonObject taint) {
        return taint.has("timeAdded") ? taint : taint.with("timeAdded", timestamp(now));
    }
}
