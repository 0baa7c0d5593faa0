package dev.berth.app.service;

import dev.berth.metrics.MetricsRegistry;
import dev.berth.metrics.MetricsServer;
import dev.berth.metrics.ProcessMetrics;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The value of `--metrics-port`: a port of loopback, or `off`.
public sealed interface MetricsPort {

    /// No metrics.
    record Off() implements MetricsPort {}

    /// A port of loopback.
    ///
    /// @param number 0 for a free port
    /// @param isRequired whether the command fails when the port is in use
    record Port(int number, boolean isRequired) implements MetricsPort {}

    /// Metrics that are served until this is closed.
    @FunctionalInterface
    interface Served extends AutoCloseable {
        @Override
        void close();
    }

    /// Parses `off` or a port.
    final class Converter implements ITypeConverter<MetricsPort> {
        private static final int MAX_PORT = 65_535;

        @Override
        public MetricsPort convert(String text) {
            if (text.equals("off")) {
                return new Off();
            }
            if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_PORT) {
                throw new TypeConversionException("\"%s\" is not a port or off".formatted(text));
            }
            return new Port(Integer.parseInt(text), true);
        }
    }

    /// The port that is used without the option. When it is in use, the command runs without
    /// metrics.
    static MetricsPort byDefault(int number) {
        return new Port(number, false);
    }

    /// Serves metrics of the registry and of the process until the result is closed.
    default Served serve(MetricsRegistry registry, CommandLine command) {
        if (!(this instanceof Port port)) {
            return () -> {};
        }
        ProcessMetrics.register(registry);
        try {
            var server = MetricsServer.start(registry, port.number);
            print(command, "metrics at " + server.uri());
            return server::close;
        } catch (IOException e) {
            var problem =
                    "no metrics: port %d of 127.0.0.1 cannot be used: %s; choose another with"
                                    .formatted(port.number, e.getMessage())
                            + " --metrics-port";
            if (port.isRequired) {
                throw new IllegalStateException(problem, e);
            }
            print(command, problem);
            return () -> {};
        }
    }

    private static void print(CommandLine command, String line) {
        command.getErr().println("berth: " + line);
        command.getErr().flush();
    }
}
