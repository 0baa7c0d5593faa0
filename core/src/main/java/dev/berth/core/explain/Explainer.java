package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.Explanation.ClaimAllocation;
import dev.berth.core.explain.Explanation.Holder;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.core.explain.finding.Diagnosis;
import dev.berth.core.explain.finding.Finding;
import dev.berth.core.explain.text.ExplanationSummary;
import dev.berth.core.explain.text.ExplanationText;
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

    /// Bound on distinct nodes searched for conflicts, since each needs several allocator calls.
    /// Nodes that are alike share a search.
    private static final int MAX_CONFLICT_SEARCHES = 64;

    private final Allocator allocator;

    public Explainer(Allocator allocator) {
        this.allocator = allocator;
    }

    /// Explains a pod or claim that exists.
    public Explanation explain(ClusterObjects.Lookup lookup) {
        return switch (lookup) {
            case ClusterObjects.Lookup.Found(var inputs) -> explain(inputs);
            case ClusterObjects.Lookup.Blocked(_, var blockers) ->
                    new Explanation.Blocked(blockers, Optional.empty());
            case ClusterObjects.Lookup.Missing(var reason) ->
                    throw new IllegalArgumentException(reason);
        };
    }

    public Explanation explain(ExplainInputs inputs) {
        var evaluation = evaluate(inputs);
        return fit(evaluation)
                .<Explanation>map(fits ->
                        inputs.blockers().isEmpty()
                                ? fits
                                : new Explanation.Blocked(inputs.blockers(), Optional.of(fits)))
                .orElseGet(() -> misfit(evaluation));
    }

    /// All devices of a node with the result of every check; empty when there is no such node.
    public Optional<DeviceMatrix> matrix(ExplainInputs inputs, String node) {
        var evaluation = evaluate(inputs);
        return DeviceMatrix.of(node, inputs, evaluation.whatIf, evaluation.reportBuilder);
    }

    /// The sentences for the condition of a pending pod, the most useful first: the findings of the
    /// explanation and its summary. Empty when the claims fit. Much cheaper than [#explain], since
    /// it does not search for suggestions.
    public List<String> sentences(ClusterObjects.Lookup lookup) {
        return switch (lookup) {
            case ClusterObjects.Lookup.Found(var inputs) -> sentences(inputs);
            case ClusterObjects.Lookup.Blocked(_, var blockers) ->
                    blockers.stream().map(Finding::sentence).toList();
            case ClusterObjects.Lookup.Missing _ -> List.of();
        };
    }

    private List<String> sentences(ExplainInputs inputs) {
        var evaluation = evaluate(inputs);
        var sentences = new ArrayList<String>();
        inputs.blockers().forEach(one -> sentences.add(one.sentence()));
        if (fit(evaluation).isEmpty()) {
            // The cluster report needs the reports of all nodes.
            var nodes = List.copyOf(reports(evaluation).values());
            var cluster = evaluation.reportBuilder.cluster();
            var found = findings(evaluation, cluster, nodes);
            found.forEach(one -> sentences.add(one.sentence()));
            // The counts of kube-scheduler say the same when all nodes are ruled out.
            if (found.isEmpty() || nodes.stream().anyMatch(NodeReport::isOpen)) {
                sentences.add(ExplanationSummary.of(cluster, nodes));
            }
        }
        return sentences.stream().distinct().toList();
    }

    private static List<Finding> findings(
            Evaluation evaluation, List<RequestReport> cluster, List<NodeReport> nodes) {
        var found = new ArrayList<>(evaluation.inputs.blockers());
        found.addAll(
                Diagnosis.findings(
                        evaluation.inputs,
                        evaluation.reportBuilder,
                        evaluation.selectors,
                        cluster,
                        nodes));
        return found;
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

    private static Optional<Explanation.Fits> fit(Evaluation evaluation) {
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
                findings(evaluation, cluster, List.copyOf(reports.values())),
                reportBuilder.steps(),
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
                .thenComparing(r -> !r.hasDevicesOfClasses())
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
        var found = new HashMap<Object, List<RequestConflict>>();
        for (var node : nodes) {
            var report = reports.get(node);
            if (report == null
                    || !report.isOpen()
                    || report.missing() > 0
                    || !(outcomes.get(node) instanceof AllocationOutcome.DoesNotFit)) {
                continue;
            }
            var signature = search.signature(node);
            if (found.containsKey(signature) || found.size() < MAX_CONFLICT_SEARCHES) {
                reports.put(
                        node, report.with(found.computeIfAbsent(signature, _ -> search.on(node))));
            }
        }
    }

    /// The device of the requested class that passed the most checks, over all requests that are
    /// short; ties go to the first.
    private static Optional<NearestMiss> nearestMiss(
            ReportBuilder reportBuilder, List<RequestReport> cluster) {
        Optional<NearestMiss> nearest = Optional.empty();
        for (var i = 0; i < reportBuilder.alternatives().size(); i++) {
            if (!cluster.get(i).isShort()) {
                continue;
            }
            var alternative = reportBuilder.alternatives().get(i);
            for (var entry : reportBuilder.bestFits(i).entrySet()) {
                var fit = entry.getValue().fit();
                if (!fit.ofClass() || fit.isFree()) {
                    continue;
                }
                var miss =
                        new NearestMiss(
                                entry.getValue().node(),
                                alternative.claim(),
                                alternative.name(),
                                entry.getKey(),
                                fit.occurrences());
                if (nearest.filter(
                                best ->
                                        DeviceCheck.compare(best.occurrences(), miss.occurrences())
                                                <= 0)
                        .isEmpty()) {
                    nearest = Optional.of(miss);
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
            var priority = inputs.pod().map(pod -> pod.spec().priority().orElse(0)).orElse(0L);
            return new WaitForecast.AfterRelease(claims, priority > 0);
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
