package dev.berth.server.kinds;

import dev.berth.core.admission.Admission;
import dev.berth.model.codec.ApiVersions;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.kinds.column.DeviceColumns;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.TableColumn;
import java.util.ArrayList;
import java.util.List;

/// The resources of resource.k8s.io, in the enabled versions.
final class DeviceKinds {

    private DeviceKinds() {}

    static List<Resource> all(Admission admission, List<String> versions) {
        var all = new ArrayList<Resource>();
        for (var kind : Kinds.all()) {
            var served = kind.versions().stream().filter(versions::contains).toList();
            if (kind.group().equals(Kinds.RESOURCE_GROUP) && !served.isEmpty()) {
                all.add(resource(admission, kind, served));
            }
        }
        return all;
    }

    private static Resource resource(Admission admission, Kind<?> kind, List<String> served) {
        var rules =
                dev.berth.core.admission.validation.AdmissionKind.named(kind.name()).orElseThrow();
        var row =
                Resource.of(kind.group(), kind.name(), new DeviceStrategy(admission, rules))
                        .plural(kind.plural())
                        .versions(served)
                        .columns(columns(rules))
                        .conversion(conversion(kind));
        if (kind.isNamespaced()) {
            row.namespaced();
        }
        if (kind.hasStatus()) {
            row.withStatus();
        }
        switch (rules) {
            case RESOURCE_SLICE ->
                    row.selectable(
                            CoreKinds.fields("spec.nodeName", "spec.driver", "spec.pool.name"));
            case DEVICE_TAINT_RULE -> row.deleteReturnsStatus().updateNeedsRevision();
            case RESOURCE_POOL_STATUS_REQUEST -> row.updateNeedsRevision();
            default -> {}
        }
        return row.build();
    }

    private static List<TableColumn> columns(
            dev.berth.core.admission.validation.AdmissionKind kind) {
        return switch (kind) {
            case RESOURCE_CLAIM -> DeviceColumns.claims();
            case RESOURCE_SLICE -> DeviceColumns.slices();
            case DEVICE_TAINT_RULE -> DeviceColumns.taintRules();
            case RESOURCE_POOL_STATUS_REQUEST -> DeviceColumns.poolStatusRequests();
            case DEVICE_CLASS, RESOURCE_CLAIM_TEMPLATE, POD, POD_GROUP, WORKLOAD ->
                    Columns.nameAndAge();
        };
    }

    /// Converts to and from the newest version, which is the internal form even if it is not
    /// served.
    private static Resource.Conversion conversion(Kind<?> kind) {
        return new Resource.Conversion() {
            @Override
            public JsonObject toInternal(String version, JsonObject object) {
                return ApiVersions.toInternal(kind, version, object);
            }

            @Override
            public JsonObject fromInternal(String version, JsonObject object) {
                return ApiVersions.fromInternal(kind, version, object);
            }
        };
    }
}
