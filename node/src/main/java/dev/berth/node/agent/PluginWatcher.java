package dev.berth.node.agent;

import dev.berth.node.socket.SocketChannel;
import dev.berth.wire.registration.InfoRequest;
import dev.berth.wire.registration.PluginInfo;
import dev.berth.wire.registration.RegistrationGrpc;
import dev.berth.wire.registration.RegistrationStatus;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds drivers by the sockets that they put into a directory, and registers them.
///
/// The directory is looked at from time to time rather than watched: what is missed once is seen
/// the next time, and a driver that could not be registered is tried again.
public final class PluginWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PluginWatcher.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long TIMEOUT_SECONDS = 10;
    private static final int MAX_DEPTH = 4;
    private static final List<String> SUPPORTED = List.of(Plugin.V1, Plugin.V1BETA1);
    private static final List<String> HEALTH = List.of(Plugin.HEALTH_V1, Plugin.HEALTH_V1ALPHA1);

    private final Path directory;
    private final Thread thread;

    // Guards both maps. Plugins are in the order in which they registered.
    private final Object lock = new Object();
    private final Map<Socket, Plugin> plugins = new LinkedHashMap<>();
    private final Map<Socket, String> refused = new HashMap<>();

    /// A socket, and which of those that had its path: a driver that was started anew has to be
    /// registered anew, however quick it was.
    private record Socket(Path path, String file) {}

    /// @param directory `plugins_registry` of a kubelet's directory
    public PluginWatcher(Path directory) {
        this.directory = directory;
        this.thread = Thread.ofVirtual().name("plugins").start(this::run);
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                look();
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        var sockets = sockets();
        forget(sockets);
        for (var socket : sockets) {
            var isKnown = false;
            synchronized (lock) {
                isKnown = plugins.containsKey(socket);
            }
            if (!isKnown) {
                register(socket);
            }
        }
    }

    private Set<Socket> sockets() {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (var files = Files.walk(directory, MAX_DEPTH)) {
            return new HashSet<>(
                    files.filter(PluginWatcher::isSocket)
                            .map(PluginWatcher::socket)
                            .flatMap(Optional::stream)
                            .toList());
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} cannot be read", directory, e);
            return Set.of();
        }
    }

    private static boolean isSocket(Path file) {
        var name = String.valueOf(file.getFileName());
        return !name.startsWith(".") && Files.exists(file) && isOther(file);
    }

    /// Java calls what is neither file, directory nor link something other.
    private static boolean isOther(Path file) {
        return !Files.isDirectory(file) && !Files.isRegularFile(file);
    }

    private static Optional<Socket> socket(Path path) {
        try {
            var about = Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.of(new Socket(path, about.fileKey() + " " + about.lastModifiedTime()));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private void forget(Set<Socket> sockets) {
        var gone = new ArrayList<Plugin>();
        synchronized (lock) {
            refused.keySet().retainAll(sockets);
            plugins.entrySet()
                    .removeIf(entry -> {
                        var isGone = !sockets.contains(entry.getKey());
                        if (isGone) {
                            gone.add(entry.getValue());
                        }
                        return isGone;
                    });
        }
        for (var plugin : gone) {
            LOG.info("driver {} at {} is gone", plugin.driver(), plugin.endpoint());
            plugin.close();
        }
    }

    private void register(Socket socket) {
        try (var channel = new SocketChannel(socket.path)) {
            var stub =
                    RegistrationGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            var about = stub.getInfo(InfoRequest.getDefaultInstance());
            var problem = accept(socket, about);
            var _ =
                    stub.notifyRegistrationStatus(
                            RegistrationStatus.newBuilder()
                                    .setPluginRegistered(problem.isEmpty())
                                    .setError(problem.orElse(""))
                                    .build());
            complain(socket, problem);
        } catch (StatusRuntimeException e) {
            complain(socket, Optional.of(CallText.of(e)));
        }
    }

    private Optional<String> accept(Socket socket, PluginInfo about) {
        if (!about.getType().equals("DRAPlugin")) {
            return Optional.of("plugins of type %s are not known".formatted(about.getType()));
        }
        var offered = about.getSupportedVersionsList();
        if (offered.isEmpty()) {
            return Optional.of("empty list of supported gRPC services (aka supported versions)");
        }
        var version = offered.stream().filter(SUPPORTED::contains).findFirst();
        if (version.isEmpty()) {
            return Optional.of(
                    ("none of services supported by the plugin (%s) are supported by the"
                                    + " kubelet (%s)")
                            .formatted(String.join(", ", offered), String.join(", ", SUPPORTED)));
        }
        var endpoint = about.getEndpoint().isEmpty() ? socket.path : Path.of(about.getEndpoint());
        synchronized (lock) {
            for (var other : plugins.values()) {
                if (other.driver().equals(about.getName()) && other.endpoint().equals(endpoint)) {
                    return Optional.of(
                            "endpoint %s already registered for DRA driver plugin %s"
                                    .formatted(endpoint, about.getName()));
                }
            }
            plugins.put(
                    socket,
                    new Plugin(
                            about.getName(),
                            endpoint,
                            version.get(),
                            HEALTH.stream().filter(offered::contains).findFirst()));
        }
        LOG.info("driver {} at {} is registered for {}", about.getName(), endpoint, version.get());
        return Optional.empty();
    }

    /// Tells once what is wrong, however often it is tried.
    private void complain(Socket socket, Optional<String> problem) {
        synchronized (lock) {
            if (problem.isEmpty()) {
                refused.remove(socket);
            } else if (!problem.get().equals(refused.put(socket, problem.get()))) {
                LOG.warn("the driver at {} cannot be registered: {}", socket.path, problem.get());
            }
        }
    }

    /// The driver to be called: the last one that registered and is connected, or else the last.
    Optional<Plugin> find(String driver) {
        synchronized (lock) {
            var all =
                    plugins.values().stream()
                            .filter(plugin -> plugin.driver().equals(driver))
                            .toList();
            return all.reversed().stream()
                    .filter(Plugin::isConnected)
                    .findFirst()
                    .or(() -> all.reversed().stream().findFirst());
        }
    }

    /// The names of all drivers there are.
    public Set<String> drivers() {
        synchronized (lock) {
            var names = new HashSet<String>();
            plugins.values().forEach(plugin -> names.add(plugin.driver()));
            return names;
        }
    }

    /// All that have registered, in that order.
    List<Plugin> all() {
        synchronized (lock) {
            return List.copyOf(plugins.values());
        }
    }

    /// The names of the drivers that can be called now.
    Set<String> connected() {
        var names = new HashSet<String>();
        for (var plugin : all()) {
            if (plugin.isConnected()) {
                names.add(plugin.driver());
            }
        }
        return names;
    }

    @Override
    public void close() {
        thread.interrupt();
        synchronized (lock) {
            plugins.values().forEach(Plugin::close);
            plugins.clear();
        }
    }
}
