package dev.berth.model.codec;

import static dev.berth.model.codec.Containers.list;
import static dev.berth.model.codec.MetaShapes.LABELS;
import static dev.berth.model.codec.MetaShapes.NODE_SELECTOR;
import static dev.berth.model.codec.MetaShapes.REQUIREMENT;
import static dev.berth.model.codec.MetaShapes.TERM;
import static dev.berth.model.codec.MetaShapes.WORDS;
import static dev.berth.model.codec.Scalars.INT32;
import static dev.berth.model.codec.Scalars.WORD;

import dev.berth.model.api.Affinity;
import dev.berth.model.api.LabelSelector;
import dev.berth.model.api.NodeAffinity;
import dev.berth.model.api.PodAffinity;
import dev.berth.model.api.PodAffinityTerm;
import dev.berth.model.api.SpreadRefusal;
import dev.berth.model.api.TopologySpreadConstraint;

/// What pods want of nodes and of each other.
final class AffinityShapes {

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    static final Shape<LabelSelector> LABEL_SELECTOR =
            Shape.of(f -> {
                var labels = f.optional("matchLabels", LABELS, LabelSelector::matchLabels);
                var expressions =
                        f.optional(
                                "matchExpressions",
                                list(REQUIREMENT),
                                LabelSelector::matchExpressions);
                return in -> new LabelSelector(in.get(labels), in.get(expressions));
            });

    private static final Shape<NodeAffinity.Preference> NODE_PREFERENCE =
            Shape.of(f -> {
                var weight = f.always("weight", INT32, NodeAffinity.Preference::weight);
                var term = f.always("preference", TERM, NodeAffinity.Preference::term);
                return in -> new NodeAffinity.Preference(in.get(weight), in.get(term));
            });

    private static final Shape<NodeAffinity> NODE_AFFINITY =
            Shape.of(f -> {
                var required = f.pointer(REQUIRED, NODE_SELECTOR, NodeAffinity::required);
                var preferred =
                        f.optional(PREFERRED, list(NODE_PREFERENCE), NodeAffinity::preferred);
                return in -> new NodeAffinity(in.get(required), in.get(preferred));
            });

    private static final Shape<PodAffinityTerm> POD_TERM =
            Shape.of(f -> {
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

    private static final Shape<PodAffinity.Preference> POD_PREFERENCE =
            Shape.of(f -> {
                var weight = f.always("weight", INT32, PodAffinity.Preference::weight);
                var term = f.always("podAffinityTerm", POD_TERM, PodAffinity.Preference::term);
                return in -> new PodAffinity.Preference(in.get(weight), in.get(term));
            });

    private static final Shape<PodAffinity> POD_AFFINITY =
            Shape.of(f -> {
                var required = f.optional(REQUIRED, list(POD_TERM), PodAffinity::required);
                var preferred = f.optional(PREFERRED, list(POD_PREFERENCE), PodAffinity::preferred);
                return in -> new PodAffinity(in.get(required), in.get(preferred));
            });

    static final Shape<Affinity> AFFINITY =
            Shape.of(f -> {
                var node = f.pointer("nodeAffinity", NODE_AFFINITY, Affinity::nodeAffinity);
                var pod = f.pointer("podAffinity", POD_AFFINITY, Affinity::podAffinity);
                var anti = f.pointer("podAntiAffinity", POD_AFFINITY, Affinity::podAntiAffinity);
                return in -> new Affinity(in.get(node), in.get(pod), in.get(anti));
            });

    static final Shape<TopologySpreadConstraint> SPREAD =
            Shape.of(f -> {
                var skew = f.always("maxSkew", INT32, TopologySpreadConstraint::maxSkew);
                var key = f.always("topologyKey", WORD, TopologySpreadConstraint::topologyKey);
                var refusal =
                        f.always(
                                "whenUnsatisfiable",
                                WORD.as(SpreadRefusal::of, SpreadRefusal::text),
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

    private AffinityShapes() {}
}
