package dev.berth.node.endpoint;

import dev.berth.model.api.ObjectRef;
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
import java.util.function.Supplier;
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

/// Answers those who come to the door. It runs on virtual threads, so everything may block.
final class EndpointHandler extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointHandler.class);

    /// What it answers from.
    record Sources(ContainerRuntime runtime, PodLookup pods, Supplier<String> metrics) {}

    private final EndpointOptions settings;
    private final Sources sources;
    private final ContainerLookup containers;
    private final ExecutorService threads;

    EndpointHandler(EndpointOptions settings, Sources sources, ExecutorService threads) {
        this.settings = settings;
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
            admit(request);
            answer(request, response, callback);
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

    /// Lets in whom the cluster vouches for and whose name is on the list.
    private void admit(Request request) throws EndpointError {
        if (!(request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
                        instanceof EndPoint.SslSessionData tls)
                || tls.peerCertificates() == null
                || tls.peerCertificates().length == 0) {
            throw new EndpointError(401, "Unauthorized");
        }
        var certificate = tls.peerCertificates()[0];
        var name = CertificateNames.commonName(certificate.getSubjectX500Principal());
        var now = settings.clock().instant();
        // A connection may outlive the certificate that it was opened with.
        if (now.isAfter(certificate.getNotAfter().toInstant())) {
            throw new EndpointError(401, "Unauthorized");
        }
        if (!settings.clients().contains(name)) {
            throw new EndpointError(
                    403,
                    "\"%s\" may not ask this node; only %s may"
                            .formatted(name, sorted(settings.clients())));
        }
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }

    private void answer(Request request, Response response, Callback callback)
            throws EndpointError, RuntimeFailure, IOException, InterruptedException {
        var parts = segments(request.getHttpURI().getPath());
        var query = request.getHttpURI().getQuery();
        var asked = EndpointQuery.parse(query == null ? "" : query);
        var place = parts.isEmpty() ? "" : parts.getFirst();
        if (place.equals("exec") && parts.size() == 4) {
            exec(request, response, callback, name(parts), ExecQuery.of(asked));
            return;
        }
        if (!request.getMethod().equals("GET")) {
            throw new EndpointError(405, "only GET is answered here");
        }
        switch (place + "/" + parts.size()) {
            case "containerLogs/4" -> logs(response, callback, name(parts), asked);
            case "healthz/1" -> text(response, callback, 200, "ok");
            case "metrics/1" -> text(response, callback, 200, sources.metrics.get());
            case "pods/1" -> pods(response, callback);
            default ->
                    throw EndpointError.notFound(
                            "there is nothing at " + request.getHttpURI().getPath());
        }
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
            Response response, Callback callback, ContainerLookup.Name name, EndpointQuery asked)
            throws EndpointError, RuntimeFailure, IOException, InterruptedException {
        var query = LogQuery.of(asked, settings.clock().instant());
        var log = containers.log(name, query.isPrevious());
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        // The header goes out at once, so that a client knows that it is being answered.
        Content.Sink.write(response, false, ByteBuffer.allocate(0));
        try {
            new LogReader(
                            log,
                            query,
                            bytes -> Content.Sink.write(response, false, ByteBuffer.wrap(bytes)))
                    .read(() -> !query.isPrevious() && containers.goesOn(name));
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
                    "commands are run over WebSocket; \"%s\" was asked for"
                            .formatted(String.valueOf(headers.get(HttpHeader.UPGRADE))));
        }
        var offered = headers.getCSV("Sec-WebSocket-Protocol", false);
        var protocol =
                StreamChannel.PROTOCOLS.stream()
                        .filter(offered::contains)
                        .findFirst()
                        .orElseThrow(() ->
                                EndpointError.badRequest(
                                        "the client offers the protocols %s, the node knows %s"
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
                                (_, answer, _) -> {
                                    answer.setAcceptedSubProtocol(protocol);
                                    return socket;
                                },
                                request,
                                response,
                                callback);
        if (!upgraded) {
            throw EndpointError.badRequest("this is no proper beginning of a WebSocket");
        }
    }

    private void pods(Response response, Callback callback) {
        var list =
                JsonObject.of("kind", Json.of("PodList"))
                        .with("apiVersion", Json.of("v1"))
                        .with("metadata", JsonObject.EMPTY)
                        .with("items", Json.array(sources.pods.pods()));
        send(response, callback, 200, "application/json", JsonWriter.compact(list));
    }

    private static void text(Response response, Callback callback, int status, String text) {
        send(response, callback, status, "text/plain; charset=utf-8", text);
    }

    private static void send(
            Response response, Callback callback, int status, String type, String text) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
    }
}
