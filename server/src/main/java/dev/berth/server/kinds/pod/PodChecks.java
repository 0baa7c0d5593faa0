package dev.berth.server.kinds.pod;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.validation.MetadataValidation;
import dev.berth.core.admission.validation.PodValidation;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.IpAddresses;
import dev.berth.server.kinds.check.ObjectChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Validates pod specs, of pods and of templates. Device claims are validated by the admission of
/// `core`.
public final class PodChecks {

    static final List<String> RESTARTS = List.of("Always", "Never", "OnFailure");
    private static final List<String> DNS =
            List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");
    private static final int MAX_NAMESERVERS = 3;
    private static final int MAX_SEARCHES = 32;

    private final ObjectChecks checks;

    private PodChecks(ObjectChecks checks) {
        this.checks = checks;
    }

    static void spec(JsonObject spec, FieldPath path, ObjectChecks checks) {
        new PodChecks(checks).check(spec, path);
    }

    /// Validates the pod template of a workload.
    public static void template(JsonObject template, FieldPath path, ObjectChecks checks) {
        var metadata = template.objectOrEmpty("metadata");
        var templateMetadata = TreeEdits.copyMember(JsonObject.EMPTY, metadata, "annotations");
        templateMetadata = TreeEdits.copyMember(templateMetadata, metadata, "labels");
        MetadataValidation.checkTemplate(
                templateMetadata, path.child("metadata"), checks.problems());
        var spec = template.objectOrEmpty("spec");
        if (!spec.items("ephemeralContainers").isEmpty()) {
            checks.forbidden(
                    path.child("spec").child("ephemeralContainers"),
                    "ephemeral containers not allowed in pod template");
        }
        PodValidation.checkTemplate(spec, path.child("spec"), checks.problems());
        spec(spec, path.child("spec"), checks);
    }

    public static void labels(JsonObject labels, FieldPath path, ObjectChecks checks) {
        for (var label : labels.names()) {
            checks.form(label, path, NameFormats.labelKey(label));
            checks.form(labels.text(label), path, NameFormats.labelValue(labels.text(label)));
        }
    }

    private void check(JsonObject spec, FieldPath path) {
        var volumes = VolumeChecks.names(spec, path, checks);
        var containers = new ContainerChecks(checks, spec, volumes);
        containers.all(path);
        checks.oneOf(spec, "restartPolicy", path, RESTARTS);
        checks.oneOf(spec, "dnsPolicy", path, DNS);
        checks.optionalOneOf(
                spec, "preemptionPolicy", path, List.of("Never", "PreemptLowerPriority"));
        checks.notNegative(spec, "terminationGracePeriodSeconds", path);
        checks.between(spec, "activeDeadlineSeconds", path, 1, Integer.MAX_VALUE);
        labels(spec.objectOrEmpty("nodeSelector"), path.child("nodeSelector"), checks);
        names(spec, path);
        dns(spec, path);
        security(spec.objectOrEmpty("securityContext"), path.child("securityContext"));
        checks.each(spec, "imagePullSecrets", path, (one, at) -> checks.text(one, "name", at));
        checks.each(
                spec, "hostAliases", path, (one, at) -> address(one.text("ip"), at.child("ip")));
        AffinityChecks.tolerations(spec, path, checks);
        spec.object("affinity")
                .ifPresent(a -> AffinityChecks.affinity(a, path.child("affinity"), checks));
        AffinityChecks.spread(spec, path, checks);
        gates(spec, path);
        checks.each(
                spec,
                "readinessGates",
                path,
                (one, at) ->
                        checks.form(
                                one.text("conditionType"),
                                at.child("conditionType"),
                                NameFormats.labelKey(one.text("conditionType"))));
        spec.object("os")
                .ifPresent(os ->
                        checks.oneOf(os, "name", path.child("os"), List.of("linux", "windows")));
        if (spec.flag("shareProcessNamespace").orElse(false)
                && spec.flag("hostPID").orElse(false)) {
            checks.invalid(
                    path.child("shareProcessNamespace"),
                    Json.of(true),
                    "ShareProcessNamespace and HostPID cannot both be enabled");
        }
        ResourceChecks.list(spec.objectOrEmpty("overhead"), path.child("overhead"), checks);
    }

