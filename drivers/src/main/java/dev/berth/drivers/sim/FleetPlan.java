package dev.berth.drivers.sim;

import dev.berth.client.Cluster;
import dev.berth.client.ResourcePath;
import dev.berth.core.publish.DesiredPool;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/// The simulated nodes of a cluster. The text `h100x8=4,a100-mig=2,cpu=3` gives a number of nodes
/// per profile; their names are those of the profile with a number, `h100x8-0` and so on.
public record FleetPlan(List<PlannedNode> members) {

    private static final int MAX_NODES = 100_000;
    private static final Pattern NUMBER_AT_END = Pattern.compile("-([0-9]{1,9})$");

    /// A simulated node.
    ///
    /// @param index its number among the nodes of the profile, for `${index}` in the profile
    /// @param isPresent whether its Node object exists, so that it must not be created
    public record PlannedNode(String name, HardwareProfile profile, int index, boolean isPresent) {
        SimulatedNodeSpec spec() {
            return profile.node(name, index);
        }
    }

    public FleetPlan {
        members = List.copyOf(members);
    }

    /// A plan with a number of nodes per profile.
    public static FleetPlan of(Map<HardwareProfile, Integer> counts) {
        var members = new ArrayList<PlannedNode>();
        counts.forEach((profile, count) -> {
            for (var i = 0; i < count; i++) {
                members.add(new PlannedNode(profile.name() + "-" + i, profile, i, false));
            }
        });
        return new FleetPlan(members);
    }

    /// The number of nodes per profile, in the order of the plan.
    public Map<HardwareProfile, Integer> counts() {
        var counts = new LinkedHashMap<HardwareProfile, Integer>();
        members.forEach(one -> counts.merge(one.profile(), 1, Integer::sum));
        return Collections.unmodifiableMap(counts);
    }

    /// Reads a plan.
    ///
    /// @throws InvalidProfileException with the reason
    public static FleetPlan parse(String text, HardwareProfiles profiles) {
        var counts = new LinkedHashMap<HardwareProfile, Integer>();
        for (var part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            var sides = part.strip().split("=", 2);
            var profile =
                    profiles.find(sides[0])
                            .orElseThrow(
                                    () -> new InvalidProfileException(profiles.unknown(sides[0])));
            counts.merge(profile, sides.length == 1 ? 1 : count(part, sides[1]), Integer::sum);
        }
        return of(counts);
    }

    private static int count(String part, String text) {
        try {
            var count = Integer.parseInt(text);
            if (count >= 0 && count <= MAX_NODES) {
                return count;
            }
        } catch (NumberFormatException _) {
            // Falls through to the message.
        }
        throw new InvalidProfileException(
                "\"%s\": expected a number of nodes from 0 to %d".formatted(part, MAX_NODES));
    }

    /// The plan of the simulated nodes that a cluster already has.
    ///
    /// @throws UnknownProfileException when one of them has an unknown profile
    public static FleetPlan present(Cluster cluster, HardwareProfiles profiles) {
        var nodes = new CompletableFuture<List<JsonObject>>();
        try (var _ = cluster.watch(ResourcePath.of(Kinds.NODE), "", new InitialList(nodes))) {
            return of(nodes.join(), profiles);
        }
    }

    /// The plan of the simulated nodes among these. A node with the label of an unknown profile
    /// that was never simulated is omitted: its label is wrong, and no simulated node is lost.
    ///
    /// @throws UnknownProfileException when a simulated node has an unknown profile
    static FleetPlan of(List<JsonObject> nodes, HardwareProfiles profiles) {
        var members = new ArrayList<PlannedNode>();
        var unknown = new TreeMap<String, Integer>();
        for (var node : nodes) {
            var label = NodeObjects.profile(node);
            var profile = profiles.find(label);
            if (profile.isPresent()) {
                var name = node.objectOrEmpty("metadata").text("name");
                members.add(new PlannedNode(name, profile.get(), index(name), true));
            } else if (!label.isEmpty() && NodeObjects.wasSimulated(node)) {
                unknown.merge(label, 1, Integer::sum);
            }
        }
        if (!unknown.isEmpty()) {
            throw new UnknownProfileException(unknownProfiles(unknown));
        }
        return new FleetPlan(members);
    }

    private static String unknownProfiles(Map<String, Integer> unknown) {
        var text = new StringBuilder();
        unknown.forEach((name, count) ->
                text.append(
                        "%s the unknown hardware profile \"%s\"; "
                                .formatted(
                                        count == 1 ? "1 node has" : count + " nodes have", name)));
        return text
                + "start with --profiles DIR where DIR contains %s.yaml, or list the nodes to keep"
                        .formatted(String.join(".yaml, ", unknown.keySet()))
                + " with --nodes; all others are deleted with their pods";
    }

    /// The number at the end of a node's name; 0 when there is none.
    static int index(String node) {
        var number = NUMBER_AT_END.matcher(node);
        return number.find() ? Integer.parseInt(number.group(1)) : 0;
    }

    /// This plan, with at least as many nodes of each profile as another.
    public FleetPlan atLeast(FleetPlan other) {
        var more = new LinkedHashMap<>(counts());
        other.counts().forEach((profile, count) -> more.merge(profile, count, Math::max));
        return of(more);
    }

    public boolean isEmpty() {
        return members.isEmpty();
    }

    public List<SimulatedNodeSpec> nodes() {
        return members.stream().map(PlannedNode::spec).toList();
    }

    public List<DesiredPool> sharedPools() {
        return counts().keySet().stream()
                .flatMap(profile -> profile.sharedPools().stream())
                .toList();
    }

    /// Completes with the initial list of a watch.
    private record InitialList(CompletableFuture<List<JsonObject>> all)
            implements Cluster.EventHandler<JsonObject> {

        @Override
        public void replaceAll(Iterable<JsonObject> objects) {
            var list = new ArrayList<JsonObject>();
            objects.forEach(list::add);
            all.complete(list);
        }

        @Override
        public void put(JsonObject object) {}

        @Override
        public void remove(JsonObject object) {}
    }
}
