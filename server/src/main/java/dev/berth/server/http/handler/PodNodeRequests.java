package dev.berth.server.http.handler;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.http.response.NodeProxySession;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.nodes.DefaultContainer;
import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.StoredObjects;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Requests that are proxied to the node of a pod: container logs and exec.
final class PodNodeRequests {

    /// Supported WebSocket subprotocols, newest first.
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    private static final Set<String> SUBRESOURCES = Set.of("log", "exec", "attach", "portforward");

    /// Reads of these subresources have side effects, so they require the verb `create` as well.
    private static final Set<String> WITH_SIDE_EFFECTS = Set.of("exec", "attach", "portforward");

    private final StoredObjects objects;
    private final NodeConnections nodes;
    private final Clock clock;

    PodNodeRequests(StoredObjects objects, NodeConnections nodes, Clock clock) {
        this.objects = objects;
        this.nodes = nodes;
        this.clock = clock;
    }

    static boolean isNodeSubresource(ObjectPath path) {
        return isPod(path) && SUBRESOURCES.contains(path.subresource());
    }

    /// True for subresources that require the permission to create in addition to get: their `GET`
    /// is only a WebSocket upgrade.
    static boolean requiresCreate(ObjectPath path) {
        return isPod(path) && WITH_SIDE_EFFECTS.contains(path.subresource());
    }

    private static boolean isPod(ObjectPath path) {
        return path.group().isEmpty() && path.plural().equals("pods");
    }

    ServerResponse handle(ApiRequest request, ObjectPath path, JsonObject pod) {
        return switch (path.subresource()) {
            case "log" -> log(request, pod);
            case "exec" -> exec(request, pod);
            default -> throw unsupported(path.subresource(), pod).exception();
        };
    }

    private ApiError unsupported(String subresource, JsonObject pod) {
        node(pod);
        return ApiError.badRequest(
                subresource.equals("attach")
                        ? "attach is not supported; use kubectl logs -f to read the output of a"
                                + " container, or kubectl exec to run a command in it"
                        : "port-forward is not supported; connect to the pod's address from its"
                                + " node");
    }

    private ServerResponse log(ApiRequest request, JsonObject pod) {
        var query = request.query();
        check(query, pod);
        var container = DefaultContainer.resolve(pod, query.text("container"));
        if (pod.objectOrEmpty("spec").text("nodeName").isEmpty()) {
            // The pod is not bound yet, so there is no output.
            return ServerResponse.bytes(204, "text/plain", new byte[0]);
        }
        var node = nodeObject(pod);
        if (NodeAddress.isSimulated(node)) {
            var text = nodes.simulatedLog(pod, container);
            return ServerResponse.text(
                    200,
                    new SimulatedLogResponse(query, clock.instant())
                            .of(
                                    pod,
                                    container,
                                    text.orElse("Pods on simulated nodes do not run.\n")));
        }
        var path =
                new StringBuilder("/containerLogs/")
                        .append(containerPath(pod, container))
                        .append('?');
        for (var name : List.of("follow", "previous", "timestamps")) {
            if (query.flag(name)) {
                path.append(name).append("=true&");
            }
        }
        for (var name : List.of("sinceSeconds", "sinceTime", "tailLines", "limitBytes")) {
            if (!query.text(name).isEmpty()) {
                path.append(name).append('=').append(escaped(query.text(name))).append('&');
            }
        }
        return new ServerResponse.ByteStream(
                "text/plain",
                nodes.read(NodeAddress.of(node), path.substring(0, path.length() - 1)));
    }

