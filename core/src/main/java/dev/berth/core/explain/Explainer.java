package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.Explanation.ClaimAllocation;
import dev.berth.core.explain.Explanation.Holder;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.slice.PoolId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;

/// Explains why claims cannot be allocated: the shortage on each node and in the cluster, the
/// obstacles, the claims that hold the missing devices, whether waiting helps, and which small
/// changes make the claims fit.
///
/// Devices are counted here, independently of the allocator's search. A statement that claims fit,
/// or would fit with a change, is made only after the allocator has found an allocation.
public final class Explainer {

    private static final int MAX_OTHER_NODES = 5;

    /// Bounds on the nodes where suggestions are tried: per distinct report, and in total.
    private static final int MAX_TRIED_PER_REPORT = 2;

    private static final int MAX_TRIED_NODES = 24;

    /// Bound on nodes searched for conflicts: most nodes are alike, and each needs several
    /// allocator calls.
    private static final int MAX_CONFLICT_NODES = 8;

    private final Allocator allocator;

    public Explainer(Allocator allocator) {
        this.allocator = allocator;
    }

    public Explanation explain(ExplainInputs inputs) {
        var evaluation = evaluate(inputs);
        return fit(evaluation).orElseGet(() -> misfit(evaluation));
    }

    /// The cause in one sentence, equal to the first line of the explanation; empty when the claims
    /// fit. Much cheaper than [#explain], since it does not search for suggestions.
    public Optional<String> cause(ExplainInputs inputs) {
        var evaluation = evaluate(inputs);
        if (fit(evaluation).isPresent()) {
            return Optional.empty();
        }
        // The cluster report needs the reports of all nodes.
        var nodes = List.copyOf(reports(evaluation).values());
        return Optional.of(ExplanationSummary.of(evaluation.reportBuilder.cluster(), nodes));
    }

    /// The inputs and the allocator's outcome for every node.
    private record Evaluation(
            ExplainInputs inputs,
            WhatIfAllocator whatIf,
            SelectorEvaluation selectors,
            ReportBuilder reportBuilder,
            Map<Node, AllocationOutcome> outcomes,
            Map<String, List<String>> tolerated) {}

    private Evaluation evaluate(ExplainInputs inputs) {
        var whatIf = new WhatIfAllocator(allocator, inputs);
        var outcomes = new LinkedHashMap<Node, AllocationOutcome>();
        var tolerated = new HashMap<String, List<String>>();
        for (var node : inputs.nodes()) {
            var response = whatIf.allocate(inputs, node);
            outcomes.put(node, response.outcome());
            tolerated.put(node.name(), response.tolerated());
        }
        var selectors = new SelectorEvaluation(inputs.classes());
        var deviceHolders = new DeviceHolders(inputs.holders());
        var reportBuilder = new ReportBuilder(inputs, whatIf, deviceHolders, selectors);
        return new Evaluation(inputs, whatIf, selectors, reportBuilder, outcomes, tolerated);
    }

    private static Optional<Explanation> fit(Evaluation evaluation) {
        var inputs = evaluation.inputs;
        var outcomes = evaluation.outcomes;
        var fitting = new ArrayList<String>();
        var failures = new ArrayList<NodeReport>();
        Optional<List<AllocationResult>> first = Optional.empty();
        for (var entry : outcomes.entrySet()) {
            if (inputs.rejections().containsKey(entry.getKey().name())) {
                continue;
            }
            if (entry.getValue() instanceof AllocationOutcome.Allocated(var results, _)) {
                fitting.add(entry.getKey().name());
                first = first.or(() -> Optional.of(results));
            }
        }
        if (first.isEmpty()) {
            return Optional.empty();
        }
        outcomes.forEach((node, outcome) -> {
            if (outcome instanceof AllocationOutcome.Failed(_, var nodeLocal, _) && !nodeLocal) {
                failures.add(evaluation.reportBuilder.report(node, outcome));
            }
        });
        var node = fitting.getFirst();
        var others = fitting.subList(1, Math.min(fitting.size(), MAX_OTHER_NODES + 1));
        return Optional.of(
                new Explanation.Fits(
                        node,
                        allocations(inputs, node, first.get()),
                        outcomes.size(),
                        others,
                        failures,
                        evaluation.tolerated.getOrDefault(node, List.of())));
    }

