package dev.berth.server.kinds.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ResourceQuantities;
import java.util.List;
import java.util.Set;

/// Defaulting of pods and pod templates.
public final class PodDefaults {

    static final String DEFAULT_SCHEDULER = "default-scheduler";
    private static final int FILE_MODE = 0644;
    private static final Set<String> VOLUME_HEAD = Set.of("name");

    private PodDefaults() {}

    static JsonObject pod(JsonObject pod) {
        return DefaultsFiller.spec(
                pod,
                spec -> {
                    var filled = DefaultsFiller.of(spec(spec)).flag("enableServiceLinks", true);
                    for (var list : List.of("initContainers", "containers")) {
                        filled.each(list, PodDefaults::requestsFromLimits);
                    }
                    return filled.done();
                });
    }

    /// Defaults the `template` in an object's `spec`.
    public static JsonObject template(JsonObject spec) {
        return DefaultsFiller.of(spec)
                .into(
                        "template",
                        t ->
                                DefaultsFiller.of(t)
                                        .into("metadata", m -> m)
                                        .into("spec", PodDefaults::spec)
                                        .done())
                .done();
    }

    static JsonObject spec(JsonObject spec) {
        var filled =
                DefaultsFiller.of(spec)
                        .each("initContainers", PodDefaults::container)
                        .each("containers", PodDefaults::container)
                        .each("ephemeralContainers", PodDefaults::container)
                        .text("restartPolicy", "Always")
                        .number("terminationGracePeriodSeconds", 30)
                        .text("dnsPolicy", "ClusterFirst")
                        .json("securityContext", JsonObject.EMPTY)
                        .text("schedulerName", DEFAULT_SCHEDULER)
                        .each("volumes", PodDefaults::volume)
                        .in("resources", PodDefaults::amounts)
                        .in("overhead", ResourceQuantities::canonical);
        if (spec.flag("hostNetwork").orElse(false)) {
            for (var list : List.of("initContainers", "containers")) {
                filled.each(list, PodDefaults::hostPorts);
            }
        }
        return accountNames(filled.done());
    }

    /// Sets both `serviceAccount` (deprecated) and `serviceAccountName`.
    private static JsonObject accountNames(JsonObject spec) {
        var name =
                spec.text("serviceAccountName").isEmpty()
                        ? spec.text("serviceAccount")
                        : spec.text("serviceAccountName");
        return name.isEmpty()
                ? spec
                : spec.with("serviceAccountName", Json.of(name))
                        .with("serviceAccount", Json.of(name));
    }

    private static JsonObject hostPorts(JsonObject container) {
        return DefaultsFiller.of(container)
                .each(
                        "ports",
                        port ->
                                port.number("hostPort").orElse(0) == 0
                                        ? port.with(
                                                "hostPort",
                                                Json.of(port.number("containerPort").orElse(0)))
                                        : port)
                .done();
    }

    private static JsonObject requestsFromLimits(JsonObject container) {
        var resources = container.objectOrEmpty("resources");
        var limits = resources.objectOrEmpty("limits");
        if (limits.isEmpty()) {
            return container;
        }
        var requests = resources.objectOrEmpty("requests");
        for (var limit : limits.members().entrySet()) {
            if (!requests.has(limit.getKey())) {
                requests = requests.with(limit.getKey(), limit.getValue());
            }
        }
        return container.with("resources", resources.with("requests", requests));
    }

    static JsonObject container(JsonObject container) {
        return DefaultsFiller.of(container)
                .each("ports", port -> DefaultsFiller.of(port).text("protocol", "TCP").done())
                .each("env", PodDefaults::variable)
                .into("resources", PodDefaults::amounts)
                .in("livenessProbe", PodDefaults::probe)
                .in("readinessProbe", PodDefaults::probe)
                .in("startupProbe", PodDefaults::probe)
                .in("lifecycle", PodDefaults::lifecycle)
                .text("terminationMessagePath", "/dev/termination-log")
                .text("terminationMessagePolicy", "File")
                .text("imagePullPolicy", pullPolicy(container.text("image")))
                .done();
    }

    private static JsonObject amounts(JsonObject resources) {
        return DefaultsFiller.of(resources)
                .in("limits", ResourceQuantities::canonical)
                .in("requests", ResourceQuantities::canonical)
                .done();
    }

    private static JsonObject variable(JsonObject variable) {
        return DefaultsFiller.of(variable)
                .in(
                        "valueFrom",
                        from ->
                                DefaultsFiller.of(from)
                                        .in(
                                                "fieldRef",
                                                r ->
                                                        DefaultsFiller.of(r)
                                                                .text("apiVersion", "v1")
                                                                .done())
                                        .done())
                .done();
    }

