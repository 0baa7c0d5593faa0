package dev.berth.node.volume;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.pod.PodDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Tokens of service accounts for pods, each kept until most of its life is over.
final class ServiceAccountTokenCache {

    private static final ResourcePath ACCOUNTS = new ResourcePath("", "v1", "serviceaccounts");
    private static final long USUAL_SECONDS = 3600;
    private static final double WORN = 0.8;

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
                        source.number("expirationSeconds").orElse(USUAL_SECONDS));
        var known = tokens.get(key);
        if (known != null && known.renewAt.isAfter(clock.instant())) {
            return known.text;
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
        if (!(outcome instanceof RequestResult.Done(var answer))) {
            throw new VolumeException(
                    "no token for service account %s: %s".formatted(account, outcome.message()));
        }
        // The server may shorten the life of a token.
        var seconds = answer.objectOrEmpty("spec").number("expirationSeconds").orElse(key.seconds);
        var life = Duration.ofMillis((long) (seconds * 1000 * WORN));
        return new Token(answer.objectOrEmpty("status").text("token"), clock.instant().plus(life));
    }

    void forget(Uid pod) {
        tokens.keySet().removeIf(key -> key.pod.equals(pod));
    }
}
