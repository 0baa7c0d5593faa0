package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.Strategy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Defaulting and validation of config maps and secrets.
final class ConfigRules {

    private static final int MAX_BYTES = 1024 * 1024;
    private static final int KEY_MAX = 253;
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
    private static final String IMMUTABLE = "field is immutable when `immutable` is set";
    private static final String ACCOUNT_ANNOTATION = "kubernetes.io/service-account.name";

    /// Required keys by type of secret; one of them for basic auth.
    private static final Map<String, List<String>> REQUIRED =
            Map.of(
                    "kubernetes.io/dockercfg", List.of(".dockercfg"),
                    "kubernetes.io/dockerconfigjson", List.of(".dockerconfigjson"),
                    "kubernetes.io/ssh-auth", List.of("ssh-privatekey"),
                    "kubernetes.io/tls", List.of("tls.crt", "tls.key"));

    private ConfigRules() {}

    static Strategy configMaps() {
        return ComposedStrategy.namespaced()
                .checks(ConfigRules::configMap)
                .checksUpdate((old, map, checks) ->
                        unchangedWhenImmutable(old, map, List.of("data", "binaryData"), checks));
    }

    private static void configMap(JsonObject map, ObjectChecks checks) {
        var size = 0;
        var data = map.objectOrEmpty("data");
        var binary = map.objectOrEmpty("binaryData");
        for (var key : data.names()) {
            key(key, FieldPath.of("data").key(key), checks);
            if (binary.has(key)) {
                checks.invalid(
                        FieldPath.of("data").key(key),
                        key,
                        "duplicate of key present in binaryData");
            }
            size += GoText.bytes(data.text(key));
        }
        for (var key : binary.names()) {
            key(key, FieldPath.of("binaryData").key(key), checks);
            size += decoded(binary, key).map(bytes -> bytes.length).orElse(0);
        }
        if (size > MAX_BYTES) {
            checks.add(FieldError.tooLong(FieldPath.ROOT, MAX_BYTES));
        }
    }

    private static void key(String key, FieldPath path, ObjectChecks checks) {
        if (key.length() > KEY_MAX) {
            checks.invalid(path, key, "must be no more than " + KEY_MAX + " characters");
        }
        if (!KEY.matcher(key).matches()) {
            checks.invalid(
                    path,
                    key,
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
                            + "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for "
                            + "validation is '[-._a-zA-Z0-9]+')");
        }
        if (key.equals(".") || key.startsWith("..")) {
            checks.invalid(path, key, "must not be '.' or start with '..'");
        }
    }

    private static Optional<byte[]> decoded(JsonObject data, String key) {
        try {
            return Optional.of(Base64.getDecoder().decode(data.text(key)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void unchangedWhenImmutable(
            JsonObject old, JsonObject object, List<String> names, ObjectChecks checks) {
        if (!old.flag("immutable").orElse(false)) {
            return;
        }
        if (!object.flag("immutable").orElse(false)) {
            checks.forbidden(FieldPath.of("immutable"), IMMUTABLE);
        }
        for (var name : names) {
            if (!old.objectOrEmpty(name).equals(object.objectOrEmpty(name))) {
                checks.forbidden(FieldPath.of(name), IMMUTABLE);
            }
        }
    }

    static Strategy secrets() {
        return ComposedStrategy.namespaced()
                .defaults(ConfigRules::filledSecret)
                .checks(ConfigRules::secret)
                .checksUpdate((old, secret, checks) -> {
                    checks.immutable(old, secret, "type", FieldPath.ROOT);
                    unchangedWhenImmutable(old, secret, List.of("data"), checks);
                });
    }

    /// Merges `stringData` into `data`.
    private static JsonObject filledSecret(JsonObject secret) {
        var filled = DefaultsFiller.of(secret).text("type", "Opaque");
        var texts = secret.objectOrEmpty("stringData");
        for (var entry : texts.members().entrySet()) {
            var text = entry.getValue() instanceof JsonString(var value) ? value : "";
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            var encoded = Base64.getEncoder().encodeToString(bytes);
            filled.into("data", data -> data.with(entry.getKey(), Json.of(encoded)));
        }
        return filled.drop("stringData").done();
    }

    private static void secret(JsonObject secret, ObjectChecks checks) {
        var data = secret.objectOrEmpty("data");
        var size = 0;
        for (var key : data.names()) {
            key(key, FieldPath.of("data").key(key), checks);
            var bytes = decoded(data, key);
            if (bytes.isEmpty()) {
                checks.invalid(FieldPath.of("data").key(key), "", "must be base64");
            }
            size += bytes.map(b -> b.length).orElse(0);
        }
        if (size > MAX_BYTES) {
            checks.add(FieldError.tooLong(FieldPath.of("data"), MAX_BYTES));
        }
        byType(secret, data, checks);
    }

    private static void byType(JsonObject secret, JsonObject data, ObjectChecks checks) {
        var type = secret.text("type");
        for (var key : REQUIRED.getOrDefault(type, List.of())) {
            if (!data.has(key)) {
                checks.required(FieldPath.of("data").key(key), "");
            } else if (type.startsWith("kubernetes.io/docker") && !isJson(data, key)) {
                checks.invalid(
                        FieldPath.of("data").key(key),
                        "<secret contents redacted>",
                        "invalid JSON");
            }
        }
        if (type.equals("kubernetes.io/basic-auth")
                && !data.has("username")
                && !data.has("password")) {
            checks.required(FieldPath.of("data").key("username"), "");
            checks.required(FieldPath.of("data").key("password"), "");
        }
        var annotations = secret.objectOrEmpty("metadata").objectOrEmpty("annotations");
        if (type.equals("kubernetes.io/service-account-token")
                && annotations.text(ACCOUNT_ANNOTATION).isEmpty()) {
            checks.required(ObjectChecks.METADATA.child("annotations").key(ACCOUNT_ANNOTATION), "");
        }
    }

    private static boolean isJson(JsonObject data, String key) {
        return decoded(data, key)
                .filter(bytes -> JsonReader.read(bytes) instanceof ParseResult.Documents)
                .isPresent();
    }
}
