package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.IpAddresses;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.pod.ContainerChecks;
import dev.berth.server.kinds.pod.PodChecks;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Defaulting and validation of services. Cluster IPs are allocated from one range, always the
/// first free one.
final class ServiceRules {

    private static final List<String> TYPES =
            List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final String HEADLESS = "None";
    private static final String RANGE_START = "10.96.";
    private static final int RANGE_SIZE = 65534;

    /// The first address is that of the API server.
    private static final int FIRST_FREE = 2;

    private static final int NODE_PORT_FIRST = 30000;
    private static final int NODE_PORT_LAST = 32767;
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

    private ServiceRules() {}

    static Strategy strategy() {
        return ComposedStrategy.namespaced()
                .named(ServiceRules::nameForm)
                .withStatus(JsonObject.of("loadBalancer", JsonObject.EMPTY))
                .defaults(service -> DefaultsFiller.spec(service, ServiceRules::filled))
                .onCreate(ServiceRules::withAddresses)
                .onUpdate(ServiceRules::withOldAddresses)
                .checks(ServiceRules::check)
                .checksUpdate(ServiceRules::keepsAddress);
    }

    /// A DNS label that starts with a letter.
    private static List<String> nameForm(String name) {
        return NAME.matcher(name).matches() && name.length() <= 63
                ? List.of()
                : List.of(
                        "a DNS-1035 label must consist of lower case alphanumeric characters or "
                                + "'-', start with an alphabetic character, and end with an "
                                + "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex "
                                + "used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
    }

    private static JsonObject filled(JsonObject spec) {
        var filled =
                DefaultsFiller.of(spec)
                        .text("sessionAffinity", "None")
                        .text("type", "ClusterIP")
                        .each(
                                "ports",
                                port ->
                                        DefaultsFiller.of(port)
                                                .text("protocol", "TCP")
                                                .nonZero(
                                                        "targetPort",
                                                        port.member("port").orElse(Json.of(0)))
                                                .done());
        if (spec.text("sessionAffinity").equals("ClientIP")) {
            var timeout = JsonObject.of("timeoutSeconds", Json.of(10800));
            filled.json("sessionAffinityConfig", JsonObject.of("clientIP", timeout));
        }
        var type = filled.done().text("type");
        if (type.equals("ExternalName")) {
            return filled.done();
        }
        if (!type.equals("ClusterIP")) {
            filled.text("externalTrafficPolicy", "Cluster");
        }
        return filled.text("internalTrafficPolicy", "Cluster").done();
    }

    private static JsonObject withAddresses(JsonObject service, RequestContext context) {
        return DefaultsFiller.spec(
                service, spec -> withNodePorts(withAddress(spec, context), context));
    }

    private static JsonObject withAddress(JsonObject spec, RequestContext context) {
        if (spec.text("type").equals("ExternalName")) {
            return spec;
        }
        var address = spec.text("clusterIP").isEmpty() ? free(context) : spec.text("clusterIP");
        var families = Json.array(Json.of(address.contains(":") ? "IPv6" : "IPv4"));
        return DefaultsFiller.of(spec)
                .text("clusterIP", address)
                .json("clusterIPs", Json.array(Json.of(address)))
                .json("ipFamilies", families)
                .text("ipFamilyPolicy", "SingleStack")
                .done();
    }

    private static String free(RequestContext context) {
        var taken = new HashSet<String>();
        for (var service : context.objects().list("services", "")) {
            taken.add(service.objectOrEmpty("spec").text("clusterIP"));
        }
        for (var i = FIRST_FREE; i <= RANGE_SIZE; i++) {
            var address = RANGE_START + (i >> 8) + "." + (i & 0xff);
            if (!taken.contains(address)) {
                return address;
            }
        }
        return HEADLESS;
    }

    private static JsonObject withNodePorts(JsonObject spec, RequestContext context) {
        if (!List.of("NodePort", "LoadBalancer").contains(spec.text("type"))) {
            return spec;
        }
        var taken = new HashSet<Long>();
        for (var service : context.objects().list("services", "")) {
            for (var port : service.objectOrEmpty("spec").objects("ports")) {
                taken.add(port.number("nodePort").orElse(0));
            }
        }
        return DefaultsFiller.of(spec).each("ports", port -> withNodePort(port, taken)).done();
    }

    private static JsonObject withNodePort(JsonObject port, Set<Long> taken) {
        if (port.number("nodePort").orElse(0) != 0) {
            return port;
        }
        for (long number = NODE_PORT_FIRST; number <= NODE_PORT_LAST; number++) {
            if (taken.add(number)) {
                return port.with("nodePort", Json.of(number));
            }
        }
        return port;
    }

    /// Keeps allocated addresses and ports that an update omits.
    private static JsonObject withOldAddresses(
            JsonObject old, JsonObject service, RequestContext context) {
        var before = old.objectOrEmpty("spec");
        return DefaultsFiller.spec(
                service,
                spec -> {
                    if (spec.text("type").equals("ExternalName")) {
                        return DefaultsFiller.of(spec).drop("clusterIP").drop("clusterIPs").done();
                    }
                    var filled = DefaultsFiller.of(spec);
                    for (var name : List.of("clusterIP", "ipFamilyPolicy")) {
                        filled.text(name, before.text(name));
                    }
                    for (var name : List.of("clusterIPs", "ipFamilies")) {
                        before.member(name).ifPresent(value -> filled.json(name, value));
                    }
                    var kept = filled.done();
                    if (kept.text("clusterIP").isEmpty()) {
                        kept = kept.without("clusterIP").without("ipFamilyPolicy");
                    }
                    return withNodePorts(withAddress(kept, context), context);
                });
    }

    private static void check(JsonObject service, ObjectChecks checks) {
        var spec = service.objectOrEmpty("spec");
        checks.oneOf(spec, "type", ObjectChecks.SPEC, TYPES);
        checks.oneOf(spec, "sessionAffinity", ObjectChecks.SPEC, List.of("ClientIP", "None"));
        for (var name : List.of("externalTrafficPolicy", "internalTrafficPolicy")) {
            checks.optionalOneOf(spec, name, ObjectChecks.SPEC, List.of("Cluster", "Local"));
        }
        PodChecks.labels(
                spec.objectOrEmpty("selector"), ObjectChecks.SPEC.child("selector"), checks);
        var address = spec.text("clusterIP");
        if (!address.isEmpty() && !address.equals(HEADLESS) && !IpAddresses.isAddress(address)) {
            checks.invalid(
                    ObjectChecks.SPEC.child("clusterIP"),
                    address,
                    "must be empty, 'None', or a valid IP address");
        }
        if (spec.text("type").equals("ExternalName")) {
            externalName(spec, checks);
        } else if (spec.items("ports").isEmpty() && !address.equals(HEADLESS)) {
            checks.required(ObjectChecks.SPEC.child("ports"), "");
        }
        ports(spec, checks);
    }

    private static void externalName(JsonObject spec, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("externalName");
        if (spec.text("externalName").isEmpty()) {
            checks.required(path, "");
        } else {
            checks.subdomain(spec.text("externalName"), path);
        }
    }

    private static void ports(JsonObject spec, ObjectChecks checks) {
        var several = spec.items("ports").size() > 1;
        var ids = new HashSet<String>();
        checks.each(
                spec,
                "ports",
                ObjectChecks.SPEC,
                (port, at) -> {
                    port(port, at, several, checks);
                    var id = port.text("protocol") + "/" + port.number("port").orElse(0);
                    if (!ids.add(id)) {
                        checks.add(FieldError.duplicate(at, port));
                    }
                });
        checks.unique(spec, "ports", ObjectChecks.SPEC, "name");
    }

    private static void port(
            JsonObject port, FieldPath path, boolean several, ObjectChecks checks) {
        if (port.text("name").isEmpty()) {
            if (several) {
                checks.required(path.child("name"), "");
            }
        } else {
            checks.label(port.text("name"), path.child("name"));
        }
        var number = port.number("port").orElse(0);
        if (number < 1 || number > 65535) {
            checks.invalid(
                    path.child("port"), Json.of(number), "must be between 1 and 65535, inclusive");
        }
        checks.oneOf(port, "protocol", path, ContainerChecks.PROTOCOLS);
        if (port.number("targetPort").isPresent()) {
            checks.between(port, "targetPort", path, 1, 65535);
        } else if (!port.text("targetPort").isEmpty()) {
            ContainerChecks.portName(port.text("targetPort"), path.child("targetPort"), checks);
        }
    }

    private static void keepsAddress(JsonObject old, JsonObject service, ObjectChecks checks) {
        var before = old.objectOrEmpty("spec");
        var after = service.objectOrEmpty("spec");
        var external = "ExternalName";
        if (!before.text("type").equals(external)
                && !after.text("type").equals(external)
                && !before.text("clusterIP").isEmpty()
                && !before.text("clusterIP").equals(after.text("clusterIP"))) {
            var value = Json.array(after.items("clusterIPs"));
            checks.invalid(
                    ObjectChecks.SPEC.child("clusterIPs").index(0),
                    value,
                    "may not change once set");
        }
    }
}
