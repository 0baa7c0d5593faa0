package dev.berth.node.oci;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.time.Instant;
import java.util.Optional;

/// Persistent record of a sandbox.
///
/// @param boot boot ID at its creation; a reboot ends the sandbox
/// @param address empty on the host network
/// @param holder the process that holds a PID namespace for all containers
record SandboxRecord(
        String id,
        ObjectRef pod,
        Uid uid,
        int attempt,
        Stage stage,
        String boot,
        Instant createdAt,
        String hostname,
        Sharing sharing,
        Optional<String> address,
        Optional<ProcessIdentity> holder)
        implements DurableRecord {

    /// Lifecycle stage of a sandbox.
    enum Stage {
        /// May be partly created.
        MAKING,
        READY,
        /// May be partly removed.
        REMOVING
    }

    static SandboxRecord create(String id, SandboxSpec spec, String boot, Instant now) {
        return new SandboxRecord(
                id,
                spec.pod(),
                spec.uid(),
                spec.attempt(),
                Stage.MAKING,
                boot,
                now,
                spec.hostname(),
                spec.sharing(),
                Optional.empty(),
                Optional.empty());
    }

    SandboxRecord at(Stage next) {
        return changed(next, address, holder);
    }

    SandboxRecord withAddress(String given) {
        return changed(stage, Optional.of(given), holder);
    }

    SandboxRecord heldBy(ProcessIdentity process) {
        return changed(stage, address, Optional.of(process));
    }

    private SandboxRecord changed(
            Stage next, Optional<String> given, Optional<ProcessIdentity> process) {
        return new SandboxRecord(
                id, pod, uid, attempt, next, boot, createdAt, hostname, sharing, given, process);
    }

    @Override
    public JsonObject tree() {
        return JsonObject.of("id", Json.of(id))
                .with("namespace", Json.of(pod.namespace()))
                .with("name", Json.of(pod.name()))
                .with("uid", Json.of(uid.value()))
                .with("attempt", Json.of(attempt))
                .with("stage", Json.of(stage.name()))
                .with("boot", Json.of(boot))
                .with("createdAt", Json.of(createdAt.toString()))
                .with("hostname", Json.of(hostname))
                .with("hostNetwork", Json.of(sharing.hostNetwork()))
                .with("hostProcesses", Json.of(sharing.hostProcesses()))
                .with("hostIpc", Json.of(sharing.hostIpc()))
                .with("sharedProcesses", Json.of(sharing.processes()))
                .with("address", Json.of(address.orElse("")))
                .with("holder", RecordJson.of(holder));
    }

    static SandboxRecord read(JsonObject tree) {
        return new SandboxRecord(
                tree.text("id"),
                new ObjectRef(tree.text("namespace"), tree.text("name")),
                new Uid(tree.text("uid")),
                (int) tree.number("attempt").orElse(0),
                Stage.valueOf(tree.text("stage")),
                tree.text("boot"),
                Instant.parse(tree.text("createdAt")),
                tree.text("hostname"),
                new Sharing(
                        tree.flag("hostNetwork").orElse(false),
                        tree.flag("hostProcesses").orElse(false),
                        tree.flag("hostIpc").orElse(false),
                        tree.flag("sharedProcesses").orElse(false)),
                tree.string("address").filter(one -> !one.isEmpty()),
                RecordJson.process(tree, "holder"));
    }
}
