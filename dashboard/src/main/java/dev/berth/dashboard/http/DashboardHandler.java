package dev.berth.dashboard.http;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP handler of the dashboard. Requests run on virtual threads and may block.
final class DashboardHandler extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(DashboardHandler.class);

    private static final String ROOT = "/ui/";
    private static final String API = "/ui/api/";
    private static final String JSON = "application/json";

    /// Limit of event streams. The tabs of a browser share one.
    private static final int MAX_STREAMS = 32;

    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /// Forbids scripts and styles that are not files of the page, all other origins, frames, and
    /// unchecked text as HTML.
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script';"
                    + " trusted-types svelte-trusted-html";

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy", CONTENT_SECURITY_POLICY,
                    "X-Content-Type-Options", "nosniff",
                    "X-Frame-Options", "DENY",
                    "Referrer-Policy", "no-referrer",
                    "Cross-Origin-Opener-Policy", "same-origin",
                    "Cross-Origin-Resource-Policy", "same-origin");

    private final DataApi api;
    private final PageAssets assets;
    private final LoginTokens tokens;
    private final BrowserSessions sessions;
    private final String issuerSecret;
    private final ExecutorService threads;
    private final Semaphore streams = new Semaphore(MAX_STREAMS);
    private volatile int port;

    /// @param issuerSecret secret of local commands that may ask for login tokens
    DashboardHandler(
            DataApi api,
            PageAssets assets,
            LoginTokens tokens,
            String issuerSecret,
            ExecutorService threads) {
        this.api = api;
        this.assets = assets;
        this.tokens = tokens;
        this.sessions = new BrowserSessions(api::ended);
        this.issuerSecret = issuerSecret;
        this.threads = threads;
    }

    /// Sets the port, which is known once the server listens.
    void listens(int newPort) {
        port = newPort;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        threads.execute(() -> serve(request, response, callback));
        return true;
    }

    private void serve(Request request, Response response, Callback callback) {
        HEADERS.forEach((name, value) -> response.getHeaders().put(name, value));
        try {
            new RequestChecks(port).check(request);
            route(request, response, callback);
        } catch (DashboardError e) {
            sendError(request, response, callback, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (IOException e) {
            LOG.debug("a client closed its connection", e);
            callback.failed(e);
        } catch (RuntimeException e) {
            LOG.error("{} failed", request.getHttpURI().getPath(), e);
            sendError(
                    request,
                    response,
                    callback,
                    new DashboardError(
                            500,
                            "InternalError",
                            "the dashboard failed: " + e.getClass().getSimpleName(),
                            "see the log of berth"));
        }
    }

    private void route(Request request, Response response, Callback callback)
            throws DashboardError, IOException, InterruptedException {
        var path = String.valueOf(request.getHttpURI().getPath());
        if (path.equals("/") || path.equals("/ui")) {
            response.setStatus(302);
            response.getHeaders().put(HttpHeader.LOCATION, ROOT);
            callback.succeeded();
        } else if (path.startsWith(API)) {
            data(request, response, callback, RequestUri.segments(path.substring(API.length())));
        } else if (path.startsWith(ROOT)) {
            asset(request, response, callback, path.substring(ROOT.length()));
        } else {
            throw DashboardError.notFound("no such path: " + path);
        }
    }

    private void asset(Request request, Response response, Callback callback, String path)
            throws DashboardError {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            throw new DashboardError(405, "MethodNotAllowed", "files can only be read", "");
        }
        var asset =
                assets.find(path)
                        .orElseThrow(() -> DashboardError.notFound("no such file: " + path));
        response.getHeaders()
                .put(
                        HttpHeader.CACHE_CONTROL,
                        asset.isImmutable() ? "private, max-age=31536000, immutable" : "no-cache");
        send(request, response, callback, asset.contentType(), asset.body());
    }

    private void data(Request request, Response response, Callback callback, List<String> path)
            throws DashboardError, IOException, InterruptedException {
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        var method = request.getMethod();
        var name = String.join("/", path);
        if (name.equals("session") && method.equals("POST")) {
            login(request, response, callback);
            return;
        }
        if (name.equals("token") && method.equals("POST")) {
            issue(request, response, callback);
            return;
        }
        var session = session(request);
        var query = Optional.ofNullable(request.getHttpURI().getQuery()).orElse("");
        var parameters = RequestUri.parameters(query);
        if (name.equals("events") && method.equals("GET")) {
            stream(request, response, callback, parameters.getOrDefault("from", ""));
            return;
        }
        var body = method.equals("POST") ? json(request) : new byte[0];
        var answer = api.answer(new DataRequest(method, path, parameters, body, session));
        send(request, response, callback, JSON, answer);
    }

    private String cookieName() {
        return "berth-ui-" + port;
    }

    private String session(Request request) throws DashboardError {
        for (var cookie : Request.getCookies(request)) {
            if (cookie.getName().equals(cookieName())) {
                var session = sessions.find(cookie.getValue());
                if (session.isPresent()) {
                    return session.get();
                }
            }
        }
        throw new DashboardError(
                401,
                "NoSession",
                "this browser has no session",
                "run `berth ui` and open the URL that it prints");
    }

    private void login(Request request, Response response, Callback callback)
            throws DashboardError, IOException {
        var token = token(json(request));
        if (!tokens.redeem(token)) {
            throw new DashboardError(
                    401,
                    "InvalidToken",
                    "the login token was used, has expired or is wrong",
                    "run `berth ui` again and open the new URL");
        }
        response.setStatus(204);
        response.getHeaders()
                .put(
                        HttpHeader.SET_COOKIE,
                        "%s=%s; Path=/ui; HttpOnly; SameSite=Strict"
                                .formatted(cookieName(), sessions.start()));
        callback.succeeded();
    }

    private static String token(byte[] body) throws DashboardError {
        if (JsonReader.read(body) instanceof ParseResult.Documents(var documents)
                && documents.size() == 1
                && documents.getFirst().root() instanceof JsonObject object) {
            return object.text("token");
        }
        throw DashboardError.badRequest("the body is not {\"token\":\"…\"}");
    }

    /// Issues a login token to a command of the same user, which knows the secret from a private
    /// file.
    private void issue(Request request, Response response, Callback callback)
            throws DashboardError {
        var given = Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION));
        if (!isIssuer(given.orElse(""))) {
            throw new DashboardError(401, "NoSession", "the secret is wrong", "");
        }
        var token = tokens.issue().getBytes(StandardCharsets.UTF_8);
        send(request, response, callback, "text/plain", DataBody.unversioned(token));
    }

    private boolean isIssuer(String given) {
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8),
                ("Bearer " + issuerSecret).getBytes(StandardCharsets.UTF_8));
    }

    /// The body of a request with JSON. Browsers ask before they send JSON to another origin.
    private static byte[] json(Request request) throws DashboardError, IOException {
        var type = Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        if (!type.orElse("").split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
            throw DashboardError.badRequest("the Content-Type is not " + JSON);
        }
        try (var in = Content.Source.asInputStream(request)) {
            var body = in.readNBytes(DataRequest.MAX_BODY + 1);
            if (body.length > DataRequest.MAX_BODY) {
                throw new DashboardError(
                        413,
                        "TooLarge",
                        "the body has more than %d bytes".formatted(DataRequest.MAX_BODY),
                        "send fewer manifests");
            }
            return body;
        }
    }

    private void stream(Request request, Response response, Callback callback, String from)
            throws DashboardError, IOException, InterruptedException {
        if (!streams.tryAcquire()) {
            throw new DashboardError(
                    429,
                    "Busy",
                    "%d event streams are open".formatted(MAX_STREAMS),
                    "close other windows");
        }
        try {
            response.setStatus(200);
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8");
            var last = Optional.ofNullable(request.getHeaders().get("Last-Event-ID")).orElse(from);
            var events = api.events();
            var at = events.number(last);
            write(response, ServerSentEvent.heartbeat());
            while (true) {
                switch (events.after(at, HEARTBEAT)) {
                    case EventLog.Next.Events(var missed) -> {
                        if (missed.isEmpty()) {
                            write(response, ServerSentEvent.heartbeat());
                        }
                        for (var event : missed) {
                            write(response, event.frame());
                            at = event.number();
                        }
                    }
                    case EventLog.Next.Gap(var number) -> {
                        write(response, events.resync(number));
                        at = number;
                    }
                    case EventLog.Next.End _ -> {
                        write(response, ServerSentEvent.frame("end", "", "{}"));
                        callback.succeeded();
                        return;
                    }
                }
            }
        } finally {
            streams.release();
        }
    }

    private static void write(Response response, byte[] bytes) throws IOException {
        Content.Sink.write(response, false, ByteBuffer.wrap(bytes));
    }

    private static void sendError(
            Request request, Response response, Callback callback, DashboardError error) {
        if (response.isCommitted()) {
            callback.failed(error);
            return;
        }
        response.setStatus(error.code());
        var body = DataBody.of(error.json().without("apiVersion"));
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        send(request, response, callback, JSON, body);
    }

    private static void send(
            Request request, Response response, Callback callback, String type, DataBody body) {
        var headers = response.getHeaders();
        var accepted = request.getHeaders().getCSV(HttpHeader.ACCEPT_ENCODING, false);
        var isCompressed =
                body.isCompressible()
                        && accepted.stream().anyMatch(one -> one.split(";", 2)[0].equals("gzip"));
        headers.put(HttpHeader.CONTENT_TYPE, type);
        headers.put(HttpHeader.VARY, "Accept-Encoding");
        if (isCompressed) {
            headers.put(new HttpField(HttpHeader.CONTENT_ENCODING, "gzip"));
        }
        var bytes = body.bytes(isCompressed);
        headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(
                true,
                request.getMethod().equals("HEAD")
                        ? ByteBuffer.allocate(0)
                        : ByteBuffer.wrap(bytes),
                callback);
    }
}
