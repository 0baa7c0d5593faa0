package dev.berth.drivers.local;

import dev.berth.drivers.machine.MachineDriver;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.model.json.JsonObject;
import dev.berth.node.driver.Parameters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A driver for devices of this machine, before it runs.
///
/// @param name short, for the command line and configuration
/// @param driver the whole name, as claims and classes know it
/// @param about what the devices are
/// @param <C> what the administrator may say
public record LocalDriver<C>(
        String name,
        String driver,
        String about,
        Parameters<C> configuration,
        C usual,
        Maker<C> maker) {

    /// How a driver is made.
    public interface Maker<C> {
        MachineDriver<?> make(MachineRoots machine, C config, Path data);
    }

    /// What came of making a driver.
    public sealed interface Made {

        record Ready(MachineDriver<?> driver) implements Made {}

        /// What is wrong with its configuration, all of it.
        record Misconfigured(List<String> problems) implements Made {
            public Misconfigured {
                problems = List.copyOf(problems);
            }
        }
    }

    /// The driver by its part of the configuration, or as it usually is.
    ///
    /// @param data where it keeps what it has to remember
    public Made make(MachineRoots machine, Optional<JsonObject> config, Path data) {
        if (config.isEmpty()) {
            return new Made.Ready(maker.make(machine, usual, data));
        }
        return switch (configuration.read(config.get())) {
            case Parameters.Result.Valid<C>(var valid) ->
                    new Made.Ready(maker.make(machine, valid, data));
            case Parameters.Result.Invalid<C>(var problems) -> {
                var placed = new ArrayList<String>();
                problems.forEach(problem -> placed.add(name + ": " + problem));
                yield new Made.Misconfigured(placed);
            }
        };
    }
}
