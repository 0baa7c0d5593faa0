package dev.berth.core.explain;

import dev.berth.core.explain.Explanation.Fits;
import dev.berth.core.explain.Explanation.Misfit;
import dev.berth.model.api.ConsumerReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// An explanation for people. The first line says it all in one sentence and suits a pod condition.
public final class ExplanationText {

    /// Nodes with the same story are one paragraph; more paragraphs than this nobody reads.
    private static final int MAX_PARAGRAPHS = 10;

    private final StringBuilder text = new StringBuilder();

    private ExplanationText() {}

    /// All of it, ending in a line break.
    public static String of(Explanation explanation) {
        var writer = new ExplanationText();
        writer.line(summary(explanation));
        switch (explanation) {
            case Fits fits -> writer.fits(fits);
            case Misfit misfit -> writer.misfit(misfit);
        }
        return writer.text.toString();
    }

    /// The first line.
    public static String summary(Explanation explanation) {
        return switch (explanation) {
            case Fits fits -> "fits on node " + fits.node();
            case Misfit misfit ->
                    "0/%d nodes: %s"
                            .formatted(
                                    misfit.nodes().size(),
                                    ExplanationSummary.of(misfit.cluster(), misfit.nodes()));
        };
    }

    private void line(String words) {
        text.append(words).append('\n');
    }

    private void fits(Fits fits) {
        for (var grant : fits.grants()) {
            grant(grant);
        }
        if (!fits.tolerated().isEmpty()) {
            line("Let pass, where Kubernetes would give up:");
            fits.tolerated().forEach(words -> line("  " + words.strip()));
        }
        if (!fits.others().isEmpty()) {
            line("Also fits on: " + ExplanationWording.listed(fits.others(), ", "));
        }
        for (var failure : fits.failures()) {
            line("But node %s: %s".formatted(failure.node(), failure.failure().orElse("")));
        }
    }

    private void grant(Explanation.Grant grant) {
        var verb = grant.isHeld() ? "has" : "gets";
        line(
                grant.mappings().isEmpty() || grant.isHeld()
                        ? "  claim %s %s".formatted(grant.claim(), verb)
                        : "  the claim for extended resources gets");
        for (var device : grant.devices()) {
            var serves =
                    grant.mappings().stream()
                            .filter(one -> one.requestName().equals(device.request()))
                            .toList();
            line(
                    "    %s for %s"
                            .formatted(
                                    device.id(),
                                    serves.isEmpty()
                                            ? "request " + device.request()
                                            : ExplanationWording.resource(serves)));
        }
    }

    private void misfit(Misfit misfit) {
        paragraphs(misfit);
        misfit.nearestMiss()
                .ifPresent(miss -> {
                    line("");
                    line("Nearest miss: %s on node %s".formatted(miss.device(), miss.node()));
                    miss.encounters().forEach(e -> line("  " + ExplanationWording.encounter(e)));
                });
        if (!misfit.holders().isEmpty()) {
            line("");
            line("Held by:");
            for (var holder : misfit.holders()) {
                line("  claim %s, %s".formatted(holder.claim(), users(holder.users())));
            }
        }
        line("");
        line(waiting(misfit.waiting()));
        if (!misfit.changes().isEmpty()) {
            line("");
            line("Any one of these changes makes it fit:");
            for (var proposal : misfit.changes()) {
                line(
                        "  %s (then node %s)"
                                .formatted(
                                        ExplanationWording.change(
                                                proposal.change(), misfit.cluster()),
                                        proposal.node()));
            }
        }
    }

    private static String users(List<ConsumerReference> users) {
        return users.isEmpty()
                ? "not used by any pod"
                : "used by "
                        + ExplanationWording.listed(
                                users.stream()
                                        .map(u -> singular(u.resource()) + " " + u.name())
                                        .toList(),
                                ", ");
    }

    private static String singular(String resource) {
        return resource.endsWith("s") ? resource.substring(0, resource.length() - 1) : resource;
    }

    private static String waiting(WaitForecast waiting) {
        return switch (waiting) {
            case WaitForecast.Helps(var holders) ->
                    "Waiting may help: %s hold%s the missing devices."
                            .formatted(
                                    ExplanationWording.claims(holders),
                                    holders.size() == 1 ? "s" : "");
            case WaitForecast.MayHelp(var pools) ->
                    "Waiting may help: %s not completely published yet."
                            .formatted(
                                    pools.size() == 1
                                            ? "pool " + pools.getFirst() + " is"
                                            : "pools "
                                                    + ExplanationWording.listed(
                                                            pools.stream()
                                                                    .map(Object::toString)
                                                                    .toList(),
                                                            ", ")
                                                    + " are");
            case WaitForecast.OnceRoomIsThere(var node, var reasons, var devicesToo) ->
                    "Waiting may help: node %s fits once %s%s."
                            .formatted(
                                    node,
                                    reasons.stream()
                                            .flatMap(one -> RejectionText.event(one).stream())
                                            .collect(Collectors.joining(" and ")),
                                    devicesToo ? ", and devices are released" : "");
            case WaitForecast.InVain _ ->
                    "Waiting will not help: the request does not fit even if all devices were"
                            + " free.";
            case WaitForecast.Unknown _ ->
                    "Whether waiting helps is unknown: the search was stopped at its limit.";
        };
    }

    private void paragraphs(Misfit misfit) {
        var nodesByStory = new LinkedHashMap<List<String>, List<String>>();
        for (var node : misfit.nodes()) {
            nodesByStory.computeIfAbsent(story(node), _ -> new ArrayList<>()).add(node.node());
        }
        var shown = 0;
        for (var entry : nodesByStory.entrySet()) {
            if (shown++ == MAX_PARAGRAPHS) {
                line("");
                line("Other nodes: %d kinds more".formatted(nodesByStory.size() - MAX_PARAGRAPHS));
                ExplanationSummary.ruledOut(misfit.nodes())
                        .ifPresent(words -> line("In all: " + words));
                return;
            }
            var nodes = entry.getValue();
            line("");
            line(
                    (nodes.size() == 1 ? "Node " : nodes.size() + " nodes: ")
                            + ExplanationWording.listed(nodes, ", "));
            entry.getKey().forEach(words -> line("  " + words));
        }
    }

    /// What is said of a node; nodes of which the same is said are alike.
    static List<String> story(NodeReport node) {
        var lines = new ArrayList<String>();
        node.barred().forEach(reason -> lines.add("ruled out: " + RejectionText.words(reason)));
        node.failure().ifPresent(why -> lines.add("error: " + why));
        if (node.undecided()) {
            lines.add("the search was given up");
        }
        for (var pool : node.pools()) {
            lines.add("pool %s is %s".formatted(pool.pool(), pool.why()));
        }
        for (var request : node.requests()) {
            lines.add(need(request));
            if (request.isShort() || !request.tolls().isEmpty()) {
                lines.add("  " + ExplanationWording.population(request));
                request.tolls()
                        .forEach(t ->
                                lines.add(
                                        "  "
                                                + ExplanationWording.toll(t)
                                                + ExplanationWording.detail(t)));
            }
        }
        node.entanglements()
                .forEach(e -> lines.add(ExplanationSummary.entanglement(e, node.requests())));
        return lines;
    }

    private static String need(RequestReport request) {
        var wants =
                request.all()
                        ? "all devices that match"
                        : ExplanationWording.devices(request.needed());
        return "%s needs %s, %s left"
                .formatted(
                        ExplanationWording.request(request),
                        wants,
                        request.left() == 1 ? "1 is" : request.left() + " are");
    }
}
