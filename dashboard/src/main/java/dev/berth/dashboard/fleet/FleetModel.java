package dev.berth.dashboard.fleet;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.dashboard.watch.SnapshotUpdates;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// The fleet as the page shows it. An update recomputes the rows of changed nodes only, and returns
/// what changed.
///
/// Numbers of nodes, shapes, groups and holders are never used again. Thread-safe.
public final class FleetModel {

    /// Limit of nodes; the others are left out.
    private static final int MAX_NODES = 10_000;

    private final ClusterWatch watch;
    private final Allocator allocator;
    private final UtilisationCalculator calculator;
    private final ClaimStates claimStates;
    private final HolderTable holders;
    private final Ghosts ghosts;
    private final TopologyGroups groups = new TopologyGroups();
    private final ClassCounts classCounts = new ClassCounts();

    // Guarded by this.
    private ClusterSnapshot snapshot = ClusterSnapshot.empty(SnapshotUpdates.RULES);
    private NetworkPools network = new NetworkPools(snapshot.inventory());
    private Map<String, List<Json>> ghostsByNode = Map.of();
    private final Map<NodeShape, Integer> shapes = new LinkedHashMap<>();
    private final Map<String, FleetRow> nodes = new TreeMap<>();
    private final Map<NetworkKey, FleetRow> pools = new LinkedHashMap<>();
    private boolean knowsClaims = true;
    private Map<String, DeviceClass> classes = Map.of();
    private int nextNode;
    private int nextPool;

    /// Identifies a row of network-attached devices.
    private record NetworkKey(PoolId pool, Set<String> nodes) {}

    public FleetModel(ClusterWatch watch, Allocator allocator, Clock clock) {
        this.watch = watch;
        this.allocator = allocator;
        this.calculator = new UtilisationCalculator(allocator, SnapshotUpdates.FEATURES);
        this.claimStates = new ClaimStates(watch, clock);
        this.holders = new HolderTable(watch);
        this.ghosts = new Ghosts(watch, holders);
    }

    /// Applies a new snapshot.
    ///
    /// @param touched claims that were added, changed or removed
    /// @return the changes as in an event; empty when nothing that is shown changed
    public synchronized Optional<JsonObject> update(ClusterSnapshot next, Set<ObjectRef> touched) {
        var before = snapshot;
        snapshot = next;
        var isAll = isAllChanged(next);
        var changed =
                isAll
                        ? new HashSet<>(next.inventory().nodes().stream().map(Node::name).toList())
                        : new HashSet<>(next.changesSince(before));
        touched.forEach(ref -> addNodes(ref, before, next, changed));
        network = new NetworkPools(next.inventory());
        addGhostChanges(changed);
        var delta = JsonObject.EMPTY;
        var knownShapes = shapes.size();
        var rows = updateNodes(changed);
        var removed = removeNodes();
        var removedPools = new ArrayList<Json>();
        var poolRows = updatePools(isAll, removedPools);
        delta = withList(delta, "shapes", shapes(knownShapes));
        var newGroups = groups.takeAdded();
        if (!newGroups.isEmpty()) {
            delta = delta.with("levels", Json.array(groups.levels()));
        }
        delta = withList(delta, "groups", newGroups);
        delta = withList(delta, "holders", holders.takeChanged());
        delta = withList(delta, "nodes", rows);
        delta = withList(delta, "removedNodes", removed);
        delta = withList(delta, "pools", poolRows);
        delta = withList(delta, "removedPools", removedPools);
        if (!touched.isEmpty()) {
            holders.retain(refs(next));
        }
        delta = delta.beginningWith(classCounts.changed(calculator.of(next), shapes.keySet()));
        return delta.isEmpty() ? Optional.empty() : Optional.of(delta);
    }

    private static JsonObject withList(JsonObject tree, String name, List<? extends Json> list) {
        return list.isEmpty() ? tree : tree.with(name, Json.array(list));
    }

    private static Set<ObjectRef> refs(ClusterSnapshot snapshot) {
        var refs = new HashSet<ObjectRef>();
        snapshot.usage().claims().forEach(claim -> refs.add(claim.ref()));
        return refs;
    }

    /// Whether every row may differ: other classes, or another permission to read claims.
    private boolean isAllChanged(ClusterSnapshot next) {
        var mayRead = watch.mayReadClaims();
        var isAll = mayRead != knowsClaims || !classes.equals(next.inventory().classes());
        if (isAll) {
            // Shapes contain the classes of devices.
            nodes.replaceAll((_, row) -> forgetShape(row));
            pools.replaceAll((_, row) -> forgetShape(row));
        }
        knowsClaims = mayRead;
        classes = next.inventory().classes();
        return isAll;
    }

