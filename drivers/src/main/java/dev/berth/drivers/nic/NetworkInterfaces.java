package dev.berth.drivers.nic;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.NetworkLink;
import dev.berth.drivers.machine.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Makes interfaces and takes them back; each step may have been done before.
final class NetworkInterfaces {

    private static final Path PINS = Path.of("/run/netns");

    private final HostCommands tools;
    private final NetworkNamespace home;

    NetworkInterfaces(HostCommands tools, NetworkNamespace home) {
        this.tools = tools;
        this.home = home;
    }

    /// Marks an interface that is to move, so that it is found wherever it is.
    void mark(InterfaceLease lease) throws DeviceException {
        if (find(lease).isEmpty()) {
            if (home.needed().contains(lease.interfaceName())) {
                throw new DeviceException(
                        "interface %s carries the default route now; it stays with the machine"
                                .formatted(lease.interfaceName()));
            }
            home.ip("link", "set", "dev", lease.interfaceName(), "alias", lease.alias());
        }
    }

    /// Makes an interface if it is not there.
    void make(InterfaceLease lease, InterfaceSource madeOf, String mode) throws DeviceException {
        if (find(lease).isPresent()) {
            return;
        }
        var name = lease.interfaceName();
        var isThere = home.link(name).isPresent();
        switch (madeOf.type()) {
            case InterfaceSource.Type.Macvlan(var parent) -> {
                if (!isThere) {
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
                if (!isThere) {
                    home.ip(
                            "link",
                            "add",
                            lease.otherEnd(),
                            "type",
                            "veth",
                            "peer",
                            "name",
                            name,
                            "address",
                            lease.mac());
                }
                connect(lease, madeOf, bridge);
            }
        }
        // The mark comes last: what has it is whole.
        home.ip("link", "set", "dev", name, "alias", lease.alias());
    }

    private void connect(InterfaceLease lease, InterfaceSource madeOf, Optional<String> bridge)
            throws DeviceException {
        var end = lease.otherEnd();
        if (bridge.isPresent()) {
            home.ip("link", "set", "dev", end, "master", bridge.get());
        } else if (madeOf.range().isPresent()) {
            var machine = madeOf.range().get().machine();
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

    /// Where an interface is, here or in a pod.
    private Optional<NetworkLink> find(InterfaceLease lease) throws DeviceException {
        var here = home.linkWithAlias(lease.alias());
        return here.isPresent() || !isPinned(lease)
                ? here
                : pod(lease).linkWithAlias(lease.alias());
    }

    private static boolean isPinned(InterfaceLease lease) {
        return Files.exists(PINS.resolve(lease.pin()));
    }

    private NetworkNamespace pod(InterfaceLease lease) {
        return NetworkNamespace.named(tools, lease.pin());
    }

    /// Brings an interface back to what it was, or unmakes it.
    void takeBack(InterfaceLease lease) throws DeviceException {
        if (isPinned(lease)) {
            var away = pod(lease).linkWithAlias(lease.alias());
            if (away.isPresent()) {
                var to = home.name().orElse(Long.toString(ProcessHandle.current().pid()));
                pod(lease)
                        .ip(
                                "link",
                                "set",
                                "dev",
                                away.get().name(),
                                "netns",
                                to,
                                "name",
                                lease.interfaceName());
            }
            tools.run("ip", "netns", "delete", lease.pin());
        }
        if (lease.before().isPresent()) {
            restore(lease, lease.before().get());
        } else {
            remove(lease.interfaceName());
            remove(lease.otherEnd());
        }
    }

    private void remove(String name) throws DeviceException {
        if (home.link(name).isPresent()) {
            home.ip("link", "delete", "dev", name);
        }
    }

    private void restore(InterfaceLease lease, InterfaceLease.Before before)
            throws DeviceException {
        var here = home.linkWithAlias(lease.alias());
        if (here.isEmpty()) {
            // Unplugged, or the machine was started anew and it is as it was.
            return;
        }
        var name = lease.interfaceName();
        if (!here.get().name().equals(name)) {
            home.ip("link", "set", "dev", here.get().name(), "down");
            home.ip("link", "set", "dev", here.get().name(), "name", name);
        }
        home.ip("link", "set", "dev", name, "mtu", Long.toString(before.nic().mtu()));
        home.ip("link", "set", "dev", name, before.isUp() ? "up" : "down");
        for (var address : before.addresses()) {
            home.ip("addr", "replace", address, "dev", name);
        }
        // The mark goes last: what has it is not yet what it was.
        home.ip("link", "set", "dev", name, "alias", before.alias());
    }
}
