package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Prevents privilege escalation: users may only grant permissions that they have, when they write
/// roles and bindings.
public final class EscalationCheck {

    private static final PolicyRule EVERYTHING =
            new PolicyRule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());
    private static final PolicyRule EVERY_PATH =
            new PolicyRule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

    private final Rbac rbac;
    private final Authorizer authorizer;

    /// @param authorizer the whole chain of authorizers
    public EscalationCheck(Rbac rbac, Authorizer authorizer) {
        this.rbac = rbac;
        this.authorizer = authorizer;
    }

    /// Checks a role before it is written.
    ///
    /// @param old the stored role; empty on create
    public Optional<ApiError> checkRole(User user, Optional<JsonObject> old, JsonObject role) {
        var kind = role.text("kind");
        var metadata = role.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var sameRules =
                old.filter(one ->
                                one.items("rules").equals(role.items("rules"))
                                        && one.objectOrEmpty("aggregationRule")
                                                .equals(role.objectOrEmpty("aggregationRule")))
                        .isPresent();
        if (sameRules || isAllowed(user, "escalate", kind, metadata.text("name"), namespace)) {
            return Optional.empty();
        }
        var about = about(kind, metadata.text("name"));
        if (RoleAggregation.isAggregated(role)
                && !missing(user, "", List.of(EVERYTHING, EVERY_PATH)).isEmpty()) {
            return Optional.of(
                    ApiError.forbidden(
                            about, "must have cluster-admin privileges to use an aggregationRule"));
        }
        return forbidden(about, user, namespace, PolicyRule.allOf(role));
    }

    /// Checks a binding before it is written.
    ///
    /// @param old the stored binding; empty on create
    public Optional<ApiError> checkBinding(
            User user, Optional<JsonObject> old, JsonObject binding) {
        var metadata = binding.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var role = binding.objectOrEmpty("roleRef");
        var sameGrant =
                old.filter(one ->
                                one.objectOrEmpty("roleRef").equals(role)
                                        && one.items("subjects").equals(binding.items("subjects")))
                        .isPresent();
        if (sameGrant || isAllowed(user, "bind", role.text("kind"), role.text("name"), namespace)) {
            return Optional.empty();
        }
        var about = about(binding.text("kind"), metadata.text("name"));
        return rbac.rulesOfRole(role.text("kind"), role.text("name"), namespace)
                .map(rules -> forbidden(about, user, namespace, rules))
                .orElseGet(() ->
                        Optional.of(
                                ApiError.notFound(about(role.text("kind"), role.text("name")))));
    }

    private boolean isAllowed(User user, String verb, String kind, String name, String namespace) {
        if (user.groups().contains(User.MASTERS)) {
            return true;
        }
        var request =
                AuthorizationRequest.ResourceAttributes.of(
                                user, verb, RbacIndex.GROUP, plural(kind), namespace)
                        .named(name);
        return authorizer.decide(request).isAllowed();
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    private static ApiError.About about(String kind, String name) {
        return new ApiError.About(RbacIndex.GROUP, plural(kind), kind, name);
    }

    private Optional<ApiError> forbidden(
            ApiError.About about, User user, String namespace, List<PolicyRule> rules) {
        var missing = missing(user, namespace, rules);
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        var lines = compact(missing).stream().map(PolicyRule::toString).sorted().toList();
        return Optional.of(
                ApiError.forbidden(
                        about,
                        ("user %s (groups=[%s]) is attempting to grant RBAC permissions not"
                                        + " currently held:\n%s")
                                .formatted(
                                        GoText.quote(user.name()),
                                        PolicyRule.quoted(user.groups()),
                                        String.join("\n", lines))));
    }

    /// The parts of these rules that the user does not have.
    private List<PolicyRule> missing(User user, String namespace, List<PolicyRule> rules) {
        var held = rbac.rulesOf(user, namespace);
        var missing = new ArrayList<PolicyRule>();
        for (var rule : rules) {
            for (var atom : rule.atoms()) {
                if (held.stream().noneMatch(one -> one.covers(atom))) {
                    missing.add(atom);
                }
            }
        }
        return missing;
    }

    /// Merges rules that differ only in their verbs.
    private static List<PolicyRule> compact(List<PolicyRule> atoms) {
        var verbs = new LinkedHashMap<PolicyRule, LinkedHashSet<String>>();
        for (var atom : atoms) {
            var withoutVerbs =
                    new PolicyRule(
                            List.of(), atom.groups(), atom.resources(), atom.names(), atom.urls());
            verbs.computeIfAbsent(withoutVerbs, _ -> new LinkedHashSet<>()).addAll(atom.verbs());
        }
        return verbs.entrySet().stream()
                .map(one -> {
                    var withoutVerbs = one.getKey();
                    return new PolicyRule(
                            List.copyOf(one.getValue()),
                            withoutVerbs.groups(),
                            withoutVerbs.resources(),
                            withoutVerbs.names(),
                            withoutVerbs.urls());
                })
                .toList();
    }
}