    private static List<ClaimAllocation> allocations(
            ExplainInputs inputs, String node, List<AllocationResult> results) {
        var allocations = new ArrayList<ClaimAllocation>();
        for (var holder : inputs.holders()) {
            if (inputs.own().contains(holder.ref())) {
                var devices = holder.status().allocation().orElseThrow().devices();
                allocations.add(
                        new ClaimAllocation(
                                holder.ref(), devices, true, mappings(inputs, holder.ref())));
            }
        }
        var claims = inputs.claims(node);
        for (var i = 0; i < claims.size(); i++) {
            var ref = claims.get(i).ref();
            allocations.add(
                    new ClaimAllocation(
                            ref, results.get(i).devices(), false, mappings(inputs, ref)));
        }
        return allocations;
    }

    private static List<RequestMapping> mappings(ExplainInputs inputs, ObjectRef claim) {
        return inputs.extended()
                .filter(demand -> demand.claim().equals(claim))
                .map(ExtendedResourceDemand::mappings)
                .orElse(List.of());
    }

    private static Explanation misfit(Evaluation evaluation) {
        var inputs = evaluation.inputs;
        var whatIf = evaluation.whatIf;
        var reportBuilder = evaluation.reportBuilder;
        var reports = reports(evaluation);
        var nodes = List.copyOf(reports.keySet());
        var releases = new ReleaseSearch(inputs, whatIf).suggestions(nodes);
        var suggestions =
                new SuggestionSearch(inputs, whatIf, reportBuilder, evaluation.selectors)
                        .suggestions(nodes, releases);
        var cluster = reportBuilder.cluster();
        return new Explanation.Misfit(
                cluster,
                List.copyOf(reports.values()),
                nearestMiss(reportBuilder, cluster),
                holders(inputs, cluster, releases),
                waiting(inputs, whatIf, nodes, releases, reports),
                suggestions);
    }

