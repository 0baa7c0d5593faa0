package dev.berth.server.http;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.nodes.DefaultContainer;
import dev.berth.server.nodes.NodeAddress;
import dev.berth.server.nodes.NodeConnections;
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

/// Answers what only the node of a pod knows: what its containers print, and what a command in one
/// of them says.
final class PodNodeRequests {

    /// Newest first.
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    private static final Set<String> NAMES = Set.of("log", "exec", "attach", "portforward");

    /// Reading of these changes something, so whoever does it must be allowed to.
    private static final Set<String> ACTING = Set.of("exec", "attach", "portforward");

    private final StoredObjects objects;
    private final NodeConnections doors;
    private final Clock clock;

    PodNodeRequests(StoredObjects objects, NodeConnections doors, Clock clock) {
        this.objects = objects;
        this.doors = doors;
        this.clock = clock;
    }

    static boolean isInside(RequestTarget.OfObjects target) {
        return isPod(target) && NAMES.contains(target.subresource());
    }

    /// True for what needs permission to create beside the permission to get: it begins with `GET`
    /// only because a WebSocket does.
    static boolean isActing(RequestTarget.OfObjects target) {
        return isPod(target) && ACTING.contains(target.subresource());
    }

    private static boolean isPod(RequestTarget.OfObjects target) {
        return target.group().isEmpty() && target.plural().equals("pods");
    }

    ServerResponse answer(ApiRequest asked, RequestTarget.OfObjects target, JsonObject pod) {
        return switch (target.subresource()) {
            case "log" -> log(asked, pod);
            case "exec" -> exec(asked, pod);
            default -> throw unknown(target.subresource(), pod).exception();
        };
    }

    private ApiError unknown(String what, JsonObject pod) {
        node(pod);
        return ApiError.badRequest(
                what.equals("attach")
                        ? "attaching to a container is not supported; see what it prints with"
                                + " kubectl logs -f, or run a command in it with kubectl exec"
                        : "forwarding ports is not supported; connect to the address of the pod"
                                + " from its node");
    }

    private ServerResponse log(ApiRequest asked, JsonObject pod) {
        var query = asked.query();
        check(query, pod);
        var container = DefaultContainer.chosen(pod, query.text("container"));
        if (pod.objectOrEmpty("spec").text("nodeName").isEmpty()) {
            // Nothing has been printed yet.
            return ServerResponse.bytes(204, "text/plain", new byte[0]);
        }
        var node = nodeObject(pod);
        if (NodeAddress.isSimulated(node)) {
            var text = doors.simulatedLog(pod, container);
            return ServerResponse.text(
                    200,
                    new SimulatedLogReply(query, clock.instant())
                            .of(
                                    pod,
                                    container,
                                    text.orElse("Pods on simulated nodes do not run.\n")));
        }
        var path = new StringBuilder("/containerLogs/").append(place(pod, container)).append('?');
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
        return new ServerResponse.Flowing(
                "text/plain",
                doors.read(NodeAddress.of(node), path.substring(0, path.length() - 1)));
    }

    private static void check(RequestQuery query, JsonObject pod) {
        var problems = new ArrayList<FieldError>();
        least(query, "tailLines", 0, problems);
        least(query, "limitBytes", 1, problems);
        least(query, "sinceSeconds", 1, problems);
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

    private static void least(
            RequestQuery query, String name, long least, List<FieldError> problems) {
        var given = query.number(name);
        if (given.isPresent() && given.getAsLong() < least) {
            problems.add(
                    FieldError.invalid(
                            FieldPath.of(name),
                            Json.of(given.getAsLong()),
                            least == 0
                                    ? "must be greater than or equal to 0"
                                    : "must be greater than 0"));
        }
    }

    private ServerResponse exec(ApiRequest asked, JsonObject pod) {
        var query = asked.query();
        var container = DefaultContainer.chosen(pod, query.text("container"));
        if (query.all("command").isEmpty()) {
            throw ApiError.badRequest("you must specify a command to run: command=… for each word")
                    .exception();
        }
        var at = node(pod);
        var path = new StringBuilder("/exec/").append(place(pod, container)).append('?');
        path.append("input=").append(query.flag("stdin") ? 1 : 0);
        path.append("&output=").append(query.flag("stdout") ? 1 : 0);
        path.append("&error=").append(query.flag("stderr") ? 1 : 0);
        path.append("&tty=").append(query.flag("tty") ? 1 : 0);
        for (var word : query.all("command")) {
            path.append("&command=").append(escaped(word));
        }
        return new ServerResponse.Conversing(
                new NodeProxySession(doors, at, path.toString(), protocol(asked)));
    }

    /// The way of talking that the client and we both know.
    private static String protocol(ApiRequest asked) {
        var upgrade = asked.header("Upgrade");
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
        for (var line : asked.headers().apply("Sec-WebSocket-Protocol")) {
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
                        "the client offers the protocols %s; this server knows %s"
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
                        ApiError.notFound(new ApiError.About("", "nodes", "Node", node)).exception());
    }

    private static String place(JsonObject pod, String container) {
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
