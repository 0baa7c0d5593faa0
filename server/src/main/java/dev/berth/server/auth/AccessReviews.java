package dev.berth.server.auth;

import dev.berth.core.admission.FieldError;
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

/// Answers questions about who may do what. Each takes the object that was sent and returns it with
/// its status; questions that make no sense throw [dev.berth.server.registry.ApiException].
public final class AccessReviews {

    private static final String AUTHORIZATION = "authorization.k8s.io";
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final Authorizer authorizer;
    private final Rbac rbac;
    private final ServiceAccountTokens tokens;
    private final List<String> audiences;
    private final Clock clock;

    /// @param authorizer all of them, in a chain
    /// @param audiences that tokens for this server are for
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

    /// May that user do that?
    public JsonObject subjectAccess(JsonObject review) {
        var spec = review.objectOrEmpty("spec");
        var problems = new ArrayList<>(attributeProblems(spec));
        problems.addAll(subjectProblems(spec));
        check("SubjectAccessReview", problems);
        return answered(review, spec, subject(spec));
    }

    /// May that user do that in this namespace?
    ///
    /// @param namespace of the address
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
        return answered(review, spec, subject(spec));
    }

    /// May I do that?
    public JsonObject selfSubjectAccess(JsonObject review, User caller) {
        var spec = review.objectOrEmpty("spec");
        check("SelfSubjectAccessReview", attributeProblems(spec));
        return answered(review, spec, caller);
    }

    /// What may I do in that namespace?
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

    /// Who am I?
    public static JsonObject selfSubject(JsonObject review, User caller) {
        return review.with("status", JsonObject.of("userInfo", told(caller)));
    }

    /// Whose token is this?
    public JsonObject token(JsonObject review) {
        var spec = review.objectOrEmpty("spec");
        var token = spec.text("token");
        if (token.isEmpty()) {
            throw ApiError.badRequest("token is required for TokenReview in authentication")
                    .exception();
        }
        var asked = spec.strings("audiences");
        var wanted = asked.isEmpty() ? audiences : asked;
        var status = new LinkedHashMap<String, Json>();
        switch (tokens.read(token, wanted, clock.instant())) {
            case ServiceAccountTokens.Reading.Valid(var user, var matching) -> {
                status.put("authenticated", Json.of(true));
                status.put("user", told(user));
                status.put("audiences", strings(matching));
            }
            case ServiceAccountTokens.Reading.Invalid(var why) -> {
                status.put("user", JsonObject.EMPTY);
                status.put("error", Json.of(why));
            }
        }
        return review.with("status", new JsonObject(status));
    }

    private JsonObject answered(JsonObject review, JsonObject spec, User user) {
        var decision = authorizer.decide(access(spec, user));
        var status = new LinkedHashMap<String, Json>();
        status.put("allowed", Json.of(decision.isAllowed()));
        if (decision.verdict() == AuthorizationDecision.Verdict.DENIED) {
            status.put("denied", Json.of(true));
        }
        if (!decision.reason().isEmpty()) {
            status.put("reason", Json.of(decision.reason()));
        }
        return review.with("status", new JsonObject(status));
    }

    private static AuthorizationRequest access(JsonObject spec, User user) {
        if (spec.has("nonResourceAttributes")) {
            var to = spec.objectOrEmpty("nonResourceAttributes");
            return new AuthorizationRequest.ToPath(user, to.text("verb"), to.text("path"));
        }
        var to = spec.objectOrEmpty("resourceAttributes");
        return new AuthorizationRequest.ToResource(
                user,
                to.text("verb"),
                to.text("group"),
                to.text("version"),
                to.text("resource"),
                to.text("subresource"),
                to.text("namespace"),
                to.text("name"),
                selector(to.objectOrEmpty("fieldSelector")),
                selector(to.objectOrEmpty("labelSelector")));
    }

    /// The demands of a selector as a text; those that say more than "equals" are left out, which
    /// can only make a decision stricter.
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

    private static JsonObject told(User user) {
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
