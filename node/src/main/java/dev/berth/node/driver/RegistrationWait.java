package dev.berth.node.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Reports a kubelet that is absent or does not register the driver.
final class RegistrationWait implements AutoCloseable {

    /// Time for registration. Kubelets watch the registration directory and register a driver
    /// within a second.
    static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final DriverOptions options;
    private final WaitReport waits;
    private final Duration timeout;
    private final boolean hasDirectory;
    private final Thread thread;

    /// Checks for the kubelet's registration directory, so it must be called before the driver
    /// creates it.
    ///
    /// @param timeout how long a kubelet may take to register the driver
    /// @param isRegistered true when a kubelet has registered the driver
    RegistrationWait(
            DriverOptions options,
            WaitReport waits,
            Duration timeout,
            BooleanSupplier isRegistered) {
        this.options = options;
        this.waits = waits;
        this.timeout = timeout;
        this.hasDirectory = Files.isDirectory(options.registry());
        this.thread =
                Thread.ofVirtual()
                        .name(options.driver() + "-registration")
                        .unstarted(() -> await(isRegistered));
    }

    void start() {
        if (hasDirectory) {
            thread.start();
        } else {
            waits.waiting(
                    WaitReport.Cause.KUBELET,
                    () ->
                            "waiting for a kubelet: no registration directory %s; %s"
                                    .formatted(options.registry(), remedy()));
        }
    }

    private void await(BooleanSupplier isRegistered) {
        try {
            Thread.sleep(timeout);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!isRegistered.getAsBoolean()) {
            waits.waiting(
                    WaitReport.Cause.KUBELET,
                    () ->
                            "waiting for a kubelet to register plugin %s through %s; %s"
                                    .formatted(options.driver(), socket(), remedy()));
        }
    }

    private Path socket() {
        return SocketNames.registration(options);
    }

    private static String remedy() {
        return "is KUBELET_ROOT the directory of a running kubelet? (simulated nodes have none)";
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