    private static FleetRow forgetShape(FleetRow row) {
        return new FleetRow(row.id(), List.of(), List.of(), row.shape(), row.json());
    }

    private static void addNodes(
            ObjectRef claim, ClusterSnapshot before, ClusterSnapshot next, Set<String> changed) {
        for (var one : List.of(before, next)) {
            one.usage().claim(claim).stream()
                    .flatMap(found -> found.status().allocation().stream())
                    .flatMap(allocation -> allocation.devices().stream())
                    .map(device -> device.id().poolId())
                    .distinct()
                    .flatMap(id -> next.inventory().pool(id).stream())
                    .flatMap(pool -> pool.onlyNode().stream())
                    .forEach(changed::add);
        }
    }

    private void addGhostChanges(Set<String> changed) {
        var now = ghosts.byNode(snapshot);
        var names = new HashSet<>(now.keySet());
        names.addAll(ghostsByNode.keySet());
        for (var name : names) {
            if (!now.getOrDefault(name, List.of())
                    .equals(ghostsByNode.getOrDefault(name, List.of()))) {
                changed.add(name);
            }
        }
        ghostsByNode = now;
    }

    private List<JsonObject> updateNodes(Set<String> changed) {
        var rows = new ArrayList<JsonObject>();
        for (var name : changed.stream().sorted().toList()) {
            var node = snapshot.inventory().node(name);
            if (node.isPresent() && (nodes.size() < MAX_NODES || nodes.containsKey(name))) {
                var known = Optional.ofNullable(nodes.get(name));
                var row = row(node.get(), known);
                nodes.put(name, row);
                if (known.isEmpty() || !known.get().json().equals(row.json())) {
                    rows.add(row.json());
                }
            }
        }
        return rows;
    }

    private FleetRow row(Node node, Optional<FleetRow> known) {
        var views = new ArrayList<PoolView>();
        var sections = new ArrayList<DeviceSection>();
        for (var view : snapshot.inventory().pools(node.name())) {
            if (NetworkPools.isLocal(snapshot.inventory(), view.id())) {
                views.add(view);
            }
        }
        var shared = network.ofNode(node.name());
        shared.forEach(section -> views.add(section.pool()));
        var id = known.map(FleetRow::id).orElseGet(() -> nextNode++);
        var isSame = known.isPresent() && known.get().views().equals(views);
        if (isSame) {
            sections.addAll(known.get().sections());
        } else {
            views.stream()
                    .limit(views.size() - (long) shared.size())
                    .map(DeviceSection::all)
                    .forEach(sections::add);
            sections.addAll(shared);
        }
        var shape = isSame ? known.get().shape() : shape(sections, node.name());
        var builder = new RowBuilder(ledger(), holders, claimStates, knowsClaims);
        sections.forEach(section -> builder.add(section, shape));
        var json = builder.addTo(NodeJson.of(node, id, shapeId(shape), groups.of(node)));
        json = withList(json, "ghosts", ghostsByNode.getOrDefault(node.name(), List.of()));
        json = withList(json, "unusable", NodeJson.unusable(views));
        return new FleetRow(id, views, sections, shape, json);
    }

    private Ledger ledger() {
        return snapshot.usage().ledger();
    }

    private NodeShape shape(List<DeviceSection> sections, String node) {
        return new ShapeBuilder(allocator.selectors(), classes.values(), node).of(sections);
    }

    private int shapeId(NodeShape shape) {
        return shapes.computeIfAbsent(shape, _ -> shapes.size());
    }

    private List<JsonObject> shapes(int from) {
        var all = new ArrayList<JsonObject>();
        shapes.forEach((shape, id) -> {
            if (id >= from) {
                all.add(shape.json(id));
            }
        });
        return all;
    }

    private List<Json> removeNodes() {
        var removed = new ArrayList<Json>();
        nodes.values()
                .removeIf(row -> {
                    var isGone = snapshot.inventory().node(row.json().text("name")).isEmpty();
                    if (isGone) {
                        removed.add(Json.of(row.id()));
                    }
                    return isGone;
                });
        return removed;
    }

    private List<JsonObject> updatePools(boolean isAll, List<Json> removed) {
        var rows = new ArrayList<JsonObject>();
        var seen = new HashSet<NetworkKey>();
        for (var pool : network.pools()) {
            var key = new NetworkKey(pool.pool(), pool.nodes());
            seen.add(key);
            var known = Optional.ofNullable(pools.get(key));
            var row = row(pool, known);
            pools.put(key, row);
            if (isAll || known.isEmpty() || !known.get().json().equals(row.json())) {
                rows.add(row.json());
            }
        }
        pools.entrySet()
                .removeIf(entry -> {
                    var isGone = !seen.contains(entry.getKey());
                    if (isGone) {
                        removed.add(Json.of(entry.getValue().id()));
                    }
                    return isGone;
                });
        return rows;
    }

