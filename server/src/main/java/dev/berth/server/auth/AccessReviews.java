package dev.berth.server.auth;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationDecision;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// SubjectAccessReview and related kinds. Each method takes the object that was created and returns
/// it with its status; invalid objects throw [dev.berth.server.registry.ApiException].
public final class AccessReviews {

    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final Authorizer authorizer;
    private final Rbac rbac;
    private final ServiceAccountTokens tokens;
    private final List<String> audiences;
    private final Clock clock;

    /// @param authorizer the whole chain of authorizers
    /// @param audiences audiences of tokens for this server
    public AccessReviews(
            Authorizer authorizer,
            Rbac rbac,
            ServiceAccountTokens tokens,
            List<String> audiences,
            Clock clock) {
        this.authorizer = authorizer;
        this.rbac = rbac;
        this.tokens = tokens;
        this.audiences = List.copyOf(audiences);
        this.clock = clock;
    }

    /// SubjectAccessReview: may that user do that?
    public JsonObject subjectAccess(JsonObject review) {
        var spec = review.objectOrEmpty("spec");
        var problems = new ArrayList<>(attributeProblems(spec));
        problems.addAll(subjectProblems(spec));
        check("SubjectAccessReview", problems);
        return withDecision(review, spec, subject(spec));
    }

    /// LocalSubjectAccessReview: may that user do that in this namespace?
    ///
    /// @param namespace namespace of the request path
    public JsonObject localSubjectAccess(JsonObject review, String namespace) {
        var spec = review.objectOrEmpty("spec");
        var attributes = spec.objectOrEmpty("resourceAttributes");
        var problems = new ArrayList<>(attributeProblems(spec));
        problems.addAll(subjectProblems(spec));
        if (!attributes.text("namespace").equals(namespace)) {
            problems.add(
                    FieldError.invalid(
                            SPEC.child("resourceAttributes").child("namespace"),
                            attributes.text("namespace"),
                            "must match metadata.namespace"));
        }
        if (spec.has("nonResourceAttributes")) {
            problems.add(
                    FieldError.invalid(
                            SPEC.child("nonResourceAttributes"),
                            spec.objectOrEmpty("nonResourceAttributes"),
                            "disallowed on this kind of request"));
        }
        check("LocalSubjectAccessReview", problems);
        return withDecision(review, spec, subject(spec));
    }

    /// SelfSubjectAccessReview: may the caller do that?
    public JsonObject selfSubjectAccess(JsonObject review, User caller) {
        var spec = review.objectOrEmpty("spec");
        check("SelfSubjectAccessReview", attributeProblems(spec));
        return withDecision(review, spec, caller);
    }

    /// SelfSubjectRulesReview: what may the caller do in that namespace?
    public JsonObject selfSubjectRules(JsonObject review, User caller) {
        var namespace = review.objectOrEmpty("spec").text("namespace");
        if (namespace.isEmpty()) {
            throw ApiError.badRequest("no namespace on request").exception();
        }
        var resources = new ArrayList<Json>();
        var paths = new ArrayList<Json>();
        for (var rule : rulesOf(caller, namespace)) {
            if (!rule.resources().isEmpty()) {
                resources.add(
                        new PolicyRule(
                                        rule.verbs(),
                                        rule.groups(),
                                        rule.resources(),
                                        rule.names(),
                                        List.of())
                                .toJson());
            }
            if (!rule.urls().isEmpty()) {
                paths.add(
                        new PolicyRule(rule.verbs(), List.of(), List.of(), List.of(), rule.urls())
                                .toJson());
            }
        }
        var status = new LinkedHashMap<String, Json>();
        status.put("resourceRules", Json.array(resources));
        status.put("nonResourceRules", Json.array(paths));
        var isNode = NodeIdentity.of(caller).isPresent();
        status.put("incomplete", Json.of(isNode));
        if (isNode) {
            status.put(
                    "evaluationError",
                    Json.of("node authorizer does not support user rule resolution"));
        }
        return review.with("status", new JsonObject(status));
    }

    private List<PolicyRule> rulesOf(User caller, String namespace) {
        var rules = new ArrayList<PolicyRule>();
        if (caller.groups().contains(User.MASTERS)) {
            var all = List.of("*");
            rules.add(new PolicyRule(all, all, all, List.of(), List.of()));
            rules.add(new PolicyRule(all, List.of(), List.of(), List.of(), all));
        }
        for (var rule : rbac.rulesOf(caller, namespace)) {
            if (!rules.contains(rule)) {
                rules.add(rule);
            }
        }
        return rules;
    }

    /// SelfSubjectReview: the attributes of the caller.
    public static JsonObject selfSubject(JsonObject review, User caller) {
        return review.with("status", JsonObject.of("userInfo", userInfo(caller)));
    }

