package dev.berth.core.explain.finding;

import dev.berth.core.explain.ExplainInputs;
import dev.berth.core.explain.NodeReport;
import dev.berth.core.explain.ReportBuilder;
import dev.berth.core.explain.RequestReport;
import dev.berth.core.explain.SelectorEvaluation;
import java.util.ArrayList;
import java.util.List;

/// Orders the findings of an explanation, the most useful one first.
///
/// A node with matching devices is nearer than one without: when the nodes that the pod can use
/// have no matching device and ruled-out nodes have, the rule is the cause.
public final class Diagnosis {

    private Diagnosis() {}

    /// The findings about a pod, the most useful first.
    ///
    /// @param cluster report of each request over all nodes
    public static List<Finding> findings(
            ExplainInputs inputs,
            ReportBuilder reportBuilder,
            SelectorEvaluation selectors,
            List<RequestReport> cluster,
            List<NodeReport> nodes) {
        if (nodes.isEmpty()) {
            return List.of();
        }
        var rejections = new RejectionFindings(inputs);
        var open = nodes.stream().filter(NodeReport::isOpen).toList();
        var ruledOut = nodes.stream().filter(node -> !node.isOpen()).toList();
        var withDevices = withDevices(ruledOut);
        if (open.isEmpty()) {
            return rejections.of(withDevices.isEmpty() ? ruledOut : withDevices, ruledOut);
        }
        var rules = rejections.of(withDevices, ruledOut);
        if (!rules.isEmpty() && open.stream().noneMatch(Diagnosis::hasDevices)) {
            return rules;
        }
        var found =
                new ArrayList<>(
                        new DeviceFindings(inputs, reportBuilder, selectors, open).of(cluster));
        found.addAll(rules);
        return found;
    }

    /// The nodes with enough devices, or else those with devices of the classes.
    private static List<NodeReport> withDevices(List<NodeReport> nodes) {
        var enough = nodes.stream().filter(node -> node.missing() == 0).toList();
        return enough.isEmpty()
                ? nodes.stream().filter(NodeReport::hasDevicesOfClasses).toList()
                : enough;
    }

    private static boolean hasDevices(NodeReport node) {
        return node.hasDevicesOfClasses() || !node.pools().isEmpty();
    }
}
