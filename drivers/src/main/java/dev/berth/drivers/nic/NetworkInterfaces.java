package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.NetworkLink;
import dev.berth.drivers.machine.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Creates, moves and restores interfaces. Every step is idempotent.
final class NetworkInterfaces {

    private static final Path PINS = Path.of("/run/netns");

    private final HostCommands tools;
    private final NetworkNamespace home;

    NetworkInterfaces(HostCommands tools, NetworkNamespace home) {
        this.tools = tools;
        this.home = home;
    }

    /// Marks an interface before it is moved, so that it is found in any namespace.
    void mark(InterfaceLease lease) throws DeviceException {
        if (find(lease).isEmpty()) {
            if (home.needed().contains(lease.interfaceName())) {
                throw new DeviceException(
                        "interface %s now carries the default route and cannot be moved"
                                .formatted(lease.interfaceName()));
            }
            home.ip("link", "set", "dev", lease.interfaceName(), "alias", lease.alias());
        }
    }

    /// Creates an interface if it does not exist.
    void create(InterfaceLease lease, InterfaceSource source, String mode) throws DeviceException {
        if (find(lease).isPresent()) {
            return;
        }
        var name = lease.interfaceName();
        var exists = home.link(name).isPresent();
        switch (source.type()) {
            case InterfaceSource.Type.Macvlan(var parent) -> {
                if (!exists) {
                    home.ip(
                            "link",
                            "add",
                            name,
                            "link",
                            parent,
                            "address",
                            lease.mac(),
                            "type",
                            "macvlan",
                            "mode",
                            mode);
                }
            }
            case InterfaceSource.Type.Veth(var bridge) -> {
                if (!exists) {
                    home.ip(
                            "link",
                            "add",
                            lease.peer(),
                            "type",
                            "veth",
                            "peer",
                            "name",
                            name,
                            "address",
                            lease.mac());
                }
                connect(lease, source, bridge);
            }
        }
        // The alias is set last: an interface with it is complete.
        home.ip("link", "set", "dev", name, "alias", lease.alias());
    }

    private void connect(InterfaceLease lease, InterfaceSource source, Optional<String> bridge)
            throws DeviceException {
        var end = lease.peer();
        if (bridge.isPresent()) {
            home.ip("link", "set", "dev", end, "master", bridge.get());
        } else if (source.range().isPresent()) {
            var machine = source.range().get().machine();
            for (var address : lease.addresses()) {
                var plain = address.substring(0, address.indexOf('/'));
                var isSame = plain.contains(":") == machine.contains(":");
                if (isSame) {
                    home.ip("addr", "replace", machine, "peer", plain, "dev", end);
                }
            }
        }
        home.ip("link", "set", "dev", end, "up");
    }

    /// Finds an interface in the machine or in a pod.
    private Optional<NetworkLink> find(InterfaceLease lease) throws DeviceException {
        var current = home.linkWithAlias(lease.alias());
        return current.isPresent() || !isPinned(lease)
                ? current
                : pod(lease).linkWithAlias(lease.alias());
    }

    private static boolean isPinned(InterfaceLease lease) {
        return Files.exists(PINS.resolve(lease.pin()));
    }

    private NetworkNamespace pod(InterfaceLease lease) {
        return NetworkNamespace.named(tools, lease.pin());
    }

    /// Restores a moved interface, or deletes a created one.
    void undo(InterfaceLease lease) throws DeviceException {
        if (isPinned(lease)) {
            var moved = pod(lease).linkWithAlias(lease.alias());
            if (moved.isPresent()) {
                var to = home.name().orElse(Long.toString(ProcessHandle.current().pid()));
                pod(lease)
                        .ip(
                                "link",
                                "set",
                                "dev",
                                moved.get().name(),
                                "netns",
                                to,
                                "name",
                                lease.interfaceName());
            }
            tools.run("ip", "netns", "delete", lease.pin());
        }
        if (lease.original().isPresent()) {
            restore(lease, lease.original().get());
        } else {
            remove(lease.interfaceName());
            remove(lease.peer());
        }
    }

    private void remove(String name) throws DeviceException {
        if (home.link(name).isPresent()) {
            home.ip("link", "delete", "dev", name);
        }
    }

    private void restore(InterfaceLease lease, InterfaceLease.OriginalState original)
            throws DeviceException {
        var current = home.linkWithAlias(lease.alias());
        if (current.isEmpty()) {
            // The interface was unplugged, or a reboot of the machine restored it.
            return;
        }
        var name = lease.interfaceName();
        if (!current.get().name().equals(name)) {
            home.ip("link", "set", "dev", current.get().name(), "down");
            home.ip("link", "set", "dev", current.get().name(), "name", name);
        }
        home.ip("link", "set", "dev", name, "mtu", Long.toString(original.nic().mtu()));
        home.ip("link", "set", "dev", name, original.isUp() ? "up" : "down");
        for (var address : original.addresses()) {
            home.ip("addr", "replace", address, "dev", name);
        }
        // The alias is restored last: an interface with it is not yet restored completely.
        home.ip("link", "set", "dev", name, "alias", original.alias());
    }
}
