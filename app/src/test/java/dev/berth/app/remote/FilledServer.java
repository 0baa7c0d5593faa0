package dev.berth.app.remote;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.config.ClusterAccess;
import dev.berth.client.config.ProgramEnvironment;
import dev.berth.client.http.ClientOptions;
import dev.berth.client.http.HttpCluster;
import dev.berth.embedded.EmbeddedOptions;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.ApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// An API server with the objects of a YAML file, and an administrator's client of it.
record FilledServer(ApiServer server, HttpCluster admin) implements AutoCloseable {

    static FilledServer start(Path directory, Path manifests) throws IOException {
        var server = ApiServer.start(EmbeddedOptions.inMemory(directory).server());
        var environment = new ProgramEnvironment(Map.of(), directory, directory, Clock.systemUTC());
        var access =
                ClusterAccess.find(environment, Optional.of(server.kubeconfig()), Optional.empty());
        var filled =
                new FilledServer(server, new HttpCluster(access, ClientOptions.of("test", "0")));
        if (!(YamlReader.read(Files.readString(manifests))
                instanceof ParseResult.Documents(var documents))) {
            throw new AssertionError(manifests + " cannot be parsed");
        }
        documents.forEach(document -> filled.create((JsonObject) document.root()));
        return filled;
    }

    /// Creates an object. Its status is written afterwards, as a client has to.
    private void create(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var namespace = metadata.text("namespace");
        var resource = resource(object);
        done(admin.send(Request.Create.of(resource, namespace, object)));
        if (object.has("status")) {
            done(
                    admin.send(
                            new Request.Patch(
                                    resource,
                                    namespace,
                                    metadata.text("name"),
                                    "status",
                                    Request.PatchType.MERGE,
                                    JsonObject.of("status", object.objectOrEmpty("status")))));
        }
    }

    private static void done(RequestResult result) {
        if (!result.isDone()) {
            throw new AssertionError(result.message());
        }
    }

    private static ResourcePath resource(JsonObject object) {
        var apiVersion = object.text("apiVersion");
        var slash = apiVersion.indexOf('/');
        var kind = object.text("kind").toLowerCase(Locale.ROOT);
        return new ResourcePath(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                kind + (kind.endsWith("s") ? "es" : "s"));
    }

    @Override
    public void close() {
        admin.close();
        server.close();
    }
}
