package dev.berth.server.kinds.column;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ResourceQuantities;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.registry.TableColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// Table columns of the core kinds except pods.
public final class CoreColumns {

    private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
    private static final int SHOWN_ENDPOINTS = 3;

    private CoreColumns() {}

    public static List<TableColumn> nodes() {
        return Columns.named()
                .text(
                        "Status",
                        "Readiness, and whether new pods can be scheduled",
                        CoreColumns::nodeStatus)
                .text("Roles", "Roles of the node", CoreColumns::roles)
                .age()
                .text("Version", "Version of the kubelet", o -> nodeSystem(o, "kubeletVersion"))
                .wide("Internal-IP", "Its address", o -> nodeAddress(o, "InternalIP"))
                .wide("External-IP", "Its address for others", o -> nodeAddress(o, "ExternalIP"))
                .wide("OS-Image", "Operating system", o -> valueOrUnknown(nodeSystem(o, "osImage")))
                .wide(
                        "Kernel-Version",
                        "Version of the kernel",
                        o -> valueOrUnknown(nodeSystem(o, "kernelVersion")))
                .wide(
                        "Container-Runtime",
                        "Container runtime and its version",
                        o -> valueOrUnknown(nodeSystem(o, "containerRuntimeVersion")))
                .list();
    }

    private static String nodeSystem(JsonObject node, String name) {
        return Columns.at(node, "status", "nodeInfo", name);
    }

    private static String valueOrUnknown(String text) {
        return text.isEmpty() ? HumanDuration.UNKNOWN : text;
    }

