package dev.berth.core.explain;

import dev.berth.core.explain.Explanation.Fits;
import dev.berth.core.explain.Explanation.Misfit;
import dev.berth.model.api.claim.ConsumerReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// Renders an explanation as text. The first line is a complete one-sentence summary, suitable for
/// a pod condition.
public final class ExplanationText {

    /// Nodes with the same report share one paragraph. The bound keeps the text readable.
    private static final int MAX_PARAGRAPHS = 10;

    private final StringBuilder text = new StringBuilder();

    private ExplanationText() {}

    /// The whole text, ending in a line break.
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
        for (var allocation : fits.allocations()) {
            allocation(allocation);
        }
        if (!fits.tolerated().isEmpty()) {
            line("Tolerated errors, which are fatal in Kubernetes:");
            fits.tolerated().forEach(words -> line("  " + words.strip()));
        }
        if (!fits.others().isEmpty()) {
            line("Also fits on: " + ExplanationWording.listed(fits.others(), ", "));
        }
        for (var failure : fits.failures()) {
            line("Error on node %s: %s".formatted(failure.node(), failure.failure().orElse("")));
        }
    }

    private void allocation(Explanation.ClaimAllocation allocation) {
        var verb = allocation.isHeld() ? "has" : "gets";
        line(
                allocation.mappings().isEmpty() || allocation.isHeld()
                        ? "  claim %s %s".formatted(allocation.claim(), verb)
                        : "  the claim for extended resources gets");
        for (var device : allocation.devices()) {
            var serves =
                    allocation.mappings().stream()
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
                    miss.occurrences().forEach(e -> line("  " + ExplanationWording.occurrence(e)));
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
        if (!misfit.suggestions().isEmpty()) {
            line("");
            line("Any one of these changes makes it fit:");
            for (var verified : misfit.suggestions()) {
                line(
                        "  %s (then node %s)"
                                .formatted(
                                        ExplanationWording.suggestion(
                                                verified.suggestion(), misfit.cluster()),
                                        verified.node()));
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
            case WaitForecast.AfterRelease(var holders) ->
                    "Waiting may help: %s hold%s the missing devices."
                            .formatted(
                                    ExplanationWording.claims(holders),
                                    holders.size() == 1 ? "s" : "");
            case WaitForecast.AfterPublishing(var pools) ->
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
            case WaitForecast.AfterPodChanges(var node, var reasons, var devicesToo) ->
                    "Waiting may help: node %s fits once %s%s."
                            .formatted(
                                    node,
                                    reasons.stream()
                                            .flatMap(one -> one.resolvingEvent().stream())
                                            .collect(Collectors.joining(" and ")),
                                    devicesToo ? ", and devices are released" : "");
            case WaitForecast.WillNotHelp _ ->
                    "Waiting will not help: the request does not fit even if all devices were"
                            + " free.";
            case WaitForecast.Unknown _ ->
                    "Whether waiting helps is unknown: the search was stopped at its limit.";
        };
    }

    private void paragraphs(Misfit misfit) {
        var nodesByParagraph = new LinkedHashMap<List<String>, List<String>>();
        for (var node : misfit.nodes()) {
            nodesByParagraph
                    .computeIfAbsent(paragraph(node), _ -> new ArrayList<>())
                    .add(node.node());
        }
        var shown = 0;
        for (var entry : nodesByParagraph.entrySet()) {
            if (shown++ == MAX_PARAGRAPHS) {
                line("");
                line(
                        "%d more groups of nodes are not shown."
                                .formatted(nodesByParagraph.size() - MAX_PARAGRAPHS));
                ExplanationSummary.ruledOut(misfit.nodes())
                        .ifPresent(words -> line("Total: " + words));
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

    /// The lines of a node. Nodes with equal lines are alike and share a paragraph.
    static List<String> paragraph(NodeReport node) {
        var lines = new ArrayList<String>();
        node.rejections().forEach(reason -> lines.add("ruled out: " + reason.description()));
        node.failure().ifPresent(why -> lines.add("error: " + why));
        if (node.undecided()) {
            lines.add("the search was stopped at its limit");
        }
        for (var pool : node.pools()) {
            lines.add("pool %s is %s".formatted(pool.pool(), pool.why()));
        }
        for (var request : node.requests()) {
            lines.add(need(request));
            if (request.isShort() || !request.obstacles().isEmpty()) {
                lines.add("  " + ExplanationWording.deviceCount(request));
                request.obstacles()
                        .forEach(t ->
                                lines.add(
                                        "  "
                                                + ExplanationWording.count(t)
                                                + ExplanationWording.detail(t)));
            }
        }
        node.conflicts().forEach(e -> lines.add(ExplanationSummary.conflict(e, node.requests())));
        return lines;
    }

    private static String need(RequestReport request) {
        var alternatives =
                request.all()
                        ? "all matching devices"
                        : ExplanationWording.devices(request.needed());
        return "%s needs %s, %s left"
                .formatted(
                        ExplanationWording.request(request),
                        alternatives,
                        request.left() == 1 ? "1 is" : request.left() + " are");
    }
}
