package dev.berth.drivers.disk;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// What the administrator says about disks.
///
/// @param storages none for the one below the driver's own directory
public record DiskConfig(List<DiskDirectory> storages) {

    private static final int USUAL_PERCENT = 50;
    private static final int ALL = 100;

    public static final DiskConfig USUAL = new DiskConfig(List.of());

    public DiskConfig {
        storages = List.copyOf(storages);
    }

    /// The storages, or the usual one.
    List<DiskDirectory> storagesOr(Path directory) {
        return storages.isEmpty()
                ? List.of(new DiskDirectory("local", directory, USUAL_PERCENT, Optional.empty()))
                : storages;
    }

    public static Parameters<DiskConfig> parameters() {
        return Parameters.plain(DiskConfig::read, USUAL);
    }

    private static DiskConfig read(ParameterFields fields) {
        var storages = fields.objects("storages", DiskConfig::storage);
        var names = new HashSet<String>();
        for (var storage : storages) {
            if (!names.add(storage.name())) {
                fields.refuse(
                        "storages", "there are two of the name \"%s\"".formatted(storage.name()));
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
            fields.refuse("path", "\"%s\" is not the whole path of a directory".formatted(path));
        }
        var percent = fields.number("percent", 1, ALL);
        var size = fields.quantity("size");
        if (percent.isPresent() && size.isPresent()) {
            fields.refuse("size", "there is a percent already; say one of them");
        }
        if (size.filter(one -> one.compareTo(Quantity.ZERO) <= 0).isPresent()) {
            fields.refuse("size", "it must be more than nothing");
        }
        return new DiskDirectory(name, path, (int) percent.orElse(USUAL_PERCENT), size);
    }
}
