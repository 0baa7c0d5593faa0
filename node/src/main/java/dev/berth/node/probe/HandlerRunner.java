package dev.berth.node.probe;

import dev.berth.model.text.FailureText;
import dev.berth.node.pod.ContainerDefinition;
import dev.berth.node.pod.LifecycleHandler;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/// Asks a container, or has it do something, from outside.
public final class HandlerRunner {

    private static final int LEAST_BAD = 400;
    private static final int LEAST_GOOD = 200;
    private static final int MOST_CHARACTERS = 1024;

    private final ContainerRuntime runtime;

    /// Where to ask.
    ///
    /// @param address of the pod; empty when it has none
    public record Target(ContainerDefinition task, String container, Optional<String> address) {}

    /// What came of it.
    public record Finding(boolean isGood, String message) {}

    public HandlerRunner(ContainerRuntime runtime) {
        this.runtime = runtime;
    }

    /// Waits for the answer, and no longer than the timeout.
    public Finding perform(LifecycleHandler handler, Target target, Duration timeout)
            throws InterruptedException {
        return switch (handler) {
            case LifecycleHandler.Exec(var command) -> {
                try {
                    var result = runtime.run(target.container, command, timeout);
                    yield new Finding(
                            result.exitCode() == 0, bounded(result.output() + result.errors()));
                } catch (RuntimeFailure e) {
                    yield new Finding(false, String.valueOf(e.getMessage()));
                }
            }
            case LifecycleHandler.Http http -> http(http, target, timeout);
            case LifecycleHandler.Tcp(var host, var port) -> tcp(host, port, target, timeout);
            case LifecycleHandler.Sleep(var length) -> {
                Thread.sleep(length.compareTo(timeout) > 0 ? timeout : length);
                yield new Finding(true, "");
            }
            case LifecycleHandler.Unknown(var words) ->
                    new Finding(false, "this node cannot do %s".formatted(words));
        };
    }

    private static String bounded(String text) {
        return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
    }

    private static Finding http(LifecycleHandler.Http http, Target target, Duration timeout)
            throws InterruptedException {
        var host = host(http.host(), target);
        var port = port(http.port(), target);
        if (host.isEmpty() || port.isEmpty()) {
            return nowhere(http.port(), host);
        }
        var address =
                "%s://%s:%d%s"
                        .formatted(
                                http.isSecure() ? "https" : "http",
                                host.get().contains(":") ? "[" + host.get() + "]" : host.get(),
                                port.get(),
                                http.path());
        try (var client = client(http.isSecure(), timeout)) {
            var request = HttpRequest.newBuilder(URI.create(address)).timeout(timeout);
            for (var header : http.headers()) {
                if (!header.name().equalsIgnoreCase("host")) {
                    request.setHeader(header.name(), header.value());
                }
            }
            var code =
                    client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode();
            return code >= LEAST_GOOD && code < LEAST_BAD
                    ? new Finding(true, "")
                    : new Finding(false, "HTTP probe failed with statuscode: " + code);
        } catch (IOException | IllegalArgumentException e) {
            return new Finding(false, "Get \"%s\": %s".formatted(address, FailureText.of(e)));
        }
    }

    private static HttpClient client(boolean isSecure, Duration timeout) {
        var builder =
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NORMAL);
        return isSecure
                ? builder.sslContext(TrustAllCertificates.context()).build()
                : builder.build();
    }

    private static Finding tcp(String host, String name, Target target, Duration timeout) {
        var address = host(host, target);
        var port = port(name, target);
        if (address.isEmpty() || port.isEmpty()) {
            return nowhere(name, address);
        }
        try (var socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.get(), port.get()), (int) timeout.toMillis());
            return new Finding(true, "");
        } catch (IOException e) {
            return new Finding(
                    false,
                    "dial tcp %s:%d: %s".formatted(address.get(), port.get(), e.getMessage()));
        }
    }

    private static Optional<String> host(String said, Target target) {
        return said.isEmpty() ? target.address : Optional.of(said);
    }

    private static Finding nowhere(String port, Optional<String> host) {
        return new Finding(
                false,
                host.isEmpty()
                        ? "the pod has no address that could be asked; use an exec probe"
                        : "the container has no port named %s".formatted(port));
    }

    private static Optional<Integer> port(String said, Target target) {
        if (!said.isEmpty() && said.chars().allMatch(Character::isDigit)) {
            return Optional.of(Integer.parseInt(said));
        }
        return target.task.tree().objects("ports").stream()
                .filter(one -> one.text("name").equals(said))
                .map(one -> (int) one.number("containerPort").orElse(0))
                .findFirst();
    }
}
