package dev.berth.node.agent;

import dev.berth.model.text.FailureText;
import dev.berth.model.workqueue.Backoff;
import dev.berth.node.socket.SocketChannel;
import dev.berth.node.socket.SocketPath;
import dev.berth.wire.registration.InfoRequest;
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

/// Plugin registration: discovers drivers by their sockets in the registration directory, and
/// registers them.
///
/// The directory is polled rather than watched: a missed change is found by the next scan. A failed
/// registration is retried with exponential back-off. Each driver is registered on a thread of its
/// own with a timeout, so that a hanging or broken driver delays no other.
public final class PluginWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PluginWatcher.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Backoff BACKOFF = new Backoff(INTERVAL, Duration.ofSeconds(10));
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_DEPTH = 4;

    /// Further sockets are ignored: each registration has a thread and a connection.
    private static final int MAX_SOCKETS = 256;

    private final Path directory;
    private final Duration timeout;
    private final Thread thread;

    // Guards all fields below. Plugins are in the order of their registration.
    private final Object lock = new Object();
    private final Map<Socket, DraPlugin> plugins = new LinkedHashMap<>();
    private final Map<Socket, Attempt> attempts = new HashMap<>();
    private boolean isClosed;

    /// A socket and the identity of its file: a restarted driver must be registered again, however
    /// fast it restarted.
    private record Socket(Path path, String file) {}

    /// Progress of a driver's registration.
    ///
    /// @param isRunning true while a thread works on it
    /// @param problem the last error; empty before the first one
    private record Attempt(boolean isRunning, int failures, long retryAtNanos, String problem) {

        boolean isDue(long now) {
            return !isRunning && now - retryAtNanos >= 0;
        }

        Attempt failed(String reason, long now) {
            var delay = BACKOFF.after(failures + 1);
            return new Attempt(false, failures + 1, now + delay.toNanos(), reason);
        }
    }

    /// @param directory `plugins_registry` of a kubelet's directory
    public PluginWatcher(Path directory) {
        this(directory, TIMEOUT);
    }

    /// @param timeout for the registration of a driver
    PluginWatcher(Path directory, Duration timeout) {
        this.directory = directory;
        this.timeout = timeout;
        this.thread = Thread.ofVirtual().name("plugins").start(this::run);
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    scan();
                } catch (RuntimeException e) {
                    LOG.error("cannot scan {} for drivers", directory, e);
                }
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void scan() {
        var sockets = sockets();
        deregister(sockets);
        var now = System.nanoTime();
        synchronized (lock) {
            for (var socket : sockets) {
                var before = attempts.getOrDefault(socket, new Attempt(false, 0, now, ""));
                if (!isClosed && !plugins.containsKey(socket) && before.isDue(now)) {
                    attempts.put(socket, new Attempt(true, before.failures, now, before.problem));
                    Thread.ofVirtual()
                            .name("register-" + socket.path.getFileName())
                            .start(() -> attempt(socket));
                }
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
                            .sorted()
                            .limit(MAX_SOCKETS)
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

    /// True for file types other than regular file and directory; Java has no test for sockets.
    private static boolean isOther(Path file) {
        return !Files.isDirectory(file) && !Files.isRegularFile(file);
    }

    private static Optional<Socket> socket(Path path) {
        try {
            var attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.of(
                    new Socket(path, attributes.fileKey() + " " + attributes.lastModifiedTime()));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private void deregister(Set<Socket> sockets) {
        var gone = new ArrayList<DraPlugin>();
        synchronized (lock) {
            attempts.keySet().retainAll(sockets);
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
            LOG.info(
                    "driver {} at {} deregistered: its socket is gone",
                    plugin.driver(),
                    plugin.endpoint());
            plugin.close();
        }
    }

    private void attempt(Socket socket) {
        Optional<String> problem;
        try {
            problem = register(socket);
        } catch (StatusRuntimeException e) {
            problem = Optional.of(GrpcErrorText.of(e));
        } catch (RuntimeException e) {
            LOG.debug("the driver at {} cannot be registered", socket.path, e);
            problem = Optional.of(FailureText.of(e));
        }
        synchronized (lock) {
            var before = attempts.remove(socket);
            if (problem.isPresent() && before != null) {
                attempts.put(socket, before.failed(problem.get(), System.nanoTime()));
                // Logged once per error, not once per attempt.
                if (!problem.get().equals(before.problem)) {
                    LOG.warn(
                            "the driver at {} cannot be registered: {}",
                            socket.path,
                            problem.get());
                }
            }
        }
    }

    /// Registers a driver and notifies it. Returns the error, if it failed.
    private Optional<String> register(Socket socket) {
        var tooLong = SocketPath.problem(socket.path);
        if (tooLong.isPresent()) {
            return tooLong;
        }
        try (var channel = new SocketChannel(socket.path)) {
            var stub =
                    RegistrationGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
            var info = stub.getInfo(InfoRequest.getDefaultInstance());
            var problem = Optional.<String>empty();
            try {
                accept(socket, PluginRegistration.of(info, socket.path));
            } catch (PluginRegistration.Refused e) {
                problem = Optional.of(e.text());
            }
            var _ =
                    stub.notifyRegistrationStatus(
                            RegistrationStatus.newBuilder()
                                    .setPluginRegistered(problem.isEmpty())
                                    .setError(problem.orElse(""))
                                    .build());
            return problem;
        }
    }

    private void accept(Socket socket, PluginRegistration driver)
            throws PluginRegistration.Refused {
        synchronized (lock) {
            for (var other : plugins.values()) {
                if (other.driver().equals(driver.driver())
                        && other.endpoint().equals(driver.endpoint())) {
                    throw new PluginRegistration.Refused(
                            "endpoint %s already registered for DRA driver plugin %s"
                                    .formatted(driver.endpoint(), driver.driver()));
                }
            }
            if (isClosed || !attempts.containsKey(socket)) {
                throw new PluginRegistration.Refused("its socket is gone");
            }
            plugins.put(socket, new DraPlugin(driver));
        }
        LOG.info(
                "driver {} at {} registered for {}",
                driver.driver(),
                driver.endpoint(),
                driver.version());
    }

    /// The plugin instance to call: the last connected one to register, or else the last one.
    Optional<DraPlugin> find(String driver) {
        synchronized (lock) {
            var all =
                    plugins.values().stream()
                            .filter(plugin -> plugin.driver().equals(driver))
                            .toList();
            return all.reversed().stream()
                    .filter(DraPlugin::isConnected)
                    .findFirst()
                    .or(() -> all.reversed().stream().findFirst());
        }
    }

    /// The names of all registered drivers.
    public Set<String> drivers() {
        synchronized (lock) {
            var names = new HashSet<String>();
            plugins.values().forEach(plugin -> names.add(plugin.driver()));
            return names;
        }
    }

    /// All registered plugins in the order of their registration.
    List<DraPlugin> all() {
        synchronized (lock) {
            return List.copyOf(plugins.values());
        }
    }

    /// The names of the drivers that are connected.
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
            isClosed = true;
            plugins.values().forEach(DraPlugin::close);
            plugins.clear();
        }
    }
}
