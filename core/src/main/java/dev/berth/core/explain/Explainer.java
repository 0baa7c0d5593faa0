package dev.berth.core.explain;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.explain.Explanation.Grant;
import dev.berth.core.explain.Explanation.Holder;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
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

/// Says why claims do not fit: what is short on each node and in the cluster, what took it away,
/// who holds it, whether waiting helps, and which small changes would.
///
/// Counts are made here, independently of the search; that something fits, or would fit with a
/// change, is only said after the allocator has found it so.
public final class Explainer {

    private static final int MAX_OTHER_NODES = 5;

    /// On so many nodes that are alike, and on so many in all, changes are tried.
    private static final int MAX_TRIED_OF_A_KIND = 2;

    private static final int MAX_TRIED_NODES = 24;

    /// Nodes are mostly alike, and each costs several questions.
    private static final int MAX_ENTANGLED_NODES = 8;

    private final Allocator allocator;

    public Explainer(Allocator allocator) {
        this.allocator = allocator;
    }

    public Explanation explain(ExplainInputs situation) {
        var asked = ask(situation);
        return fit(asked).orElseGet(() -> misfit(asked));
    }

    /// The cause in one sentence, as the first line of the explanation has it; empty when the
    /// claims fit. It takes a fraction of the time, since nothing is looked for that would help.
    public Optional<String> cause(ExplainInputs situation) {
        var asked = ask(situation);
        if (fit(asked).isPresent()) {
            return Optional.empty();
        }
        // The survey knows the cluster once it has reported on every node.
        var nodes = List.copyOf(reports(asked).values());
        return Optional.of(ExplanationSummary.of(asked.survey.cluster(), nodes));
    }

    /// A situation, and what is known of it once every node was asked about.
    private record Asked(
            ExplainInputs situation,
            WhatIfAllocator prober,
            SelectorEvaluation selectors,
            DeviceSurvey survey,
            Map<Node, AllocationOutcome> answers,
            Map<String, List<String>> tolerated) {}

    private Asked ask(ExplainInputs situation) {
        var prober = new WhatIfAllocator(allocator, situation);
        var answers = new LinkedHashMap<Node, AllocationOutcome>();
        var tolerated = new HashMap<String, List<String>>();
        for (var node : situation.nodes()) {
            var reply = prober.reply(situation, node);
            answers.put(node, reply.outcome());
            tolerated.put(node.name(), reply.tolerated());
        }
        var selectors = new SelectorEvaluation(situation.classes());
        var ledger = new DeviceHolders(situation.holders());
        var survey = new DeviceSurvey(situation, prober, ledger, selectors);
        return new Asked(situation, prober, selectors, survey, answers, tolerated);
    }

