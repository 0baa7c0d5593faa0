package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Handler of a probe or lifecycle hook.
public sealed interface LifecycleHandler {

    /// Runs a command in the container; exit code zero is success.
    record Exec(List<String> command) implements LifecycleHandler {
        public Exec {
            command = List.copyOf(command);
        }
    }

    /// Sends an HTTP request; status 200 to 399 is success.
    ///
    /// @param host empty for the pod's address
    /// @param port a number or the name of a container port
    record Http(boolean isSecure, String host, String port, String path, List<Header> headers)
            implements LifecycleHandler {
        public Http {
            headers = List.copyOf(headers);
        }
    }

    record Header(String name, String value) {}

    /// Opens a TCP connection.
    record Tcp(String host, String port) implements LifecycleHandler {}

    /// Sleeps.
    record Sleep(Duration length) implements LifecycleHandler {}

    /// An unsupported handler.
    ///
    /// @param fields names of its fields
    record Unknown(String fields) implements LifecycleHandler {}

    /// Decodes the handler of a probe or hook, which has other fields, too.
    static Optional<LifecycleHandler> of(JsonObject tree) {
        if (tree.object("exec").isPresent()) {
            return Optional.of(new Exec(tree.objectOrEmpty("exec").strings("command")));
        }
        if (tree.object("httpGet").isPresent()) {
            return Optional.of(http(tree.objectOrEmpty("httpGet")));
        }
        if (tree.object("tcpSocket").isPresent()) {
            var tcp = tree.objectOrEmpty("tcpSocket");
            return Optional.of(new Tcp(tcp.text("host"), port(tcp)));
        }
        if (tree.object("sleep").isPresent()) {
            var seconds = tree.objectOrEmpty("sleep").number("seconds").orElse(0);
            return Optional.of(new Sleep(Duration.ofSeconds(seconds)));
        }
        return tree.isEmpty()
                ? Optional.empty()
                : Optional.of(new Unknown(String.join(", ", tree.names())));
    }

    private static Http http(JsonObject http) {
        var headers = new ArrayList<Header>();
        for (var header : http.objects("httpHeaders")) {
            headers.add(new Header(header.text("name"), header.text("value")));
        }
        var path = http.text("path");
        return new Http(
                http.text("scheme").toUpperCase(Locale.ROOT).equals("HTTPS"),
                http.text("host"),
                port(http),
                path.startsWith("/") ? path : "/" + path,
                headers);
    }

    private static String port(JsonObject tree) {
        return switch (tree.member("port").orElse(Json.of(0))) {
            case JsonNumber number -> String.valueOf(number.asLong().orElse(0));
            case JsonString(var name) -> name;
            default -> "";
        };
    }
}
