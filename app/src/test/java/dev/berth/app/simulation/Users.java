package dev.berth.app.simulation;

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

/// People who want devices, and change their minds.
final class Users {

    static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);
    static final ResourcePath NODES = ResourcePath.of(Kinds.NODE);
    static final ResourcePath TEMPLATES = ResourcePath.of(Kinds.RESOURCE_CLAIM_TEMPLATE);
    static final ResourcePath RULES = ResourcePath.of(Kinds.DEVICE_TAINT_RULE);
    static final ResourcePath QUESTIONS = ResourcePath.of(Kinds.RESOURCE_POOL_STATUS_REQUEST);

    private static final List<JsonObject> WISHES = Documents.resource("wishes.yaml");
    private static final List<String> WANTED =
            WISHES.stream()
                    .filter(one -> one.text("kind").equals("ResourceClaimTemplate"))
                    .map(Users::name)
                    .toList();

    /// Teams do not wish for devices that their pods may have and then have to leave at once: they
    /// would make pods for ever.
    private static final List<String> WANTED_BY_TEAMS =
            WANTED.stream().filter(name -> !name.equals("tolerant-gpu")).toList();

    /// Of the devices that rules taint.
    private static final List<String> SELECTORS =
            List.of("device: gpu-0", "device: gpu-1", "device: half-0", "driver: nic.example.com");

    private static final int POD_NAMES = 8;
    private static final int CLAIM_NAMES = 2;

    private final World world;
    private final Chance chance;
    private final List<String> schedulers;
    private final List<JsonObject> later = new ArrayList<>();

    Users(World world, Chance chance, List<String> schedulers) {
        this.world = world;
        this.chance = chance;
        this.schedulers = schedulers;
    }

    /// Makes classes and templates; a few templates come later.
    void begin() {
        for (var wish : WISHES) {
            var isTemplate = wish.text("kind").equals("ResourceClaimTemplate");
            if (isTemplate && chance.oneIn(5)) {
                later.add(wish);
            } else {
                make(wish);
            }
        }
    }

    private void make(JsonObject wish) {
        var isTemplate = wish.text("kind").equals("ResourceClaimTemplate");
        var address = isTemplate ? TEMPLATES : ResourcePath.of(Kinds.DEVICE_CLASS);
        create(address, isTemplate ? World.NAMESPACE : "", wish);
    }

    void makeAllTemplates() {
        later.forEach(this::make);
        later.clear();
    }

    void act() {
        switch (chance.below(25)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 -> createPod();
            case 8, 9, 10 ->
                    delete(
                            PODS,
                            World.NAMESPACE,
                            "p" + chance.below(POD_NAMES),
                            chance.oneIn(3) ? OptionalLong.of(0) : OptionalLong.empty());
            case 11, 12 -> createClaim();
            case 13 -> delete(CLAIMS, World.NAMESPACE, claimName(), OptionalLong.empty());
            case 14 -> deleteSomeClaim();
            case 15, 16 -> createRule();
            case 17 -> delete(RULES, "", ruleName(), OptionalLong.empty());
            case 18 -> cordon();
            case 19 -> makeAllTemplates();
            case 20 -> ask();
            case 21, 22 -> createTeam();
            case 23 -> changeTeam();
            default -> {}
        }
    }

    private String claimName() {
        return "shared-" + chance.below(CLAIM_NAMES);
    }

    private void createPod() {
        var claims = new ArrayList<String>();
        var what = chance.below(10);
        if (what < 5 || what == 7 || what == 9) {
            claims.add("resourceClaimTemplateName: " + chance.pick(WANTED));
        }
        if (what == 4) {
            claims.add("resourceClaimTemplateName: " + chance.pick(WANTED));
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
        create(PODS, World.NAMESPACE, pod(limits, entries.toString(), uses.toString()));
    }

    /// A pod that sleeps for a while, again and again or once.
    private JsonObject pod(String limits, String entries, String uses) {
        return Documents.one(
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
                                chance.below(POD_NAMES),
                                chance.pick(schedulers),
                                chance.oneIn(2) ? "Always" : "Never",
                                entries,
                                chance.below(60),
                                limits,
                                uses));
    }

    private void createClaim() {
        var template =
                WISHES.stream()
                        .filter(one -> name(one).equals(chance.pick(WANTED)))
                        .filter(one -> one.text("kind").equals("ResourceClaimTemplate"))
                        .findFirst();
        template.ifPresent(one ->
                create(
                        CLAIMS,
                        World.NAMESPACE,
                        one.with("kind", Json.of("ResourceClaim"))
                                .with("metadata", JsonObject.of("name", Json.of(claimName())))
                                .with("spec", one.objectOrEmpty("spec").objectOrEmpty("spec"))));
    }

    private void deleteSomeClaim() {
        var claims = world.all(CLAIMS);
        if (!claims.isEmpty()) {
            delete(CLAIMS, World.NAMESPACE, name(chance.pick(claims)), OptionalLong.empty());
        }
    }

    private void createRule() {
        createRule(
                ruleName(), chance.pick(SELECTORS), chance.oneIn(3) ? "NoSchedule" : "NoExecute");
    }

    /// Has everybody leave their devices.
    void taintAll() {
        createRule("all", "", "NoExecute");
    }

    private void createRule(String name, String selector, String effect) {
        create(
                RULES,
                "",
                Documents.one(
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
        return "rule-" + chance.below(2);
    }

    /// Asks for the state of pools, or no longer wants to know.
    private void ask() {
        var name = "question-" + chance.below(2);
        if (chance.oneIn(3)) {
            delete(QUESTIONS, "", name, OptionalLong.empty());
            return;
        }
        create(
                QUESTIONS,
                "",
                Documents.one(
                        """
                        apiVersion: resource.k8s.io/v1alpha3
                        kind: ResourcePoolStatusRequest
                        metadata: {name: %s}
                        spec: {driver: %s}
                        """
                                .formatted(
                                        name,
                                        chance.pick(
                                                List.of("gpu.example.com", "nic.example.com")))));
    }

    private void createTeam() {
        var size = chance.between(1, 2);
        switch (chance.below(3)) {
            case 0 ->
                    create(Teams.SETS, World.NAMESPACE, Teams.set(template("set", "Always"), size));
            case 1 ->
                    create(
                            Teams.DEPLOYMENTS,
                            World.NAMESPACE,
                            Teams.deployment(template("service", "Always"), size));
            default ->
                    create(
                            Teams.JOBS,
                            World.NAMESPACE,
                            Teams.job(template("batch", "Never"), size));
        }
    }

    private String template(String team, String restart) {
        return Teams.template(
                team,
                chance.pick(schedulers),
                restart,
                chance.below(60),
                chance.pick(WANTED_BY_TEAMS));
    }

    private void changeTeam() {
        switch (chance.below(5)) {
            case 0 -> delete(Teams.SETS, World.NAMESPACE, "set", OptionalLong.empty());
            case 1 -> delete(Teams.DEPLOYMENTS, World.NAMESPACE, "service", OptionalLong.empty());
            case 2 -> delete(Teams.JOBS, World.NAMESPACE, "batch", OptionalLong.empty());
            case 3 -> change(Teams.SETS, "set", "spec: {replicas: %d}".formatted(chance.below(3)));
            default ->
                    change(
                            Teams.DEPLOYMENTS,
                            "service",
                            "spec: {template: {metadata: {annotations: {version: v%d}}}}"
                                    .formatted(chance.below(3)));
        }
    }

    private void change(ResourcePath address, String name, String yaml) {
        said(
                new Request.Patch(
                        address,
                        World.NAMESPACE,
                        name,
                        "",
                        Request.PatchType.MERGE,
                        Documents.one(yaml)));
    }

    void deleteTeams() {
        deleteAll(Teams.DEPLOYMENTS);
        deleteAll(Teams.SETS);
        deleteAll(Teams.JOBS);
    }

    private void cordon() {
        var nodes = world.all(NODES);
        if (!nodes.isEmpty()) {
            cordon(name(chance.pick(nodes)), chance.oneIn(2));
        }
    }

    private void cordon(String node, boolean isClosed) {
        var spec = JsonObject.of("spec", JsonObject.of("unschedulable", Json.of(isClosed)));
        said(new Request.Patch(NODES, "", node, "", Request.PatchType.MERGE, spec));
    }

    void deleteAll(ResourcePath address) {
        for (var one : world.all(address)) {
            var namespace = one.objectOrEmpty("metadata").text("namespace");
            delete(address, namespace, name(one), OptionalLong.empty());
        }
    }

    private void create(ResourcePath address, String namespace, JsonObject object) {
        var outcome = said(Request.Create.of(address, namespace, object));
        if (outcome instanceof RequestResult.Refused refused) {
            throw new IllegalStateException(refused.message());
        }
    }

    private void delete(ResourcePath address, String namespace, String name, OptionalLong grace) {
        said(new Request.Delete(address, namespace, name, Optional.empty(), grace));
    }

    private RequestResult said(Request request) {
        var outcome = world.send(request);
        world.trace.add("user %s: %s".formatted(Words.of(request), Words.of(outcome)));
        return outcome;
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }
}
