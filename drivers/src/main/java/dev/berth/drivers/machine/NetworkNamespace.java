package dev.berth.drivers.machine;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A network namespace, accessed through the command `ip`.
public final class NetworkNamespace {

    private final HostCommands tools;
    private final Optional<String> name;

    private NetworkNamespace(HostCommands tools, Optional<String> name) {
        this.tools = tools;
        this.name = name;
    }

    /// The namespace of this process.
    public static NetworkNamespace here(HostCommands tools) {
        return new NetworkNamespace(tools, Optional.empty());
    }

    /// A named namespace.
    public static NetworkNamespace named(HostCommands tools, String name) {
        return new NetworkNamespace(tools, Optional.of(name));
    }

    /// Its name; empty for the namespace of this process.
    public Optional<String> name() {
        return name;
    }

    /// Runs `ip` in the namespace.
    public String ip(String... arguments) throws DeviceException {
        var line = new ArrayList<String>();
        name.ifPresent(one -> line.addAll(List.of("-n", one)));
        line.addAll(Arrays.asList(arguments));
        return tools.run("ip", line.toArray(String[]::new));
    }

    public List<NetworkLink> links() throws DeviceException {
        return trees(ip("-j", "-d", "link", "show")).stream().map(NetworkLink::of).toList();
    }

    public Optional<NetworkLink> linkWithAlias(String alias) throws DeviceException {
        return links().stream().filter(link -> link.alias().equals(alias)).findFirst();
    }

    public Optional<NetworkLink> link(String interfaceName) throws DeviceException {
        return links().stream().filter(link -> link.name().equals(interfaceName)).findFirst();
    }

    /// The global addresses of an interface, such as `10.0.0.5/24`.
    public List<String> addresses(String interfaceName) throws DeviceException {
        var addresses = new ArrayList<String>();
        for (var link : trees(ip("-j", "addr", "show", "dev", interfaceName))) {
            for (var address : link.objects("addr_info")) {
                if (address.text("scope").equals("global")) {
                    addresses.add(
                            address.text("local") + "/" + address.number("prefixlen").orElse(0));
                }
            }
        }
        return addresses;
    }

    /// The interfaces that the machine needs to stay reachable: those of default routes and their
    /// lower interfaces.
    public List<String> needed() throws DeviceException {
        var routes = ip("-j", "route", "show", "table", "all", "default");
        return NetworkLink.withDependencies(links(), devices(routes));
    }

    /// The interfaces of routes, including multipath routes.
    static List<String> devices(String routes) {
        var devices = new ArrayList<String>();
        for (var route : trees(routes)) {
            route.string("dev").ifPresent(devices::add);
            for (var nexthop : route.objects("nexthops")) {
                nexthop.string("dev").ifPresent(devices::add);
            }
        }
        return devices.stream().distinct().toList();
    }

    private static List<JsonObject> trees(String text) {
        var trees = new ArrayList<JsonObject>();
        if (!text.isEmpty()
                && JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof Json.JsonArray(var items)) {
            for (var item : items) {
                // `ip` prints an empty object for each filtered entry.
                if (item instanceof JsonObject object && !object.isEmpty()) {
                    trees.add(object);
                }
            }
        }
        return trees;
    }
}
