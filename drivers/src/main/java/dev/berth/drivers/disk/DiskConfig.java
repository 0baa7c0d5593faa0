package dev.berth.drivers.disk;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Configuration of the disk driver.
///
/// @param storages directories for disks; empty for the default one below the driver's state
///   directory
public record DiskConfig(List<DiskDirectory> storages) {

    private static final int DEFAULT_PERCENT = 50;
    private static final int ALL = 100;

    public static final DiskConfig DEFAULTS = new DiskConfig(List.of());

    public DiskConfig {
        storages = List.copyOf(storages);
    }

    /// The configured directories, or the default one.
    List<DiskDirectory> storagesOr(Path directory) {
        return storages.isEmpty()
                ? List.of(new DiskDirectory("local", directory, DEFAULT_PERCENT, Optional.empty()))
                : storages;
    }

    public static Parameters<DiskConfig> parameters() {
        return Parameters.plain(DiskConfig::read, DEFAULTS);
    }

    private static DiskConfig read(ParameterFields fields) {
        var storages = fields.objects("storages", DiskConfig::storage);
        var names = new HashSet<String>();
        for (var storage : storages) {
            if (!names.add(storage.name())) {
                fields.refuse("storages", "duplicate name \"%s\"".formatted(storage.name()));
            }
        }
        return new DiskConfig(storages);
    }

    private static DiskDirectory storage(ParameterFields fields) {
        var name = fields.text("name").orElse("");
        if (name.isEmpty() || !DerivedNames.label(name).equals(name)) {
            fields.refuse("name", "\"%s\" is not a name of a-z, 0-9 and -".formatted(name));
        }
        var path = Path.of(fields.text("path").orElse(""));
        if (!path.isAbsolute()) {
            fields.refuse("path", "\"%s\" is not an absolute path".formatted(path));
        }
        var percent = fields.number("percent", 1, ALL);
        var size = fields.quantity("size");
        if (percent.isPresent() && size.isPresent()) {
            fields.refuse("size", "percent and size are mutually exclusive");
        }
        if (size.filter(one -> one.compareTo(Quantity.ZERO) <= 0).isPresent()) {
            fields.refuse("size", "must be greater than 0");
        }
        return new DiskDirectory(name, path, (int) percent.orElse(DEFAULT_PERCENT), size);
    }
}
