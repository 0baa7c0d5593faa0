package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.META;
import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.TIME;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.node.NodeSpec;
import dev.berth.model.api.node.NodeStatus;
import dev.berth.model.api.taint.NodeTaint;
import dev.berth.model.api.taint.NodeTaintEffect;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;

/// Mappings of the fields of a Node that affect scheduling.
public final class NodeMappings {

    static final RecordType<NodeTaintEffect> EFFECT =
            WORD.as(NodeTaintEffect::of, NodeTaintEffect::text);

    private static final RecordMapping<NodeTaint> TAINT =
            RecordMapping.of(f -> {
                var key = f.always("key", WORD, NodeTaint::key);
                var value = f.optional("value", WORD, NodeTaint::value);
                var effect = f.always("effect", EFFECT, NodeTaint::effect);
                var added = f.pointer("timeAdded", TIME, NodeTaint::timeAdded);
                return in ->
                        new NodeTaint(in.get(key), in.get(value), in.get(effect), in.get(added));
            });

    private static final RecordMapping<NodeSpec> SPEC =
            RecordMapping.partial(f -> {
                var cordoned = f.optional("unschedulable", BOOL, NodeSpec::unschedulable);
                var taints = f.optional("taints", list(TAINT), NodeSpec::taints);
                return in -> new NodeSpec(in.get(cordoned), in.get(taints));
            });

    private static final RecordMapping<NodeStatus> STATUS =
            RecordMapping.partial(f -> {
                var capacity = f.optional("capacity", map(QUANTITY), NodeStatus::capacity);
                var allocatable = f.optional("allocatable", map(QUANTITY), NodeStatus::allocatable);
                var features = f.optional("declaredFeatures", WORDS, NodeStatus::declaredFeatures);
                var conditions =
                        f.optional(
                                "conditions",
                                list(MetaMappings.OPEN_CONDITION),
                                NodeStatus::conditions);
                return in ->
                        new NodeStatus(
                                in.get(capacity),
                                in.get(allocatable),
                                in.get(features),
                                in.get(conditions));
            });

    public static final RecordMapping<Node> NODE =
            RecordMapping.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "Node");
                var meta = f.always("metadata", META, Node::metadata);
                var spec = f.always("spec", SPEC, Node::spec);
                var status = f.always("status", STATUS, Node::status);
                return in -> new Node(in.get(meta), in.get(spec), in.get(status));
            });

    private NodeMappings() {}
}
