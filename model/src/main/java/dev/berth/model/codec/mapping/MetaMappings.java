package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.CollectionTypes.map;
import static dev.berth.model.codec.record.ScalarTypes.BOOL;
import static dev.berth.model.codec.record.ScalarTypes.INT64;
import static dev.berth.model.codec.record.ScalarTypes.RAW;
import static dev.berth.model.codec.record.ScalarTypes.TEXT;
import static dev.berth.model.codec.record.ScalarTypes.TIME;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.api.selector.NodeSelectorTerm;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.codec.record.RecordType;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Mappings of common types: metadata, conditions, selectors.
final class MetaMappings {

    static final RecordType<List<String>> WORDS = list(WORD);
    static final RecordType<List<String>> TEXTS = list(TEXT);
    static final RecordType<Map<String, String>> LABELS = map(WORD);

    /// Not interned, since UIDs do not repeat.
    static final RecordType<Uid> UID = TEXT.as(Uid::new, Uid::value);

    static final RecordMapping<OwnerReference> OWNER =
            RecordMapping.of(f -> {
                var apiVersion = f.always("apiVersion", WORD, OwnerReference::apiVersion);
                var kind = f.always("kind", WORD, OwnerReference::kind);
                var name = f.always("name", WORD, OwnerReference::name);
                var uid = f.always("uid", UID, OwnerReference::uid);
                var controller = f.pointer("controller", BOOL, OwnerReference::controller);
                var block =
                        f.pointer("blockOwnerDeletion", BOOL, OwnerReference::blockOwnerDeletion);
                return in ->
                        new OwnerReference(
                                in.get(apiVersion),
                                in.get(kind),
                                in.get(name),
                                in.get(uid),
                                in.get(controller),
                                in.get(block));
            });

    static final RecordMapping<ObjectMeta> META = RecordMapping.of(MetaMappings::meta);

    private static Function<DecodedFields, ObjectMeta> meta(MappingBuilder<ObjectMeta> f) {
        var name = f.optional("name", TEXT, ObjectMeta::name);
        var generateName = f.optional("generateName", WORD, ObjectMeta::generateName);
        var namespace = f.optional("namespace", WORD, ObjectMeta::namespace);
        f.unused("selfLink", TEXT);
        var uid = f.optional("uid", UID, ObjectMeta::uid);
        var version = f.optional("resourceVersion", TEXT, ObjectMeta::resourceVersion);
        var generation = f.optional("generation", INT64, ObjectMeta::generation);
        var created = f.pointer("creationTimestamp", TIME, ObjectMeta::creationTimestamp);
        var deleted = f.pointer("deletionTimestamp", TIME, ObjectMeta::deletionTimestamp);
        var grace =
                f.number(
                        "deletionGracePeriodSeconds",
                        INT64,
                        ObjectMeta::deletionGracePeriodSeconds);
        var labels = f.optional("labels", LABELS, ObjectMeta::labels);
        var annotations = f.optional("annotations", LABELS, ObjectMeta::annotations);
        var owners = f.optional("ownerReferences", list(OWNER), ObjectMeta::ownerReferences);
        var finalizers = f.optional("finalizers", WORDS, ObjectMeta::finalizers);
        var managed = f.optional("managedFields", list(RAW), ObjectMeta::managedFields);
        return in ->
                new ObjectMeta(
                        in.get(name),
                        in.get(generateName),
                        in.get(namespace),
                        in.get(uid),
                        in.get(version),
                        in.get(generation),
                        in.get(created),
                        in.get(deleted),
                        in.get(grace),
                        in.get(labels),
                        in.get(annotations),
                        in.get(owners),
                        in.get(finalizers),
                        in.get(managed));
    }

    static final RecordMapping<Condition> CONDITION = RecordMapping.of(f -> condition(f, true));

    /// Conditions of pods and nodes, which have additional fields, and omit those that are absent
    /// or empty.
    static final RecordMapping<Condition> OPEN_CONDITION =
            RecordMapping.partial(f -> condition(f, false));

    private static Function<DecodedFields, Condition> condition(
            MappingBuilder<Condition> f, boolean complete) {
        var type = f.always("type", WORD, Condition::type);
        var status = f.always("status", WORD, Condition::status);
        var generation = f.optional("observedGeneration", INT64, Condition::observedGeneration);
        var time =
                complete
                        ? f.nullable("lastTransitionTime", TIME, Condition::lastTransitionTime)
                        : f.pointer("lastTransitionTime", TIME, Condition::lastTransitionTime);
        var reason =
                complete
                        ? f.always("reason", WORD, Condition::reason)
                        : f.optional("reason", WORD, Condition::reason);
        var message =
                complete
                        ? f.always("message", TEXT, Condition::message)
                        : f.optional("message", TEXT, Condition::message);
        return in ->
                new Condition(
                        in.get(type),
                        in.get(status),
                        in.get(generation),
                        in.get(time),
                        in.get(reason),
                        in.get(message));
    }

    static final RecordType<List<Condition>> CONDITIONS = list(CONDITION);

    static final RecordType<NodeSelectorOperator> OPERATOR =
            WORD.as(NodeSelectorOperator::of, NodeSelectorOperator::text);

    static final RecordMapping<NodeSelectorRequirement> REQUIREMENT = requirement(OPERATOR);

    /// A requirement of a label selector.
    static final RecordMapping<NodeSelectorRequirement> LABEL_REQUIREMENT =
            requirement(WORD.as(NodeSelectorOperator::setBased, NodeSelectorOperator::text));

    private static RecordMapping<NodeSelectorRequirement> requirement(
            RecordType<NodeSelectorOperator> type) {
        return RecordMapping.of(f -> {
            var key = f.always("key", WORD, NodeSelectorRequirement::key);
            var operator = f.always("operator", type, NodeSelectorRequirement::operator);
            var values = f.optional("values", WORDS, NodeSelectorRequirement::values);
            return in -> new NodeSelectorRequirement(in.get(key), in.get(operator), in.get(values));
        });
    }

    static final RecordMapping<NodeSelectorTerm> TERM =
            RecordMapping.of(f -> {
                var labels =
                        f.optional(
                                "matchExpressions",
                                list(REQUIREMENT),
                                NodeSelectorTerm::matchExpressions);
                var fields =
                        f.optional("matchFields", list(REQUIREMENT), NodeSelectorTerm::matchFields);
                return in -> new NodeSelectorTerm(in.get(labels), in.get(fields));
            });

    static final RecordMapping<NodeSelector> NODE_SELECTOR =
            RecordMapping.of(f -> {
                var terms = f.always("nodeSelectorTerms", list(TERM), NodeSelector::terms);
                return in -> new NodeSelector(in.get(terms));
            });

    private MetaMappings() {}
}
