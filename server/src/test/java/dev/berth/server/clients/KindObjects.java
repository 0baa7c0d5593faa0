package dev.berth.server.clients;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Objects of built-in kinds from manifests, with the paths of their collections.
///
/// @param path of the collection in the namespace `default` or of the cluster
record KindObjects(String path, JsonObject object) {

    /// An object of most built-in kinds, each valid.
    static List<KindObjects> all() {
        var objects = new ArrayList<KindObjects>();
        for (var line : text("/hostile/objects.jsonl").lines().toList()) {
            var object = Http.parsed(line).objectOrEmpty("object");
            find(object)
                    .filter(one -> one.path.equals(Http.parsed(line).text("path")))
                    .ifPresent(objects::add);
        }
        for (var object : documents(text("/clients/objects.yaml"))) {
            objects.add(find(object).orElseThrow());
        }
        return objects;
    }

    /// The object with the path of its collection; empty when the kind is not built in.
    static Optional<KindObjects> find(JsonObject object) {
        for (var kind : BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()))) {
            for (var version : kind.versions()) {
                if (kind.kind().equals(object.text("kind"))
                        && kind.apiVersion(version).equals(object.text("apiVersion"))) {
                    var group = kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/";
                    var namespace = kind.isNamespaced() ? "/namespaces/default/" : "/";
                    var path = group + version + namespace + kind.plural();
                    return Optional.of(new KindObjects(path, object));
                }
            }
        }
        return Optional.empty();
    }

    /// The objects of a YAML text; none when it is malformed.
    static List<JsonObject> documents(String yaml) {
        var objects = new ArrayList<JsonObject>();
        if (YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)) {
            for (var document : documents) {
                if (document.root() instanceof JsonObject object) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    String name() {
        return ProtobufHttp.name(object);
    }

    String address() {
        return path + "/" + name();
    }

    @Override
    public String toString() {
        return address();
    }

    private static String text(String resource) {
        try (var stream = Objects.requireNonNull(KindObjects.class.getResourceAsStream(resource))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
