package dev.berth.node.endpoint;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.node.channel.StreamChannel;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP handler of the endpoint: logs, exec, pods, metrics and health. Requests run on virtual
/// threads and may block.
final class EndpointHandler extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointHandler.class);

    /// Data sources of responses.
    record Sources(ContainerRuntime runtime, PodLookup pods, MetricsRegistry metrics) {}

    private final EndpointOptions options;
    private final Sources sources;
    private final ContainerLookup containers;
    private final ExecutorService threads;

    EndpointHandler(EndpointOptions options, Sources sources, ExecutorService threads) {
        this.options = options;
        this.sources = sources;
        this.containers = new ContainerLookup(sources.runtime, sources.pods);
        this.threads = threads;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        threads.execute(() -> serve(request, response, callback));
        return true;
    }

    private void serve(Request request, Response response, Callback callback) {
        try {
            authorize(request);
            route(request, response, callback);
        } catch (EndpointError e) {
            text(response, callback, e.status(), e.text());
        } catch (RuntimeFailure e) {
            text(response, callback, 500, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (IOException e) {
            LOG.debug("a client went away", e);
            callback.failed(e);
        } catch (RuntimeException e) {
            LOG.error("{} failed", request.getHttpURI().getPath(), e);
            callback.failed(e);
        }
    }

    /// Authenticates the client by its certificate and authorizes it by its common name.
    private void authorize(Request request) throws EndpointError {
        if (!(request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                        instanceof EndPoint.SslSessionData tls)
                || tls.peerCertificates() == null
                || tls.peerCertificates().length == 0) {
            throw new EndpointError(401, "Unauthorized");
        }
        var certificate = tls.peerCertificates()[0];
        var name = CertificateNames.commonName(certificate.getSubjectX500Principal());
        var now = options.clock().instant();
        // A connection may outlive the client certificate it was opened with.
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            throw new EndpointError(401, "Unauthorized");
        }
        if (!options.clients().contains(name)) {
            throw new EndpointError(
                    403,
                    "\"%s\" is not an authorized client of this node; authorized are %s"
                            .formatted(name, sorted(options.clients())));
        }
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }

    private void route(Request request, Response response, Callback callback)
            throws EndpointError, RuntimeFailure, IOException, InterruptedException {
        var parts = segments(request.getHttpURI().getPath());
        var query = request.getHttpURI().getQuery();
        var parameters = EndpointQuery.parse(query == null ? "" : query);
        var resource = parts.isEmpty() ? "" : parts.getFirst();
        if (resource.equals("exec") && parts.size() == 4) {
            exec(request, response, callback, name(parts), ExecQuery.of(parameters));
            return;
        }
        if (!request.getMethod().equals("GET")) {
            throw new EndpointError(405, "only GET is supported");
        }
        switch (resource + "/" + parts.size()) {
            case "containerLogs/4" -> logs(response, callback, name(parts), parameters);
            case "healthz/1" -> text(response, callback, 200, "ok");
            case "metrics/1" -> metrics(request, response, callback);
            case "pods/1" -> pods(response, callback);
            default ->
                    throw EndpointError.notFound("no such path: " + request.getHttpURI().getPath());
        }
    }

    private void metrics(Request request, Response response, Callback callback) {
        var accept = request.getHeaders().get(HttpHeader.ACCEPT);
        var exposition = sources.metrics.expose(accept == null ? "" : accept);
        send(response, callback, 200, exposition.contentType(), exposition.bytes());
    }

    private static List<String> segments(String path) throws EndpointError {
        var parts = new ArrayList<String>();
        for (var part : path.split("/", -1)) {
            if (!part.isEmpty()) {
                parts.add(EndpointQuery.decoded(part.replace("+", "%2B")));
            }
        }
        return parts;
    }

    private static ContainerLookup.Name name(List<String> parts) {
        return new ContainerLookup.Name(new ObjectRef(parts.get(1), parts.get(2)), parts.get(3));
    }

    private void logs(
            Response response,
            Callback callback,
            ContainerLookup.Name name,
            EndpointQuery parameters)
            throws EndpointError, RuntimeFailure, IOException, InterruptedException {
        var query = LogQuery.of(parameters, options.clock().instant());
        var log = containers.log(name, query.isPrevious());
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        // Sends the header at once, so that a following client sees that its request is served.
        Content.Sink.write(response, false, ByteBuffer.allocate(0));
        try {
            new LogReader(
                            log,
                            query,
                            bytes -> Content.Sink.write(response, false, ByteBuffer.wrap(bytes)))
                    .read(() -> !query.isPrevious() && containers.isWriting(name));
        } catch (NoSuchFileException _) {
            LOG.debug("{} was removed before it was read", log);
        }
        callback.succeeded();
    }

    private void exec(
            Request request,
            Response response,
            Callback callback,
            ContainerLookup.Name name,
            ExecQuery query)
            throws EndpointError, RuntimeFailure {
        var container = containers.running(name);
        var headers = request.getHeaders();
        if (!"websocket".equalsIgnoreCase(headers.get(HttpHeader.UPGRADE))) {
            throw EndpointError.badRequest(
                    "exec requires an upgrade to websocket, not to \"%s\""
                            .formatted(String.valueOf(headers.get(HttpHeader.UPGRADE))));
        }
        var offered = headers.getCSV("Sec-WebSocket-Protocol", false);
        var protocol =
                StreamChannel.PROTOCOLS.stream()
                        .filter(offered::contains)
                        .findFirst()
                        .orElseThrow(() ->
                                EndpointError.badRequest(
                                        "the client offers subprotocols %s; supported are %s"
                                                .formatted(offered, StreamChannel.PROTOCOLS)));
        var runtime = sources.runtime;
        var socket =
                new ExecSocket(
                        query,
                        () -> runtime.open(container.id(), query.command(), query.hasTerminal()),
                        threads);
        var upgraded =
                ServerWebSocketContainer.get(getServer().getContext())
                        .upgrade(
                                (_, upgrade, _) -> {
                                    upgrade.setAcceptedSubProtocol(protocol);
                                    return socket;
                                },
                                request,
                                response,
                                callback);
        if (!upgraded) {
            throw EndpointError.badRequest("invalid WebSocket handshake");
        }
    }

    private void pods(Response response, Callback callback) {
        var list =
                JsonObject.of("kind", Json.of("PodList"))
                        .with("apiVersion", Json.of("v1"))
                        .with("metadata", JsonObject.EMPTY)
                        .with("items", Json.array(sources.pods.pods()));
        send(
                response,
                callback,
                200,
                "application/json",
                JsonWriter.compact(list).getBytes(StandardCharsets.UTF_8));
    }

    private static void text(Response response, Callback callback, int status, String text) {
        send(
                response,
                callback,
                status,
                "text/plain; charset=utf-8",
                text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(
            Response response, Callback callback, int status, String type, byte[] body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
