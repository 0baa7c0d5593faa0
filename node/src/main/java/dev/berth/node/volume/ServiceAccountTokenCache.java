package dev.berth.node.volume;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.PodDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of service account tokens of pods. A token is renewed after 80 % of its lifetime.
final class ServiceAccountTokenCache {

    private static final ResourcePath ACCOUNTS = new ResourcePath("", "v1", "serviceaccounts");
    private static final long DEFAULT_SECONDS = 3600;
    private static final double RENEW_FRACTION = 0.8;

    private final Cluster cluster;
    private final Clock clock;
    private final Map<Key, Token> tokens = new ConcurrentHashMap<>();

    private record Key(Uid pod, String audience, long seconds) {}

    private record Token(String text, Instant renewAt) {}

    ServiceAccountTokenCache(Cluster cluster, Clock clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    String token(PodDefinition pod, JsonObject source) throws VolumeException {
        var key =
                new Key(
                        pod.uid(),
                        source.text("audience"),
                        source.number("expirationSeconds").orElse(DEFAULT_SECONDS));
        var cached = tokens.get(key);
        if (cached != null && cached.renewAt.isAfter(clock.instant())) {
            return cached.text;
        }
        var fresh = request(pod, key);
        tokens.put(key, fresh);
        return fresh.text;
    }

    private Token request(PodDefinition pod, Key key) throws VolumeException {
        var account = pod.spec().string("serviceAccountName").orElse("default");
        var bound =
                JsonObject.of("kind", Json.of("Pod"))
                        .with("apiVersion", Json.of("v1"))
                        .with("name", Json.of(pod.ref().name()))
                        .with("uid", Json.of(pod.uid().value()));
        var spec =
                JsonObject.of(
                                "audiences",
                                key.audience.isEmpty()
                                        ? Json.array()
                                        : Json.array(Json.of(key.audience)))
                        .with("expirationSeconds", Json.of(key.seconds))
                        .with("boundObjectRef", bound);
        var request =
                JsonObject.of("apiVersion", Json.of("authentication.k8s.io/v1"))
                        .with("kind", Json.of("TokenRequest"))
                        .with("spec", spec);
        var outcome =
                cluster.send(
                        new Request.Create(
                                ACCOUNTS, pod.ref().namespace(), account, "token", request));
        if (!(outcome instanceof RequestResult.Done(var response))) {
            throw new VolumeException(
                    "no token for service account %s: %s".formatted(account, outcome.message()));
        }
        // The API server may shorten the lifetime.
        var seconds =
                response.objectOrEmpty("spec").number("expirationSeconds").orElse(key.seconds);
        var validity = Duration.ofMillis((long) (seconds * 1000 * RENEW_FRACTION));
        return new Token(
                response.objectOrEmpty("status").text("token"), clock.instant().plus(validity));
    }

    void remove(Uid pod) {
        tokens.keySet().removeIf(key -> key.pod.equals(pod));
    }
}
