package dev.berth.server.auth;

import dev.berth.model.certificate.Pem;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Signs and verifies service account tokens. Tokens are JWTs with the only supported algorithm
/// ES256, which rules out downgrade attacks.
public final class SigningKey {

    /// Longer tokens are rejected without parsing.
    private static final int MAX_TOKEN_LENGTH = 16 * 1024;

    private static final String ALGORITHM = "ES256";
    private static final String SIGNATURE = "SHA256withECDSAinP1363Format";
    private static final int COORDINATE_BYTES = 32;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final PrivateKey key;
    private final PublicKey publicKey;
    private final String id;

    private SigningKey(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        this.key = key;
        this.publicKey = publicKey;
        this.id =
                ENCODER.encodeToString(
                        MessageDigest.getInstance("SHA-256").digest(publicKey.getEncoded()));
    }

    /// Opens the key stored in a directory as `sa.key` and `sa.pub`, or creates one.
    public static SigningKey open(Path directory) {
        var file = directory.resolve("sa.key");
        var publicFile = directory.resolve("sa.pub");
        try {
            PrivateDirectory.make(directory);
            if (!Files.exists(file)) {
                var pair = CertificateAuthority.newPair();
                PrivateFile.write(publicFile, Pem.of(pair.getPublic()));
                PrivateFile.write(file, Pem.of(pair.getPrivate()));
            }
            var key = Pem.privateKey(PrivateFile.read(file));
            var publicKey = Pem.publicKey(PrivateFile.read(publicFile));
            if (!CertificateAuthority.isPair(publicKey, key)) {
                throw new GeneralSecurityException("the keys do not match");
            }
            return new SigningKey(key, publicKey);
        } catch (GeneralSecurityException | IOException e) {
            throw new PkiException(
                    ("%s and sa.pub cannot be used: %s; restore both from a backup, or remove"
                                    + " both: this invalidates all service account tokens")
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    String signed(JsonObject claims) {
        var header = JsonObject.of("alg", Json.of(ALGORITHM)).with("kid", Json.of(id));
        var content = encoded(header) + "." + encoded(claims);
        try {
            var signature = Signature.getInstance(SIGNATURE);
            signature.initSign(key);
            signature.update(content.getBytes(StandardCharsets.US_ASCII));
            return content + "." + ENCODER.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new PkiException("cannot sign a token", e);
        }
    }

    private static String encoded(JsonObject part) {
        return ENCODER.encodeToString(JsonWriter.compact(part).getBytes(StandardCharsets.UTF_8));
    }

    /// The claims of a token, if it was signed by this key. Nothing is evaluated before the
    /// signature is verified.
    Optional<JsonObject> verified(String token) {
        var firstDot = token.indexOf('.');
        var lastDot = token.lastIndexOf('.');
        if (token.length() > MAX_TOKEN_LENGTH
                || firstDot <= 0
                || firstDot == lastDot
                || token.indexOf('.', firstDot + 1) != lastDot) {
            return Optional.empty();
        }
        try {
            var header = parsed(token.substring(0, firstDot));
            if (header.isEmpty() || !isSupported(header.get())) {
                return Optional.empty();
            }
            var signature = Base64.getUrlDecoder().decode(token.substring(lastDot + 1));
            return isSigned(token.substring(0, lastDot), signature)
                    ? parsed(token.substring(firstDot + 1, lastDot))
                    : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean isSupported(JsonObject header) {
        // Critical header parameters are not supported.
        return header.text("alg").equals(ALGORITHM)
                && header.text("kid").equals(id)
                && !header.members().containsKey("crit");
    }

    private boolean isSigned(String content, byte[] signed) {
        try {
            var signature = Signature.getInstance(SIGNATURE);
            signature.initVerify(publicKey);
            signature.update(content.getBytes(StandardCharsets.ISO_8859_1));
            return signed.length == 2 * COORDINATE_BYTES && signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static Optional<JsonObject> parsed(String part) {
        return JsonReader.read(Base64.getUrlDecoder().decode(part))
                                instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                        && documents.getFirst().duplicates().isEmpty()
                ? Optional.of(object)
                : Optional.empty();
    }

    /// The JSON Web Key Set with the public key, for external verifiers.
    public JsonObject keySet() {
        if (!(publicKey instanceof ECPublicKey elliptic)) {
            throw new IllegalStateException("the service account key is not an EC key");
        }
        var point = elliptic.getW();
        var members = new LinkedHashMap<String, Json>();
        members.put("use", Json.of("sig"));
        members.put("kty", Json.of("EC"));
        members.put("kid", Json.of(id));
        members.put("crv", Json.of("P-256"));
        members.put("alg", Json.of(ALGORITHM));
        members.put("x", Json.of(coordinate(point.getAffineX())));
        members.put("y", Json.of(coordinate(point.getAffineY())));
        return JsonObject.of("keys", Json.array(new JsonObject(members)));
    }

    private static String coordinate(BigInteger value) {
        var bytes = value.toByteArray();
        var fixed = new byte[COORDINATE_BYTES];
        var length = Math.min(bytes.length, COORDINATE_BYTES);
        System.arraycopy(bytes, bytes.length - length, fixed, COORDINATE_BYTES - length, length);
        return ENCODER.encodeToString(fixed);
    }

    /// The OpenID discovery document, which refers to the key set.
    public static JsonObject discovery(String issuer) {
        var members = new LinkedHashMap<String, Json>();
        members.put("issuer", Json.of(issuer));
        members.put("jwks_uri", Json.of(issuer + "/openid/v1/jwks"));
        members.put("response_types_supported", Json.array(Json.of("id_token")));
        members.put("subject_types_supported", Json.array(Json.of("public")));
        members.put("id_token_signing_alg_values_supported", Json.array(Json.of(ALGORITHM)));
        return new JsonObject(members);
    }

    /// Without the key: this may be logged.
    @Override
    public String toString() {
        return "SigningKey[" + id + "]";
    }
}
