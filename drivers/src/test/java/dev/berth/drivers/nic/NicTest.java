package dev.berth.drivers.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.drivers.machine.NetworkLink;
import dev.berth.drivers.testing.SysfsFixture;
import dev.berth.model.api.slice.AttributeValue.BoolValue;
import dev.berth.model.api.slice.AttributeValue.IntValue;
import dev.berth.model.api.slice.AttributeValue.StringValue;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.node.driver.Parameters;
import dev.berth.node.sysfs.StandardAttributes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NicTest {

    private static final String OF_WISHES = "{apiVersion: nic.berth.dev/v1, kind: Interface, ";

    @TempDir private Path directory = Path.of("");

    private static NetworkLink link(String name, String master, String lower) {
        return new NetworkLink(
                name,
                "52:54:00:12:34:56",
                1500,
                "physical",
                "UP",
                false,
                true,
                Optional.of(master).filter(one -> !one.isEmpty()),
                Optional.of(lower).filter(one -> !one.isEmpty()),
                "");
    }

    @Test
    void attributesDescribeTheHardware() throws Exception {
        var sysfs = SysfsFixture.unpacked(directory).sysfs();
        var nic = Nic.of(link("eth1", "", ""), sysfs);
        assertThat(nic.device(new StandardAttributes(sysfs)).attributes())
                .containsEntry("ifName", new StringValue("eth1"))
                .containsEntry("driver", new StringValue("e1000e"))
                .containsEntry("kind", new StringValue("physical"))
                .containsEntry("rdma", new BoolValue(false))
                .containsEntry("resource.kubernetes.io/pciBusID", new StringValue("0000:22:00.0"))
                .containsEntry("resource.kubernetes.io/pcieRoot", new StringValue("pci0000:20"))
                .containsEntry("resource.kubernetes.io/numaNode", new IntValue(0));
        assertThat(Nic.of(nic.tree())).isEqualTo(nic);
    }

    @Test
    void lowerInterfacesAreNeededToo() {
        var links =
                List.of(
                        link("eth0", "bond0", ""),
                        link("eth1", "bond0", ""),
                        link("bond0", "", ""),
                        link("vlan5", "br0", "bond0"),
                        link("br0", "", ""),
                        link("eth2", "", ""));
        assertThat(NetworkLink.withDependencies(links, List.of("br0")))
                .containsExactly("bond0", "br0", "eth0", "eth1", "vlan5");
    }

    @Test
    void addressesAreAssignedInOrder() {
        var range = AddressRange.tryParse("10.1.2.77/30").orElseThrow();
        assertThat(range).hasToString("10.1.2.76/30");
        assertThat(range.machine()).isEqualTo("10.1.2.77");
        assertThat(range.free(Set.of())).contains("10.1.2.78/30");
        assertThat(range.free(Set.of("10.1.2.78/30"))).isEmpty();
        assertThat(AddressRange.tryParse("fd00:1::/64").orElseThrow().free(Set.of()))
                .contains("fd00:1:0:0:0:0:0:2/64");
        assertThat(AddressRange.tryParse("10.1.2.0/31")).isEmpty();
        assertThat(AddressRange.tryParse("localhost/24")).isEmpty();
    }

    @Test
    void parametersAreValidated() {
        assertThat(
                        problems(
                                NicParameters.PARAMETERS,
                                OF_WISHES + "name: 'a b', addresses: [10.1.1.1], mtu: 5}"))
                .contains(
                        "name: \"a b\" is not a valid interface name",
                        "addresses: \"10.1.1.1\" is not an address like 10.1.2.3/24",
                        "mtu: 5 is not between 68 and 65535");
        assertThat(
                        problems(
                                NicParameters.PARAMETERS,
                                OF_WISHES + "routes: [{to: \"$(id)\", via: here}]}"))
                .contains(
                        "routes[0].to: \"$(id)\" is neither default nor a network like 10.0.0.0/8",
                        "routes[0].via: \"here\" is not an address");
    }

    @Test
    void configurationIsValidated() {
        assertThat(problems(NicConfig.parameters(), "{made: [{name: a, type: macvlan}]}"))
                .contains("made[0].parent: a macvlan requires a parent interface");
        assertThat(problems(NicConfig.parameters(), "{made: [{name: a, type: veth, range: x}]}"))
                .contains("made[0].range: \"x\" is not a range like 10.1.2.0/24");
        assertThat(problems(NicConfig.parameters(), "{kinds: [dummy], except: [eth7]}")).isEmpty();
    }

    private static <P> List<String> problems(Parameters<P> parameters, String yaml) {
        var tree =
                YamlReader.read(yaml) instanceof ParseResult.Documents(var documents)
                                && documents.getFirst().root() instanceof JsonObject object
                        ? object
                        : JsonObject.EMPTY;
        return parameters.read(tree) instanceof Parameters.Result.Invalid<P>(var problems)
                ? problems
                : List.of();
    }
}