    private static String nodeStatus(JsonObject node) {
        var status = "Unknown";
        for (var condition : node.objectOrEmpty("status").objects("conditions")) {
            if (condition.text("type").equals("Ready")) {
                status = condition.text("status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.objectOrEmpty("spec").flag("unschedulable").orElse(false)
                ? status + ",SchedulingDisabled"
                : status;
    }

    private static String roles(JsonObject node) {
        var roles = new TreeSet<String>();
        var labels = node.objectOrEmpty("metadata").objectOrEmpty("labels");
        for (var label : labels.names()) {
            if (label.startsWith(ROLE_PREFIX) && label.length() > ROLE_PREFIX.length()) {
                roles.add(label.substring(ROLE_PREFIX.length()));
            } else if (label.equals("kubernetes.io/role") && !labels.text(label).isEmpty()) {
                roles.add(labels.text(label));
            }
        }
        return Columns.joined(List.copyOf(roles));
    }

    private static String nodeAddress(JsonObject node, String type) {
        return node.objectOrEmpty("status").objects("addresses").stream()
                .filter(one -> one.text("type").equals(type))
                .map(one -> one.text("address"))
                .findFirst()
                .orElse(Columns.NONE);
    }

    public static List<TableColumn> namespaces() {
        return Columns.named().text("Status", "Its phase", o -> phase(o)).age().list();
    }

    private static String phase(JsonObject object) {
        return Columns.at(object, "status", "phase");
    }

    public static List<TableColumn> configMaps() {
        return Columns.named()
                .number(
                        "Data",
                        "Number of entries",
                        o ->
                                o.objectOrEmpty("data").members().size()
                                        + o.objectOrEmpty("binaryData").members().size())
                .age()
                .list();
    }

    public static List<TableColumn> secrets() {
        return Columns.named()
                .text("Type", "Type of the secret", o -> o.text("type"))
                .number("Data", "Number of entries", o -> o.objectOrEmpty("data").members().size())
                .age()
                .list();
    }

    public static List<TableColumn> serviceAccounts() {
        return Columns.named()
                .number("Secrets", "Number of secrets", o -> o.items("secrets").size())
                .age()
                .list();
    }

    public static List<TableColumn> services() {
        return Columns.named()
                .text("Type", "Type of the service", o -> Columns.at(o, "spec", "type"))
                .text(
                        "Cluster-IP",
                        "Its address inside",
                        o -> Columns.orNone(Columns.at(o, "spec", "clusterIP")))
                .text("External-IP", "Its address outside", CoreColumns::externalAddress)
                .text("Port(s)", "Ports of the service", CoreColumns::ports)
                .age()
                .wide(
                        "Selector",
                        "Label selector of the pods",
                        o ->
                                SelectorChecks.labelsText(
                                        o.objectOrEmpty("spec").objectOrEmpty("selector")))
                .list();
    }

    private static String externalAddress(JsonObject service) {
        var spec = service.objectOrEmpty("spec");
        return switch (spec.text("type")) {
            case "ExternalName" -> spec.text("externalName");
            case "LoadBalancer" -> balancedAddress(service);
            default -> Columns.joined(spec.strings("externalIPs"));
        };
    }

    private static String balancedAddress(JsonObject service) {
        var balancer = service.objectOrEmpty("status").objectOrEmpty("loadBalancer");
        var addresses = new ArrayList<String>();
        for (var one : balancer.objects("ingress")) {
            addresses.add(one.text("ip").isEmpty() ? one.text("hostname") : one.text("ip"));
        }
        addresses.addAll(service.objectOrEmpty("spec").strings("externalIPs"));
        return addresses.isEmpty() ? "<pending>" : String.join(",", addresses);
    }

    private static String ports(JsonObject service) {
        var texts = new ArrayList<String>();
        for (var port : service.objectOrEmpty("spec").objects("ports")) {
            var node = port.number("nodePort").orElse(0);
            texts.add(
                    port.number("port").orElse(0)
                            + (node > 0 ? ":" + node : "")
                            + "/"
                            + port.text("protocol"));
        }
        return Columns.joined(texts);
    }

    public static List<TableColumn> endpoints() {
        return Columns.named()
                .text("Endpoints", "Addresses of the endpoints", CoreColumns::targets)
                .age()
                .list();
    }

    private static String targets(JsonObject endpoints) {
        var all = new ArrayList<String>();
        for (var subset : endpoints.objects("subsets")) {
            var ports = subset.objects("ports");
            for (var address : subset.objects("addresses")) {
                if (ports.isEmpty()) {
                    all.add(address.text("ip"));
                }
                for (var port : ports) {
                    all.add(address.text("ip") + ":" + port.number("port").orElse(0));
                }
            }
        }
        return all.size() <= SHOWN_ENDPOINTS
                ? Columns.joined(all)
                : String.join(",", all.subList(0, SHOWN_ENDPOINTS))
                        + " + %d more...".formatted(all.size() - SHOWN_ENDPOINTS);
    }

    public static List<TableColumn> events() {
        return Columns.unnamed()
                .timed("Last Seen", "Time since the last occurrence", CoreColumns::lastSeen)
                .text("Type", "Normal or Warning", o -> o.text("type"))
                .text("Reason", "Machine-readable reason", o -> o.text("reason"))
                .text("Object", "To what", CoreColumns::involved)
                .wide(
                        "Subobject",
                        "To which part",
                        o -> o.objectOrEmpty("involvedObject").text("fieldPath"))
                .wide("Source", "Component that reported the event", CoreColumns::source)
                .text("Message", "Description of the event", o -> o.text("message").strip())
                .add(
                        "First Seen",
                        "string",
                        "",
                        "Time since the first occurrence",
                        1,
                        CoreColumns::firstSeen)
                .add("Count", "string", "", "Number of occurrences", 1, (o, _) -> Json.of(count(o)))
                .add(
                        "Name",
                        "string",
                        "name",
                        "Name",
                        1,
                        (o, _) -> Json.of(Columns.at(o, "metadata", "name")))
                .list();
    }

    private static Json lastSeen(JsonObject event, Instant now) {
        if (event.has("series")) {
            return Json.of(
                    HumanDuration.since(Columns.at(event, "series", "lastObservedTime"), now));
        }
        return event.text("lastTimestamp").isEmpty()
                ? firstSeen(event, now)
                : Json.of(HumanDuration.since(event.text("lastTimestamp"), now));
    }

    private static Json firstSeen(JsonObject event, Instant now) {
        var first = event.text("firstTimestamp");
        return Json.of(HumanDuration.since(first.isEmpty() ? event.text("eventTime") : first, now));
    }

    private static String involved(JsonObject event) {
        var object = event.objectOrEmpty("involvedObject");
        var kind = object.text("kind").toLowerCase(Locale.ROOT);
        return object.text("name").isEmpty() ? kind : kind + "/" + object.text("name");
    }

    private static String source(JsonObject event) {
        var source = event.objectOrEmpty("source");
        var who = source.text("component");
        var where = source.text("host");
        if (who.isEmpty()) {
            who = event.text("reportingComponent");
            where = event.text("reportingInstance");
        }
        return where.isEmpty() ? who : who + ", " + where;
    }

    private static long count(JsonObject event) {
        return event.has("series")
                ? Columns.numberAt(event, "series", "count")
                : Math.max(1, event.number("count").orElse(0));
    }

    public static List<TableColumn> quotas() {
        return Columns.named()
                .text("Request", "Used and hard requests", o -> usage(o, false))
                .text("Limit", "Used and hard limits", o -> usage(o, true))
                .age()
                .list();
    }

    private static String usage(JsonObject quota, boolean limits) {
        var status = quota.objectOrEmpty("status");
        var hard = status.objectOrEmpty("hard");
        var parts = new ArrayList<String>();
        for (var name : new TreeSet<>(hard.names())) {
            if (name.startsWith("limits") == limits) {
                parts.add(
                        "%s: %s/%s"
                                .formatted(
                                        name,
                                        ResourceQuantities.text(status.objectOrEmpty("used"), name),
                                        ResourceQuantities.text(hard, name)));
            }
        }
        return String.join(", ", parts);
    }
}
