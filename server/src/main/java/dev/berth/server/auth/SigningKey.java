package dev.berth.server.auth;

import dev.berth.model.certificate.Pem;
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

/// Signs the tokens of service accounts, and tells its own from others. Tokens are JWTs of the one
/// algorithm ES256; there is no other to be talked into.
public final class SigningKey {

    /// Longer ones are not looked at.
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

    /// Opens the key that is kept in a directory as `sa.key` and `sa.pub`, or makes one there.
    public static SigningKey open(Path directory) {
        var file = directory.resolve("sa.key");
        var publicFile = directory.resolve("sa.pub");
        try {
            CredentialFiles.directory(directory);
            if (!Files.exists(file)) {
                var pair = CertificateAuthority.newPair();
                CredentialFiles.write(publicFile, Pem.of(pair.getPublic()));
                CredentialFiles.write(file, Pem.of(pair.getPrivate()));
            }
            var key = Pem.privateKey(CredentialFiles.read(file));
            var publicKey = Pem.publicKey(CredentialFiles.read(publicFile));
            if (!CertificateAuthority.isPair(publicKey, key)) {
                throw new GeneralSecurityException("they do not belong together");
            }
            return new SigningKey(key, publicKey);
        } catch (GeneralSecurityException | IOException e) {
            throw new PkiException(
                    ("%s and sa.pub cannot be used: %s; restore both from a backup, or move both"
                                    + " away: then all tokens of service accounts become void")
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    String signed(JsonObject claims) {
        var head = JsonObject.of("alg", Json.of(ALGORITHM)).with("kid", Json.of(id));
        var content = encoded(head) + "." + encoded(claims);
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

    /// What a token says, if this key signed it. Nothing of it is believed before that is sure.
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
            var head = parsed(token.substring(0, firstDot));
            if (head.isEmpty() || !isOurs(head.get())) {
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

    private boolean isOurs(JsonObject head) {
        // A header that is critical to understand is one that we do not know.
        return head.text("alg").equals(ALGORITHM)
                && head.text("kid").equals(id)
                && !head.members().containsKey("crit");
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

    /// The public half for others, who want to verify tokens themselves.
    public JsonObject keySet() {
        if (!(publicKey instanceof ECPublicKey elliptic)) {
            throw new IllegalStateException("the key of service accounts is not elliptic");
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

    /// What tells others where to find the keys.
    public static JsonObject discovery(String issuer) {
        var members = new LinkedHashMap<String, Json>();
        members.put("issuer", Json.of(issuer));
        members.put("jwks_uri", Json.of(issuer + "/openid/v1/jwks"));
        members.put("response_types_supported", Json.array(Json.of("id_token")));
        members.put("subject_types_supported", Json.array(Json.of("public")));
        members.put("id_token_signing_alg_values_supported", Json.array(Json.of(ALGORITHM)));
        return new JsonObject(members);
    }

    /// Without the key: this may end up in a log.
    @Override
    public String toString() {
        return "SigningKey[" + id + "]";
    }
}
