package dev.berth.server.auth;

import dev.berth.model.file.PrivateFile;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes kubeconfig files.
public final class KubeconfigWriter {

    /// The name of the cluster, of the user and of the context.
    public static final String NAME = "berth";

    private KubeconfigWriter() {}

    /// The text of the file, with embedded certificates and key.
    ///
    /// @param server URL of the API, such as `https://127.0.0.1:6443`
    public static String text(String server, String authorityPem, Credential client) {
        var cluster =
                object(
                        "server", Json.of(server),
                        "certificate-authority-data", base64(authorityPem));
        var user =
                object(
                        "client-certificate-data", base64(client.certificatePem()),
                        "client-key-data", base64(client.kubeconfigKeyPem()));
        var context = object("cluster", Json.of(NAME), "user", Json.of(NAME));
        var members = new LinkedHashMap<String, Json>();
        members.put("apiVersion", Json.of("v1"));
        members.put("kind", Json.of("Config"));
        members.put("clusters", named("cluster", cluster));
        members.put("users", named("user", user));
        members.put("contexts", named("context", context));
        members.put("current-context", Json.of(NAME));
        members.put("preferences", JsonObject.EMPTY);
        return YamlWriter.write(new JsonObject(members));
    }

    /// Writes the file, readable by its owner only.
    public static void write(Path file, String server, String authorityPem, Credential client)
            throws IOException {
        PrivateFile.write(file, text(server, authorityPem, client));
    }

    private static Json named(String what, JsonObject value) {
        return Json.array(object("name", Json.of(NAME), what, value));
    }

    private static JsonObject object(String first, Json one, String second, Json two) {
        var members = new LinkedHashMap<String, Json>(Map.of(first, one));
        members.put(second, two);
        return new JsonObject(members);
    }

    private static Json base64(String text) {
        return Json.of(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
    }
}
