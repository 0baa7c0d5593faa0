package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.model.certificate.CertificateRequest;
import dev.berth.model.certificate.Pem;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.Strategy;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Defaulting and validation of CertificateSigningRequests. Admission authorizes approval and
/// signing; the format of decisions is validated here.
final class SigningRequestRules {

    private static final String LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
    private static final int LEAST_EXPIRATION_SECONDS = 600;
    private static final List<String> DECISIONS = List.of("Approved", "Denied", "Failed");
    private static final List<String> USAGES =
            List.of(
                    "any",
                    "cert sign",
                    "client auth",
                    "code signing",
                    "content commitment",
                    "crl sign",
                    "data encipherment",
                    "decipher only",
                    "digital signature",
                    "email protection",
                    "encipher only",
                    "ipsec end system",
                    "ipsec tunnel",
                    "ipsec user",
                    "key agreement",
                    "key encipherment",
                    "microsoft sgc",
                    "netscape sgc",
                    "ocsp signing",
                    "s/mime",
                    "server auth",
                    "signing",
                    "timestamping");

    private SigningRequestRules() {}

    /// The server sets the requesting user, so that no client can request for another user.
    static Strategy signingRequests() {
        return ComposedStrategy.cluster()
                .warning("Berth stores CertificateSigningRequest objects and signs none of them")
                .withStatus()
                .onCreate((o, context) ->
                        DefaultsFiller.spec(
                                o,
                                spec -> {
                                    var user = context.user();
                                    var filled =
                                            DefaultsFiller.of(spec)
                                                    .set("username", Json.of(user.name()))
                                                    .set(
                                                            "groups",
                                                            Json.array(
                                                                    user.groups().stream()
                                                                            .map(Json::of)
                                                                            .toList()));
                                    return user.uid().isEmpty()
                                            ? filled.drop("uid").done()
                                            : filled.set("uid", Json.of(user.uid())).done();
                                }))
                .onStatus((_, o, context) ->
                        withTimes(o, context.now().truncatedTo(ChronoUnit.SECONDS).toString()))
                .checksNew((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    request(spec, checks);
                    usages(spec, checks);
                    signer(spec, checks);
                    if (spec.number("expirationSeconds").orElse(LEAST_EXPIRATION_SECONDS)
                            < LEAST_EXPIRATION_SECONDS) {
                        checks.invalid(
                                ObjectChecks.SPEC.child("expirationSeconds"),
                                Json.of(spec.number("expirationSeconds").orElse(0)),
                                "may not specify a duration less than 600 seconds (10 minutes)");
                    }
                })
                .checksUpdate((old, o, checks) -> checks.immutable(old, o, "spec", FieldPath.ROOT))
                .checksStatus((old, o, checks) -> {
                    conditions(old, o, List.of("Failed"), checks);
                    certificate(old, o, checks);
                });
    }

    private static void request(JsonObject spec, ObjectChecks checks) {
        if (checks.text(spec, "request", ObjectChecks.SPEC)) {
            try {
                CertificateRequest.parse(decoded(spec.text("request")));
            } catch (GeneralSecurityException e) {
                checks.invalid(
                        ObjectChecks.SPEC.child("request"),
                        spec.text("request"),
                        "must be a PEM-encoded PKCS #10 request with a valid signature: "
                                + e.getMessage());
            }
        }
    }

