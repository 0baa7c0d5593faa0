package dev.berth.drivers.local;

import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.Parameters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Description and factory of a driver for local devices.
///
/// @param name short name for the command line and configuration
/// @param driver full DRA driver name
/// @param description one-line description of the devices
/// @param <C> type of the configuration
public record LocalDriver<C>(
        String name,
        String driver,
        String description,
        Parameters<C> configuration,
        C defaults,
        Factory<C> factory) {

    /// Creates a driver.
    public interface Factory<C> {
        MachineDriver<?> create(MachineRoots machine, C config, Path data);
    }

    /// The created driver, or errors in its configuration.
    public sealed interface Creation {

        record Ready(MachineDriver<?> driver) implements Creation {}

        /// All errors in the configuration.
        record Misconfigured(List<String> problems) implements Creation {
            public Misconfigured {
                problems = List.copyOf(problems);
            }
        }
    }

    /// Creates the driver with its section of the configuration, or with defaults.
    ///
    /// @param data state directory of the driver
    public Creation create(MachineRoots machine, Optional<JsonObject> config, Path data) {
        if (config.isEmpty()) {
            return new Creation.Ready(factory.create(machine, defaults, data));
        }
        return switch (configuration.read(config.get())) {
            case Parameters.Result.Valid<C>(var valid) ->
                    new Creation.Ready(factory.create(machine, valid, data));
            case Parameters.Result.Invalid<C>(var problems) -> {
                var qualified = new ArrayList<String>();
                problems.forEach(problem -> qualified.add(name + ": " + problem));
                yield new Creation.Misconfigured(qualified);
            }
        };
    }
}
