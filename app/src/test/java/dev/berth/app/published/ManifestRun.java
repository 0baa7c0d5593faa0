package dev.berth.app.published;

import dev.berth.app.manifest.Manifest;
import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.embedded.EmbeddedBerth;
import dev.berth.harness.Eventually;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Applies manifests to a whole cluster and collects the result of each object with pods or
/// devices.
///
/// A claim or template that no pod of the manifests uses gets a generated pod. A claim that was
/// created for a pod of another cluster would be garbage-collected, so a copy of it is created.
final class ManifestRun {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final String OUR_LABEL = "made-for";
    private static final String NO_CLAIM = "FailedResourceClaimCreation";
    private static final String COPY = " (a copy)";
    private static final Set<String> OF_NO_NAMESPACE =
            Set.of("Namespace", "DeviceClass", "ResourceSlice", "DeviceTaintRule");
    private static final Set<String> ASKING = Set.of("ResourceClaim", "ResourceClaimTemplate");

    private final Cluster cluster;
    private final Map<String, ManifestResult> results = new LinkedHashMap<>();
    private final Map<String, Integer> expectedPods = new LinkedHashMap<>();

    ManifestRun(EmbeddedBerth whole) {
        this.cluster = whole.cluster("published");
    }

    /// Applies manifests and waits until all results are final.
    ///
    /// @param isGood whether the results are complete
    Map<String, ManifestResult> run(
            List<Manifest> manifests, Predicate<Map<String, ManifestResult>> isGood) {
        namespaces(manifests).forEach(this::makeNamespace);
        manifests.forEach(manifest -> create(placed(manifest.object())));
        for (var manifest : manifests) {
            var object = placed(manifest.object());
            if (isCaptured(object)) {
                makePodFor(copyOf(object), name(object) + COPY);
            } else if (isLonely(object, manifests)) {
                makePodFor(object, name(object));
            }
        }
        var seen = new AtomicReference<>(outcome());
        Eventually.holds(
                () -> "the results are final: " + seen.get(),
                () -> {
                    seen.set(outcome());
                    return isGood.test(seen.get());
                });
        return seen.get();
    }

    private static Set<String> namespaces(List<Manifest> manifests) {
        var names = new HashSet<String>();
        for (var manifest : manifests) {
            names.add(namespace(placed(manifest.object())));
        }
        names.remove("");
        names.remove("default");
        return names;
    }

    /// The object with the namespace that kubectl would set.
    static JsonObject placed(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return OF_NO_NAMESPACE.contains(object.text("kind")) || metadata.has("namespace")
                ? object
                : object.with("metadata", metadata.with("namespace", Json.of("default")));
    }

    private void makeNamespace(String name) {
        var object =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Namespace"))
                        .with("metadata", JsonObject.of("name", Json.of(name)));
        cluster.send(Request.Create.of(new ResourcePath("", "v1", "namespaces"), "", object));
    }

    private void create(JsonObject object) {
        var name = name(object);
        if (object.text("apiVersion").isEmpty()) {
            // kubectl refuses to send it.
            results.put(name, new ManifestResult.Rejected("apiVersion is not set"));
            return;
        }
        var address = address(object);
        var outcome = cluster.send(Request.Create.of(address, namespace(object), object));
        // An existing object is updated, as kubectl apply does.
        if (outcome instanceof RequestResult.Exists) {
            outcome =
                    cluster.send(
                            new Request.Patch(
                                    address,
                                    namespace(object),
                                    object.objectOrEmpty("metadata").text("name"),
                                    "",
                                    Request.PatchType.MERGE,
                                    object));
        }
        if (!outcome.isDone()) {
            results.put(name, new ManifestResult.Rejected(outcome.message()));
        } else if (pods(object) > 0) {
            expectedPods.put(name, pods(object));
        }
    }

    private static String namespace(JsonObject object) {
        return object.objectOrEmpty("metadata").text("namespace");
    }

    static String name(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var name = metadata.string("name").orElseGet(() -> metadata.text("generateName"));
        var namespace = metadata.text("namespace");
        return object.text("kind") + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
    }

    private static ResourcePath address(JsonObject object) {
        var apiVersion = object.text("apiVersion");
        var slash = apiVersion.indexOf('/');
        return new ResourcePath(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                plural(object.text("kind").toLowerCase(Locale.ROOT)));
    }

    private static String plural(String kind) {
        return kind.endsWith("y")
                ? kind.substring(0, kind.length() - 1) + "ies"
                : kind.endsWith("s") ? kind + "es" : kind + "s";
    }

    /// The number of pods that an object creates at once.
    private static int pods(JsonObject object) {
        var spec = object.objectOrEmpty("spec");
        return switch (object.text("kind")) {
            case "Pod" -> 1;
            case "Deployment" -> (int) spec.number("replicas").orElse(1);
            case "Job" ->
                    (int)
                            Math.min(
                                    spec.number("parallelism").orElse(1),
                                    spec.number("completions").orElse(1));
            default -> 0;
        };
    }

    private static boolean isCaptured(JsonObject object) {
        return object.text("kind").equals("ResourceClaim")
                && !object.objectOrEmpty("metadata").items("ownerReferences").isEmpty();
    }

