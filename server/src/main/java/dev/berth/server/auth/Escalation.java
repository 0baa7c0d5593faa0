package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Access;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.registry.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Keeps people from granting more than they have: for the writers of roles and bindings.
public final class Escalation {

    private static final Rule EVERYTHING =
            new Rule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of());
    private static final Rule EVERY_PATH =
            new Rule(List.of("*"), List.of(), List.of(), List.of(), List.of("*"));

    private final Rbac rbac;
    private final Authorizer authorizer;

    /// @param authorizer all of them, in a chain
    public Escalation(Rbac rbac, Authorizer authorizer) {
        this.rbac = rbac;
        this.authorizer = authorizer;
    }

    /// Judges a role before it is written.
    ///
    /// @param old what is stored; empty for a new one
    public Optional<Failure> ofRole(User user, Optional<JsonObject> old, JsonObject role) {
        var kind = role.text("kind");
        var metadata = role.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var sameRules =
                old.filter(one ->
                                one.items("rules").equals(role.items("rules"))
                                        && one.objectOrEmpty("aggregationRule")
                                                .equals(role.objectOrEmpty("aggregationRule")))
                        .isPresent();
        if (sameRules || may(user, "escalate", kind, metadata.text("name"), namespace)) {
            return Optional.empty();
        }
        var about = about(kind, metadata.text("name"));
        if (Aggregation.isAggregated(role)
                && !missing(user, "", List.of(EVERYTHING, EVERY_PATH)).isEmpty()) {
            return Optional.of(
                    Failure.forbidden(
                            about, "must have cluster-admin privileges to use an aggregationRule"));
        }
        return refusal(about, user, namespace, Rule.allOf(role));
    }

    /// Judges a binding before it is written.
    ///
    /// @param old what is stored; empty for a new one
    public Optional<Failure> ofBinding(User user, Optional<JsonObject> old, JsonObject binding) {
        var metadata = binding.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var role = binding.objectOrEmpty("roleRef");
        var sameGrant =
                old.filter(one ->
                                one.objectOrEmpty("roleRef").equals(role)
                                        && one.items("subjects").equals(binding.items("subjects")))
                        .isPresent();
        if (sameGrant || may(user, "bind", role.text("kind"), role.text("name"), namespace)) {
            return Optional.empty();
        }
        var about = about(binding.text("kind"), metadata.text("name"));
        return rbac.rulesOfRole(role.text("kind"), role.text("name"), namespace)
                .map(rules -> refusal(about, user, namespace, rules))
                .orElseGet(() ->
                        Optional.of(Failure.notFound(about(role.text("kind"), role.text("name")))));
    }

    private boolean may(User user, String verb, String kind, String name, String namespace) {
        if (user.groups().contains(User.MASTERS)) {
            return true;
        }
        var access =
                Access.ToResource.of(user, verb, RbacIndex.GROUP, plural(kind), namespace)
                        .named(name);
        return authorizer.decide(access).isAllowed();
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    private static Failure.About about(String kind, String name) {
        return new Failure.About(RbacIndex.GROUP, plural(kind), kind, name);
    }

    private Optional<Failure> refusal(
            Failure.About about, User user, String namespace, List<Rule> rules) {
        var missing = missing(user, namespace, rules);
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        var lines = compact(missing).stream().map(Rule::toString).sorted().toList();
        return Optional.of(
                Failure.forbidden(
                        about,
                        ("user %s (groups=[%s]) is attempting to grant RBAC permissions not"
                                        + " currently held:\n%s")
                                .formatted(
                                        GoText.quote(user.name()),
                                        Rule.quoted(user.groups()),
                                        String.join("\n", lines))));
    }

    /// The parts of these rules that the user was not granted.
    private List<Rule> missing(User user, String namespace, List<Rule> rules) {
        var held = rbac.rulesOf(user, namespace);
        var missing = new ArrayList<Rule>();
        for (var rule : rules) {
            for (var atom : rule.atoms()) {
                if (held.stream().noneMatch(one -> one.covers(atom))) {
                    missing.add(atom);
                }
            }
        }
        return missing;
    }

    /// One line for each thing, with all its verbs.
    private static List<Rule> compact(List<Rule> atoms) {
        var verbs = new LinkedHashMap<Rule, LinkedHashSet<String>>();
        for (var atom : atoms) {
            var thing =
                    new Rule(List.of(), atom.groups(), atom.resources(), atom.names(), atom.urls());
            verbs.computeIfAbsent(thing, _ -> new LinkedHashSet<>()).addAll(atom.verbs());
        }
        return verbs.entrySet().stream()
                .map(one -> {
                    var thing = one.getKey();
                    return new Rule(
                            List.copyOf(one.getValue()),
                            thing.groups(),
                            thing.resources(),
                            thing.names(),
                            thing.urls());
                })
                .toList();
    }
}