    /// The PEM text of a base64 field.
    private static String decoded(String base64) throws GeneralSecurityException {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("it is not base64", e);
        }
    }

    private static void usages(JsonObject spec, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("usages");
        var usages = spec.strings("usages");
        if (usages.isEmpty()) {
            checks.required(path, "");
        }
        for (var i = 0; i < usages.size(); i++) {
            if (!USAGES.contains(usages.get(i))) {
                checks.add(FieldError.notSupported(path.index(i), usages.get(i), USAGES));
            } else if (usages.subList(0, i).contains(usages.get(i))) {
                checks.add(FieldError.duplicate(path.index(i), Json.of(usages.get(i))));
            }
        }
    }

    /// Validates conditions written through one of the two subresources.
    ///
    /// @param addable types of decisions that may be added there
    static void conditions(
            JsonObject old, JsonObject request, List<String> addable, ObjectChecks checks) {
        var path = ObjectChecks.STATUS.child("conditions");
        var seen = new HashSet<String>();
        checks.each(
                request.objectOrEmpty("status"),
                "conditions",
                ObjectChecks.STATUS,
                (condition, at) -> {
                    var type = condition.text("type");
                    if (type.isEmpty()) {
                        checks.required(at.child("type"), "");
                    } else if (!seen.add(type)) {
                        checks.add(FieldError.duplicate(at.child("type"), Json.of(type)));
                    }
                    if (DECISIONS.contains(type) && !condition.text("status").equals("True")) {
                        checks.add(
                                FieldError.notSupported(
                                        at.child("status"),
                                        condition.text("status"),
                                        List.of("True")));
                    }
                });
        if (seen.containsAll(List.of("Approved", "Denied"))) {
            checks.add(
                    FieldError.invalid(
                            path,
                            "Denied",
                            "Approved and Denied conditions are mutually exclusive"));
        }
        for (var type : DECISIONS) {
            var before = condition(old, type);
            var after = condition(request, type);
            if (before.isPresent() && after.isEmpty()) {
                checks.forbidden(
                        path, "updates may not remove a condition of type \"" + type + "\"");
            } else if (before.isEmpty() && after.isPresent() && !addable.contains(type)) {
                checks.forbidden(path, "updates may not add a condition of type \"" + type + "\"");
            } else if (!before.equals(after) && !addable.contains(type)) {
                checks.forbidden(
                        path, "updates may not modify a condition of type \"" + type + "\"");
            }
        }
    }

    private static Optional<JsonObject> condition(JsonObject request, String type) {
        return request.objectOrEmpty("status").objects("conditions").stream()
                .filter(condition -> condition.text("type").equals(type))
                .findFirst();
    }

    private static void certificate(JsonObject old, JsonObject request, ObjectChecks checks) {
        var before = old.objectOrEmpty("status").text("certificate");
        var after = request.objectOrEmpty("status").text("certificate");
        var path = ObjectChecks.STATUS.child("certificate");
        if (before.equals(after)) {
            return;
        }
        if (!before.isEmpty()) {
            checks.forbidden(path, "updates may not modify existing certificate content");
            return;
        }
        try {
            Pem.certificate(decoded(after));
        } catch (GeneralSecurityException e) {
            checks.invalid(path, after, "must contain a PEM certificate: " + e.getMessage());
        }
    }

    private static void signer(JsonObject spec, ObjectChecks checks) {
        var name = spec.text("signerName");
        var path = ObjectChecks.SPEC.child("signerName");
        if (name.isEmpty()) {
            checks.required(path, "");
        } else if (name.equals(LEGACY_SIGNER)) {
            checks.invalid(path, name, "the legacy signerName is not allowed via this API version");
        } else if (!name.contains("/")) {
            checks.invalid(
                    path,
                    name,
                    "must be a fully qualified domain and path of the form "
                            + "'example.com/signer-name'");
        } else {
            checks.form(name, path, NameFormats.subdomain(name.substring(0, name.indexOf('/'))));
        }
    }

    static JsonObject withTimes(JsonObject request, String now) {
        return DefaultsFiller.of(request)
                .into(
                        "status",
                        s ->
                                DefaultsFiller.of(s)
                                        .each(
                                                "conditions",
                                                c ->
                                                        DefaultsFiller.of(c)
                                                                .text("status", "True")
                                                                .text("lastUpdateTime", now)
                                                                .text("lastTransitionTime", now)
                                                                .done())
                                        .done())
                .done();
    }
}
