package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.CONDITIONS;
import static dev.berth.model.codec.mapping.MetaMappings.NODE_SELECTOR;
import static dev.berth.model.codec.mapping.MetaMappings.TEXTS;
import static dev.berth.model.codec.mapping.MetaMappings.UID;
import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.RAW;
import static dev.berth.model.codec.record.ScalarTypes.TEXT;
import static dev.berth.model.codec.record.ScalarTypes.TIME;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocatedDeviceStatus;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.NetworkDeviceStatus;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.RecordMapping;
import java.util.List;
import java.util.function.Function;

/// Mappings of claim status: allocation, reservations, device status.
final class AllocationMappings {

    /// The three fields that name a device.
    private static <P> Function<DecodedFields, DeviceId> id(
            MappingBuilder<P> f, Function<P, DeviceId> part) {
        var driver = f.always("driver", WORD, part.andThen(DeviceId::driver));
        var pool = f.always("pool", WORD, part.andThen(DeviceId::pool));
        var device = f.always("device", WORD, part.andThen(DeviceId::device));
        return in -> new DeviceId(in.get(driver), in.get(pool), in.get(device));
    }

    private static final RecordMapping<AllocatedDevice> DEVICE =
            RecordMapping.of(AllocationMappings::device);

    private static Function<DecodedFields, AllocatedDevice> device(
            MappingBuilder<AllocatedDevice> f) {
        var request = f.always("request", WORD, AllocatedDevice::request);
        var id = id(f, AllocatedDevice::id);
        var admin = f.pointer("adminAccess", BOOL, AllocatedDevice::adminAccess);
        var tolerations =
                f.optional(
                        "tolerations",
                        list(RequestMappings.TOLERATION),
                        AllocatedDevice::tolerations);
        var conditions = f.optional("bindingConditions", WORDS, AllocatedDevice::bindingConditions);
        var failures =
                f.optional(
                        "bindingFailureConditions",
                        WORDS,
                        AllocatedDevice::bindingFailureConditions);
        var share = f.pointer("shareID", TEXT, AllocatedDevice::shareId);
        var consumed =
                f.optional("consumedCapacity", map(QUANTITY), AllocatedDevice::consumedCapacity);
        var skipped =
                f.optional(
                        "skipNodeOperations",
                        SliceMappings.SKIPPED,
                        AllocatedDevice::skipNodeOperations);
        return in ->
                new AllocatedDevice(
                        in.get(request),
                        id.apply(in),
                        in.get(admin),
                        in.get(tolerations),
                        in.get(conditions),
                        in.get(failures),
                        in.get(share),
                        in.get(consumed),
                        in.get(skipped));
    }

    private static final RecordMapping<DeviceAllocationConfiguration> CONFIGURATION =
            RecordMapping.of(f -> {
                var source =
                        f.always(
                                "source",
                                WORD.as(ConfigSource::of, ConfigSource::text),
                                DeviceAllocationConfiguration::source);
                var requests =
                        f.optional("requests", WORDS, DeviceAllocationConfiguration::requests);
                var content =
                        RequestMappings.configuration(
                                f, DeviceAllocationConfiguration::configuration);
                return in ->
                        new DeviceAllocationConfiguration(
                                in.get(source), in.get(requests), content.apply(in));
            });

    /// The JSON level `devices` of a result, which the records do not have.
    private record Devices(
            List<AllocatedDevice> results, List<DeviceAllocationConfiguration> config) {}

    private static final RecordMapping<Devices> DEVICES =
            RecordMapping.of(f -> {
                var results = f.optional("results", list(DEVICE), Devices::results);
                var config = f.optional("config", list(CONFIGURATION), Devices::config);
                return in -> new Devices(in.get(results), in.get(config));
            });

    static final RecordMapping<AllocationResult> RESULT =
            RecordMapping.of(f -> {
                var devices =
                        f.always(
                                "devices",
                                DEVICES,
                                result -> new Devices(result.devices(), result.config()));
                var nodes =
                        f.pointer("nodeSelector", NODE_SELECTOR, AllocationResult::nodeSelector);
                var time =
                        f.pointer(
                                "allocationTimestamp", TIME, AllocationResult::allocationTimestamp);
                return in ->
                        new AllocationResult(
                                in.get(devices).results,
                                in.get(devices).config,
                                in.get(nodes),
                                in.get(time));
            });

    private static final RecordMapping<ConsumerReference> CONSUMER =
            RecordMapping.of(f -> {
                var group = f.optional("apiGroup", WORD, ConsumerReference::apiGroup);
                var resource = f.always("resource", WORD, ConsumerReference::resource);
                var name = f.always("name", TEXT, ConsumerReference::name);
                var uid = f.always("uid", UID, ConsumerReference::uid);
                return in ->
                        new ConsumerReference(
                                in.get(group), in.get(resource), in.get(name), in.get(uid));
            });

    private static final RecordMapping<NetworkDeviceStatus> NETWORK =
            RecordMapping.of(f -> {
                var name = f.optional("interfaceName", WORD, NetworkDeviceStatus::interfaceName);
                var ips = f.optional("ips", TEXTS, NetworkDeviceStatus::ips);
                var address =
                        f.optional("hardwareAddress", TEXT, NetworkDeviceStatus::hardwareAddress);
                return in -> new NetworkDeviceStatus(in.get(name), in.get(ips), in.get(address));
            });

    private static final RecordMapping<AllocatedDeviceStatus> DEVICE_STATUS =
            RecordMapping.of(f -> {
                var id = id(f, AllocatedDeviceStatus::id);
                var share = f.pointer("shareID", TEXT, AllocatedDeviceStatus::shareId);
                var conditions =
                        f.optional("conditions", CONDITIONS, AllocatedDeviceStatus::conditions);
                var content = f.pointer("data", RAW, AllocatedDeviceStatus::data);
                var network = f.pointer("networkData", NETWORK, AllocatedDeviceStatus::network);
                return in ->
                        new AllocatedDeviceStatus(
                                id.apply(in),
                                in.get(share),
                                in.get(conditions),
                                in.get(content),
                                in.get(network));
            });

    static final RecordMapping<ResourceClaimStatus> STATUS =
            RecordMapping.of(f -> {
                var allocation = f.pointer("allocation", RESULT, ResourceClaimStatus::allocation);
                var reserved =
                        f.optional("reservedFor", list(CONSUMER), ResourceClaimStatus::reservedFor);
                var devices =
                        f.optional("devices", list(DEVICE_STATUS), ResourceClaimStatus::devices);
                return in ->
                        new ResourceClaimStatus(
                                in.get(allocation), in.get(reserved), in.get(devices));
            });

    private AllocationMappings() {}
}