    private static void check(RequestQuery query, JsonObject pod) {
        var problems = new ArrayList<FieldError>();
        checkMinimum(query, "tailLines", 0, problems);
        checkMinimum(query, "limitBytes", 1, problems);
        checkMinimum(query, "sinceSeconds", 1, problems);
        var since = query.text("sinceTime");
        if (!since.isEmpty()) {
            try {
                OffsetDateTime.parse(since);
            } catch (DateTimeException _) {
                throw ApiError.badRequest(
                                "query parameter sinceTime is \"%s\"; expected a time such as"
                                                .formatted(since)
                                        + " 2026-01-02T15:04:05Z")
                        .exception();
            }
            if (!query.text("sinceSeconds").isEmpty()) {
                problems.add(
                        FieldError.forbidden(
                                FieldPath.of("sinceTime"),
                                "at most one of `sinceTime` or `sinceSeconds` may be specified"));
            }
        }
        if (!problems.isEmpty()) {
            var name = pod.objectOrEmpty("metadata").text("name");
            throw ApiError.invalid(new ApiError.About("", "", "PodLogOptions", name), problems)
                    .exception();
        }
    }

    private static void checkMinimum(
            RequestQuery query, String name, long minimum, List<FieldError> problems) {
        var given = query.number(name);
        if (given.isPresent() && given.getAsLong() < minimum) {
            problems.add(
                    FieldError.invalid(
                            FieldPath.of(name),
                            Json.of(given.getAsLong()),
                            minimum == 0
                                    ? "must be greater than or equal to 0"
                                    : "must be greater than 0"));
        }
    }

    private ServerResponse exec(ApiRequest request, JsonObject pod) {
        var query = request.query();
        var container = DefaultContainer.resolve(pod, query.text("container"));
        if (query.all("command").isEmpty()) {
            throw ApiError.badRequest("you must specify a command to run: command=… for each word")
                    .exception();
        }
        var node = node(pod);
        var path = new StringBuilder("/exec/").append(containerPath(pod, container)).append('?');
        path.append("input=").append(query.flag("stdin") ? 1 : 0);
        path.append("&output=").append(query.flag("stdout") ? 1 : 0);
        path.append("&error=").append(query.flag("stderr") ? 1 : 0);
        path.append("&tty=").append(query.flag("tty") ? 1 : 0);
        for (var word : query.all("command")) {
            path.append("&command=").append(escaped(word));
        }
        return new ServerResponse.NodeProxy(
                new NodeProxySession(nodes, node, path.toString(), protocol(request)));
    }

    /// The newest subprotocol that the client and this server support.
    private static String protocol(ApiRequest request) {
        var upgrade = request.header("Upgrade");
        if (upgrade.isEmpty()) {
            throw ApiError.badRequest("Upgrade request required").exception();
        }
        if (!upgrade.equalsIgnoreCase("websocket")) {
            throw ApiError.badRequest(
                            ("%s is not supported, WebSocket is: use kubectl 1.30 or newer, without"
                                            + " KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false")
                                    .formatted(upgrade))
                    .exception();
        }
        var offered = new ArrayList<String>();
        for (var line : request.headers().apply("Sec-WebSocket-Protocol")) {
            for (var word : line.split(",", -1)) {
                offered.add(word.strip());
            }
        }
        for (var known : PROTOCOLS) {
            if (offered.contains(known)) {
                return known;
            }
        }
        throw ApiError.badRequest(
                        "the client offers the protocols %s; this server supports %s"
                                .formatted(offered, PROTOCOLS))
                .exception();
    }

    private NodeAddress node(JsonObject pod) {
        return NodeAddress.of(nodeObject(pod));
    }

    private JsonObject nodeObject(JsonObject pod) {
        var node = pod.objectOrEmpty("spec").text("nodeName");
        if (node.isEmpty()) {
            throw ApiError.badRequest(
                            "pod %s does not have a host assigned"
                                    .formatted(pod.objectOrEmpty("metadata").text("name")))
                    .exception();
        }
        return objects.get("nodes", "", node)
                .orElseThrow(() ->
                        ApiError.notFound(new ApiError.About("", "nodes", "Node", node))
                                .exception());
    }

    private static String containerPath(JsonObject pod, String container) {
        var metadata = pod.objectOrEmpty("metadata");
        return "%s/%s/%s"
                .formatted(
                        escaped(metadata.text("namespace")),
                        escaped(metadata.text("name")),
                        escaped(container));
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