    private FleetRow row(NetworkPools.NetworkPool pool, Optional<FleetRow> known) {
        var id = known.map(FleetRow::id).orElseGet(() -> nextPool++);
        var sections = List.of(pool.section());
        var views = List.of(pool.section().pool());
        var isSame = known.isPresent() && known.get().views().equals(views);
        var shape = isSame ? known.get().shape() : shape(sections, "");
        var builder = new RowBuilder(ledger(), holders, claimStates, knowsClaims);
        builder.add(pool.section(), shape);
        var reach =
                pool.nodes().stream()
                        .map(nodes::get)
                        .filter(row -> row != null)
                        .map(FleetRow::id)
                        .sorted()
                        .toList();
        var json = NodeJson.of(pool, id, shapeId(shape), reach);
        return new FleetRow(id, views, sections, shape, builder.addTo(json));
    }

    /// The whole fleet, as `GET /ui/api/fleet` answers it, without revision and time.
    public synchronized JsonObject json() {
        return JsonObject.of("classes", classCounts.json())
                .with("levels", Json.array(groups.levels()))
                .with("groups", Json.array(groups.all()))
                .with("shapes", Json.array(shapes(0)))
                .with("holders", Json.array(holders.all()))
                .with(
                        "truncated",
                        JsonObject.of(
                                "nodes",
                                Json.of((long) snapshot.inventory().size() - nodes.size())))
                .with("nodes", NodeJson.columns(nodes.values()))
                .with("pools", Json.array(pools.values().stream().map(FleetRow::json).toList()));
    }

    /// A device that a claim held at an earlier time.
    public record PastHold(DeviceId device, ObjectRef claim, List<String> pods, String gang) {
        public PastHold {
            pods = List.copyOf(pods);
        }
    }

    /// The fleet of now with the holders of an earlier time.
    public synchronized JsonObject past(List<PastHold> held) {
        var past = new PastFleet(held);
        var pastNodes = nodes.values().stream().map(past::row).toList();
        var pastPools = pools.values().stream().map(past::row).map(FleetRow::json).toList();
        return json().with("nodes", NodeJson.columns(pastNodes))
                .with("pools", Json.array(pastPools))
                .with("holders", Json.array(past.holders()));
    }

    /// The rows of nodes and of network-attached pools.
    synchronized List<FleetRow> rows(boolean isNetwork) {
        return List.copyOf(isNetwork ? pools.values() : nodes.values());
    }

    /// A device with its state and holders; empty when no slice publishes it.
    public synchronized Optional<JsonObject> device(DeviceId id) {
        var detail = DeviceDetail.of(snapshot, id);
        if (detail.isEmpty()) {
            return Optional.empty();
        }
        var all = new ArrayList<>(nodes.values());
        all.addAll(pools.values());
        for (var row : all) {
            var place = row.place(id);
            if (place.isPresent()) {
                return Optional.of(
                        detail.get()
                                .beginningWith(place.get())
                                .with("holders", Json.array(holdersOf(id))));
            }
        }
        return detail;
    }

    /// Classes and node of each published device, as of now.
    public synchronized Function<DeviceId, Optional<DevicePlace>> places() {
        var places = new HashMap<DeviceId, DevicePlace>();
        nodes.forEach((name, row) ->
                row.forEachDevice(
                        (id, shape) -> places.put(id, new DevicePlace(shape.classes(), name))));
        pools.forEach((_, row) ->
                row.forEachDevice(
                        (id, shape) -> places.put(id, new DevicePlace(shape.classes(), ""))));
        return id -> Optional.ofNullable(places.get(id));
    }

    private List<JsonObject> holdersOf(DeviceId id) {
        return ledger().poolHoldings(id.poolId()).holdersOf(id).stream()
                .flatMap(ref -> ledger().claim(ref).stream())
                .map(holders::id)
                .flatMap(number ->
                        holders.all().stream().filter(one -> one.number("id").orElse(-1) == number))
                .toList();
    }

    /// The current snapshot.
    public synchronized ClusterSnapshot snapshot() {
        return snapshot;
    }

    /// The current utilisation.
    public synchronized ClusterUtilisation utilisation() {
        return calculator.of(snapshot);
    }
}
