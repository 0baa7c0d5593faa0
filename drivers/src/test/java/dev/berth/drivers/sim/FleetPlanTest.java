package dev.berth.drivers.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetPlanTest {

    private static final HardwareProfiles PROFILES = HardwareProfiles.builtIn();

    @Test
    void planOfAClusterHasExactlyItsSimulatedNodes() {
        var plan = FleetPlan.of(List.of(simulated("cpu-3"), simulated("my-box")), PROFILES);
        assertThat(plan.members())
                .extracting(FleetPlan.PlannedNode::name, FleetPlan.PlannedNode::index)
                .containsExactly(tuple("cpu-3", 3), tuple("my-box", 0));
    }

    @Test
    void nodeWithUnknownProfileThatWasNeverSimulatedIsOmitted() {
        var typo = Yaml.object("metadata: {name: x, labels: {sim.berth.dev/profile: cpuu}}");
        assertThat(FleetPlan.of(List.of(typo), PROFILES).isEmpty()).isTrue();
        var lost = simulated("x").with("metadata", typo.objectOrEmpty("metadata"));
        assertThatThrownBy(() -> FleetPlan.of(List.of(lost), PROFILES))
                .isInstanceOf(UnknownProfileException.class)
                .hasMessageContaining("1 node has the unknown hardware profile \"cpuu\"");
    }

    @Test
    void addressesStartAtOneAndAreKept() {
        var members = new FleetMembers(FleetPlan.parse("cpu=3", PROFILES), PROFILES);
        members.keepAddress("cpu-1", node("cpu-1", 1));
        assertThat(List.of(members.number("cpu-0"), members.number("cpu-1"))).containsExactly(2, 1);
        members.remove("cpu-1");
        assertThat(members.number("cpu-2")).isEqualTo(1);
        assertThat(NodeObjects.hostAddress(1)).isEqualTo("172.16.0.1");
        assertThat(NodeObjects.number(node("x", 70_000))).isEqualTo(70_000);
    }

    private static JsonObject simulated(String name) {
        return node(name, 1);
    }

    private static JsonObject node(String name, int number) {
        var shape = PROFILES.find("cpu").orElseThrow().node(name, 0);
        return NodeObjects.node(shape, number, false, Instant.EPOCH).with("kind", Json.of("Node"));
    }
}
