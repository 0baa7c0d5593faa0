package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.Kinds;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The API version in which the server has a kind: v1, or an older one in clusters of 1.32 and
/// 1.33. Discovered once for each group.
final class ServedVersions {

    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final RetryingClient client;
    private final Map<String, Map<String, Set<String>>> groups = new ConcurrentHashMap<>();

    ServedVersions(RetryingClient client) {
        this.client = client;
    }

    /// A kind in the version that the server has.
    ///
    /// @param kind empty for kinds without a record, which are not converted
    /// @param address with the server's version
    record Served(Optional<Kind<?>> kind, ResourcePath address) {}

    /// The resource in the server's version: the requested one when the server has it, or has none.
    Served of(ResourcePath address) throws IOException, InterruptedException {
        var kind = Kinds.byAddress(address.group(), address.version(), address.plural());
        if (kind.isEmpty() || kind.get().versions().size() == 1) {
            return new Served(Optional.empty(), address);
        }
        var served = served(kind.get());
        if (has(served, address.version(), address)) {
            return new Served(kind, address);
        }
        for (var version : kind.get().versions()) {
            if (has(served, version, address)) {
                return new Served(
                        kind, new ResourcePath(address.group(), version, address.plural()));
            }
        }
        return new Served(kind, address);
    }

    /// Discovers the group again at the next request: the server may have changed.
    void forget(ResourcePath address) {
        groups.remove(address.group());
    }

    private static boolean has(
            Map<String, Set<String>> served, String version, ResourcePath address) {
        return served.getOrDefault(version, Set.of()).contains(address.plural());
    }

    private Map<String, Set<String>> served(Kind<?> kind) throws IOException, InterruptedException {
        var known = groups.get(kind.group());
        if (known != null) {
            return known;
        }
        var path = "/apis/" + kind.group();
        var answer = client.exchange(HttpCall.get(path));
        if (answer.statusCode() == NOT_FOUND) {
            return Map.of();
        }
        var served = new HashMap<String, Set<String>>();
        for (var one : checked(path, answer.statusCode(), answer.body()).objects("versions")) {
            served.put(one.text("version"), resources(path + "/" + one.text("version")));
        }
        groups.put(kind.group(), Map.copyOf(served));
        return served;
    }

    private Set<String> resources(String path) throws IOException, InterruptedException {
        var answer = client.exchange(HttpCall.get(path));
        var names = new HashSet<String>();
        for (var one : checked(path, answer.statusCode(), answer.body()).objects("resources")) {
            names.add(one.text("name"));
        }
        return names;
    }

    private static JsonObject checked(String path, int code, byte[] body) throws IOException {
        var object = ApiResponses.object(body);
        if (code != OK) {
            throw new IOException("GET %s: %s".formatted(path, ApiResponses.message(code, object)));
        }
        return object;
    }
}
