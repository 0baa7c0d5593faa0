package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.NODE_SELECTOR;
import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.TIME;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.AttributeValue.BoolList;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntList;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringList;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.api.slice.AttributeValue.VersionList;
import dev.berth.model.api.slice.AttributeValue.VersionValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCapacity;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope.AllNodes;
import dev.berth.model.api.slice.NodeScope.MatchingNodes;
import dev.berth.model.api.slice.NodeScope.OneNode;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.TaintEffect;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.OneOfFields;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.function.Function;

/// Mappings of devices: attributes, capacities, counters and taints.
public final class DeviceMappings {

    static final RecordType<TaintEffect> EFFECT = WORD.as(TaintEffect::of, TaintEffect::text);

    static final RecordMapping<DeviceTaint> TAINT =
            RecordMapping.of(f -> {
                var key = f.always("key", WORD, DeviceTaint::key);
                var value = f.optional("value", WORD, DeviceTaint::value);
                var effect = f.always("effect", EFFECT, DeviceTaint::effect);
                var added = f.pointer("timeAdded", TIME, DeviceTaint::timeAdded);
                return in ->
                        new DeviceTaint(in.get(key), in.get(value), in.get(effect), in.get(added));
            });

    static final RecordMapping<AttributeValue> ATTRIBUTE =
            RecordMapping.of(f ->
                    OneOfFields.of(f, (AttributeValue value) -> value)
                            .field("int", INT64, IntValue.class, IntValue::new, IntValue::value)
                            .field("bool", BOOL, BoolValue.class, BoolValue::new, BoolValue::value)
                            .field(
                                    "string",
                                    WORD,
                                    StringValue.class,
                                    StringValue::new,
                                    StringValue::value)
                            .field(
                                    "version",
                                    WORD,
                                    VersionValue.class,
                                    VersionValue::new,
                                    VersionValue::value)
                            .list("ints", list(INT64), IntList.class, IntList::new, IntList::values)
                            .list(
                                    "bools",
                                    list(BOOL),
                                    BoolList.class,
                                    BoolList::new,
                                    BoolList::values)
                            .list(
                                    "strings",
                                    WORDS,
                                    StringList.class,
                                    StringList::new,
                                    StringList::values)
                            .list(
                                    "versions",
                                    WORDS,
                                    VersionList.class,
                                    VersionList::new,
                                    VersionList::values)
                            .otherwise(
                                    AttributeValue.Unrecognised.class,
                                    AttributeValue.Unrecognised::new,
                                    AttributeValue.Unrecognised::raw));

    static final RecordMapping<DeviceCapacity> CAPACITY =
            RecordMapping.of(f -> {
                var value = f.always("value", QUANTITY, DeviceCapacity::value);
                var policy =
                        f.pointer(
                                "requestPolicy",
                                CapacityMappings.POLICY,
                                DeviceCapacity::requestPolicy);
                return in -> new DeviceCapacity(in.get(value), in.get(policy));
            });

    /// A counter is an object with only a value; records have the value itself.
    private static final RecordMapping<Quantity> COUNTER =
            RecordMapping.of(f -> {
                var value = f.always("value", QUANTITY, counter -> counter);
                return in -> in.get(value);
            });

    static final RecordType<Map<String, Quantity>> COUNTERS = map(COUNTER);

    static final RecordMapping<DeviceCounterConsumption> CONSUMPTION =
            RecordMapping.of(f -> {
                var set = f.always("counterSet", WORD, DeviceCounterConsumption::counterSet);
                var counters = f.optional("counters", COUNTERS, DeviceCounterConsumption::counters);
                var groups =
                        f.optional(
                                "compatibilityGroups",
                                WORDS,
                                DeviceCounterConsumption::compatibilityGroups);
                return in ->
                        new DeviceCounterConsumption(in.get(set), in.get(counters), in.get(groups));
            });

    public static final RecordMapping<Device> DEVICE = RecordMapping.of(DeviceMappings::device);

    private static Function<DecodedFields, Device> device(MappingBuilder<Device> f) {
        var name = f.always("name", WORD, Device::name);
        var attributes = f.optional("attributes", map(ATTRIBUTE), Device::attributes);
        var capacity = f.optional("capacity", map(CAPACITY), Device::capacity);
        var counters = f.optional("consumesCounters", list(CONSUMPTION), Device::consumesCounters);
        var scope = scope(f);
        var taints = f.optional("taints", list(TAINT), Device::taints);
        var bindsToNode = f.pointer("bindsToNode", BOOL, Device::bindsToNode);
        var conditions = f.optional("bindingConditions", WORDS, Device::bindingConditions);
        var failures =
                f.optional("bindingFailureConditions", WORDS, Device::bindingFailureConditions);
        var multiple =
                f.pointer("allowMultipleAllocations", BOOL, Device::allowMultipleAllocations);
        var allocatable =
                f.optional(
                        "nodeAllocatableResources",
                        map(CapacityMappings.NODE_ALLOCATABLE),
                        Device::nodeAllocatableResources);
        return in ->
                new Device(
                        in.get(name),
                        in.get(attributes),
                        in.get(capacity),
                        in.get(counters),
                        scope.apply(in),
                        in.get(taints),
                        in.get(bindsToNode),
                        in.get(conditions),
                        in.get(failures),
                        in.get(multiple),
                        in.get(allocatable));
    }

    private static Function<DecodedFields, DeviceScope> scope(MappingBuilder<Device> f) {
        return OneOfFields.of(f, Device::scope)
                .field("nodeName", WORD, OneNode.class, OneNode::new, OneNode::name)
                .field(
                        "nodeSelector",
                        NODE_SELECTOR,
                        MatchingNodes.class,
                        MatchingNodes::new,
                        MatchingNodes::selector)
                .flag("allNodes", AllNodes.class, new AllNodes())
                .none(new DeviceScope.AsSlice())
                .otherwise(
                        DeviceScope.Unrecognised.class,
                        DeviceScope.Unrecognised::new,
                        DeviceScope.Unrecognised::raw);
    }

    private DeviceMappings() {}
}
