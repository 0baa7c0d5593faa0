package dev.berth.server.admission;

import dev.berth.core.podsecurity.ControlViolation;
import dev.berth.core.podsecurity.NamespacePolicy;
import dev.berth.core.podsecurity.PodSecurity;
import dev.berth.core.podsecurity.SecurityLevel;
import dev.berth.core.podsecurity.VersionedLevel;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pod Security admission: rejects pods that violate the level enforced by their namespace, and
/// logs and warns of violations of its audit and warn levels. Workloads with pod templates are
/// never rejected.
public final class PodSecurityAdmission implements AdmissionChain.Rule {

    private static final Logger LOG = LoggerFactory.getLogger(PodSecurityAdmission.class);

    /// Maximum number of existing pods that are evaluated when the labels of a namespace change.
    private static final int MAX_PODS = 3000;

    private static final String PODS = "pods";
    private static final String NAMESPACES = "namespaces";
    private static final String CRON_JOBS = "batch/cronjobs";

    /// Collections whose objects have a pod template in `spec.template`.
    private static final List<String> WORKLOADS =
            List.of(
                    "replicationcontrollers",
                    "apps/daemonsets",
                    "apps/deployments",
                    "apps/replicasets",
                    "apps/statefulsets",
                    "batch/jobs");

    private static final List<String> CONTAINER_LISTS =
            List.of("containers", "initContainers", "ephemeralContainers");
    private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
    private static final String SECCOMP_CONTAINER =
            "container.seccomp.security.alpha.kubernetes.io/";

    private final NamespacePolicy defaults;

    /// @param level level of namespaces without labels, in all modes
    public PodSecurityAdmission(SecurityLevel level) {
        this.defaults = NamespacePolicy.of(level);
    }

    @Override
    public List<String> onCreate(Resource resource, JsonObject object, RequestContext context) {
        return switch (resource.collection()) {
            case PODS -> pod(resource, object, context);
            case NAMESPACES -> {
                var resolved = NamespacePolicy.resolve(labels(object), defaults);
                checkLabels(resource, object, resolved);
                yield List.of();
            }
            default -> workload(resource, object, context);
        };
    }

    @Override
    public List<String> onUpdate(
            Resource resource,
            ObjectWrites.Part part,
            JsonObject old,
            JsonObject object,
            RequestContext context) {
        if (part == ObjectWrites.Part.STATUS) {
            return List.of();
        }
        return switch (resource.collection()) {
            case PODS -> isSignificant(old, object) ? pod(resource, object, context) : List.of();
            case NAMESPACES ->
                    labels(old).equals(labels(object))
                            ? List.of()
                            : namespace(resource, old, object, context);
            default ->
                    part == ObjectWrites.Part.MAIN
                            ? workload(resource, object, context)
                            : List.<String>of();
        };
    }

    private static JsonObject labels(JsonObject object) {
        return object.objectOrEmpty("metadata").objectOrEmpty("labels");
    }

    private List<String> pod(Resource resource, JsonObject pod, RequestContext context) {
        var policy = policy(context);
        if (policy.allowsEverything()) {
            return List.of();
        }
        var violations = PodSecurity.violations(policy.enforce(), pod);
        if (!violations.isEmpty()) {
            audit(policy, resource, pod, pod, context);
            throw ApiError.forbidden(
                            resource.about(name(pod)),
                            "violates PodSecurity \"%s\": %s"
                                    .formatted(
                                            policy.enforce(), ControlViolation.details(violations)))
                    .exception();
        }
        return auditAndWarn(policy, resource, pod, pod, context);
    }

    private NamespacePolicy policy(RequestContext context) {
        return context.objects()
                .get(NAMESPACES, "", context.namespace())
                .map(namespace -> NamespacePolicy.resolve(labels(namespace), defaults).policy())
                .orElse(defaults);
    }

    private static String name(JsonObject object) {
        return object.objectOrEmpty("metadata").text("name");
    }

    private List<String> workload(Resource resource, JsonObject object, RequestContext context) {
        var template = template(resource, object);
        if (template.isEmpty()) {
            return List.of();
        }
        var policy = policy(context);
        return policy.neitherAuditsNorWarns()
                ? List.of()
                : auditAndWarn(policy, resource, object, template.get(), context);
    }

    private static Optional<JsonObject> template(Resource resource, JsonObject object) {
        var spec = object.objectOrEmpty("spec");
        if (WORKLOADS.contains(resource.collection())) {
            return spec.object("template");
        }
        return resource.collection().equals(CRON_JOBS)
                ? spec.objectOrEmpty("jobTemplate").objectOrEmpty("spec").object("template")
                : Optional.empty();
    }

