package dev.berth.node.driver;

import dev.berth.model.api.meta.Uid;
import dev.berth.node.cdi.CdiDevice;
import dev.berth.node.cdi.CdiDeviceId;
import dev.berth.node.cdi.CdiDirectory;
import dev.berth.node.cdi.CdiKind;
import dev.berth.node.cdi.CdiSpec;
import dev.berth.node.driver.ClaimRecord.RecordedDevice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The CDI specs of a driver's claims: one spec file per claim, with one CDI device per allocated
/// device.
///
/// Device names contain the claim's UID because container runtimes cache the meaning of a name.
final class ClaimCdiSpecs {

    private static final String CLASS = "claim";

    private final CdiKind kind;
    private final CdiDirectory directory;

    ClaimCdiSpecs(String driver, CdiDirectory directory) {
        this.kind = new CdiKind(driver, CLASS);
        this.directory = directory;
    }

    /// Result of writing a CDI spec.
    sealed interface Written {

        record Done(List<RecordedDevice> devices) implements Written {}

        record Refused(String reason) implements Written {}
    }

    /// Why the driver name is not a valid CDI vendor, if it is not.
    Optional<String> problem() {
        return CdiDeviceId.problem(new CdiDeviceId(kind, "0").toString());
    }

    Written write(ClaimRef claim, PrepareResult preparation) throws IOException {
        var cdiDevices = new ArrayList<CdiDevice>();
        var recorded = new ArrayList<RecordedDevice>();
        var names = new HashSet<String>();
        for (var prepared : preparation.devices()) {
            var ids = new ArrayList<>(prepared.cdiIds());
            if (!prepared.edits().isEmpty()) {
                var name = unique(claim.uid().value() + "_" + prepared.device().name(), names);
                cdiDevices.add(new CdiDevice(name, prepared.edits()));
                ids.addFirst(new CdiDeviceId(kind, name).toString());
            }
            recorded.add(
                    new RecordedDevice(
                            prepared.device().baseRequest(),
                            prepared.device().id(),
                            prepared.device().share(),
                            ids));
        }
        if (cdiDevices.isEmpty()) {
            directory.delete(fileName(claim.uid()));
            return new Written.Done(recorded);
        }
        return switch (directory.write(fileName(claim.uid()), CdiSpec.of(kind, cdiDevices))) {
            case CdiDirectory.Written.Done _ -> new Written.Done(recorded);
            case CdiDirectory.Written.Refused refused -> new Written.Refused(refused.message());
        };
    }

    /// Makes a name unique: devices of different pools may have the same name, and shares of one
    /// device always have.
    private static String unique(String name, Set<String> names) {
        var candidate = name;
        for (var i = 1; !names.add(candidate); i++) {
            candidate = name + "_" + i;
        }
        return candidate;
    }

    /// True if all CDI devices of the record exist on disk.
    boolean isComplete(ClaimRecord record) {
        var hasOwnDevices =
                record.devices().stream()
                        .flatMap(device -> device.cdiIds().stream())
                        .anyMatch(id -> id.startsWith(kind + "="));
        return !hasOwnDevices || directory.has(fileName(record.claim().uid()));
    }

    void delete(Uid uid) throws IOException {
        directory.delete(fileName(uid));
    }

    private String fileName(Uid uid) {
        return CdiDirectory.fileName(kind, Optional.of(uid.value()));
    }
}
