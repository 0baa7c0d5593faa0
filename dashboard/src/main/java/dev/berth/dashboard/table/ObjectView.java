package dev.berth.dashboard.table;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.dashboard.http.DashboardError;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.YamlWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A single object as YAML and JSON, with its events.
public final class ObjectView {

    private static final int MAX_LENGTH = 1 << 20;
    private static final int FORBIDDEN = 403;

    private static final Map<String, Kind<?>> KINDS =
            List.<Kind<?>>of(
                            Kinds.POD,
                            Kinds.NODE,
                            Kinds.RESOURCE_CLAIM,
                            Kinds.RESOURCE_CLAIM_TEMPLATE,
                            Kinds.RESOURCE_SLICE,
                            Kinds.DEVICE_CLASS,
                            Kinds.DEVICE_TAINT_RULE,
                            Kinds.RESOURCE_QUOTA,
                            Kinds.POD_GROUP)
                    .stream()
                    .collect(Collectors.toUnmodifiableMap(Kind::plural, Function.identity()));

    private final Cluster cluster;
    private final ObjectEvents events;

    public ObjectView(Cluster cluster, ObjectEvents events) {
        this.cluster = cluster;
        this.events = events;
    }

    /// Reads an object.
    ///
    /// @param plural such as `resourceclaims`
    public JsonObject of(String plural, String namespace, String name) throws DashboardError {
        var kind = KINDS.get(plural);
        if (kind == null) {
            throw DashboardError.notFound("objects of kind \"%s\" are not shown".formatted(plural));
        }
        var redacted = Redaction.of(read(kind, namespace, name));
        var yaml = YamlWriter.write(redacted.object());
        if (yaml.length() > MAX_LENGTH) {
            throw new DashboardError(
                    413,
                    "TooLarge",
                    "%s %s has more than %d characters".formatted(plural, name, MAX_LENGTH),
                    "read the object with kubectl");
        }
        return JsonObject.of("kind", Json.of(kind.name()))
                .with("namespace", Json.of(namespace))
                .with("name", Json.of(name))
                .with("yaml", Json.of(yaml))
                .with("object", redacted.object())
                .with("omitted", TableRows.texts(redacted.omitted()))
                .with(
                        "events",
                        Json.array(events.of(namespace, Set.of(kind.name() + "/" + name))));
    }

    private JsonObject read(Kind<?> kind, String namespace, String name) throws DashboardError {
        var request = new Request.Get(ResourcePath.of(kind), namespace, name);
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> object;
            case RequestResult.Missing(var message) -> throw DashboardError.notFound(message);
            case RequestResult.Refused(var code, _, var message) when code == FORBIDDEN ->
                    throw new DashboardError(
                            403,
                            "Forbidden",
                            message,
                            "the ClusterRole berth-reader permits it");
            case RequestResult.Refused(_, _, var message) ->
                    throw DashboardError.badRequest(message);
            case RequestResult.Unavailable(var message) ->
                    throw new DashboardError(503, "Unavailable", message, "");
            case RequestResult.Conflict(var message) -> throw DashboardError.badRequest(message);
            case RequestResult.Exists(var message) -> throw DashboardError.badRequest(message);
        };
    }
}
