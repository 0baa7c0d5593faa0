package dev.berth.node.driver;

import dev.berth.client.config.ConfigException;
import dev.berth.metrics.MetricsServer;
import dev.berth.metrics.ProcessMetrics;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// The `main` of a driver: configuration from the environment, one line on standard error for an
/// error.
///
/// The variables are those of [DriverOptions#fromEnvironment], and optionally `METRICS_PORT`: a
/// port of 127.0.0.1 that serves the metrics. The process exits with [#BAD_ENVIRONMENT] or
/// [#FAILED] when it cannot start.
public final class DriverProgram {

    /// Exit code when sockets or directories cannot be created.
    public static final int FAILED = 1;

    /// Exit code when a variable is missing, or no cluster is configured.
    public static final int BAD_ENVIRONMENT = 2;

    private static final int MAX_PORT = 65_535;

    private DriverProgram() {}

    /// Runs a driver until the process receives a termination signal.
    ///
    /// @param name of the driver, such as `gpu.example.com`
    /// @param started called once with the running driver, to publish its devices
    public static void run(String name, Driver<?> driver, Consumer<DriverHost> started) {
        run(name, UnaryOperator.identity(), driver, started);
    }

    /// Runs a driver with customized options until the process receives a termination signal.
    ///
    /// @param name of the driver, such as `gpu.example.com`
    /// @param customizer changes the options of the environment
    /// @param started called once with the running driver, to publish its devices
    public static void run(
            String name,
            UnaryOperator<DriverOptions> customizer,
            Driver<?> driver,
            Consumer<DriverHost> started) {
        var code =
                run(
                        name,
                        customizer,
                        driver,
                        started,
                        System.getenv(),
                        message -> StderrReporter.print(name, message));
        if (code != 0) {
            System.exit(code);
        }
    }

    static int run(
            String name,
            UnaryOperator<DriverOptions> customizer,
            Driver<?> driver,
            Consumer<DriverHost> started,
            Map<String, String> environment,
            Consumer<String> errors) {
        try {
            var options = customizer.apply(DriverOptions.fromEnvironment(name, environment));
            var metricsPort = environment.getOrDefault("METRICS_PORT", "");
            if (metricsPort.isEmpty()) {
                return serve(options, driver, started, errors);
            }
            try (var _ = MetricsServer.start(options.metrics(), port(metricsPort))) {
                ProcessMetrics.register(options.metrics());
                return serve(options, driver, started, errors);
            } catch (IOException e) {
                throw new DriverException(
                        "METRICS_PORT=%s cannot be used: %s".formatted(metricsPort, e.getMessage()),
                        e);
            }
        } catch (DriverException | ConfigException e) {
            errors.accept(String.valueOf(e.getMessage()));
            return BAD_ENVIRONMENT;
        }
    }

    private static int port(String text) throws DriverException {
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_PORT) {
            throw new DriverException("METRICS_PORT=%s is not a port".formatted(text));
        }
        return Integer.parseInt(text);
    }

    /// @throws ConfigException when no cluster is configured
    private static int serve(
            DriverOptions options,
            Driver<?> driver,
            Consumer<DriverHost> started,
            Consumer<String> errors) {
        try (var cluster = options.connect();
                var host = DriverHost.start(options, cluster, driver)) {
            started.accept(host);
            host.serve();
            return 0;
        } catch (DriverException e) {
            errors.accept(String.valueOf(e.getMessage()));
            return FAILED;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
