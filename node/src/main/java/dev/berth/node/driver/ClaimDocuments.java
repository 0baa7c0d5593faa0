package dev.berth.node.driver;

import dev.berth.model.api.Uid;
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

/// The CDI documents of a driver's claims: one for each, with a device for each of its devices.
///
/// Names contain the claim's UID, because runtimes remember what a name meant.
final class ClaimDocuments {

    private static final String CLASS = "claim";

    private final CdiKind kind;
    private final CdiDirectory directory;

    ClaimDocuments(String driver, CdiDirectory directory) {
        this.kind = new CdiKind(driver, CLASS);
        this.directory = directory;
    }

    /// What came of writing.
    sealed interface Written {

        record Done(List<RecordedDevice> devices) implements Written {}

        record Refused(String reason) implements Written {}
    }

    /// What is wrong with the driver's name, if it cannot be a vendor of CDI.
    Optional<String> problem() {
        return CdiDeviceId.problem(new CdiDeviceId(kind, "0").toString());
    }

    Written write(ClaimRef claim, PrepareResult preparation) throws IOException {
        var documented = new ArrayList<CdiDevice>();
        var recorded = new ArrayList<RecordedDevice>();
        var names = new HashSet<String>();
        for (var prepared : preparation.devices()) {
            var ids = new ArrayList<>(prepared.cdiIds());
            if (!prepared.edits().isEmpty()) {
                var name = unique(claim.uid().value() + "_" + prepared.device().name(), names);
                documented.add(new CdiDevice(name, prepared.edits()));
                ids.addFirst(new CdiDeviceId(kind, name).toString());
            }
            recorded.add(
                    new RecordedDevice(
                            prepared.device().baseRequest(),
                            prepared.device().id(),
                            prepared.device().share(),
                            ids));
        }
        if (documented.isEmpty()) {
            directory.delete(fileName(claim.uid()));
            return new Written.Done(recorded);
        }
        return switch (directory.write(fileName(claim.uid()), CdiSpec.of(kind, documented))) {
            case CdiDirectory.Written.Done _ -> new Written.Done(recorded);
            case CdiDirectory.Written.Refused refused -> new Written.Refused(refused.message());
        };
    }

    /// Devices of different pools may have the same name, and shares of one have.
    private static String unique(String name, Set<String> names) {
        var candidate = name;
        for (var i = 1; !names.add(candidate); i++) {
            candidate = name + "_" + i;
        }
        return candidate;
    }

    /// True when everything that containers were promised is there.
    boolean isComplete(ClaimRecord record) {
        var isPromised =
                record.devices().stream()
                        .flatMap(device -> device.cdiIds().stream())
                        .anyMatch(id -> id.startsWith(kind + "="));
        return !isPromised || directory.has(fileName(record.claim().uid()));
    }

    void delete(Uid uid) throws IOException {
        directory.delete(fileName(uid));
    }

    private String fileName(Uid uid) {
        return CdiDirectory.fileName(kind, Optional.of(uid.value()));
    }
}
