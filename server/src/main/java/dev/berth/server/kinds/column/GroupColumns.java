package dev.berth.server.kinds.column;

import static dev.berth.server.kinds.column.Columns.at;

import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.registry.TableColumn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Table columns of storage, scheduling, RBAC and certificates.
public final class GroupColumns {

    private static final Map<String, String> MODES =
            Map.of(
                    "ReadWriteOnce", "RWO",
                    "ReadOnlyMany", "ROX",
                    "ReadWriteMany", "RWX",
                    "ReadWriteOncePod", "RWOP");
    private static final List<String> MODE_ORDER =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");

    private GroupColumns() {}

    private static String modes(JsonObject holder) {
        var set = holder.strings("accessModes");
        return String.join(
                ",",
                MODE_ORDER.stream()
                        .filter(set::contains)
                        .map(m -> MODES.getOrDefault(m, m))
                        .toList());
    }

    private static String deletable(JsonObject object, String phase) {
        return object.objectOrEmpty("metadata").has("deletionTimestamp") ? "Terminating" : phase;
    }

    public static List<TableColumn> persistentVolumes() {
        return Columns.named()
                .text("Capacity", "Capacity of the volume", o -> capacity(o, "spec"))
                .text("Access Modes", "Access modes", o -> modes(o.objectOrEmpty("spec")))
                .text(
                        "Reclaim Policy",
                        "Reclaim policy",
                        o -> at(o, "spec", "persistentVolumeReclaimPolicy"))
                .text("Status", "Its phase", o -> deletable(o, at(o, "status", "phase")))
                .text("Claim", "Claim bound to the volume", GroupColumns::claim)
                .text("StorageClass", "Its class", o -> at(o, "spec", "storageClassName"))
                .text("VolumeAttributesClass", "Its class of attributes", o -> attributesClass(o))
                .text("Reason", "Reason of the phase", o -> at(o, "status", "reason"))
                .age()
                .wide("VolumeMode", "Files or blocks", o -> volumeMode(o))
                .list();
    }

    private static String claim(JsonObject volume) {
        var claim = volume.objectOrEmpty("spec").object("claimRef");
        return claim.map(c -> c.text("namespace") + "/" + c.text("name")).orElse("");
    }

    private static String capacity(JsonObject object, String holder) {
        var capacity = object.objectOrEmpty(holder).objectOrEmpty("capacity");
        return ResourceQuantities.at(capacity, "storage").map(Object::toString).orElse("");
    }

    private static String attributesClass(JsonObject object) {
        return object.objectOrEmpty("spec")
                .string("volumeAttributesClassName")
                .orElse(Columns.UNSET);
    }

    private static String volumeMode(JsonObject object) {
        return object.objectOrEmpty("spec").string("volumeMode").orElse(Columns.UNSET);
    }

    public static List<TableColumn> persistentVolumeClaims() {
        return Columns.named()
                .text("Status", "Its phase", o -> deletable(o, at(o, "status", "phase")))
                .text("Volume", "Volume bound to the claim", o -> at(o, "spec", "volumeName"))
                .text(
                        "Capacity",
                        "Capacity of the volume",
                        o -> bound(o) ? capacity(o, "status") : "")
                .text(
                        "Access Modes",
                        "Access modes",
                        o -> bound(o) ? modes(o.objectOrEmpty("status")) : "")
                .text("StorageClass", "Its class", o -> at(o, "spec", "storageClassName"))
                .text("VolumeAttributesClass", "Its class of attributes", o -> attributesClass(o))
                .age()
                .wide("VolumeMode", "Files or blocks", o -> volumeMode(o))
                .list();
    }

    private static boolean bound(JsonObject claim) {
        return !at(claim, "spec", "volumeName").isEmpty();
    }

    private static boolean flag(JsonObject object, String name) {
        return object.flag(name).orElse(false);
    }

    public static List<TableColumn> priorityClasses() {
        return Columns.named()
                .number("Value", "Priority value", o -> o.number("value").orElse(0))
                .flag(
                        "Global-Default",
                        "Whether it is the default for pods without a class",
                        o -> flag(o, "globalDefault"))
                .age()
                .text("PreemptionPolicy", "Preemption policy", o -> o.text("preemptionPolicy"))
                .list();
    }

    public static List<TableColumn> roleBindings() {
        return Columns.named()
                .text(
                        "Role",
                        "Granted role",
                        o -> at(o, "roleRef", "kind") + "/" + at(o, "roleRef", "name"))
                .age()
                .wide("Users", "To whom", o -> subjects(o, "User"))
                .wide("Groups", "To which groups", o -> subjects(o, "Group"))
                .wide("ServiceAccounts", "To which accounts", o -> subjects(o, "ServiceAccount"))
                .list();
    }

    private static String subjects(JsonObject object, String kind) {
        var names = new ArrayList<String>();
        for (var subject : object.objects("subjects")) {
            if (subject.text("kind").equals(kind)) {
                var space = subject.text("namespace");
                var inSpace = kind.equals("ServiceAccount");
                names.add(inSpace ? space + "/" + subject.text("name") : subject.text("name"));
            }
        }
        return String.join(", ", names);
    }

    public static List<TableColumn> signingRequests() {
        return Columns.named()
                .age()
                .text("SignerName", "Requested signer", o -> at(o, "spec", "signerName"))
                .text("Requestor", "Requesting user", o -> at(o, "spec", "username"))
                .text("RequestedDuration", "For how long", GroupColumns::requestedDuration)
                .text("Condition", "Decision", GroupColumns::decision)
                .list();
    }

    private static String requestedDuration(JsonObject request) {
        var seconds = request.objectOrEmpty("spec").number("expirationSeconds");
        return seconds.isEmpty()
                ? Columns.NONE
                : HumanDuration.text(Duration.ofSeconds(seconds.getAsLong()));
    }

    private static String decision(JsonObject request) {
        var types = new ArrayList<String>();
        for (var type : List.of("Approved", "Denied", "Failed")) {
            if (request.objectOrEmpty("status").objects("conditions").stream()
                    .anyMatch(c -> c.text("type").equals(type))) {
                types.add(type);
            }
        }
        if (!at(request, "status", "certificate").isEmpty()) {
            types.add("Issued");
        }
        return types.isEmpty() ? "Pending" : String.join(",", types);
    }
}
