package dev.berth.node.agent;

import dev.berth.core.admission.field.NameFormats;
import dev.berth.node.socket.SocketPath;
import dev.berth.wire.registration.PluginInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Validated registration of a driver.
///
/// @param version of the DRA service that is called
/// @param healthVersion of the health service, if the driver has one
record PluginRegistration(
        String driver, Path endpoint, String version, Optional<String> healthVersion) {

    private static final List<String> SUPPORTED = List.of(DraPlugin.V1, DraPlugin.V1BETA1);
    private static final List<String> HEALTH =
            List.of(DraPlugin.HEALTH_V1, DraPlugin.HEALTH_V1ALPHA1);
    private static final int MAX_NAME_BYTES = 63;

    /// Maximum length of a driver's text in messages.
    private static final int MAX_QUOTED = 200;

    /// A driver cannot be registered.
    static final class Refused extends Exception {

        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /// Validates the PluginInfo of a driver.
    ///
    /// @param socket the registration socket
    static PluginRegistration of(PluginInfo info, Path socket) throws Refused {
        if (!info.getType().equals("DRAPlugin")) {
            throw new Refused("plugin type %s is not supported".formatted(quoted(info.getType())));
        }
        var offered = info.getSupportedVersionsList();
        return new PluginRegistration(
                name(info.getName()),
                endpoint(info.getEndpoint(), socket),
                version(offered),
                HEALTH.stream().filter(offered::contains).findFirst());
    }

    private static String name(String name) throws Refused {
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new Refused(
                    "driver name %s is longer than %d bytes"
                            .formatted(quoted(name), MAX_NAME_BYTES));
        }
        // Letters of any case, as in ResourceSlices.
        if (!NameFormats.subdomain(name.toLowerCase(Locale.ROOT)).isEmpty()) {
            throw new Refused(
                    "driver name %s is not a DNS subdomain such as gpu.example.com"
                            .formatted(quoted(name)));
        }
        return name;
    }

    private static Path endpoint(String endpoint, Path socket) throws Refused {
        if (endpoint.isEmpty()) {
            return socket;
        }
        Path path;
        try {
            path = Path.of(endpoint);
        } catch (InvalidPathException e) {
            throw new Refused(
                    "endpoint %s is not a path: %s".formatted(quoted(endpoint), e.getReason()));
        }
        if (!path.isAbsolute()) {
            throw new Refused("endpoint %s is not an absolute path".formatted(quoted(endpoint)));
        }
        if (!SocketPath.fits(path)) {
            throw new Refused(
                    "endpoint %s is longer than the %d bytes that Linux takes for a socket"
                            .formatted(quoted(endpoint), SocketPath.MAX_BYTES - 1));
        }
        return path;
    }

    private static String version(List<String> offered) throws Refused {
        if (offered.isEmpty()) {
            throw new Refused("empty list of supported gRPC services (aka supported versions)");
        }
        return offered.stream()
                .filter(SUPPORTED::contains)
                .findFirst()
                .orElseThrow(() ->
                        new Refused(
                                ("none of services supported by the plugin (%s) are supported by"
                                                + " the kubelet (%s)")
                                        .formatted(
                                                cut(String.join(", ", offered)),
                                                String.join(", ", SUPPORTED))));
    }

    /// A driver's text for logs: short, on one line.
    private static String quoted(String text) {
        return "\"" + cut(text) + "\"";
    }

    private static String cut(String text) {
        var start = text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "…";
        return start.replaceAll("\\p{Cntrl}", "?");
    }
}
