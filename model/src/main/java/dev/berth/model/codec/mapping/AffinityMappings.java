package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.mapping.MetaMappings.LABELS;
import static dev.berth.model.codec.mapping.MetaMappings.LABEL_REQUIREMENT;
import static dev.berth.model.codec.mapping.MetaMappings.NODE_SELECTOR;
import static dev.berth.model.codec.mapping.MetaMappings.TERM;
import static dev.berth.model.codec.mapping.MetaMappings.WORDS;
import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.INT32;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.pod.Affinity;
import dev.berth.model.api.pod.NodeAffinity;
import dev.berth.model.api.pod.PodAffinity;
import dev.berth.model.api.pod.PodAffinityTerm;
import dev.berth.model.api.pod.TopologySpreadConstraint;
import dev.berth.model.api.pod.UnsatisfiableConstraintAction;
import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.codec.record.RecordMapping;

/// Mappings of node affinity, pod affinity and topology spread constraints.
final class AffinityMappings {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    static final RecordMapping<LabelSelector> LABEL_SELECTOR =
            RecordMapping.of(f -> {
                var labels = f.optional("matchLabels", LABELS, LabelSelector::matchLabels);
                var expressions =
                        f.optional(
                                "matchExpressions",
                                list(LABEL_REQUIREMENT),
                                LabelSelector::matchExpressions);
                return in -> new LabelSelector(in.get(labels), in.get(expressions));
            });

    private static final RecordMapping<NodeAffinity.Preference> NODE_PREFERENCE =
            RecordMapping.of(f -> {
                var weight = f.always("weight", INT32, NodeAffinity.Preference::weight);
                var term = f.always("preference", TERM, NodeAffinity.Preference::term);
                return in -> new NodeAffinity.Preference(in.get(weight), in.get(term));
            });

    private static final RecordMapping<NodeAffinity> NODE_AFFINITY =
            RecordMapping.of(f -> {
                var required = f.pointer(REQUIRED, NODE_SELECTOR, NodeAffinity::required);
                var preferred =
                        f.optional(PREFERRED, list(NODE_PREFERENCE), NodeAffinity::preferred);
                return in -> new NodeAffinity(in.get(required), in.get(preferred));
            });

    private static final RecordMapping<PodAffinityTerm> POD_TERM =
            RecordMapping.of(f -> {
                var labels =
                        f.pointer("labelSelector", LABEL_SELECTOR, PodAffinityTerm::labelSelector);
                var namespaces = f.optional("namespaces", WORDS, PodAffinityTerm::namespaces);
                var key = f.always("topologyKey", WORD, PodAffinityTerm::topologyKey);
                var selector =
                        f.pointer(
                                "namespaceSelector",
                                LABEL_SELECTOR,
                                PodAffinityTerm::namespaceSelector);
                var same = f.optional("matchLabelKeys", WORDS, PodAffinityTerm::matchLabelKeys);
                var other =
                        f.optional("mismatchLabelKeys", WORDS, PodAffinityTerm::mismatchLabelKeys);
                return in ->
                        new PodAffinityTerm(
                                in.get(labels),
                                in.get(namespaces),
                                in.get(key),
                                in.get(selector),
                                in.get(same),
                                in.get(other));
            });

    private static final RecordMapping<PodAffinity.Preference> POD_PREFERENCE =
            RecordMapping.of(f -> {
                var weight = f.always("weight", INT32, PodAffinity.Preference::weight);
                var term = f.always("podAffinityTerm", POD_TERM, PodAffinity.Preference::term);
                return in -> new PodAffinity.Preference(in.get(weight), in.get(term));
            });

    private static final RecordMapping<PodAffinity> POD_AFFINITY =
            RecordMapping.of(f -> {
                var required = f.optional(REQUIRED, list(POD_TERM), PodAffinity::required);
                var preferred = f.optional(PREFERRED, list(POD_PREFERENCE), PodAffinity::preferred);
                return in -> new PodAffinity(in.get(required), in.get(preferred));
            });

    static final RecordMapping<Affinity> AFFINITY =
            RecordMapping.of(f -> {
                var node = f.pointer("nodeAffinity", NODE_AFFINITY, Affinity::nodeAffinity);
                var pod = f.pointer("podAffinity", POD_AFFINITY, Affinity::podAffinity);
                var anti = f.pointer("podAntiAffinity", POD_AFFINITY, Affinity::podAntiAffinity);
                return in -> new Affinity(in.get(node), in.get(pod), in.get(anti));
            });

    static final RecordMapping<TopologySpreadConstraint> SPREAD =
            RecordMapping.of(f -> {
                var skew = f.always("maxSkew", INT32, TopologySpreadConstraint::maxSkew);
                var key = f.always("topologyKey", WORD, TopologySpreadConstraint::topologyKey);
                var refusal =
                        f.always(
                                "whenUnsatisfiable",
                                WORD.as(
                                        UnsatisfiableConstraintAction::of,
                                        UnsatisfiableConstraintAction::text),
                                TopologySpreadConstraint::whenUnsatisfiable);
                var labels =
                        f.pointer(
                                "labelSelector",
                                LABEL_SELECTOR,
                                TopologySpreadConstraint::labelSelector);
                var domains = f.number("minDomains", INT32, TopologySpreadConstraint::minDomains);
                var affinity =
                        f.pointer(
                                "nodeAffinityPolicy",
                                WORD,
                                TopologySpreadConstraint::nodeAffinityPolicy);
                var taints =
                        f.pointer(
                                "nodeTaintsPolicy",
                                WORD,
                                TopologySpreadConstraint::nodeTaintsPolicy);
                var same =
                        f.optional(
                                "matchLabelKeys", WORDS, TopologySpreadConstraint::matchLabelKeys);
                return in ->
                        new TopologySpreadConstraint(
                                in.get(skew),
                                in.get(key),
                                in.get(refusal),
                                in.get(labels),
                                in.get(domains),
                                in.get(affinity),
                                in.get(taints),
                                in.get(same));
            });

    private AffinityMappings() {}
}