    /// The report of each node, nodes with the fewest missing devices first.
    private static SequencedMap<Node, NodeReport> reports(Evaluation evaluation) {
        var unsorted = new HashMap<Node, NodeReport>();
        evaluation.outcomes.forEach((node, outcome) ->
                unsorted.put(node, evaluation.reportBuilder.report(node, outcome)));
        var reports = new LinkedHashMap<Node, NodeReport>();
        unsorted.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(nearestFirst()))
                .forEach(entry -> reports.put(entry.getKey(), entry.getValue()));
        var nodes = List.copyOf(reports.keySet());
        evaluation.whatIf.prefer(representatives(nodes, reports));
        var search =
                new RequestConflictSearch(
                        evaluation.inputs, evaluation.whatIf, evaluation.reportBuilder);
        addConflicts(nodes, evaluation.outcomes, reports, search);
        return reports;
    }

    private static Comparator<NodeReport> nearestFirst() {
        return Comparator.<NodeReport, Boolean>comparing(r -> !r.isOpen())
                .thenComparing(r -> r.failure().isPresent())
                .thenComparingLong(NodeReport::missing)
                .thenComparing(NodeReport::node);
    }

    /// A few nodes per distinct report, and a bounded number in total: a change that helps on one
    /// node helps on nodes with the same report.
    private static List<Node> representatives(List<Node> nodes, Map<Node, NodeReport> reports) {
        var seen = new HashMap<List<String>, Integer>();
        return nodes.stream()
                .filter(node -> {
                    var paragraph =
                            ExplanationText.paragraph(Objects.requireNonNull(reports.get(node)));
                    return seen.merge(paragraph, 1, Integer::sum) <= MAX_TRIED_PER_REPORT;
                })
                .limit(MAX_TRIED_NODES)
                .toList();
    }

    private static void addConflicts(
            List<Node> nodes,
            Map<Node, AllocationOutcome> outcomes,
            Map<Node, NodeReport> reports,
            RequestConflictSearch search) {
        var searched = 0;
        for (var node : nodes) {
            var report = reports.get(node);
            if (report == null
                    || !report.isOpen()
                    || report.missing() > 0
                    || !(outcomes.get(node) instanceof AllocationOutcome.DoesNotFit)
                    || searched++ >= MAX_CONFLICT_NODES) {
                continue;
            }
            reports.put(node, report.with(search.on(node)));
        }
    }

    /// The device with the fewest obstacles, over all requests that are short; ties go to the
    /// first.
    private static Optional<NearestMiss> nearestMiss(
            ReportBuilder reportBuilder, List<RequestReport> cluster) {
        Optional<NearestMiss> nearest = Optional.empty();
        for (var i = 0; i < reportBuilder.alternatives().size(); i++) {
            // A request without an existing class has no near miss.
            var classless =
                    cluster.get(i).obstacles().stream()
                            .anyMatch(t -> t.obstacle() instanceof Obstacle.NoSuchClass);
            if (!cluster.get(i).isShort() || classless) {
                continue;
            }
            var alternative = reportBuilder.alternatives().get(i);
            for (var entry : reportBuilder.bestFits(i).entrySet()) {
                var occurrences = entry.getValue().fit().occurrences();
                if (!occurrences.isEmpty()
                        && nearest.filter(n -> n.occurrences().size() <= occurrences.size())
                                .isEmpty()) {
                    nearest =
                            Optional.of(
                                    new NearestMiss(
                                            entry.getValue().node(),
                                            alternative.claim(),
                                            alternative.name(),
                                            entry.getKey(),
                                            occurrences));
                }
            }
        }
        return nearest;
    }

    private static List<Holder> holders(
            ExplainInputs inputs, List<RequestReport> cluster, List<Suggestion.Verified> releases) {
        var refs = new TreeSet<ObjectRef>();
        for (var report : cluster) {
            report.obstacles().forEach(count -> refs.addAll(count.holders()));
        }
        for (var release : releases) {
            if (release.suggestion() instanceof Suggestion.Release(var claims)) {
                refs.addAll(claims);
            }
        }
        return inputs.holders().stream()
                .filter(holder -> refs.contains(holder.ref()))
                .map(holder -> new Holder(holder.ref(), holder.status().reservedFor()))
                .sorted(Comparator.comparing(Holder::claim))
                .toList();
    }

    private static WaitForecast waiting(
            ExplainInputs inputs,
            WhatIfAllocator whatIf,
            List<Node> nodes,
            List<Suggestion.Verified> releases,
            Map<Node, NodeReport> reports) {
        if (!releases.isEmpty()
                && releases.getFirst().suggestion() instanceof Suggestion.Release(var claims)) {
            return new WaitForecast.AfterRelease(claims);
        }
        var publishing = new TreeSet<PoolId>();
        for (var report : reports.values()) {
            report.pools().stream()
                    .filter(NodeReport.UnusablePool::publishing)
                    .forEach(pool -> publishing.add(pool.pool()));
        }
        if (!publishing.isEmpty()) {
            return new WaitForecast.AfterPublishing(List.copyOf(publishing));
        }
        var later = afterPodChanges(inputs, whatIf, nodes);
        if (later.isPresent()) {
            return later.get();
        }
        return whatIf.isExhausted() || reports.values().stream().anyMatch(NodeReport::undecided)
                ? new WaitForecast.Unknown()
                : new WaitForecast.WillNotHelp();
    }

    /// A node that only other pods rule out and that has the devices now, or has them after other
    /// claims are released. Nodes that have them now come first.
    private static Optional<WaitForecast> afterPodChanges(
            ExplainInputs inputs, WhatIfAllocator whatIf, List<Node> nodes) {
        Optional<WaitForecast> later = Optional.empty();
        var tried = 0;
        for (var node : nodes) {
            var reasons = inputs.rejections().getOrDefault(node.name(), List.of());
            if (reasons.isEmpty()
                    || !reasons.stream().allMatch(reason -> reason.resolvingEvent().isPresent())
                    || tried++ >= MAX_TRIED_NODES) {
                continue;
            }
            if (whatIf.fitsOn(inputs, node)) {
                return Optional.of(new WaitForecast.AfterPodChanges(node.name(), reasons, false));
            }
            if (later.isEmpty() && whatIf.fitsOn(inputs.withoutOtherHolders(), node)) {
                later = Optional.of(new WaitForecast.AfterPodChanges(node.name(), reasons, true));
            }
        }
        return later;
    }
}
