package dev.berth.control.simulation;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Users that create, change and delete pods, claims, workloads and rules.
final class SimulatedUsers {

    static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);
    static final ResourcePath RULES = ResourcePath.of(Kinds.DEVICE_TAINT_RULE);
    static final ResourcePath POOL_STATUS_REQUESTS =
            ResourcePath.of(Kinds.RESOURCE_POOL_STATUS_REQUEST);

    private static final List<JsonObject> OBJECTS =
            YamlDocuments.resource("classes-and-templates.yaml");
    private static final List<String> POD_REQUESTS =
            OBJECTS.stream()
                    .filter(one -> one.text("kind").equals("ResourceClaimTemplate"))
                    .map(SimulatedUsers::name)
                    .toList();

    /// Workloads do not request devices from which their pods would be evicted at once: they would
    /// create pods for ever.
    private static final List<String> WORKLOAD_REQUESTS =
            POD_REQUESTS.stream().filter(name -> !name.equals("tolerant-gpu")).toList();

    /// Selectors of the rules that taint devices.
    private static final List<String> SELECTORS =
            List.of("device: gpu-0", "device: gpu-1", "device: half-0", "driver: nic.example.com");

    private static final int POD_NAMES = 8;
    private static final int CLAIM_NAMES = 2;

    private final SimulationEnvironment environment;
    private final SimulationRandom random;
    private final List<String> schedulers;
    private final List<JsonObject> later = new ArrayList<>();

    SimulatedUsers(
            SimulationEnvironment environment, SimulationRandom random, List<String> schedulers) {
        this.environment = environment;
        this.random = random;
        this.schedulers = schedulers;
    }

    /// Creates classes and templates; a few templates are created later.
    void start() {
        for (var object : OBJECTS) {
            var isTemplate = object.text("kind").equals("ResourceClaimTemplate");
            if (isTemplate && random.oneIn(5)) {
                later.add(object);
            } else {
                create(object);
            }
        }
    }

    private void create(JsonObject object) {
        var isTemplate = object.text("kind").equals("ResourceClaimTemplate");
        var address = isTemplate ? TEMPLATES : ResourcePath.of(Kinds.DEVICE_CLASS);
        create(address, isTemplate ? SimulationEnvironment.NAMESPACE : "", object);
    }

    /// Creates the objects of a crash story.
    void createCrashStory() {
        for (var object : YamlDocuments.resource("crash-story.yaml")) {
            var path =
                    switch (object.text("kind")) {
                        case "StorageClass" -> ResourcePath.of(Kinds.STORAGE_CLASS);
                        case "PersistentVolume" -> ResourcePath.of(Kinds.PERSISTENT_VOLUME);
                        case "PersistentVolumeClaim" ->
                                ResourcePath.of(Kinds.PERSISTENT_VOLUME_CLAIM);
                        case "ResourceClaim" -> CLAIMS;
                        default -> PODS;
                    };
            create(path, object.objectOrEmpty("metadata").text("namespace"), object);
        }
    }

    void createAllTemplates() {
        later.forEach(this::create);
        later.clear();
    }

    void act() {
        switch (random.nextInt(25)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> createPod();
            case 8, 9, 10 ->
                    delete(
                            PODS,
                            SimulationEnvironment.NAMESPACE,
                            "p" + random.nextInt(POD_NAMES),
                            random.oneIn(3) ? OptionalLong.of(0) : OptionalLong.empty());
            case 11, 12 -> createClaim();
            case 13 ->
                    delete(
                            CLAIMS,
                            SimulationEnvironment.NAMESPACE,
                            claimName(),
                            OptionalLong.empty());
            case 14 -> deleteSomeClaim();
            case 15, 16 -> createRule();
            case 17 -> delete(RULES, "", ruleName(), OptionalLong.empty());
            case 18 -> cordon();
            case 19 -> createAllTemplates();
            case 20 -> changePoolStatusRequest();
            case 21, 22 -> createWorkload();
            case 23 -> changeWorkload();
            default -> {}
        }
    }

    private String claimName() {
        return "shared-" + random.nextInt(CLAIM_NAMES);
    }

    private void createPod() {
        var claims = new ArrayList<String>();
        var what = random.nextInt(10);
        if (what < 5 || what == 7 || what == 9) {
            claims.add("resourceClaimTemplateName: " + random.pick(POD_REQUESTS));
        }
        if (what == 4) {
            claims.add("resourceClaimTemplateName: " + random.pick(POD_REQUESTS));
        }
        if (what >= 5 && what < 8) {
            claims.add("resourceClaimName: " + claimName());
        }
        var limits = what < 8 ? "{}" : "{example.com/gpu: 1}";
        var entries = new StringBuilder();
        var uses = new StringBuilder();
        for (var i = 0; i < claims.size(); i++) {
            entries.append("{name: c%d, %s},".formatted(i, claims.get(i)));
            uses.append("{name: c%d},".formatted(i));
        }
        create(
                PODS,
                SimulationEnvironment.NAMESPACE,
                pod(limits, entries.toString(), uses.toString()));
    }

    /// A pod that sleeps for a while, once or repeatedly.
    private JsonObject pod(String limits, String entries, String uses) {
        return YamlDocuments.one(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p%d}
                spec:
                  schedulerName: %s
                  restartPolicy: %s
                  resourceClaims: [%s]
                  containers:
                  - name: c
                    image: i
                    command: [sleep, "%d"]
                    resources: {limits: %s, claims: [%s]}
                """
                        .formatted(
                                random.nextInt(POD_NAMES),
                                random.pick(schedulers),
                                random.oneIn(2) ? "Always" : "Never",
                                entries,
                                random.nextInt(60),
                                limits,
                                uses));
    }

    private void createClaim() {
        var template =
                OBJECTS.stream()
                        .filter(one -> name(one).equals(random.pick(POD_REQUESTS)))
                        .filter(one -> one.text("kind").equals("ResourceClaimTemplate"))
                        .findFirst();
        template.ifPresent(one ->
                create(
                        CLAIMS,
                        SimulationEnvironment.NAMESPACE,
                        one.with("kind", Json.of("ResourceClaim"))
                                .with("metadata", JsonObject.of("name", Json.of(claimName())))
                                .with("spec", one.objectOrEmpty("spec").objectOrEmpty("spec"))));
    }

    private void deleteSomeClaim() {
        var claims = environment.all(CLAIMS);
        if (!claims.isEmpty()) {
            delete(
                    CLAIMS,
                    SimulationEnvironment.NAMESPACE,
                    name(random.pick(claims)),
                    OptionalLong.empty());
        }
    }

    private void createRule() {
        createRule(
                ruleName(), random.pick(SELECTORS), random.oneIn(3) ? "NoSchedule" : "NoExecute");
    }

    /// Taints all devices with `NoExecute`.
    void taintAll() {
        createRule("all", "", "NoExecute");
    }

    private void createRule(String name, String selector, String effect) {
        create(
                RULES,
                "",
                YamlDocuments.one(
                        """
                        apiVersion: resource.k8s.io/v1
                        kind: DeviceTaintRule
                        metadata: {name: %s}
                        spec:
                          deviceSelector: {%s}
                          taint: {key: example.com/bad, effect: %s}
                        """
                                .formatted(name, selector, effect)));
    }

    private String ruleName() {
        return "rule-" + random.nextInt(2);
    }

    /// Creates or deletes a ResourcePoolStatusRequest.
    private void changePoolStatusRequest() {
        var name = "question-" + random.nextInt(2);
        if (random.oneIn(3)) {
            delete(POOL_STATUS_REQUESTS, "", name, OptionalLong.empty());
            return;
        }
        create(
                POOL_STATUS_REQUESTS,
                "",
                YamlDocuments.one(
                        """
                        apiVersion: resource.k8s.io/v1alpha3
                        kind: ResourcePoolStatusRequest
                        metadata: {name: %s}
                        spec: {driver: %s}
                        """
                                .formatted(
                                        name,
                                        random.pick(
                                                List.of("gpu.example.com", "nic.example.com")))));
    }

    private void createWorkload() {
        var size = random.between(1, 2);
        switch (random.nextInt(3)) {
            case 0 ->
                    create(
                            WorkloadManifests.SETS,
                            SimulationEnvironment.NAMESPACE,
                            WorkloadManifests.set(template("set", "Always"), size));
            case 1 ->
                    create(
                            WorkloadManifests.DEPLOYMENTS,
                            SimulationEnvironment.NAMESPACE,
                            WorkloadManifests.deployment(template("service", "Always"), size));
            default ->
                    create(
                            WorkloadManifests.JOBS,
                            SimulationEnvironment.NAMESPACE,
                            WorkloadManifests.job(template("batch", "Never"), size));
        }
    }

    private String template(String workload, String restart) {
        return WorkloadManifests.template(
                workload,
                random.pick(schedulers),
                restart,
                random.nextInt(60),
                random.pick(WORKLOAD_REQUESTS));
    }

    private void changeWorkload() {
        switch (random.nextInt(5)) {
            case 0 ->
                    delete(
                            WorkloadManifests.SETS,
                            SimulationEnvironment.NAMESPACE,
                            "set",
                            OptionalLong.empty());
            case 1 ->
                    delete(
                            WorkloadManifests.DEPLOYMENTS,
                            SimulationEnvironment.NAMESPACE,
                            "service",
                            OptionalLong.empty());
            case 2 ->
                    delete(
                            WorkloadManifests.JOBS,
                            SimulationEnvironment.NAMESPACE,
                            "batch",
                            OptionalLong.empty());
            case 3 ->
                    change(
                            WorkloadManifests.SETS,
                            "set",
                            "spec: {replicas: %d}".formatted(random.nextInt(3)));
            default ->
                    change(
                            WorkloadManifests.DEPLOYMENTS,
                            "service",
                            "spec: {template: {metadata: {annotations: {version: v%d}}}}"
                                    .formatted(random.nextInt(3)));
        }
    }

    private void change(ResourcePath address, String name, String yaml) {
        send(
                new Request.Patch(
                        address,
                        SimulationEnvironment.NAMESPACE,
                        name,
                        "",
                        Request.PatchType.MERGE,
                        YamlDocuments.one(yaml)));
    }

    void deleteWorkloads() {
        deleteAll(WorkloadManifests.DEPLOYMENTS);
        deleteAll(WorkloadManifests.SETS);
        deleteAll(WorkloadManifests.JOBS);
    }

    private void cordon() {
        var nodes = environment.all(NODES);
        if (!nodes.isEmpty()) {
            cordon(name(random.pick(nodes)), random.oneIn(2));
        }
    }

    private void cordon(String node, boolean isClosed) {
        var spec = JsonObject.of("spec", JsonObject.of("unschedulable", Json.of(isClosed)));
        send(new Request.Patch(NODES, "", node, "", Request.PatchType.MERGE, spec));
    }

    void deleteAll(ResourcePath address) {
        for (var one : environment.all(address)) {
            var namespace = one.objectOrEmpty("metadata").text("namespace");
            delete(address, namespace, name(one), OptionalLong.empty());
        }
    }

    private void create(ResourcePath address, String namespace, JsonObject object) {
        var outcome = send(Request.Create.of(address, namespace, object));
        if (outcome instanceof RequestResult.Refused refused) {
            throw new IllegalStateException(refused.message());
        }
    }

    private void delete(ResourcePath address, String namespace, String name, OptionalLong grace) {
        send(new Request.Delete(address, namespace, name, Optional.empty(), grace));
    }

    private RequestResult send(Request request) {
        var outcome = environment.send(request);
        environment.trace.add(
                "user %s: %s".formatted(RequestText.of(request), RequestText.of(outcome)));
        return outcome;
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }
}
