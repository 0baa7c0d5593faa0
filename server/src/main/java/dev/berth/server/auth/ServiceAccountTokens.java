package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.User;
import dev.berth.server.registry.StoredObjects;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Verifies service account tokens: signature, audience, expiry, and that all bound objects still
/// exist.
public final class ServiceAccountTokens {

    /// Result of verifying a token.
    public sealed interface Verification {

        /// The token is valid.
        ///
        /// @param audiences the audiences of the token that were requested
        record Valid(User user, List<String> audiences) implements Verification {}

        /// The token is invalid.
        ///
        /// @param reason does not contain the token
        record Invalid(String reason) implements Verification {}
    }

    static final String KUBERNETES = "kubernetes.io";
    private static final String EXTRA = "authentication.kubernetes.io/";

    /// Maximum clock skew of servers that share a store.
    private static final Duration SKEW = Duration.ofSeconds(10);

    /// Terminating objects count as existing for this long, so that running processes can clean up.
    private static final Duration DELETION_GRACE = Duration.ofSeconds(60);

    private final SigningKey key;
    private final String issuer;
    private final StoredObjects objects;

    /// @param issuer the issuer URL of tokens
    public ServiceAccountTokens(SigningKey key, String issuer, StoredObjects objects) {
        this.key = key;
        this.issuer = issuer;
        this.objects = objects;
    }

    /// Verifies a token.
    ///
    /// @param audiences accepted audiences
    public Verification read(String token, List<String> audiences, Instant now) {
        var claims = key.verified(token);
        if (claims.isEmpty()) {
            return new Verification.Invalid("invalid bearer token");
        }
        var problem = problem(claims.get(), now);
        if (problem.isPresent()) {
            return new Verification.Invalid(problem.get());
        }
        var matching = new ArrayList<>(audiencesOf(claims.get()));
        matching.retainAll(audiences);
        if (matching.isEmpty()) {
            return new Verification.Invalid(
                    "token audiences [%s] is invalid for the target audiences [%s]"
                            .formatted(
                                    PolicyRule.quoted(audiencesOf(claims.get())),
                                    PolicyRule.quoted(audiences)));
        }
        return new Verification.Valid(user(claims.get()), List.copyOf(matching));
    }

    private static List<String> audiencesOf(JsonObject claims) {
        return claims.members().get("aud") instanceof JsonString(var one)
                ? List.of(one)
                : claims.strings("aud");
    }

    private Optional<String> problem(JsonObject claims, Instant now) {
        if (!claims.text("iss").equals(issuer)) {
            return Optional.of("invalid bearer token");
        }
        var expiry = claims.number("exp");
        if (expiry.isEmpty() || now.getEpochSecond() >= expiry.getAsLong()) {
            return Optional.of("service account token has expired");
        }
        var start = claims.number("nbf");
        if (start.isEmpty() || now.plus(SKEW).getEpochSecond() < start.getAsLong()) {
            return Optional.of("service account token is not valid yet");
        }
        var kubernetesClaim = claims.objectOrEmpty(KUBERNETES);
        var account = kubernetesClaim.objectOrEmpty("serviceaccount");
        var name = ServiceAccountName.of(kubernetesClaim.text("namespace"), account.text("name"));
        if (!name.userName().equals(claims.text("sub"))) {
            return Optional.of("invalid bearer token");
        }
        return deleted("serviceaccounts", name.namespace(), account, now)
                .or(() -> deletedIfBound(kubernetesClaim, "pod", "pods", now))
                .or(() -> deletedIfBound(kubernetesClaim, "secret", "secrets", now))
                .or(() ->
                        kubernetesClaim.has("pod")
                                ? Optional.empty()
                                : deletedIfBound(kubernetesClaim, "node", "nodes", now));
    }

    private Optional<String> deletedIfBound(
            JsonObject kubernetesClaim, String kind, String collection, Instant now) {
        var namespace = collection.equals("nodes") ? "" : kubernetesClaim.text("namespace");
        return kubernetesClaim
                .object(kind)
                .flatMap(ref -> deleted(collection, namespace, ref, now));
    }

    /// A message when an object has been deleted or replaced; empty otherwise.
    private Optional<String> deleted(
            String collection, String namespace, JsonObject ref, Instant now) {
        var metadata =
                objects.get(collection, namespace, ref.text("name"))
                        .map(object -> object.objectOrEmpty("metadata"));
        if (metadata.isEmpty()
                || ref.text("uid").isEmpty()
                || !metadata.get().text("uid").equals(ref.text("uid"))
                || isLongDeleted(metadata.get(), now)) {
            return Optional.of(
                    "%s %s has been deleted".formatted(collection, GoText.quote(ref.text("name"))));
        }
        return Optional.empty();
    }

    private static boolean isLongDeleted(JsonObject metadata, Instant now) {
        try {
            return metadata.string("deletionTimestamp")
                    .map(Instant::parse)
                    .map(time -> now.isAfter(time.plus(DELETION_GRACE)))
                    .orElse(false);
        } catch (DateTimeParseException _) {
            return true;
        }
    }

    private static User user(JsonObject claims) {
        var kubernetesClaim = claims.objectOrEmpty(KUBERNETES);
        var account = kubernetesClaim.objectOrEmpty("serviceaccount");
        var name = ServiceAccountName.of(kubernetesClaim.text("namespace"), account.text("name"));
        var groups = new ArrayList<>(name.groups());
        groups.add(Authenticator.AUTHENTICATED);
        return new User(
                name.userName(), account.text("uid"), groups, extra(claims, kubernetesClaim));
    }

    private static Map<String, List<String>> extra(JsonObject claims, JsonObject kubernetesClaim) {
        var extra = new LinkedHashMap<String, List<String>>();
        for (var kind : List.of("pod", "node")) {
            var ref = kubernetesClaim.objectOrEmpty(kind);
            for (var part : List.of("name", "uid")) {
                if (!ref.text(part).isEmpty()) {
                    extra.put(EXTRA + kind + "-" + part, List.of(ref.text(part)));
                }
            }
        }
        if (!claims.text("jti").isEmpty()) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.text("jti")));
        }
        return extra;
    }
}