    /// TokenReview: the user of a token.
    public JsonObject token(JsonObject review) {
        var spec = review.objectOrEmpty("spec");
        var token = spec.text("token");
        if (token.isEmpty()) {
            throw ApiError.badRequest("token is required for TokenReview in authentication")
                    .exception();
        }
        var requested = spec.strings("audiences");
        var accepted = requested.isEmpty() ? audiences : requested;
        var status = new LinkedHashMap<String, Json>();
        switch (tokens.read(token, accepted, clock.instant())) {
            case ServiceAccountTokens.Verification.Valid(var user, var matching) -> {
                status.put("authenticated", Json.of(true));
                status.put("user", userInfo(user));
                status.put("audiences", strings(matching));
            }
            case ServiceAccountTokens.Verification.Invalid(var reason) -> {
                status.put("user", JsonObject.EMPTY);
                status.put("error", Json.of(reason));
            }
        }
        return review.with("status", new JsonObject(status));
    }

    private JsonObject withDecision(JsonObject review, JsonObject spec, User user) {
        var decision = authorizer.decide(attributes(spec, user));
        var status = new LinkedHashMap<String, Json>();
        status.put("allowed", Json.of(decision.isAllowed()));
        if (decision.outcome() == AuthorizationDecision.Outcome.DENIED) {
            status.put("denied", Json.of(true));
        }
        if (!decision.reason().isEmpty()) {
            status.put("reason", Json.of(decision.reason()));
        }
        return review.with("status", new JsonObject(status));
    }

    private static AuthorizationRequest attributes(JsonObject spec, User user) {
        if (spec.has("nonResourceAttributes")) {
            var attributes = spec.objectOrEmpty("nonResourceAttributes");
            return new AuthorizationRequest.NonResourceAttributes(
                    user, attributes.text("verb"), attributes.text("path"));
        }
        var attributes = spec.objectOrEmpty("resourceAttributes");
        return new AuthorizationRequest.ResourceAttributes(
                user,
                attributes.text("verb"),
                attributes.text("group"),
                attributes.text("version"),
                attributes.text("resource"),
                attributes.text("subresource"),
                attributes.text("namespace"),
                attributes.text("name"),
                selector(attributes.objectOrEmpty("fieldSelector")),
                selector(attributes.objectOrEmpty("labelSelector")));
    }

    /// The requirements of a selector as a string. Requirements other than equality are omitted,
    /// which can only make a decision stricter.
    private static String selector(JsonObject selector) {
        if (!selector.text("rawSelector").isEmpty()) {
            return selector.text("rawSelector");
        }
        var terms = new ArrayList<String>();
        for (var requirement : selector.objects("requirements")) {
            var values = requirement.strings("values");
            if (requirement.text("operator").equals("In") && values.size() == 1) {
                terms.add(requirement.text("key") + "=" + values.getFirst());
            }
        }
        return String.join(",", terms);
    }

    private static User subject(JsonObject spec) {
        var extra = new LinkedHashMap<String, List<String>>();
        var sent = spec.objectOrEmpty("extra");
        sent.names().forEach(name -> extra.put(name, sent.strings(name)));
        return new User(spec.text("user"), spec.text("uid"), spec.strings("groups"), extra);
    }

    private static List<FieldError> attributeProblems(JsonObject spec) {
        var resource = spec.has("resourceAttributes");
        var path = spec.has("nonResourceAttributes");
        if (resource && path) {
            return List.of(
                    FieldError.invalid(
                            SPEC.child("nonResourceAttributes"),
                            spec.objectOrEmpty("nonResourceAttributes"),
                            "cannot be specified in combination with resourceAttributes"));
        }
        if (!resource && !path) {
            return List.of(
                    FieldError.invalid(
                            SPEC.child("resourceAttributes"),
                            Json.JsonNull.INSTANCE,
                            "exactly one of nonResourceAttributes or resourceAttributes must be"
                                    + " specified"));
        }
        return List.of();
    }

    private static List<FieldError> subjectProblems(JsonObject spec) {
        return spec.text("user").isEmpty() && spec.strings("groups").isEmpty()
                ? List.of(
                        FieldError.invalid(
                                SPEC.child("user"),
                                spec.text("user"),
                                "at least one of user or group must be specified"))
                : List.of();
    }

    private static void check(String kind, List<FieldError> problems) {
        if (!problems.isEmpty()) {
            throw ApiError.invalid(
                            new ApiError.About(
                                    AUTHORIZATION, kind.toLowerCase(Locale.ROOT) + "s", kind, ""),
                            problems)
                    .exception();
        }
    }

    private static JsonObject userInfo(User user) {
        var members = new LinkedHashMap<String, Json>();
        members.put("username", Json.of(user.name()));
        if (!user.uid().isEmpty()) {
            members.put("uid", Json.of(user.uid()));
        }
        if (!user.groups().isEmpty()) {
            members.put("groups", strings(user.groups()));
        }
        if (!user.extra().isEmpty()) {
            var extra = new TreeMap<String, Json>();
            for (Map.Entry<String, List<String>> one : user.extra().entrySet()) {
                extra.put(one.getKey(), strings(one.getValue()));
            }
            members.put("extra", new JsonObject(extra));
        }
        return new JsonObject(members);
    }

    private static Json strings(List<String> values) {
        return Json.array(values.stream().map(Json::of).toList());
    }
}
