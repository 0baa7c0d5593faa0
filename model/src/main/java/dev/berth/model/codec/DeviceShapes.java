package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.Containers.map;
import static dev.berth.model.codec.MetaShapes.NODE_SELECTOR;
import static dev.berth.model.codec.MetaShapes.WORDS;
import static dev.berth.model.codec.Scalars.BOOL;
import static dev.berth.model.codec.Scalars.INT64;
import static dev.berth.model.codec.Scalars.QUANTITY;
import static dev.berth.model.codec.Scalars.TIME;
import static dev.berth.model.codec.Scalars.WORD;

import dev.berth.model.api.AttributeValue;
import dev.berth.model.api.AttributeValue.BoolList;
import dev.berth.model.api.AttributeValue.BoolValue;
import dev.berth.model.api.AttributeValue.IntList;
import dev.berth.model.api.AttributeValue.IntValue;
import dev.berth.model.api.AttributeValue.StringList;
import dev.berth.model.api.AttributeValue.StringValue;
import dev.berth.model.api.AttributeValue.VersionList;
import dev.berth.model.api.AttributeValue.VersionValue;
import dev.berth.model.api.Device;
import dev.berth.model.api.DeviceCapacity;
import dev.berth.model.api.DeviceCounterConsumption;
import dev.berth.model.api.DeviceScope;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.NodeScope.AllNodes;
import dev.berth.model.api.NodeScope.MatchingNodes;
import dev.berth.model.api.NodeScope.OneNode;
import dev.berth.model.api.TaintEffect;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.function.Function;

/// A device and its parts.
final class DeviceShapes {

    static final Type<TaintEffect> EFFECT = WORD.as(TaintEffect::of, TaintEffect::text);

    static final Shape<DeviceTaint> TAINT =
            Shape.of(f -> {
                var key = f.always("key", WORD, DeviceTaint::key);
                var value = f.optional("value", WORD, DeviceTaint::value);
                var effect = f.always("effect", EFFECT, DeviceTaint::effect);
                var added = f.pointer("timeAdded", TIME, DeviceTaint::timeAdded);
                return in ->
                        new DeviceTaint(in.get(key), in.get(value), in.get(effect), in.get(added));
            });

    static final Shape<AttributeValue> ATTRIBUTE =
            Shape.of(f ->
                    OneOf.of(f, (AttributeValue value) -> value)
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

    static final Shape<DeviceCapacity> CAPACITY =
            Shape.of(f -> {
                var value = f.always("value", QUANTITY, DeviceCapacity::value);
                var policy =
                        f.pointer(
                                "requestPolicy",
                                CapacityShapes.POLICY,
                                DeviceCapacity::requestPolicy);
                return in -> new DeviceCapacity(in.get(value), in.get(policy));
            });

    /// A counter is an object with nothing but a value; records have the value alone.
    private static final Shape<Quantity> COUNTER =
            Shape.of(f -> {
                var value = f.always("value", QUANTITY, counter -> counter);
                return in -> in.get(value);
            });

    static final Type<Map<String, Quantity>> COUNTERS = map(COUNTER);

    static final Shape<DeviceCounterConsumption> CONSUMPTION =
            Shape.of(f -> {
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

    static final Shape<Device> DEVICE = Shape.of(DeviceShapes::device);

    private static Function<Values, Device> device(Fields<Device> f) {
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
                        map(CapacityShapes.NODE_ALLOCATABLE),
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

    private static Function<Values, DeviceScope> scope(Fields<Device> f) {
        return OneOf.of(f, Device::scope)
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

    private DeviceShapes() {}
}