    /// Logs audit violations and returns the warnings for the client.
    private static List<String> auditAndWarn(
            NamespacePolicy policy,
            Resource resource,
            JsonObject object,
            JsonObject pod,
            RequestContext context) {
        audit(policy, resource, object, pod, context);
        return wouldViolate(policy.warn(), pod).stream().toList();
    }

    private static void audit(
            NamespacePolicy policy,
            Resource resource,
            JsonObject object,
            JsonObject pod,
            RequestContext context) {
        wouldViolate(policy.audit(), pod)
                .ifPresent(violation ->
                        LOG.info(
                                "audit: {} {}/{} of user {} {}",
                                resource.about("").qualified(),
                                context.namespace(),
                                name(object),
                                context.user().name(),
                                violation));
    }

    private static Optional<String> wouldViolate(VersionedLevel standard, JsonObject pod) {
        var violations = PodSecurity.violations(standard, pod);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "would violate PodSecurity \"%s\": %s"
                                .formatted(standard, ControlViolation.details(violations)));
    }

    /// True for changes of fields that the standards evaluate. All other fields are immutable.
    private static boolean isSignificant(JsonObject old, JsonObject pod) {
        var before = old.objectOrEmpty("spec");
        var after = pod.objectOrEmpty("spec");
        for (var list : CONTAINER_LISTS) {
            if (!before.member(list).equals(after.member(list))
                    && !images(before, list).equals(images(after, list))) {
                return true;
            }
        }
        return !seccomp(old).equals(seccomp(pod));
    }

    private static Map<String, String> images(JsonObject spec, String list) {
        var images = new TreeMap<String, String>();
        for (var container : spec.objects(list)) {
            images.put(container.text("name"), container.text("image"));
        }
        return images;
    }

    private static Map<String, String> seccomp(JsonObject pod) {
        var annotations = pod.objectOrEmpty("metadata").objectOrEmpty("annotations");
        var found = new TreeMap<String, String>();
        for (var name : annotations.names()) {
            if (name.equals(SECCOMP_POD) || name.startsWith(SECCOMP_CONTAINER)) {
                found.put(name, annotations.text(name));
            }
        }
        return found;
    }

    private List<String> namespace(
            Resource resource, JsonObject old, JsonObject namespace, RequestContext context) {
        var before = NamespacePolicy.resolve(labels(old), defaults);
        var after = NamespacePolicy.resolve(labels(namespace), defaults);
        if (!after.problems().equals(before.problems())) {
            checkLabels(resource, namespace, after);
        }
        var oldLevel = before.policy().enforce();
        var newLevel = after.policy().enforce();
        var isRelaxed =
                oldLevel.minor() == newLevel.minor()
                        && newLevel.level().compareTo(oldLevel.level()) <= 0;
        return newLevel.level() == SecurityLevel.PRIVILEGED || isRelaxed
                ? List.of()
                : existing(name(namespace), newLevel, context);
    }

    private static void checkLabels(
            Resource resource, JsonObject namespace, NamespacePolicy.Resolved resolved) {
        if (!resolved.problems().isEmpty()) {
            throw ApiError.invalid(resource.about(name(namespace)), resolved.problems())
                    .exception();
        }
    }

    /// Warnings about existing pods that violate a new level. They keep running.
    private static List<String> existing(
            String namespace, VersionedLevel standard, RequestContext context) {
        var pods = context.objects().list(PODS, namespace);
        var checked = pods.subList(0, Math.min(pods.size(), MAX_PODS));
        var namesByReasons = new TreeMap<String, List<String>>();
        for (var pod : checked) {
            var violations = PodSecurity.violations(standard, pod);
            if (!violations.isEmpty()) {
                namesByReasons
                        .computeIfAbsent(
                                ControlViolation.reasons(violations), _ -> new ArrayList<>())
                        .add(name(pod));
            }
        }
        var warnings = new ArrayList<String>();
        if (checked.size() < pods.size()) {
            warnings.add(
                    ("new PodSecurity enforce level only checked against the first %d of %d"
                                    + " existing pods")
                            .formatted(checked.size(), pods.size()));
        }
        if (!namesByReasons.isEmpty()) {
            warnings.add(
                    "existing pods in namespace \"%s\" violate the new PodSecurity enforce level"
                                    .formatted(namespace)
                            + " \"%s\"".formatted(standard));
        }
        namesByReasons.entrySet().stream()
                .map(one -> "%s: %s".formatted(podNames(one.getValue()), one.getKey()))
                .sorted()
                .forEach(warnings::add);
        return warnings;
    }

    private static String podNames(List<String> names) {
        var first = names.stream().sorted().findFirst().orElseThrow();
        var others = names.size() - 1;
        return switch (others) {
            case 0 -> first;
            case 1 -> first + " (and 1 other pod)";
            default -> "%s (and %d other pods)".formatted(first, others);
        };
    }
}
