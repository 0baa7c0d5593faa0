package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Answer;
import dev.berth.core.explain.Explanation.Grant;
import dev.berth.core.explain.Explanation.Holder;
import dev.berth.core.explain.Explanation.NearestMiss;
import dev.berth.model.api.AllocationResult;
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

    public Explanation explain(Situation situation) {
        var prober = new Prober(allocator, situation);
        var answers = new LinkedHashMap<Node, Answer>();
        for (var node : situation.nodes()) {
            answers.put(node, prober.answer(situation, node));
        }
        var selectors = new Selectors(situation.classes());
        var ledger = new Ledger(situation.holders());
        var survey = new Survey(situation, prober, ledger, selectors);
        return fit(situation, answers, survey)
                .orElseGet(() -> misfit(situation, prober, answers, survey, selectors));
    }

    private static Optional<Explanation> fit(
            Situation situation, Map<Node, Answer> answers, Survey survey) {
        var fitting = new ArrayList<String>();
        var failures = new ArrayList<NodeReport>();
        Optional<List<AllocationResult>> first = Optional.empty();
        for (var entry : answers.entrySet()) {
            if (situation.barred().containsKey(entry.getKey().name())) {
                continue;
            }
            if (entry.getValue() instanceof Answer.Allocated(var results, _)) {
                fitting.add(entry.getKey().name());
                first = first.or(() -> Optional.of(results));
            }
        }
        if (first.isEmpty()) {
            return Optional.empty();
        }
        answers.forEach((node, answer) -> {
            if (answer instanceof Answer.Failed(_, var nodeLocal, _) && !nodeLocal) {
                failures.add(survey.report(node, answer));
            }
        });
        var grants = new ArrayList<Grant>();
        for (var i = 0; i < situation.claims().size(); i++) {
            grants.add(new Grant(situation.claims().get(i).ref(), first.get().get(i).devices()));
        }
        var others = fitting.subList(1, Math.min(fitting.size(), MAX_OTHER_NODES + 1));
        return Optional.of(
                new Explanation.Fits(fitting.getFirst(), grants, answers.size(), others, failures));
    }

    private static Explanation misfit(
            Situation situation,
            Prober prober,
            Map<Node, Answer> answers,
            Survey survey,
            Selectors selectors) {
        var reports = new LinkedHashMap<Node, NodeReport>();
        answers.forEach((node, answer) -> reports.put(node, survey.report(node, answer)));
        var nodes =
                reports.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(nearestFirst()))
                        .map(Map.Entry::getKey)
                        .toList();
        prober.prefer(representatives(nodes, reports));
        entangle(nodes, answers, reports, new EntanglementSearch(situation, prober, survey));
        var releases = new ReleaseSearch(situation, prober).proposals(nodes);
        var changes =
                new ChangeSearch(situation, prober, survey, selectors).proposals(nodes, releases);
        var cluster = survey.cluster();
        return new Explanation.Misfit(
                cluster,
                nodes.stream().map(reports::get).toList(),
                nearestMiss(survey, cluster),
                holders(situation, cluster, releases),
                waiting(prober, releases, reports),
                changes);
    }

    private static Comparator<NodeReport> nearestFirst() {
        return Comparator.<NodeReport, Boolean>comparing(r -> r.barred().isPresent())
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
            Map<Node, Answer> answers,
            Map<Node, NodeReport> reports,
            EntanglementSearch search) {
        var searched = 0;
        for (var node : nodes) {
            var report = reports.get(node);
            if (report == null
                    || report.barred().isPresent()
                    || report.missing() > 0
                    || !(answers.get(node) instanceof Answer.DoesNotFit)
                    || searched++ >= MAX_ENTANGLED_NODES) {
                continue;
            }
            reports.put(
                    node,
                    new NodeReport(
                            report.node(),
                            report.barred(),
                            report.failure(),
                            report.undecided(),
                            report.pools(),
                            report.requests(),
                            search.on(node)));
        }
    }

    /// Of the requests that are short, the device with the fewest obstacles; ties go to the first.
    private static Optional<NearestMiss> nearestMiss(Survey survey, List<RequestReport> cluster) {
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
            Situation situation, List<RequestReport> cluster, List<Change.Proposal> releases) {
        var refs = new TreeSet<ObjectRef>();
        for (var report : cluster) {
            report.tolls().forEach(toll -> refs.addAll(toll.holders()));
        }
        for (var release : releases) {
            if (release.change() instanceof Change.Release(var claims)) {
                refs.addAll(claims);
            }
        }
        return situation.holders().stream()
                .filter(holder -> refs.contains(holder.ref()))
                .map(holder -> new Holder(holder.ref(), holder.status().reservedFor()))
                .sorted(Comparator.comparing(Holder::claim))
                .toList();
    }

    private static Waiting waiting(
            Prober prober, List<Change.Proposal> releases, Map<Node, NodeReport> reports) {
        if (!releases.isEmpty()
                && releases.getFirst().change() instanceof Change.Release(var claims)) {
            return new Waiting.Helps(claims);
        }
        var publishing = new TreeSet<PoolId>();
        for (var report : reports.values()) {
            report.pools().stream()
                    .filter(NodeReport.UnusablePool::publishing)
                    .forEach(pool -> publishing.add(pool.pool()));
        }
        if (!publishing.isEmpty()) {
            return new Waiting.MayHelp(List.copyOf(publishing));
        }
        return prober.isExhausted() || reports.values().stream().anyMatch(NodeReport::undecided)
                ? new Waiting.Unknown()
                : new Waiting.InVain();
    }
}
