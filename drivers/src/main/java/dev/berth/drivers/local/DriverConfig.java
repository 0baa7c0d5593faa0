package dev.berth.drivers.local;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.model.text.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The administrator's driver configuration file: one section per driver, by its short name.
public final class DriverConfig {

    /// No configuration: all drivers use their defaults.
    public static final DriverConfig NONE = new DriverConfig(Map.of());

    private final Map<String, JsonObject> sections;

    private DriverConfig(Map<String, JsonObject> sections) {
        this.sections = Map.copyOf(sections);
    }

    /// Reads a configuration file.
    ///
    /// @throws InvalidConfigException when it cannot be read or contains an unknown driver
    public static DriverConfig read(Path file) throws InvalidConfigException {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new InvalidConfigException(
                    "cannot read %s: %s".formatted(file, FailureText.of(e)));
        }
    }

    static DriverConfig parse(String file, String text) throws InvalidConfigException {
        switch (YamlReader.read(text)) {
            case ParseResult.Malformed(var message, var line, var column) ->
                    throw new InvalidConfigException(
                            "%s:%d:%d: %s".formatted(file, line, column, message));
            case ParseResult.Documents(var documents) -> {
                if (documents.isEmpty()) {
                    return NONE;
                }
                if (documents.size() > 1) {
                    throw new InvalidConfigException(
                            "%s: expected one document with all drivers, found %d"
                                    .formatted(file, documents.size()));
                }
                return sections(file, documents.getFirst().root());
            }
        }
    }

    private static DriverConfig sections(String file, Json root) throws InvalidConfigException {
        if (!(root instanceof JsonObject object)) {
            throw new InvalidConfigException(
                    "%s: expected an object with a section for each driver".formatted(file));
        }
        var sections = new TreeMap<String, JsonObject>();
        for (var name : object.names()) {
            if (!LocalDrivers.names().contains(name)) {
                throw new InvalidConfigException(
                        "%s: unknown driver \"%s\"; known drivers: %s"
                                .formatted(file, name, String.join(", ", LocalDrivers.names())));
            }
            var section = object.member(name);
            if (section.isPresent() && !(section.get() instanceof JsonObject)) {
                throw new InvalidConfigException(
                        "%s: %s: expected an object, found %s"
                                .formatted(file, name, section.get().kindName()));
            }
            object.object(name).ifPresent(one -> sections.put(name, one));
        }
        return new DriverConfig(sections);
    }

    /// The section of a driver.
    public Optional<JsonObject> of(LocalDriver<?> driver) {
        return Optional.ofNullable(sections.get(driver.name()));
    }
}
