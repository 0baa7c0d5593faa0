package dev.berth.server.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeRulesTest {

    private static final String NODE = "metadata: {name: node-1}\n";

    private final KindsFixture fixture = new KindsFixture();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "addresses: [{type: InternalIP, address: 10.0.0.1}]; ''",
                "addresses: [{type: InternalIP, address: 'fd00::1'}]; ''",
                "addresses: [{type: Hostname, address: node-1.example.com}]; ''",
                "addresses: [{type: InternalIP, address: '127.0.0.1:1/pods?x='}];"
                        + " status.addresses[0].address INVALID",
                "addresses: [{type: Hostname, address: ''}];"
                        + " status.addresses[0].address INVALID",
                "addresses: [{type: Hostname, address: a}, {type: Hostname, address: a}];"
                        + " status.addresses[1] DUPLICATE",
                "daemonEndpoints: {kubeletEndpoint: {Port: 10250}}; ''",
                "daemonEndpoints: {kubeletEndpoint: {Port: 65536}};"
                        + " status.daemonEndpoints.kubeletEndpoint.Port INVALID",
            })
    void addressesAreHostsOnCreationAndInStatusUpdates(String status, String fault) {
        var old = KindsFixture.yaml(NODE);
        var node = KindsFixture.yaml(NODE + "status: {" + status + "}");
        var faults = fault.isEmpty() ? List.<String>of() : List.of(fault);

        assertThat(KindsFixture.faults(fixture.create("nodes", node))).isEqualTo(faults);
        assertThat(KindsFixture.faults(fixture.updateStatus("nodes", old, node))).isEqualTo(faults);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AB:CD", "x\\r\\ny"})
    void servingCertificateIsAFingerprint(String fingerprint) {
        var node =
                KindsFixture.yaml(
                        ("metadata: {name: node-1, annotations:"
                                        + " {berth.dev/serving-certificate: \"%s\"}}")
                                .formatted(fingerprint));
        var old = KindsFixture.yaml(NODE);
        var fault = "metadata.annotations[berth.dev/serving-certificate] INVALID";

        assertThat(KindsFixture.faults(fixture.create("nodes", node))).containsExactly(fault);
        assertThat(KindsFixture.faults(fixture.update("nodes", old, node))).containsExactly(fault);
        assertThat(KindsFixture.faults(fixture.updateStatus("nodes", old, node)))
                .containsExactly(fault);
    }
}
