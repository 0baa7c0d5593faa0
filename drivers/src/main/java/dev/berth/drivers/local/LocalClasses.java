package dev.berth.drivers.local;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The DeviceClasses of the local drivers.
public final class LocalClasses {

    private static final String FILE = "classes.yaml";

    private LocalClasses() {}

    /// Creates the classes; existing ones are unchanged.
    public static void create(Cluster cluster) {
        var address = ResourcePath.of(Kinds.DEVICE_CLASS);
        for (var one : all()) {
            var outcome = cluster.send(Request.Create.of(address, "", one));
            if (!outcome.isDone() && !(outcome instanceof RequestResult.Exists)) {
                throw new IllegalStateException(
                        "device class %s: %s"
                                .formatted(
                                        one.objectOrEmpty("metadata").text("name"),
                                        outcome.message()));
            }
        }
    }

    /// All classes, from the resource file.
    public static List<JsonObject> all() {
        var classes = new ArrayList<JsonObject>();
        if (YamlReader.read(manifest()) instanceof ParseResult.Documents(var documents)) {
            for (var document : documents) {
                if (document.root() instanceof JsonObject object) {
                    classes.add(object);
                }
            }
        }
        return classes;
    }

    private static String manifest() {
        try (var in = LocalClasses.class.getResourceAsStream(FILE)) {
            return new String(
                    Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