    private static JsonObject probe(JsonObject probe) {
        return DefaultsFiller.of(probe)
                .in("httpGet", PodDefaults::httpGet)
                .in("grpc", g -> DefaultsFiller.of(g).json("service", Json.of("")).done())
                .nonZero("timeoutSeconds", Json.of(1))
                .nonZero("periodSeconds", Json.of(10))
                .nonZero("successThreshold", Json.of(1))
                .nonZero("failureThreshold", Json.of(3))
                .done();
    }

    private static JsonObject httpGet(JsonObject get) {
        return DefaultsFiller.of(get).text("path", "/").text("scheme", "HTTP").done();
    }

    private static JsonObject lifecycle(JsonObject lifecycle) {
        return DefaultsFiller.of(lifecycle)
                .in(
                        "postStart",
                        h -> DefaultsFiller.of(h).in("httpGet", PodDefaults::httpGet).done())
                .in("preStop", h -> DefaultsFiller.of(h).in("httpGet", PodDefaults::httpGet).done())
                .done();
    }

    /// The default pull policy: Always for images without a tag or with tag latest.
    static String pullPolicy(String image) {
        var name = image.substring(image.lastIndexOf('/') + 1);
        var digest = name.indexOf('@');
        var colon = (digest < 0 ? name : name.substring(0, digest)).indexOf(':');
        var tag = colon < 0 ? "" : name.substring(colon + 1, digest < 0 ? name.length() : digest);
        return tag.equals("latest") || (tag.isEmpty() && digest < 0) ? "Always" : "IfNotPresent";
    }

    private static JsonObject volume(JsonObject volume) {
        var filled =
                DefaultsFiller.of(volume)
                        .in(
                                "secret",
                                v -> DefaultsFiller.of(v).number("defaultMode", FILE_MODE).done())
                        .in(
                                "configMap",
                                v -> DefaultsFiller.of(v).number("defaultMode", FILE_MODE).done())
                        .in(
                                "downwardAPI",
                                v ->
                                        DefaultsFiller.of(downward(v))
                                                .number("defaultMode", FILE_MODE)
                                                .done())
                        .in("projected", PodDefaults::projected)
                        .in("hostPath", v -> DefaultsFiller.of(v).json("type", Json.of("")).done())
                        .in("ephemeral", PodDefaults::ephemeral);
        return volume.names().stream().allMatch(VOLUME_HEAD::contains)
                ? filled.set("emptyDir", JsonObject.EMPTY).done()
                : filled.done();
    }

    private static JsonObject ephemeral(JsonObject volume) {
        return DefaultsFiller.of(volume)
                .in(
                        "volumeClaimTemplate",
                        template -> DefaultsFiller.spec(template, PodDefaults::claimSpec))
                .done();
    }

    private static JsonObject claimSpec(JsonObject spec) {
        return DefaultsFiller.of(spec).text("volumeMode", "Filesystem").done();
    }

    private static JsonObject downward(JsonObject source) {
        return DefaultsFiller.of(source)
                .each(
                        "items",
                        item ->
                                DefaultsFiller.of(item)
                                        .in(
                                                "fieldRef",
                                                r ->
                                                        DefaultsFiller.of(r)
                                                                .text("apiVersion", "v1")
                                                                .done())
                                        .done())
                .done();
    }

    private static JsonObject projected(JsonObject volume) {
        return DefaultsFiller.of(volume)
                .number("defaultMode", FILE_MODE)
                .each(
                        "sources",
                        source ->
                                DefaultsFiller.of(source)
                                        .in(
                                                "serviceAccountToken",
                                                t ->
                                                        DefaultsFiller.of(t)
                                                                .number("expirationSeconds", 3600)
                                                                .done())
                                        .in("downwardAPI", PodDefaults::downward)
                                        .done())
                .done();
    }

    /// The QoS class, computed from the requests and limits of the containers.
    public static String qualityOfService(JsonObject spec) {
        var any = false;
        var all = true;
        for (var list : List.of("initContainers", "containers")) {
            for (var container : spec.objects(list)) {
                var resources = container.objectOrEmpty("resources");
                for (var name : List.of("cpu", "memory")) {
                    var request =
                            ResourceQuantities.orZero(resources.objectOrEmpty("requests"), name);
                    var limit = ResourceQuantities.orZero(resources.objectOrEmpty("limits"), name);
                    any |= request.signum() > 0 || limit.signum() > 0;
                    all &= limit.signum() > 0 && request.equals(limit);
                }
            }
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }
}
