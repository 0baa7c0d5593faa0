package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.KindNameFormats;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.List;
import java.util.Locale;

/// Defaulting and validation of roles and role bindings.
final class RoleRules {

    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final List<String> SUBJECTS = List.of("Group", "ServiceAccount", "User");

    private final PrivilegeCheck escalation;

    RoleRules(PrivilegeCheck escalation) {
        this.escalation = escalation;
    }

    Strategy role(boolean clusterWide) {
        var kind = clusterWide ? "ClusterRole" : "Role";
        return base(clusterWide)
                .onCreate((role, context) -> unescalated(kind, role, context))
                .onUpdate((old, role, context) ->
                        old.items("rules").equals(role.items("rules"))
                                        && old.member("aggregationRule")
                                                .equals(role.member("aggregationRule"))
                                ? role
                                : unescalated(kind, role, context))
                .checks((role, checks) ->
                        checks.each(
                                role,
                                "rules",
                                FieldPath.ROOT,
                                (rule, at) -> rule(rule, at, clusterWide, checks)));
    }

    private static ComposedStrategy base(boolean clusterWide) {
        var strategy = clusterWide ? ComposedStrategy.cluster() : ComposedStrategy.namespaced();
        return strategy.named(KindNameFormats::pathSegment);
    }

    private JsonObject unescalated(String kind, JsonObject object, RequestContext context) {
        escalation
                .refusal(kind, object, context)
                .ifPresent(why -> {
                    var plural = kind.toLowerCase(Locale.ROOT) + "s";
                    var name = object.objectOrEmpty("metadata").text("name");
                    throw ApiError.forbidden(new ApiError.About(GROUP, plural, kind, name), why)
                            .exception();
                });
        return object;
    }

    private static void rule(
            JsonObject rule, FieldPath path, boolean clusterWide, ObjectChecks checks) {
        if (rule.items("verbs").isEmpty()) {
            checks.required(path.child("verbs"), "verbs must contain at least one value");
        }
        if (!rule.items("nonResourceURLs").isEmpty()) {
            if (!clusterWide) {
                checks.invalid(
                        path.child("nonResourceURLs"),
                        rule.member("nonResourceURLs").orElseThrow(),
                        "namespaced rules cannot apply to non-resource URLs");
            }
            if (!rule.items("apiGroups").isEmpty()
                    || !rule.items("resources").isEmpty()
                    || !rule.items("resourceNames").isEmpty()) {
                checks.invalid(
                        path.child("nonResourceURLs"),
                        rule.member("nonResourceURLs").orElseThrow(),
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        if (rule.items("apiGroups").isEmpty()) {
            checks.required(
                    path.child("apiGroups"), "resource rules must supply at least one api group");
        }
        if (rule.items("resources").isEmpty()) {
            checks.required(
                    path.child("resources"), "resource rules must supply at least one resource");
        }
    }

    Strategy binding(boolean clusterWide) {
        var kind = clusterWide ? "ClusterRoleBinding" : "RoleBinding";
        return base(clusterWide)
                .defaults(o ->
                        DefaultsFiller.of(o)
                                .in(
                                        "roleRef",
                                        r -> DefaultsFiller.of(r).text("apiGroup", GROUP).done())
                                .each("subjects", RoleRules::filledSubject)
                                .done())
                .onCreate((binding, context) -> unescalated(kind, binding, context))
                .onUpdate((old, binding, context) ->
                        old.items("subjects").equals(binding.items("subjects"))
                                ? binding
                                : unescalated(kind, binding, context))
                .checks((binding, checks) -> binding(binding, clusterWide, checks))
                .checksUpdate((old, binding, checks) -> {
                    if (!old.objectOrEmpty("roleRef").equals(binding.objectOrEmpty("roleRef"))) {
                        checks.invalid(
                                FieldPath.of("roleRef"),
                                binding.objectOrEmpty("roleRef"),
                                "cannot change roleRef");
                    }
                });
    }

    private static JsonObject filledSubject(JsonObject subject) {
        return List.of("User", "Group").contains(subject.text("kind"))
                ? DefaultsFiller.of(subject).text("apiGroup", GROUP).done()
                : subject;
    }

    private static void binding(JsonObject binding, boolean clusterWide, ObjectChecks checks) {
        var ref = binding.objectOrEmpty("roleRef");
        var path = FieldPath.of("roleRef");
        if (!ref.text("apiGroup").equals(GROUP)) {
            checks.add(
                    FieldError.notSupported(
                            path.child("apiGroup"), ref.text("apiGroup"), List.of(GROUP)));
        }
        var kinds = clusterWide ? List.of("ClusterRole") : List.of("ClusterRole", "Role");
        if (!kinds.contains(ref.text("kind"))) {
            checks.add(FieldError.notSupported(path.child("kind"), ref.text("kind"), kinds));
        }
        if (checks.text(ref, "name", path)) {
            checks.form(
                    ref.text("name"),
                    path.child("name"),
                    KindNameFormats.pathSegment(ref.text("name")));
        }
        checks.each(
                binding,
                "subjects",
                FieldPath.ROOT,
                (subject, at) -> subject(subject, at, clusterWide, checks));
    }

    private static void subject(
            JsonObject subject, FieldPath path, boolean clusterWide, ObjectChecks checks) {
        checks.text(subject, "name", path);
        var kind = subject.text("kind");
        var group = subject.text("apiGroup");
        if (!SUBJECTS.contains(kind)) {
            checks.add(FieldError.notSupported(path.child("kind"), kind, SUBJECTS));
            return;
        }
        if (kind.equals("ServiceAccount")) {
            checks.subdomain(subject.text("name"), path.child("name"));
            if (!group.isEmpty()) {
                checks.add(FieldError.notSupported(path.child("apiGroup"), group, List.of("")));
            }
            if (clusterWide && subject.text("namespace").isEmpty()) {
                checks.required(path.child("namespace"), "");
            }
        } else if (!group.equals(GROUP)) {
            checks.add(FieldError.notSupported(path.child("apiGroup"), group, List.of(GROUP)));
        }
    }
}
