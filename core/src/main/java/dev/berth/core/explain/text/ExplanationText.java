package dev.berth.core.explain.text;

import dev.berth.core.explain.Explanation;
import dev.berth.core.explain.Explanation.Blocked;
import dev.berth.core.explain.Explanation.Fits;
import dev.berth.core.explain.Explanation.Misfit;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.SuggestionOwner;
import dev.berth.core.explain.WaitForecast;
import dev.berth.core.explain.finding.Finding;
import dev.berth.model.api.claim.ConsumerReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Renders an explanation as text. The first line is a complete one-sentence summary, suitable for
/// a pod condition.
public final class ExplanationText {

    /// Nodes with the same report share one paragraph. The bounds keep the text on one screen.
    private static final int MAX_PARAGRAPHS = 4;

    private static final int MAX_SUGGESTIONS = 4;
    private static final int MAX_HOLDERS = 6;

    /// Bound on findings, for readability.
    private static final int MAX_FINDINGS = 3;

    private final StringBuilder text = new StringBuilder();
    private final boolean isWide;

    private ExplanationText(boolean isWide) {
        this.isWide = isWide;
    }

    /// The text for one screen, ending in a line break.
    public static String of(Explanation explanation) {
        return of(explanation, false);
    }

    /// The explanation as text for a terminal.
    ///
    /// @param isWide true for all nodes, holders and suggestions
    public static String of(Explanation explanation, boolean isWide) {
        var writer = new ExplanationText(isWide);
        writer.line(summary(explanation));
        switch (explanation) {
            case Fits fits -> writer.fits(fits);
            case Blocked(var findings, var fits) -> writer.blocked(findings, fits);
            case Misfit misfit -> writer.misfit(misfit);
        }
        return writer.text.toString();
    }

    /// The first line.
    public static String summary(Explanation explanation) {
        return switch (explanation) {
            case Fits fits -> "fits on node " + fits.node();
            case Blocked(var findings, _) -> "blocked: " + findings.getFirst().sentence();
            case Misfit misfit ->
                    "0/%d nodes: %s"
                            .formatted(
                                    misfit.nodes().size(),
                                    misfit.findings().stream()
                                            .findFirst()
                                            .map(Finding::sentence)
                                            .orElseGet(() -> counts(misfit)));
        };
    }

    /// The counts of nodes and devices in one sentence.
    public static String counts(Misfit misfit) {
        return ExplanationSummary.of(misfit.cluster(), misfit.nodes());
    }

    private void blocked(List<Finding> findings, Optional<Fits> fits) {
        findings.stream().skip(1).forEach(one -> line("also: " + one.sentence()));
        fits.ifPresent(one -> {
            line("Without that it would fit on node %s:".formatted(one.node()));
            fits(one);
        });
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
        misfit.findings().stream()
                .skip(1)
                .limit(MAX_FINDINGS - 1)
                .forEach(one -> line("also: " + one.sentence()));
        if (!misfit.findings().isEmpty()) {
            line(counts(misfit));
        }
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
            misfit.holders().stream()
                    .limit(isWide ? Integer.MAX_VALUE : MAX_HOLDERS)
                    .forEach(holder ->
                            line(
                                    "  claim %s, %s"
                                            .formatted(holder.claim(), users(holder.users()))));
            more(misfit.holders().size(), MAX_HOLDERS);
        }
        line("");
        line(
                waiting(
                        misfit.waiting(),
                        misfit.nodes().stream().noneMatch(NodeReport::isOpen)
                                || misfit.nodes().stream()
                                        .anyMatch(node -> !node.isOpen() && node.missing() == 0)));
        for (var owner : SuggestionOwner.values()) {
            suggestions(misfit, owner);
        }
    }

    private void suggestions(Misfit misfit, SuggestionOwner owner) {
        var suggestions =
                misfit.suggestions().stream().filter(one -> one.owner() == owner).toList();
        if (suggestions.isEmpty()) {
            return;
        }
        line("");
        line(
                switch (owner) {
                    case USER -> "Any one of these changes makes it fit:";
                    case OTHERS -> "Other users could:";
                    case ADMINISTRATOR -> "An administrator could:";
                });
        suggestions.stream()
                .limit(isWide ? Integer.MAX_VALUE : MAX_SUGGESTIONS)
                .forEach(verified ->
                        line(
                                "  %s (then node %s)"
                                        .formatted(
                                                ExplanationWording.suggestion(
                                                        verified.suggestion(), misfit.cluster()),
                                                verified.node())));
        more(suggestions.size(), MAX_SUGGESTIONS);
    }

    private void more(int all, int shown) {
        if (!isWide && all > shown) {
            line("  and %d more".formatted(all - shown));
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

    /// @param isRuledOut true when the pod can use no node
    private static String waiting(WaitForecast waiting, boolean isRuledOut) {
        return switch (waiting) {
            case WaitForecast.AfterRelease(var holders, var hasPriority) ->
                    "Waiting may help: %s hold%s the missing devices.%s"
                            .formatted(
                                    ExplanationWording.claims(holders),
                                    holders.size() == 1 ? "s" : "",
                                    hasPriority
                                            ? " The priority of the pod does not help: devices are"
                                                    + " not preempted."
                                            : "");
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
            case WaitForecast.WillNotHelp _ when isRuledOut ->
                    "Waiting will not help: the pod, or what rules out the nodes, has to change.";
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
            if (shown++ == MAX_PARAGRAPHS && !isWide) {
                line("");
                line(
                        "%d more groups of nodes are not shown; -o wide shows them."
                                .formatted(nodesByParagraph.size() - MAX_PARAGRAPHS));
                ExplanationSummary.ruledOut(misfit.nodes())
                        .ifPresent(words -> line("Total: " + words));
                return;
            }
            var nodes = entry.getValue();
            line("");
            line(
                    (nodes.size() == 1 ? "Node " : nodes.size() + " nodes: ")
                            + (isWide
                                    ? String.join(", ", nodes)
                                    : ExplanationWording.listed(nodes, ", ")));
            entry.getKey().forEach(words -> line("  " + words));
        }
    }

    /// The lines of a node. Nodes with equal lines are alike and share a paragraph.
    public static List<String> paragraph(NodeReport node) {
        var lines = new ArrayList<String>();
        node.rejections().forEach(reason -> lines.add("ruled out: " + reason.description()));
        node.failure()
                .filter(_ -> !node.hasFaults())
                .ifPresent(
                        why -> lines.add("error: " + why.strip().lines().findFirst().orElse("")));
        if (node.undecided()) {
            lines.add("the search was stopped at its limit");
        }
        for (var pool : node.pools()) {
            lines.add("pool %s is %s".formatted(pool.pool(), pool.why()));
        }
        for (var request : node.requests()) {
            lines.add(need(request));
            if (request.ofClass() == 0) {
                // What other devices are does not matter.
                lines.add("  no device of class " + request.deviceClass());
            } else if (request.isShort() || !request.obstacles().isEmpty()) {
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
