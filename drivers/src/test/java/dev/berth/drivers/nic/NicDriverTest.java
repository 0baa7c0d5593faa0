package dev.berth.drivers.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.machine.NetworkNamespace;
import dev.berth.drivers.testing.Bundle;
import dev.berth.drivers.testing.Claims;
import dev.berth.drivers.testing.Needs;
import dev.berth.model.api.claim.NetworkDeviceStatus;
import dev.berth.model.api.slice.Device;
import dev.berth.node.driver.ClaimAssignment;
import dev.berth.node.driver.PrepareResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uses a network namespace in place of the machine and veth interfaces in place of hardware.
class NicDriverTest {

    private static final String HOME = "berth-t-home-" + ProcessHandle.current().pid();
    private static final String POD = "berth-t-pod-" + ProcessHandle.current().pid();
    private static final String OTHER = "berth-t-other-" + ProcessHandle.current().pid();
    private static final String SEEN = "ip -o addr show dev %s; ip route";

    @TempDir private Path directory = Path.of("");
    private final HostCommands tools = new HostCommands();
    private final NetworkNamespace home = NetworkNamespace.named(tools, HOME);
    private NicDriver driver;

    @BeforeEach
    void start() throws Exception {
        Needs.containers();
        Needs.tools("ip", "flock");
        for (var name : List.of(HOME, POD, OTHER)) {
            tools.run("ip", "netns", "add", name);
        }
        // Not every kernel has dummy interfaces; all have veth.
        for (var name : List.of("eth0", "eth1", "lan0")) {
            home.ip("link", "add", name, "type", "veth", "peer", "name", "to-" + name);
            home.ip("link", "set", "to-" + name, "up");
            home.ip("link", "set", name, "up");
        }
        home.ip("addr", "add", "192.0.2.10/24", "dev", "eth0");
        home.ip("route", "add", "default", "via", "192.0.2.1");
        home.ip("link", "set", "eth1", "mtu", "1400");
        home.ip("addr", "add", "192.0.2.129/25", "dev", "eth1");
        driver = driver(MachineRoots.here());
    }

    private NicDriver driver(MachineRoots machine) {
        var range = AddressRange.tryParse("198.18.7.0/24");
        var config =
                new NicConfig(
                        Set.of("physical", "veth"),
                        Set.of("to-eth1", "to-lan0"),
                        List.of(
                                new InterfaceSource(
                                        "lan", new InterfaceSource.Type.Macvlan("lan0"), 8, range),
                                new InterfaceSource(
                                        "cable",
                                        new InterfaceSource.Type.Veth(Optional.empty()),
                                        8,
                                        range)));
        return new NicDriver(
                machine,
                config,
                directory.resolve("data"),
                NetworkNamespace.named(machine.tools(), HOME));
    }

    @AfterEach
    void clean() throws Exception {
        try {
            for (var claim : List.of("a", "b")) {
                driver.unprepare(Claims.prepared(claim));
            }
        } finally {
            for (var name : List.of(HOME, POD, OTHER)) {
                tools.attempt("ip", "netns", "delete", name);
            }
        }
    }

    private static ClaimAssignment<NicParameters> claim(
            String name, NicParameters parameters, String... devices) {
        return Claims.assignment(name, NicDriver.NAME, parameters, devices);
    }

    private static NicParameters named(String name) {
        return new NicParameters(
                Optional.of(name), "bridge", List.of(), OptionalLong.empty(), List.of());
    }

    private static NetworkDeviceStatus status(PrepareResult prepared) {
        return prepared.devices().getFirst().report().orElseThrow().network().orElseThrow();
    }

    @Test
    void interfaceOfTheDefaultRouteIsNotPublished() throws Exception {
        assertThat(driver.discover())
                .extracting(Device::name)
                .containsExactly("eth1", "lan", "cable");
        assertThatThrownBy(() -> driver.prepare(claim("a", NicParameters.DEFAULTS, "eth0")))
                .hasMessageContaining("interface eth0 cannot be moved");
    }

