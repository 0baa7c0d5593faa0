package dev.berth.node.agent;

import dev.berth.model.text.FailureText;
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

/// Finds drivers by the sockets that they put into a directory, and registers them.
///
/// The directory is looked at from time to time rather than watched: what is missed once is seen
/// the next time, and a driver that could not be registered is tried again, after longer pauses
/// each time. Each driver is registered on a thread of its own with a timeout of its own, so that
/// one that hangs or is broken delays no other.
public final class PluginWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PluginWatcher.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration MAX_RETRY = Duration.ofSeconds(10);
    private static final int MAX_DOUBLINGS = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_DEPTH = 4;

    /// Sockets beyond are passed over: each registration has a thread and a connection.
    private static final int MAX_SOCKETS = 256;

    private final Path directory;
    private final Duration timeout;
    private final Thread thread;

    // Guards all below. Plugins are in the order in which they registered.
    private final Object lock = new Object();
    private final Map<Socket, DraPlugin> plugins = new LinkedHashMap<>();
    private final Map<Socket, Attempt> attempts = new HashMap<>();
    private boolean isClosed;

    /// A socket, and which of those that had its path: a driver that was started anew has to be
    /// registered anew, however quick it was.
    private record Socket(Path path, String file) {}

    /// How far the registration of a driver is.
    ///
    /// @param isUnderWay true while a thread is at it
    /// @param problem why it failed the last time; empty before
    private record Attempt(boolean isUnderWay, int failures, long retryAtNanos, String problem) {

        boolean isDue(long now) {
            return !isUnderWay && now - retryAtNanos >= 0;
        }

        Attempt failed(String because, long now) {
            var wait = INTERVAL.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
            var pause = wait.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : wait;
            return new Attempt(false, failures + 1, now + pause.toNanos(), because);
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
                    look();
                } catch (RuntimeException e) {
                    LOG.error("drivers in {} cannot be looked for", directory, e);
                }
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        var sockets = sockets();
        forget(sockets);
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
            LOG.info("driver {} at {} is gone", plugin.driver(), plugin.endpoint());
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
                // Told once, however often it is tried.
                if (!problem.get().equals(before.problem)) {
                    LOG.warn(
                            "the driver at {} cannot be registered: {}",
                            socket.path,
                            problem.get());
                }
            }
        }
    }

    /// Registers a driver and tells it so; why it cannot be registered, if it cannot.
    private Optional<String> register(Socket socket) {
        var tooLong = SocketPath.problem(socket.path);
        if (tooLong.isPresent()) {
            return tooLong;
        }
        try (var channel = new SocketChannel(socket.path)) {
            var stub =
                    RegistrationGrpc.newBlockingStub(channel.channel())
                            .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
            var about = stub.getInfo(InfoRequest.getDefaultInstance());
            var problem = Optional.<String>empty();
            try {
                accept(socket, PluginRegistration.of(about, socket.path));
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
                "driver {} at {} is registered for {}",
                driver.driver(),
                driver.endpoint(),
                driver.version());
    }

    /// The driver to be called: the last one that registered and is connected, or else the last.
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

    /// The names of all drivers there are.
    public Set<String> drivers() {
        synchronized (lock) {
            var names = new HashSet<String>();
            plugins.values().forEach(plugin -> names.add(plugin.driver()));
            return names;
        }
    }

    /// All that have registered, in that order.
    List<DraPlugin> all() {
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
            isClosed = true;
            plugins.values().forEach(DraPlugin::close);
            plugins.clear();
        }
    }
}