    private void names(JsonObject spec, FieldPath path) {
        for (var name :
                List.of(
                        "serviceAccountName",
                        "nodeName",
                        "priorityClassName",
                        "runtimeClassName")) {
            if (!spec.text(name).isEmpty()) {
                checks.subdomain(spec.text(name), path.child(name));
            }
        }
        for (var name : List.of("hostname", "subdomain")) {
            if (!spec.text(name).isEmpty()) {
                checks.label(spec.text(name), path.child(name));
            }
        }
        if (!spec.text("schedulerName").isEmpty()) {
            checks.form(
                    spec.text("schedulerName"),
                    path.child("schedulerName"),
                    NameFormats.labelKey(spec.text("schedulerName")));
        }
        spec.object("schedulingGroup")
                .ifPresent(group -> {
                    var at = path.child("schedulingGroup");
                    if (checks.text(group, "podGroupName", at)) {
                        checks.subdomain(group.text("podGroupName"), at.child("podGroupName"));
                    }
                });
    }

    private void dns(JsonObject spec, FieldPath path) {
        var config = spec.objectOrEmpty("dnsConfig");
        var at = path.child("dnsConfig");
        var servers = config.strings("nameservers");
        if (spec.text("dnsPolicy").equals("None") && servers.isEmpty()) {
            checks.required(
                    at.child("nameservers"),
                    "must provide at least one DNS nameserver when `dnsPolicy` is None");
        }
        if (servers.size() > MAX_NAMESERVERS) {
            checks.invalid(
                    at.child("nameservers"),
                    new Json.JsonArray(config.items("nameservers")),
                    "must not have more than %d nameservers".formatted(MAX_NAMESERVERS));
        }
        for (var i = 0; i < servers.size(); i++) {
            address(servers.get(i), at.child("nameservers").index(i));
        }
        if (config.items("searches").size() > MAX_SEARCHES) {
            checks.invalid(
                    at.child("searches"),
                    new Json.JsonArray(config.items("searches")),
                    "must not have more than %d search paths".formatted(MAX_SEARCHES));
        }
        checks.each(
                config,
                "options",
                at,
                (option, place) -> {
                    if (option.text("name").isEmpty()) {
                        checks.required(place, "must not be empty");
                    }
                });
    }

    private void address(String value, FieldPath path) {
        if (!IpAddresses.isAddress(value)) {
            checks.invalid(
                    path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }

    private void security(JsonObject context, FieldPath path) {
        for (var name : List.of("runAsUser", "runAsGroup", "fsGroup")) {
            checks.between(context, name, path, 0, Integer.MAX_VALUE);
        }
        checks.optionalOneOf(
                context, "fsGroupChangePolicy", path, List.of("Always", "OnRootMismatch"));
        profile(context, path, checks);
        var seen = new HashSet<String>();
        checks.each(
                context,
                "sysctls",
                path,
                (sysctl, at) -> {
                    if (checks.text(sysctl, "name", at) && !seen.add(sysctl.text("name"))) {
                        checks.add(
                                FieldError.duplicate(
                                        at.child("name"), Json.of(sysctl.text("name"))));
                    }
                });
    }

    /// Validates the seccomp profile of a pod or a container.
    static void profile(JsonObject context, FieldPath path, ObjectChecks checks) {
        context.object("seccompProfile")
                .ifPresent(profile -> {
                    var at = path.child("seccompProfile");
                    checks.oneOf(
                            profile,
                            "type",
                            at,
                            List.of("Localhost", "RuntimeDefault", "Unconfined"));
                    if (profile.text("type").equals("Localhost")
                            && profile.text("localhostProfile").isEmpty()) {
                        checks.required(
                                at.child("localhostProfile"),
                                "must be set when seccomp type is Localhost");
                    }
                });
    }

    private void gates(JsonObject spec, FieldPath path) {
        var seen = new HashSet<String>();
        checks.each(
                spec,
                "schedulingGates",
                path,
                (gate, at) -> {
                    var name = gate.text("name");
                    checks.form(name, at, NameFormats.labelKey(name));
                    if (!seen.add(name)) {
                        checks.add(FieldError.duplicate(at, Json.of(name)));
                    }
                });
    }

    /// Checks of pods that do not apply to templates.
    static void newPod(JsonObject pod, ObjectChecks checks) {
        var spec = pod.objectOrEmpty("spec");
        if (!spec.items("ephemeralContainers").isEmpty()) {
            checks.forbidden(
                    ObjectChecks.SPEC.child("ephemeralContainers"), "cannot be set on create");
        }
        if (!spec.items("schedulingGates").isEmpty() && !spec.text("nodeName").isEmpty()) {
            checks.forbidden(
                    ObjectChecks.SPEC.child("nodeName"),
                    "cannot be set until all schedulingGates have been cleared");
        }
    }

    /// The names of the containers in a list.
    static Set<String> containerNames(JsonObject spec, String list) {
        var names = new HashSet<String>();
        spec.objects(list).forEach(container -> names.add(container.text("name")));
        return names;
    }
}
