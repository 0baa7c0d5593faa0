package dev.berth.server.auth;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.StoredObjects;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Issues service account tokens: the `token` subresource.
public final class TokenIssuer {

    private static final long MIN_SECONDS = 600;
    private static final long MAX_SECONDS = 1L << 32;
    private static final long DEFAULT_SECONDS = 3600;

    private final SigningKey key;
    private final String issuer;
    private final List<String> audiences;
    private final StoredObjects objects;
    private final Supplier<String> ids;

    /// @param audiences default audiences
    /// @param ids generates token IDs
    public TokenIssuer(
            SigningKey key,
            String issuer,
            List<String> audiences,
            StoredObjects objects,
            Supplier<String> ids) {
        this.key = key;
        this.issuer = issuer;
        this.audiences = List.copyOf(audiences);
        this.objects = objects;
        this.ids = ids;
    }

    static String otherUid(String uid) {
        return ("the UID in the bound object reference (%s) does not match the UID in record. The"
                        + " object might have been deleted and then recreated")
                .formatted(uid);
    }

    /// The response to a `TokenRequest`, with the token in its status. Throws
    /// [dev.berth.server.registry.ApiException] for invalid requests.
    ///
    /// @param account the service account
    public JsonObject issue(JsonObject account, JsonObject request, Instant now) {
        var metadata = account.objectOrEmpty("metadata");
        checkName(request.objectOrEmpty("metadata"), metadata);
        var spec = request.objectOrEmpty("spec");
        var seconds = spec.number("expirationSeconds").orElse(DEFAULT_SECONDS);
        checkExpiration(metadata.text("name"), seconds);
        var requested = spec.strings("audiences");
        var tokenAudiences = requested.isEmpty() ? audiences : requested;
        var start = now.truncatedTo(ChronoUnit.SECONDS);
        var end = start.plusSeconds(seconds);

        var claims = new LinkedHashMap<String, Json>();
        claims.put("aud", strings(tokenAudiences));
        claims.put("exp", Json.of(end.getEpochSecond()));
        claims.put("iat", Json.of(start.getEpochSecond()));
        claims.put("iss", Json.of(issuer));
        claims.put("jti", Json.of(ids.get()));
        claims.put(
                ServiceAccountTokens.KUBERNETES,
                kubernetesClaim(metadata, spec.objectOrEmpty("boundObjectRef")));
        claims.put("nbf", Json.of(start.getEpochSecond()));
        claims.put(
                "sub",
                Json.of(
                        ServiceAccountName.of(metadata.text("namespace"), metadata.text("name"))
                                .userName()));
        var status = new LinkedHashMap<String, Json>();
        status.put("token", Json.of(key.signed(new JsonObject(claims))));
        status.put("expirationTimestamp", Json.of(end.toString()));
        return response(metadata, spec, tokenAudiences, seconds, start)
                .with("status", new JsonObject(status));
    }

    private static void checkName(JsonObject sent, JsonObject account) {
        for (var part : List.of("name", "namespace")) {
            var text = sent.text(part);
            if (!text.isEmpty() && !text.equals(account.text(part))) {
                throw ApiError.badRequest(
                                ("the %s of the token request (%s) does not match that of the URL"
                                                + " (%s)")
                                        .formatted(part, text, account.text(part)))
                        .exception();
            }
        }
    }

    private static void checkExpiration(String name, long seconds) {
        var problem =
                seconds < MIN_SECONDS
                        ? Optional.of("may not specify a duration less than 10 minutes")
                        : seconds > MAX_SECONDS
                                ? Optional.of("may not specify a duration larger than 2^32 seconds")
                                : Optional.<String>empty();
        if (problem.isPresent()) {
            throw ApiError.invalid(
                            new ApiError.About(
                                    "authentication.k8s.io", "tokenrequests", "TokenRequest", name),
                            List.of(
                                    FieldError.invalid(
                                            FieldPath.of("spec", "expirationSeconds"),
                                            Json.of(seconds),
                                            problem.get())))
                    .exception();
        }
    }

