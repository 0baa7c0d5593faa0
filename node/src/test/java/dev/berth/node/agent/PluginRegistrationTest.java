package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.wire.registration.PluginInfo;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Validation of PluginInfo.
class PluginRegistrationTest {

    private static final Path SOCKET = Path.of("/node/plugins_registry/x-reg.sock");

    private static PluginInfo.Builder info() {
        return PluginInfo.newBuilder()
                .setType("DRAPlugin")
                .setName("gpu.example.com")
                .setEndpoint("/node/plugins/gpu.example.com/dra.sock")
                .addSupportedVersions("v1.DRAPlugin");
    }

    @Test
    void aValidRegistrationIsAccepted() throws Exception {
        var driver = PluginRegistration.of(info().build(), SOCKET);
        assertThat(driver.driver()).isEqualTo("gpu.example.com");
        assertThat(driver.endpoint()).isEqualTo(Path.of("/node/plugins/gpu.example.com/dra.sock"));
        assertThat(driver.version()).isEqualTo("v1.DRAPlugin");
        assertThat(PluginRegistration.of(info().setName("GPU.Example.com").build(), SOCKET))
                .isNotNull();
    }

    @Test
    void withoutAnEndpointTheRegistrationSocketIsUsed() throws Exception {
        assertThat(PluginRegistration.of(info().setEndpoint("").build(), SOCKET).endpoint())
                .isEqualTo(SOCKET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../../x", "a/b", "gpu_x", "-a", "a..b", "a\u0000", "gp\u00fc.dev"})
    void aNameIsADnsSubdomain(String name) {
        refused(info().setName(name), "is not a DNS subdomain");
    }

    @Test
    void aNameIsShort() throws Exception {
        assertThat(PluginRegistration.of(info().setName("a".repeat(63)).build(), SOCKET))
                .isNotNull();
        refused(info().setName("a".repeat(64)), "is longer than 63 bytes");
        refused(info().setName("a".repeat(100_000)), "…\" is longer than 63 bytes");
    }

    @Test
    void anEndpointIsAnAbsolutePathThatLinuxTakes() {
        refused(info().setEndpoint("/tmp/\u0000"), "endpoint \"/tmp/?\" is not a path");
        refused(info().setEndpoint("dra.sock"), "is not an absolute path");
        refused(info().setEndpoint("unix:///dra.sock"), "is not an absolute path");
        refused(info().setEndpoint("/" + "a".repeat(107)), "longer than the 107 bytes");
    }

    @Test
    void otherPluginsAndVersionsAreRefused() {
        refused(info().setType("CSIPlugin"), "plugin type \"CSIPlugin\" is not supported");
        refused(info().clearSupportedVersions(), "empty list of supported gRPC services");
        refused(
                info().clearSupportedVersions().addSupportedVersions("v9.DRAPlugin"),
                "none of services supported by the plugin (v9.DRAPlugin)");
    }

    private static void refused(PluginInfo.Builder info, String message) {
        assertThatThrownBy(() -> PluginRegistration.of(info.build(), SOCKET))
                .isInstanceOf(PluginRegistration.Refused.class)
                .hasMessageContaining(message);
    }
}
