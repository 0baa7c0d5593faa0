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

/// Tells whom a service account's token was issued to, if it still holds: signed by us, for us,
/// within its time, and everything that it is bound to still there.
public final class ServiceAccountTokens {

    /// What came of looking at a token.
    public sealed interface Reading {

        /// It holds.
        ///
        /// @param audiences those of the token that were asked for
        record Valid(User user, List<String> audiences) implements Reading {}

        /// It does not hold.
        ///
        /// @param why without the token itself
        record Invalid(String why) implements Reading {}
    }

    static final String KUBERNETES = "kubernetes.io";
    private static final String EXTRA = "authentication.kubernetes.io/";

    /// Clocks of servers that share a store may differ by so much.
    private static final Duration SKEW = Duration.ofSeconds(10);

    /// Things that are being deleted count as there for so long, so that what runs can clean up.
    private static final Duration FAREWELL = Duration.ofSeconds(60);

    private final SigningKey key;
    private final String issuer;
    private final StoredObjects objects;

    /// @param issuer the address that tokens name as their origin
    public ServiceAccountTokens(SigningKey key, String issuer, StoredObjects objects) {
        this.key = key;
        this.issuer = issuer;
        this.objects = objects;
    }

    /// Reads a token.
    ///
    /// @param audiences one of which it must be for
    public Reading read(String token, List<String> audiences, Instant now) {
        var claims = key.verified(token);
        if (claims.isEmpty()) {
            return new Reading.Invalid("invalid bearer token");
        }
        var wrong = wrong(claims.get(), now);
        if (wrong.isPresent()) {
            return new Reading.Invalid(wrong.get());
        }
        var matching = new ArrayList<>(audiencesOf(claims.get()));
        matching.retainAll(audiences);
        if (matching.isEmpty()) {
            return new Reading.Invalid(
                    "token audiences [%s] is invalid for the target audiences [%s]"
                            .formatted(
                                    PolicyRule.quoted(audiencesOf(claims.get())),
                                    PolicyRule.quoted(audiences)));
        }
        return new Reading.Valid(user(claims.get()), List.copyOf(matching));
    }

    private static List<String> audiencesOf(JsonObject claims) {
        return claims.members().get("aud") instanceof JsonString(var one)
                ? List.of(one)
                : claims.strings("aud");
    }

    private Optional<String> wrong(JsonObject claims, Instant now) {
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
        var about = claims.objectOrEmpty(KUBERNETES);
        var account = about.objectOrEmpty("serviceaccount");
        var name = ServiceAccountName.of(about.text("namespace"), account.text("name"));
        if (!name.userName().equals(claims.text("sub"))) {
            return Optional.of("invalid bearer token");
        }
        return gone("serviceaccounts", name.namespace(), account, now)
                .or(() -> goneIfNamed(about, "pod", "pods", now))
                .or(() -> goneIfNamed(about, "secret", "secrets", now))
                .or(() ->
                        about.has("pod")
                                ? Optional.empty()
                                : goneIfNamed(about, "node", "nodes", now));
    }

    private Optional<String> goneIfNamed(
            JsonObject about, String what, String collection, Instant now) {
        var namespace = collection.equals("nodes") ? "" : about.text("namespace");
        return about.object(what).flatMap(ref -> gone(collection, namespace, ref, now));
    }

    /// Says that something is no longer there, or no longer the same.
    private Optional<String> gone(
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
                    .map(time -> now.isAfter(time.plus(FAREWELL)))
                    .orElse(false);
        } catch (DateTimeParseException _) {
            return true;
        }
    }

    private static User user(JsonObject claims) {
        var about = claims.objectOrEmpty(KUBERNETES);
        var account = about.objectOrEmpty("serviceaccount");
        var name = ServiceAccountName.of(about.text("namespace"), account.text("name"));
        var groups = new ArrayList<>(name.groups());
        groups.add(Authenticator.AUTHENTICATED);
        return new User(name.userName(), account.text("uid"), groups, extra(claims, about));
    }

    private static Map<String, List<String>> extra(JsonObject claims, JsonObject about) {
        var extra = new LinkedHashMap<String, List<String>>();
        for (var what : List.of("pod", "node")) {
            var ref = about.objectOrEmpty(what);
            for (var part : List.of("name", "uid")) {
                if (!ref.text(part).isEmpty()) {
                    extra.put(EXTRA + what + "-" + part, List.of(ref.text(part)));
                }
            }
        }
        if (!claims.text("jti").isEmpty()) {
            extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.text("jti")));
        }
        return extra;
    }
}
