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

/// Runs probe and lifecycle handlers against containers.
public final class HandlerRunner {

    private static final int MIN_ERROR = 400;
    private static final int MIN_SUCCESS = 200;
    private static final int MAX_CHARACTERS = 1024;

    private final ContainerRuntime runtime;

    /// The container to run a handler against.
    ///
    /// @param address of the pod; empty if it has none
    public record Target(
            ContainerDefinition definition, String container, Optional<String> address) {}

    /// Result of a handler.
    public record Result(boolean isSuccess, String message) {}

    public HandlerRunner(ContainerRuntime runtime) {
        this.runtime = runtime;
    }

    /// Runs a handler, at most for the timeout.
    public Result perform(LifecycleHandler handler, Target target, Duration timeout)
            throws InterruptedException {
        return switch (handler) {
            case LifecycleHandler.Exec(var command) -> {
                try {
                    var result = runtime.run(target.container, command, timeout);
                    yield new Result(
                            result.exitCode() == 0, bounded(result.output() + result.errors()));
                } catch (RuntimeFailure e) {
                    yield new Result(false, String.valueOf(e.getMessage()));
                }
            }
            case LifecycleHandler.Http http -> http(http, target, timeout);
            case LifecycleHandler.Tcp(var host, var port) -> tcp(host, port, target, timeout);
            case LifecycleHandler.Sleep(var length) -> {
                Thread.sleep(length.compareTo(timeout) > 0 ? timeout : length);
                yield new Result(true, "");
            }
            case LifecycleHandler.Unknown(var fields) ->
                    new Result(false, "handler %s is not supported on this node".formatted(fields));
        };
    }

    private static String bounded(String text) {
        return text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
    }

    private static Result http(LifecycleHandler.Http http, Target target, Duration timeout)
            throws InterruptedException {
        var host = host(http.host(), target);
        var port = port(http.port(), target);
        if (host.isEmpty() || port.isEmpty()) {
            return noTarget(http.port(), host);
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
            return code >= MIN_SUCCESS && code < MIN_ERROR
                    ? new Result(true, "")
                    : new Result(false, "HTTP probe failed with statuscode: " + code);
        } catch (IOException | IllegalArgumentException e) {
            return new Result(false, "Get \"%s\": %s".formatted(address, FailureText.of(e)));
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

    private static Result tcp(String host, String name, Target target, Duration timeout) {
        var address = host(host, target);
        var port = port(name, target);
        if (address.isEmpty() || port.isEmpty()) {
            return noTarget(name, address);
        }
        try (var socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.get(), port.get()), (int) timeout.toMillis());
            return new Result(true, "");
        } catch (IOException e) {
            return new Result(
                    false,
                    "dial tcp %s:%d: %s".formatted(address.get(), port.get(), e.getMessage()));
        }
    }

    private static Optional<String> host(String specified, Target target) {
        return specified.isEmpty() ? target.address : Optional.of(specified);
    }

    private static Result noTarget(String port, Optional<String> host) {
        return new Result(
                false,
                host.isEmpty()
                        ? "the pod has no address; use an exec probe"
                        : "the container has no port named %s".formatted(port));
    }

    private static Optional<Integer> port(String specified, Target target) {
        if (!specified.isEmpty() && specified.chars().allMatch(Character::isDigit)) {
            return Optional.of(Integer.parseInt(specified));
        }
        return target.definition.tree().objects("ports").stream()
                .filter(one -> one.text("name").equals(specified))
                .map(one -> (int) one.number("containerPort").orElse(0))
                .findFirst();
    }
}
