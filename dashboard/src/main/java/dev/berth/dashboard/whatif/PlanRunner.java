package dev.berth.dashboard.whatif;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.place.PlacementFeatures;
import dev.berth.core.plan.NodeCopies;
import dev.berth.core.plan.Plan;
import dev.berth.core.plan.PlanChanges;
import dev.berth.core.plan.PlanInput;
import dev.berth.core.plan.PlanJson;
import dev.berth.core.plan.PlannedPod;
import dev.berth.core.plan.Planner;
import dev.berth.dashboard.fleet.FleetModel;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.dashboard.http.DataRequest;
import dev.berth.dashboard.pending.PendingPods;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.dashboard.watch.WatchedObjects;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs plans, one at a time for a session: a newer plan cancels the running one.
public final class PlanRunner {

    private final ClusterWatch watch;
    private final FleetModel fleet;
    private final Allocator allocator;
    private final PlanManifests manifests;

    // At most one entry for a session.
    private final Map<String, AtomicBoolean> running = new ConcurrentHashMap<>();

    public PlanRunner(
            ClusterWatch watch, FleetModel fleet, Allocator allocator, PlanManifests manifests) {
        this.watch = watch;
        this.fleet = fleet;
        this.allocator = allocator;
        this.manifests = manifests;
    }

    /// Cancels the plan of a session.
    public void cancel(String session) {
        var earlier = running.remove(session);
        if (earlier != null) {
            earlier.set(true);
        }
    }

    public JsonObject run(DataRequest request) throws DashboardError {
        var plan = PlanRequest.parse(request);
        var isCancelled = new AtomicBoolean();
        var earlier = running.put(request.session(), isCancelled);
        if (earlier != null) {
            earlier.set(true);
        }
        try {
            return run(plan, isCancelled);
        } catch (CancellationException _) {
            throw new DashboardError(409, "Cancelled", "the plan was cancelled", "");
        } finally {
            running.remove(request.session(), isCancelled);
        }
    }

    private JsonObject run(PlanRequest request, AtomicBoolean isCancelled) throws DashboardError {
        var input = input(request);
        check(request, input);
        var planner =
                new Planner(
                        allocator,
                        PlacementFeatures.of(FeatureGates.defaults()),
                        request.policy(),
                        () -> UUID.randomUUID().toString(),
                        (_, _) -> {
                            if (isCancelled.get()) {
                                throw new CancellationException();
                            }
                        });
        var changes =
                new PlanChanges(request.released(), request.tolerations(), request.removedNodes());
        var added = request.addedNodes();
        var plan =
                added.isEmpty()
                        ? planner.plan(input, changes)
                        : planner.plan(input, changes, List.of(copies(input, added.get())));
        return json(request, input, plan);
    }

    private PlanInput input(PlanRequest request) throws DashboardError {
        if (request.manifests().isBlank()) {
            var pending =
                    PendingPods.of(watch).stream().filter(pod -> isPlanned(request, pod)).toList();
            return new WatchedObjects(watch).planInput(fleet.snapshot(), pending);
        }
        return switch (manifests.read(request.manifests(), request.replicas())) {
            case PlanManifests.Reading.Refused(var problems) ->
                    throw new DashboardError(
                            422,
                            "InvalidManifest",
                            String.join("\n", problems),
                            "correct the manifests");
            case PlanManifests.Reading.Read(var input) -> without(request, input);
        };
    }

    private static boolean isPlanned(PlanRequest request, Pod pod) {
        return request.pod().isPresent()
                ? request.pod().get().equals(pod.ref())
                : request.isPendingPlanned();
    }

    /// The input without the pending pods that the request does not ask for.
    private PlanInput without(PlanRequest request, PlanInput input) {
        var excluded = new HashSet<ObjectRef>();
        for (var pod : PendingPods.of(watch)) {
            if (!isPlanned(request, pod)) {
                excluded.add(pod.ref());
            }
        }
        return input.withPendingPods(
                input.pendingPods().stream()
                        .filter(pending -> !excluded.contains(pending.pod().ref()))
                        .toList());
    }

    private static void check(PlanRequest request, PlanInput input) throws DashboardError {
        var nodes = new HashSet<>(input.nodes().stream().map(Node::name).toList());
        for (var node : request.removedNodes()) {
            if (!nodes.contains(node)) {
                throw DashboardError.badRequest("removeNodes: unknown node " + node);
            }
        }
        for (var ref : request.released()) {
            if (input.claims().stream().noneMatch(claim -> claim.ref().equals(ref))) {
                throw DashboardError.badRequest("release: unknown claim " + ref);
            }
        }
    }

    private static NodeCopies copies(PlanInput input, PlanRequest.AddedNodes added)
            throws DashboardError {
        return NodeCopies.of(input, added.node(), added.limit())
                .orElseThrow(
                        () -> DashboardError.badRequest("addNodes: unknown node " + added.node()));
    }

    private static JsonObject json(PlanRequest request, PlanInput input, Plan plan) {
        var before = new HashMap<ObjectRef, String>();
        input.pods().forEach(pod -> before.put(pod.ref(), pod.spec().nodeName()));
        var nodes = new HashSet<>(input.nodes().stream().map(Node::name).toList());
        var moved =
                plan.outcomes().stream()
                        .filter(one -> before.containsKey(one.pod().ref()))
                        .map(one -> moved(one, before))
                        .toList();
        var added =
                plan.outcomes().stream()
                        .filter(PlannedPod.Placed.class::isInstance)
                        .map(one -> ((PlannedPod.Placed) one).node())
                        .filter(node -> !nodes.contains(node))
                        .distinct()
                        .map(node -> added(node, request))
                        .toList();
        var ended =
                input.pods().stream()
                        .filter(pod ->
                                PodClaimReferences.all(pod).stream()
                                        .anyMatch(request.released()::contains))
                        .<Json>map(pod -> Json.of(pod.ref().toString()))
                        .toList();
        return JsonObject.of("plan", PlanJson.of(plan))
                .with("moved", Json.array(moved))
                .with("ended", Json.array(ended))
                .with("addedNodes", Json.array(added))
                .with("command", Json.of(command(request)));
    }

    private static JsonObject moved(PlannedPod outcome, Map<ObjectRef, String> before) {
        var ref = outcome.pod().ref();
        var tree =
                JsonObject.of("namespace", Json.of(ref.namespace()))
                        .with("name", Json.of(ref.name()))
                        .with("from", Json.of(before.getOrDefault(ref, "")));
        return outcome instanceof PlannedPod.Placed placed
                ? tree.with("to", Json.of(placed.node()))
                : tree;
    }

    private static JsonObject added(String node, PlanRequest request) {
        var of = request.addedNodes().map(PlanRequest.AddedNodes::node).orElse("");
        return JsonObject.of("name", Json.of(node)).with("of", Json.of(of));
    }

    private static String command(PlanRequest request) {
        var words = new ArrayList<>(List.of("berth", "plan", "--live"));
        if (!request.manifests().isBlank()) {
            words.addAll(List.of("-f", "manifests.yaml"));
        }
        request.commandArguments().forEach(word -> words.add(quoted(word)));
        return String.join(" ", words);
    }

    /// A word as a shell reads it unchanged.
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9@%+=:,./_-]+")
                ? word
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
