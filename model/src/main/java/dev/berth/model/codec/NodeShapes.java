package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.Containers.map;
import static dev.berth.model.codec.MetaShapes.META;
import static dev.berth.model.codec.MetaShapes.WORDS;
import static dev.berth.model.codec.Scalars.BOOL;
import static dev.berth.model.codec.Scalars.QUANTITY;
import static dev.berth.model.codec.Scalars.TIME;
import static dev.berth.model.codec.Scalars.WORD;

import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSpec;
import dev.berth.model.api.NodeStatus;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;

/// The parts of a Node that decide on placement.
final class NodeShapes {

    static final Type<NodeTaintEffect> EFFECT = WORD.as(NodeTaintEffect::of, NodeTaintEffect::text);

    private static final Shape<NodeTaint> TAINT =
            Shape.of(f -> {
                var key = f.always("key", WORD, NodeTaint::key);
                var value = f.optional("value", WORD, NodeTaint::value);
                var effect = f.always("effect", EFFECT, NodeTaint::effect);
                var added = f.pointer("timeAdded", TIME, NodeTaint::timeAdded);
                return in ->
                        new NodeTaint(in.get(key), in.get(value), in.get(effect), in.get(added));
            });

    private static final Shape<NodeSpec> SPEC =
            Shape.partial(f -> {
                var cordoned = f.optional("unschedulable", BOOL, NodeSpec::unschedulable);
                var taints = f.optional("taints", list(TAINT), NodeSpec::taints);
                return in -> new NodeSpec(in.get(cordoned), in.get(taints));
            });

    private static final Shape<NodeStatus> STATUS =
            Shape.partial(f -> {
                var capacity = f.optional("capacity", map(QUANTITY), NodeStatus::capacity);
                var allocatable = f.optional("allocatable", map(QUANTITY), NodeStatus::allocatable);
                var features = f.optional("declaredFeatures", WORDS, NodeStatus::declaredFeatures);
                var conditions =
                        f.optional(
                                "conditions",
                                list(PodStatusShapes.CONDITION),
                                NodeStatus::conditions);
                return in ->
                        new NodeStatus(
                                in.get(capacity),
                                in.get(allocatable),
                                in.get(features),
                                in.get(conditions));
            });

    static final Shape<Node> NODE =
            Shape.partial(f -> {
                f.fixed("apiVersion", "v1");
                f.fixed("kind", "Node");
                var meta = f.always("metadata", META, Node::metadata);
                var spec = f.always("spec", SPEC, Node::spec);
                var status = f.always("status", STATUS, Node::status);
                return in -> new Node(in.get(meta), in.get(spec), in.get(status));
            });

    private NodeShapes() {}
}
