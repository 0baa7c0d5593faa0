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

/// Which version of a kind the server has: the newest is v1, clusters of 1.32 and 1.33 have older
/// ones. It is asked once for a group.
final class ServedVersions {

    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final RetryingClient asking;
    private final Map<String, Map<String, Set<String>>> groups = new ConcurrentHashMap<>();

    ServedVersions(RetryingClient asking) {
        this.asking = asking;
    }

    /// A kind in the version in which the server has it.
    ///
    /// @param kind empty for those that we have no record of; they are not converted
    /// @param address with the server's version
    record Spoken(Optional<Kind<?>> kind, ResourcePath address) {}

    /// The address in the server's version: the asked one when the server has it, or has none.
    Spoken of(ResourcePath address) throws IOException, InterruptedException {
        var kind = Kinds.byAddress(address.group(), address.version(), address.plural());
        if (kind.isEmpty() || kind.get().versions().size() == 1) {
            return new Spoken(Optional.empty(), address);
        }
        var served = served(kind.get());
        if (has(served, address.version(), address)) {
            return new Spoken(kind, address);
        }
        for (var version : kind.get().versions()) {
            if (has(served, version, address)) {
                return new Spoken(
                        kind, new ResourcePath(address.group(), version, address.plural()));
            }
        }
        return new Spoken(kind, address);
    }

    /// The server may have changed: ask again next time.
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
        var answer = asking.ask(HttpCall.get(path));
        if (answer.statusCode() == NOT_FOUND) {
            return Map.of();
        }
        var served = new HashMap<String, Set<String>>();
        for (var one : answered(path, answer.statusCode(), answer.body()).objects("versions")) {
            served.put(one.text("version"), resources(path + "/" + one.text("version")));
        }
        groups.put(kind.group(), Map.copyOf(served));
        return served;
    }

    private Set<String> resources(String path) throws IOException, InterruptedException {
        var answer = asking.ask(HttpCall.get(path));
        var names = new HashSet<String>();
        for (var one : answered(path, answer.statusCode(), answer.body()).objects("resources")) {
            names.add(one.text("name"));
        }
        return names;
    }

    private static JsonObject answered(String path, int code, byte[] body) throws IOException {
        var object = ApiResponses.object(body);
        if (code != OK) {
            throw new IOException("GET %s: %s".formatted(path, ApiResponses.message(code, object)));
        }
        return object;
    }
}