    private JsonObject kubernetesClaim(JsonObject account, JsonObject ref) {
        var members = new LinkedHashMap<String, Json>();
        members.put("namespace", Json.of(account.text("namespace")));
        bound(account, ref, members);
        members.put("serviceaccount", named(account.text("name"), account.text("uid")));
        return new JsonObject(members);
    }

    private void bound(JsonObject account, JsonObject ref, Map<String, Json> members) {
        if (ref.isEmpty()) {
            return;
        }
        var kind = ref.text("kind");
        if (!ref.text("apiVersion").equals("v1")
                || !List.of("Pod", "Secret", "Node").contains(kind)) {
            throw ApiError.badRequest(
                            "cannot bind token to object of type %s, Kind=%s"
                                    .formatted(ref.text("apiVersion"), kind))
                    .exception();
        }
        switch (kind) {
            case "Pod" -> {
                var pod = required("pods", account.text("namespace"), ref);
                checkAccount(account, pod);
                members.put("pod", named(ref.text("name"), uid(pod)));
                node(pod).ifPresent(node -> members.put("node", node));
            }
            case "Secret" -> {
                var secret = required("secrets", account.text("namespace"), ref);
                members.put("secret", named(ref.text("name"), uid(secret)));
            }
            default ->
                    members.put("node", named(ref.text("name"), uid(required("nodes", "", ref))));
        }
    }

    private JsonObject required(String collection, String namespace, JsonObject ref) {
        var about = new ApiError.About("", collection, ref.text("kind"), ref.text("name"));
        var found =
                objects.get(collection, namespace, ref.text("name"))
                        .orElseThrow(() -> ApiError.notFound(about).exception());
        if (!ref.text("uid").isEmpty() && !ref.text("uid").equals(uid(found))) {
            throw ApiError.conflict(about, otherUid(ref.text("uid"))).exception();
        }
        return found;
    }

    private static void checkAccount(JsonObject account, JsonObject pod) {
        var name = account.text("name");
        if (!pod.objectOrEmpty("spec").text("serviceAccountName").equals(name)) {
            throw ApiError.badRequest(
                            ("cannot bind token for serviceaccount %s to pod running with different"
                                            + " serviceaccount name.")
                                    .formatted(GoText.quote(name)))
                    .exception();
        }
    }

    private Optional<JsonObject> node(JsonObject pod) {
        var name = pod.objectOrEmpty("spec").text("nodeName");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                objects.get("nodes", "", name)
                        .map(node -> named(name, uid(node)))
                        .orElseGet(() -> JsonObject.of("name", Json.of(name))));
    }

    private static JsonObject response(
            JsonObject account,
            JsonObject spec,
            List<String> tokenAudiences,
            long seconds,
            Instant start) {
        var metadata = new LinkedHashMap<String, Json>();
        metadata.put("name", Json.of(account.text("name")));
        metadata.put("namespace", Json.of(account.text("namespace")));
        metadata.put("creationTimestamp", Json.of(start.toString()));
        var members = new LinkedHashMap<String, Json>();
        members.put("kind", Json.of("TokenRequest"));
        members.put("apiVersion", Json.of("authentication.k8s.io/v1"));
        members.put("metadata", new JsonObject(metadata));
        members.put(
                "spec",
                spec.with("audiences", strings(tokenAudiences))
                        .with("expirationSeconds", Json.of(seconds)));
        return new JsonObject(members);
    }

    private static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }

    private static JsonObject named(String name, String uid) {
        return JsonObject.of("name", Json.of(name)).with("uid", Json.of(uid));
    }

    private static Json strings(List<String> values) {
        var items = new ArrayList<Json>();
        values.forEach(value -> items.add(Json.of(value)));
        return Json.array(items);
    }
}