    /// A copy of a claim with the same spec.
    private JsonObject copyOf(JsonObject claim) {
        var metadata =
                JsonObject.of("name", Json.of(claim.objectOrEmpty("metadata").text("name") + "-b"))
                        .with("namespace", Json.of(namespace(claim)));
        var copy = claim.without("status").with("metadata", metadata);
        create(copy);
        return copy;
    }

    private boolean isLonely(JsonObject object, List<Manifest> manifests) {
        return ASKING.contains(object.text("kind"))
                && !results.containsKey(name(object))
                && manifests.stream()
                        .map(Manifest::object)
                        .flatMap(ManifestRun::podSpecs)
                        .flatMap(spec -> spec.objects("resourceClaims").stream())
                        .noneMatch(entry -> names(entry, object));
    }

    private static Stream<JsonObject> podSpecs(JsonObject object) {
        var spec = object.objectOrEmpty("spec");
        return Stream.of(spec, spec.objectOrEmpty("template").objectOrEmpty("spec"));
    }

    private static boolean names(JsonObject entry, JsonObject object) {
        var name = object.objectOrEmpty("metadata").text("name");
        return entry.text(reference(object)).equals(name);
    }

    private static String reference(JsonObject object) {
        return object.text("kind").equals("ResourceClaim")
                ? "resourceClaimName"
                : "resourceClaimTemplateName";
    }

    private void makePodFor(JsonObject asking, String reason) {
        var name = asking.objectOrEmpty("metadata").text("name");
        var entry =
                JsonObject.of("name", Json.of("devices")).with(reference(asking), Json.of(name));
        var container =
                JsonObject.of("name", Json.of("main"))
                        .with("image", Json.of("busybox"))
                        .with(
                                "resources",
                                JsonObject.of(
                                        "claims",
                                        Json.array(JsonObject.of("name", Json.of("devices")))));
        var metadata =
                JsonObject.of("name", Json.of("for-" + name))
                        .with("namespace", Json.of(namespace(asking)))
                        .with("annotations", JsonObject.of(OUR_LABEL, Json.of(reason)));
        var pod =
                JsonObject.of("apiVersion", Json.of("v1"))
                        .with("kind", Json.of("Pod"))
                        .with("metadata", metadata)
                        .with(
                                "spec",
                                JsonObject.of("containers", Json.array(container))
                                        .with("resourceClaims", Json.array(entry)));
        expectedPods.put(reason, 1);
        cluster.send(Request.Create.of(PODS, namespace(asking), pod));
    }

    private Map<String, ManifestResult> outcome() {
        var all = new LinkedHashMap<>(results);
        var pods = new LinkedHashMap<String, Integer>();
        var events = list(ResourcePath.EVENTS);
        for (var pod : list(PODS)) {
            var owner = owner(pod);
            pods.merge(owner, 1, Integer::sum);
            var result = result(pod, events);
            if (!(result instanceof ManifestResult.Placed) || !all.containsKey(owner)) {
                all.put(owner, result);
            }
        }
        expectedPods.forEach((name, count) -> {
            var there = pods.getOrDefault(name, 0);
            if (there < count) {
                all.put(
                        name,
                        new ManifestResult.Pending(
                                "%d of %d pods are there".formatted(there, count)));
            }
        });
        return all;
    }

    private List<JsonObject> list(ResourcePath address) {
        return cluster.send(new Request.Get(address, "", ""))
                        instanceof RequestResult.Done(var list)
                ? list.objects("items")
                : List.of();
    }

    private static ManifestResult result(JsonObject pod, List<JsonObject> events) {
        if (pod.objectOrEmpty("spec").has("nodeName")) {
            return new ManifestResult.Placed();
        }
        var uid = pod.objectOrEmpty("metadata").text("uid");
        return new ManifestResult.Pending(
                Stream.concat(
                                pod.objectOrEmpty("status").objects("conditions").stream()
                                        .filter(one -> one.text("type").equals("PodScheduled")),
                                // A pod without claims is not scheduled at all.
                                events.stream()
                                        .filter(one -> one.text("reason").equals(NO_CLAIM))
                                        .filter(one ->
                                                one.objectOrEmpty("involvedObject")
                                                        .text("uid")
                                                        .equals(uid)))
                        .map(one -> one.text("message"))
                        .collect(Collectors.joining(" ")));
    }

    /// The object that a pod belongs to: itself, a claim with a generated pod, or its top-level
    /// owner.
    private String owner(JsonObject pod) {
        var metadata = pod.objectOrEmpty("metadata");
        var ours = metadata.objectOrEmpty("annotations").string(OUR_LABEL);
        if (ours.isPresent()) {
            return ours.get();
        }
        var owner = metadata.objects("ownerReferences").stream().findFirst();
        if (owner.isEmpty()) {
            var named = metadata.string("generateName").isPresent();
            return "Pod %s/%s"
                    .formatted(namespace(pod), metadata.text(named ? "generateName" : "name"));
        }
        var kind = owner.get().text("kind");
        var name = owner.get().text("name");
        return kind.equals("ReplicaSet")
                ? "Deployment %s/%s".formatted(namespace(pod), name.replaceFirst("-[^-]*$", ""))
                : "%s %s/%s".formatted(kind, namespace(pod), name);
    }
}