    @Test
    void anInterfaceIsMovedAndRestored() throws Exception {
        var before = home.ip("-o", "addr", "show", "dev", "eth1").replaceAll("^[0-9]+:", "");
        var published = driver.discover();
        var prepared = driver.prepare(claim("a", named("fast"), "eth1"));
        assertThat(status(prepared).interfaceName()).isEqualTo("fast");
        assertThat(status(prepared).ips()).containsExactly("192.0.2.129/25");
        try (var first = new Bundle(directory, "berth-nic-1");
                var second = new Bundle(directory, "berth-nic-2")) {
            assertThat(first.with(prepared).inNetwork(POD).run(SEEN.formatted("fast")).toString())
                    .contains("inet 192.0.2.129/25");
            // Another container of the pod, or the same after a restart.
            assertThat(second.with(prepared).inNetwork(POD).run(SEEN.formatted("fast")).toString())
                    .contains("inet 192.0.2.129/25");
        }
        assertThat(home.link("eth1")).isEmpty();
        assertThat(driver.discover()).hasSameElementsAs(published);
        driver.unprepare(Claims.prepared("a"));
        assertThat(home.ip("-o", "addr", "show", "dev", "eth1").replaceAll("^[0-9]+:", ""))
                .isEqualTo(before);
        assertThat(home.link("eth1").orElseThrow().mtu()).isEqualTo(1400);
        assertThat(home.link("eth1").orElseThrow().alias()).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void aMacvlanIsCreatedForAClaim() throws Exception {
        var parameters =
                new NicParameters(
                        Optional.empty(),
                        "bridge",
                        List.of("192.0.2.200/25"),
                        OptionalLong.of(1300),
                        List.of(new NicParameters.Route("203.0.113.0/24", "192.0.2.130")));
        var prepared = driver.prepare(claim("a", parameters, "lan"));
        assertThat(driver.prepare(claim("a", parameters, "lan"))).isEqualTo(prepared);
        try (var bundle = new Bundle(directory, "berth-nic-lan")) {
            var ended =
                    bundle.with(prepared)
                            .inNetwork(POD)
                            .run("ip -o link show dev r0; " + SEEN.formatted("r0"));
            assertThat(ended.output())
                    .contains("mtu 1300")
                    .contains(status(prepared).hardwareAddress())
                    .contains("inet 192.0.2.200/25")
                    .contains("203.0.113.0/24 via 192.0.2.130 dev r0");
        }
        driver.unprepare(Claims.prepared("a"));
        assertNothingIsLeft();
    }

    @Test
    void vethInterfacesReachTheMachine() throws Exception {
        var first = driver.prepare(claim("a", NicParameters.DEFAULTS, "cable"));
        var second = driver.prepare(claim("b", NicParameters.DEFAULTS, "cable"));
        assertThat(status(first).ips()).containsExactly("198.18.7.2/24");
        assertThat(status(second).ips()).containsExactly("198.18.7.3/24");
        try (var bundle = new Bundle(directory, "berth-nic-cable")) {
            var ended =
                    bundle.with(first)
                            .inNetwork(POD)
                            .run("ip -o addr show dev r0; echo $BERTH_NIC_CABLE");
            assertThat(ended.output()).contains("inet 198.18.7.2/24").endsWith("r0");
            tools.run(
                    "ip",
                    "netns",
                    "exec",
                    POD,
                    "busybox",
                    "ping",
                    "-c",
                    "1",
                    "-W",
                    "5",
                    "198.18.7.1");
        }
        driver.unprepare(Claims.prepared("a"));
        driver.unprepare(Claims.prepared("b"));
        assertNothingIsLeft();
    }

    @Test
    void anInterfaceIsMovedToAnotherPodOnlyAfterTheFirstEnded() throws Exception {
        var prepared = driver.prepare(claim("a", NicParameters.DEFAULTS, "lan"));
        try (var first = new Bundle(directory, "berth-nic-first");
                var second = new Bundle(directory, "berth-nic-second")) {
            first.with(prepared).inNetwork(POD);
            second.with(prepared).inNetwork(OTHER);
            assertThat(first.create().code()).isZero();
            assertThat(second.run("true").errors()).contains("is in another pod");
            first.delete();
            assertThat(second.run(SEEN.formatted("r0")).output()).contains("inet 198.18.7.2/24");
        }
        driver.unprepare(Claims.prepared("a"));
        assertNothingIsLeft();
    }

    @Test
    void podsWithHostNetworkAreRejected() throws Exception {
        var prepared = driver.prepare(claim("a", NicParameters.DEFAULTS, "eth1"));
        try (var bundle = new Bundle(directory, "berth-nic-host")) {
            var ended = bundle.with(prepared).inNetworkOf("/proc/self/ns/net").run("true");
            assertThat(ended.errors()).contains("hostNetwork");
        }
        assertThat(home.link("eth1")).isPresent();
    }

    @Test
    void prepareInterruptedAtAnyStepIsCompletedOrUndone() throws Exception {
        for (var device : List.of("eth1", "lan", "cable")) {
            var steps = new AtomicInteger();
            driver(dyingAfter(Integer.MAX_VALUE, steps))
                    .prepare(claim("a", NicParameters.DEFAULTS, device));
            driver.unprepare(Claims.prepared("a"));
            for (var i = 0; i < steps.get(); i++) {
                var dying = driver(dyingAfter(i, new AtomicInteger()));
                assertThatThrownBy(() -> dying.prepare(claim("a", NicParameters.DEFAULTS, device)))
                        .isInstanceOf(SimulatedCrash.class);
                if (i % 2 == 0) {
                    driver.prepare(claim("a", NicParameters.DEFAULTS, device));
                }
                driver.unprepare(Claims.prepared("a"));
                assertNothingIsLeft();
            }
        }
    }

    @Test
    void unprepareInterruptedAtAnyStepIsCompleted() throws Exception {
        var prepared = driver.prepare(claim("a", named("fast"), "eth1"));
        try (var bundle = new Bundle(directory, "berth-nic-back")) {
            bundle.with(prepared).inNetwork(POD);
            assertThat(bundle.run("true").code()).isZero();
            var isBack = false;
            for (var i = 0; !isBack; i++) {
                try {
                    driver(dyingAfter(i, new AtomicInteger())).unprepare(Claims.prepared("a"));
                    isBack = true;
                } catch (SimulatedCrash _) {
                    // Retry, interrupted one step later.
                }
            }
        }
        assertThat(home.addresses("eth1")).containsExactly("192.0.2.129/25");
        assertNothingIsLeft();
    }

    /// Simulates a crash of the driver.
    private static final class SimulatedCrash extends Error {
        private static final long serialVersionUID = 1;
    }

    private static MachineRoots dyingAfter(int commands, AtomicInteger count) {
        return MachineRoots.here()
                .withTools(
                        new HostCommands(_ -> {
                            if (count.getAndIncrement() >= commands) {
                                throw new SimulatedCrash();
                            }
                        }));
    }

    private void assertNothingIsLeft() throws Exception {
        assertThat(home.links())
                .extracting(link -> link.name() + link.alias())
                .containsExactlyInAnyOrder(
                        "lo", "eth0", "eth1", "lan0", "to-eth0", "to-eth1", "to-lan0");
        for (var place : List.of("notes", "plans")) {
            var path = directory.resolve("data").resolve(place);
            if (Files.exists(path)) {
                assertThat(path).isEmptyDirectory();
            }
        }
        for (var claim : List.of("a", "b")) {
            var pin = "/run/netns/berth-" + InterfaceSelection.key(Claims.ref(claim).uid(), "r0");
            assertThat(Path.of(pin)).doesNotExist();
        }
    }
}
