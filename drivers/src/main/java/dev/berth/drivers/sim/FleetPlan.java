package dev.berth.drivers.sim;

import dev.berth.client.Address;
import dev.berth.client.Cluster;
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

/// How many nodes of which profile: `h100x8=4,a100-mig=2,cpu=3`. The nodes are called after their
/// profile, `h100x8-0` and on.
///
/// @param counts by profile, in the order in which they were named
public record FleetPlan(Map<Profile, Integer> counts) {

    private static final int MAX_NODES = 100_000;

    public FleetPlan {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }

    /// Reads a plan.
    ///
    /// @throws BrokenProfile with what is wrong
    public static FleetPlan parse(String text, Profiles profiles) {
        var counts = new LinkedHashMap<Profile, Integer>();
        for (var part : text.split(",", -1)) {
            if (part.isBlank()) {
                continue;
            }
            var sides = part.strip().split("=", 2);
            var profile =
                    profiles.find(sides[0])
                            .orElseThrow(() -> new BrokenProfile(profiles.unknown(sides[0])));
            counts.merge(profile, sides.length == 1 ? 1 : count(part, sides[1]), Integer::sum);
        }
        return new FleetPlan(counts);
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
        throw new BrokenProfile(
                "\"%s\": a number of nodes from 0 to %d is needed".formatted(part, MAX_NODES));
    }

    /// The plan of the simulated nodes that a cluster already has.
    ///
    /// @throws UnknownProfile when one of them is of a profile that is not known
    public static FleetPlan present(Cluster cluster, Profiles profiles) {
        var nodes = new CompletableFuture<List<JsonObject>>();
        try (var _ = cluster.follow(Address.of(Kinds.NODE), "", new Once(nodes))) {
            return of(nodes.join(), profiles);
        }
    }

    /// The plan of those nodes that are simulated.
    ///
    /// @throws UnknownProfile when one of them is of a profile that is not known
    static FleetPlan of(List<JsonObject> nodes, Profiles profiles) {
        var counts = new LinkedHashMap<Profile, Integer>();
        var unknown = new TreeMap<String, Integer>();
        for (var node : nodes) {
            var metadata = node.objectOrEmpty("metadata");
            var label = metadata.objectOrEmpty("labels").text(NodeObjects.PROFILE_LABEL);
            var profile = profiles.find(label);
            if (profile.isPresent()) {
                var count = 1 + index(profile.get(), metadata.text("name"));
                counts.merge(profile.get(), count, Math::max);
            } else if (!label.isEmpty()) {
                unknown.merge(label, 1, Integer::sum);
            }
        }
        if (!unknown.isEmpty()) {
            throw new UnknownProfile(lost(unknown));
        }
        return new FleetPlan(counts);
    }

    private static String lost(Map<String, Integer> unknown) {
        var text = new StringBuilder();
        unknown.forEach((name, count) ->
                text.append(
                        "there %s of the profile \"%s\", which is not known; "
                                .formatted(
                                        count == 1 ? "is 1 node" : "are " + count + " nodes",
                                        name)));
        return text
                + "start with --profiles DIR where DIR has the file %s.yaml, or name with --nodes"
                        .formatted(String.join(".yaml, ", unknown.keySet()))
                + " the nodes that are to stay: the others are removed with their pods";
    }

    private static int index(Profile profile, String node) {
        var head = profile.name() + "-";
        try {
            return node.startsWith(head) ? Integer.parseInt(node.substring(head.length())) : 0;
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    /// This plan, with at least as many nodes of each profile as another.
    public FleetPlan atLeast(FleetPlan other) {
        var more = new LinkedHashMap<>(counts);
        other.counts.forEach((profile, count) -> more.merge(profile, count, Math::max));
        return new FleetPlan(more);
    }

    public boolean isEmpty() {
        return counts.values().stream().allMatch(count -> count == 0);
    }

    public List<NodeShape> nodes() {
        var nodes = new ArrayList<NodeShape>();
        counts.forEach((profile, count) -> {
            for (var i = 0; i < count; i++) {
                nodes.add(profile.node(profile.name() + "-" + i, i));
            }
        });
        return nodes;
    }

    public List<DesiredPool> sharedPools() {
        var pools = new ArrayList<DesiredPool>();
        counts.forEach((profile, count) -> {
            if (count > 0) {
                pools.addAll(profile.sharedPools());
            }
        });
        return pools;
    }

    /// Wants to know what there is, once.
    private record Once(CompletableFuture<List<JsonObject>> all)
            implements Cluster.Follower<JsonObject> {

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
