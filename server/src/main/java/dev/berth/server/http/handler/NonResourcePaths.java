package dev.berth.server.http.handler;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.http.limit.ThrottledLog;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.response.MediaNegotiation;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.registry.ApiError;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.StoreHealth;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Paths without resources: discovery, health, version, and registered documents such as OpenAPI
/// and metrics.
final class NonResourcePaths {

    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final Discovery discovery;
    private final Store store;
    private final Map<String, Function<ApiRequest, ServerResponse>> handlers;
    private final ThrottledLog log =
            new ThrottledLog(LoggerFactory.getLogger(NonResourcePaths.class), Level.ERROR);

    /// @param handlers by path; a path that ends with `/` includes everything below it
    NonResourcePaths(
            Discovery discovery,
            Store store,
            Map<String, Function<ApiRequest, ServerResponse>> handlers) {
        this.discovery = discovery;
        this.store = store;
        this.handlers = new TreeMap<>(handlers);
    }

    /// True for paths that need no authorization: health and version.
    static boolean isPublic(String path) {
        return path.equals("/version")
                || HEALTH.stream().anyMatch(one -> path.equals(one) || path.startsWith(one + "/"));
    }

    ServerResponse handle(ApiRequest request, String path) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            throw ApiError.methodNotAllowed().exception();
        }
        if (path.equals("/api")
                || path.startsWith("/api/")
                || path.equals("/apis")
                || path.startsWith("/apis/")) {
            return discovery(request, path);
        }
        if (path.equals("/version")) {
            return ServerResponse.json(200, Version.current());
        }
        if (path.equals("/")) {
            return ServerResponse.json(200, index());
        }
        for (var one : HEALTH) {
            if (path.equals(one) || path.startsWith(one + "/")) {
                return health(request, one);
            }
        }
        return registered(request, path);
    }

    private ServerResponse discovery(ApiRequest request, String path) {
        var media = MediaNegotiation.of(request, MediaNegotiation.Offer.BUILT_IN);
        var aggregated = media.form() == MediaNegotiation.Form.DISCOVERY;
        var document =
                discovery
                        .document(path, aggregated)
                        .orElseThrow(() -> ApiError.noSuchPath().exception());
        if (!aggregated || !document.text("kind").equals("APIGroupDiscoveryList")) {
            return ServerResponse.of(200, document, media, List.of());
        }
        var response = ServerResponse.of(200, document, media, List.of());
        return ServerResponse.bytes(
                200,
                "%s;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList"
                        .formatted(
                                response.type(),
                                media.version().isEmpty() ? "v2" : media.version()),
                response.bytes());
    }

    private ServerResponse health(ApiRequest request, String path) {
        var problem = storeProblem();
        var isHealthy = problem.isEmpty();
        problem.ifPresent(reason -> log.log(() -> path + " failed: " + reason));
        if (isHealthy && !request.query().values().containsKey("verbose")) {
            return ServerResponse.text(200, "ok");
        }
        var check = path.substring(1);
        return isHealthy
                ? ServerResponse.text(
                        200, "[+]ping ok\n[+]store ok\n%s check passed\n".formatted(check))
                // Anonymous clients may read this, so the reason is only in the log.
                : ServerResponse.text(
                        500,
                        "[+]ping ok\n[-]store failed: reason withheld\n%s check failed\n"
                                .formatted(check));
    }

    /// Why the store cannot be read or written; empty if it is healthy.
    private Optional<String> storeProblem() {
        try {
            store.sync();
        } catch (StoreException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        return switch (store.health()) {
            case StoreHealth.Ready _ -> Optional.empty();
            case StoreHealth.Failed(_, var detail) -> Optional.of(detail);
        };
    }

    private JsonObject index() {
        var paths = new ArrayList<String>(List.of("/api", "/api/v1", "/apis"));
        discovery
                .groups()
                .forEach((group, versions) -> {
                    if (!group.isEmpty()) {
                        paths.add("/apis/" + group);
                        versions.forEach(version -> paths.add("/apis/" + group + "/" + version));
                    }
                });
        paths.addAll(HEALTH);
        paths.add("/version");
        handlers.keySet().stream().filter(path -> !path.endsWith("/")).forEach(paths::add);
        var sorted = paths.stream().sorted().<Json>map(Json::of).toList();
        return JsonObject.of("paths", new JsonArray(sorted));
    }

    private ServerResponse registered(ApiRequest request, String path) {
        for (var entry : handlers.entrySet()) {
            var at = entry.getKey();
            if (path.equals(at) || (at.endsWith("/") && path.startsWith(at))) {
                return entry.getValue().apply(request);
            }
        }
        throw ApiError.noSuchPath().exception();
    }

    /// Version of the server, as shown by `kubectl version`.
    static final class Version {
        private static final String MAJOR = "1";
        private static final String MINOR = "37";

        private Version() {}

        static JsonObject current() {
            var members = new LinkedHashMap<String, Json>();
            members.put("major", Json.of(MAJOR));
            members.put("minor", Json.of(MINOR));
            members.put("gitVersion", Json.of("v%s.%s.0+berth".formatted(MAJOR, MINOR)));
            members.put("gitCommit", Json.of(""));
            members.put("gitTreeState", Json.of("clean"));
            members.put("buildDate", Json.of("1970-01-01T00:00:00Z"));
            members.put("goVersion", Json.of("none"));
            members.put("compiler", Json.of("javac"));
            members.put("platform", Json.of(platform()));
            return new JsonObject(members);
        }

        private static String platform() {
            var machine = System.getProperty("os.arch", "");
            return "linux/" + (machine.equals("aarch64") ? "arm64" : machine);
        }
    }
}