    private static Optional<Explanation> fit(Asked asked) {
        var situation = asked.situation;
        var answers = asked.answers;
        var fitting = new ArrayList<String>();
        var failures = new ArrayList<NodeReport>();
        Optional<List<AllocationResult>> first = Optional.empty();
        for (var entry : answers.entrySet()) {
            if (situation.barred().containsKey(entry.getKey().name())) {
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
        answers.forEach((node, answer) -> {
            if (answer instanceof AllocationOutcome.Failed(_, var nodeLocal, _) && !nodeLocal) {
                failures.add(asked.survey.report(node, answer));
            }
        });
        var node = fitting.getFirst();
        var others = fitting.subList(1, Math.min(fitting.size(), MAX_OTHER_NODES + 1));
        return Optional.of(
                new Explanation.Fits(
                        node,
                        grants(situation, node, first.get()),
                        answers.size(),
                        others,
                        failures,
                        asked.tolerated.getOrDefault(node, List.of())));
    }

    private static List<Grant> grants(
            ExplainInputs situation, String node, List<AllocationResult> results) {
        var grants = new ArrayList<Grant>();
        for (var holder : situation.holders()) {
            if (situation.own().contains(holder.ref())) {
                var devices = holder.status().allocation().orElseThrow().devices();
                grants.add(
                        new Grant(holder.ref(), devices, true, mappings(situation, holder.ref())));
            }
        }
        var claims = situation.claims(node);
        for (var i = 0; i < claims.size(); i++) {
            var ref = claims.get(i).ref();
            grants.add(new Grant(ref, results.get(i).devices(), false, mappings(situation, ref)));
        }
        return grants;
    }

    private static List<RequestMapping> mappings(ExplainInputs situation, ObjectRef claim) {
        return situation
                .extended()
                .filter(demand -> demand.claim().equals(claim))
                .map(ExtendedResourceDemand::mappings)
                .orElse(List.of());
    }

    private static Explanation misfit(Asked asked) {
        var situation = asked.situation;
        var prober = asked.prober;
        var survey = asked.survey;
        var reports = reports(asked);
        var nodes = List.copyOf(reports.keySet());
        var releases = new ReleaseSearch(situation, prober).proposals(nodes);
        var changes =
                new SuggestionSearch(situation, prober, survey, asked.selectors)
                        .proposals(nodes, releases);
        var cluster = survey.cluster();
        return new Explanation.Misfit(
                cluster,
                List.copyOf(reports.values()),
                nearestMiss(survey, cluster),
                holders(situation, cluster, releases),
                waiting(situation, prober, nodes, releases, reports),
                changes);
    }

    /// What is wrong with each node, those first where least is missing.
    private static SequencedMap<Node, NodeReport> reports(Asked asked) {
        var unsorted = new HashMap<Node, NodeReport>();
        asked.answers.forEach(
                (node, answer) -> unsorted.put(node, asked.survey.report(node, answer)));
        var reports = new LinkedHashMap<Node, NodeReport>();
        unsorted.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(nearestFirst()))
                .forEach(entry -> reports.put(entry.getKey(), entry.getValue()));
        var nodes = List.copyOf(reports.keySet());
        asked.prober.prefer(representatives(nodes, reports));
        var search = new RequestConflictSearch(asked.situation, asked.prober, asked.survey);
        entangle(nodes, asked.answers, reports, search);
        return reports;
    }

    private static Comparator<NodeReport> nearestFirst() {
        return Comparator.<NodeReport, Boolean>comparing(r -> !r.isOpen())
                .thenComparing(r -> r.failure().isPresent())
                .thenComparingLong(NodeReport::missing)
                .thenComparing(NodeReport::node);
    }

    /// A few nodes of each kind, and not too many kinds: what helps on one helps on those like it.
    private static List<Node> representatives(List<Node> nodes, Map<Node, NodeReport> reports) {
        var seen = new HashMap<List<String>, Integer>();
        return nodes.stream()
                .filter(node -> {
                    var story = ExplanationText.story(Objects.requireNonNull(reports.get(node)));
                    return seen.merge(story, 1, Integer::sum) <= MAX_TRIED_OF_A_KIND;
                })
                .limit(MAX_TRIED_NODES)
                .toList();
    }

    private static void entangle(
            List<Node> nodes,
            Map<Node, AllocationOutcome> answers,
            Map<Node, NodeReport> reports,
            RequestConflictSearch search) {
        var searched = 0;
        for (var node : nodes) {
            var report = reports.get(node);
            if (report == null
                    || !report.isOpen()
                    || report.missing() > 0
                    || !(answers.get(node) instanceof AllocationOutcome.DoesNotFit)
                    || searched++ >= MAX_ENTANGLED_NODES) {
                continue;
            }
            reports.put(node, report.with(search.on(node)));
        }
    }

    /// Of the requests that are short, the device with the fewest obstacles; ties go to the first.
    private static Optional<NearestMiss> nearestMiss(
            DeviceSurvey survey, List<RequestReport> cluster) {
        Optional<NearestMiss> nearest = Optional.empty();
        for (var i = 0; i < survey.wants().size(); i++) {
            // Without a class nothing is near.
            var classless =
                    cluster.get(i).tolls().stream()
                            .anyMatch(t -> t.obstacle() instanceof Obstacle.NoSuchClass);
            if (!cluster.get(i).isShort() || classless) {
                continue;
            }
            var want = survey.wants().get(i);
            for (var entry : survey.findings(i).entrySet()) {
                var encounters = entry.getValue().verdict().encounters();
                if (!encounters.isEmpty()
                        && nearest.filter(n -> n.encounters().size() <= encounters.size())
                                .isEmpty()) {
                    nearest =
                            Optional.of(
                                    new NearestMiss(
                                            entry.getValue().node(),
                                            want.claim(),
                                            want.name(),
                                            entry.getKey(),
                                            encounters));
                }
            }
        }
        return nearest;
    }

    private static List<Holder> holders(
            ExplainInputs situation,
            List<RequestReport> cluster,
            List<Suggestion.Proposal> releases) {
        var refs = new TreeSet<ObjectRef>();
        for (var report : cluster) {
            report.tolls().forEach(toll -> refs.addAll(toll.holders()));
        }
        for (var release : releases) {
            if (release.change() instanceof Suggestion.Release(var claims)) {
                refs.addAll(claims);
            }
        }
        return situation.holders().stream()
                .filter(holder -> refs.contains(holder.ref()))
                .map(holder -> new Holder(holder.ref(), holder.status().reservedFor()))
                .sorted(Comparator.comparing(Holder::claim))
                .toList();
    }

    private static WaitForecast waiting(
            ExplainInputs situation,
            WhatIfAllocator prober,
            List<Node> nodes,
            List<Suggestion.Proposal> releases,
            Map<Node, NodeReport> reports) {
        if (!releases.isEmpty()
                && releases.getFirst().change() instanceof Suggestion.Release(var claims)) {
            return new WaitForecast.Helps(claims);
        }
        var publishing = new TreeSet<PoolId>();
        for (var report : reports.values()) {
            report.pools().stream()
                    .filter(NodeReport.UnusablePool::publishing)
                    .forEach(pool -> publishing.add(pool.pool()));
        }
        if (!publishing.isEmpty()) {
            return new WaitForecast.MayHelp(List.copyOf(publishing));
        }
        var later = onceRoomIsThere(situation, prober, nodes);
        if (later.isPresent()) {
            return later.get();
        }
        return prober.isExhausted() || reports.values().stream().anyMatch(NodeReport::undecided)
                ? new WaitForecast.Unknown()
                : new WaitForecast.InVain();
    }

    /// A node that other pods keep this one off, and that has the devices or had them before. Nodes
    /// that have them now come first.
    private static Optional<WaitForecast> onceRoomIsThere(
            ExplainInputs situation, WhatIfAllocator prober, List<Node> nodes) {
        Optional<WaitForecast> later = Optional.empty();
        var tried = 0;
        for (var node : nodes) {
            var reasons = situation.barred().getOrDefault(node.name(), List.of());
            if (reasons.isEmpty()
                    || !reasons.stream().allMatch(RejectionText::maySubside)
                    || tried++ >= MAX_TRIED_NODES) {
                continue;
            }
            if (prober.fitsOn(situation, node)) {
                return Optional.of(new WaitForecast.OnceRoomIsThere(node.name(), reasons, false));
            }
            if (later.isEmpty() && prober.fitsOn(situation.released(), node)) {
                later = Optional.of(new WaitForecast.OnceRoomIsThere(node.name(), reasons, true));
            }
        }
        return later;
    }
}
