package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.berth.node.runtime.Confinement;
import dev.berth.node.runtime.Confinement.SeLinuxOptions;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SecurityProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Seccomp and AppArmor profiles of real containers.
class ConfinementTest {

    private static final String STATE = "grep Seccomp: /proc/self/status";
    private static final String UNSHARE = "busybox unshare -U echo unshared 2>&1";

    private RuntimeRig rig;

    @BeforeEach
    void start() throws IOException, RuntimeFailure {
        rig = RuntimeRig.start();
    }

    @AfterEach
    void stop() throws IOException, RuntimeFailure {
        if (rig != null) {
            rig.close();
        }
    }

    @Test
    void runtimeDefaultFiltersSystemCalls() throws Exception {
        var printed = printed(STATE + "; " + UNSHARE, seccomp(SecurityProfile.RUNTIME_DEFAULT));
        assertThat(printed)
                .startsWith("Seccomp:\t2\n")
                .contains("Operation not permitted")
                .doesNotContain("unshared");
    }

    @Test
    void unconfinedFiltersNothing() throws Exception {
        assertThat(printed(STATE + "; " + UNSHARE, seccomp(SecurityProfile.UNCONFINED)))
                .isEqualTo("Seccomp:\t0\nunshared");
    }

    @Test
    void commandsInAContainerAreFilteredLikeIt() throws Exception {
        var security = seccomp(SecurityProfile.RUNTIME_DEFAULT);
        var id = rig.start(rig.sandbox(), rig.spec("sleep 1000").security(security).build());
        var command = List.of("sh", "-c", STATE + "; " + UNSHARE);
        assertThat(rig.runtime().run(id, command, Duration.ofSeconds(30)).output())
                .startsWith("Seccomp:\t2\n")
                .doesNotContain("unshared");
    }

    @Test
    void aCapabilityAllowsTheSystemCallsThatBelongToIt() throws Exception {
        var mount = "mount -t tmpfs none /tmp 2>&1 && echo mounted";
        var confinement = confinement(SecurityProfile.RUNTIME_DEFAULT);
        assertThat(printed(mount, security(List.of("SYS_ADMIN"), confinement)))
                .isEqualTo("mounted");
        assertThat(printed(mount, security(List.of(), confinement)))
                .isNotEmpty()
                .doesNotContain("mounted");
    }

    @Test
    void aProfileOfTheNodeIsApplied() throws Exception {
        var file = rig.root.resolve("no-mkdir.json");
        Files.writeString(
                file,
                """
                {"defaultAction": "SCMP_ACT_ALLOW",
                 "syscalls": [{"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO"}]}
                """);
        var script = STATE + "; mkdir /tmp/x 2>&1; " + UNSHARE;
        assertThat(printed(script, seccomp(new SecurityProfile.Localhost(file.toString()))))
                .startsWith("Seccomp:\t2\n")
                .contains("can't create directory '/tmp/x': Operation not permitted")
                .endsWith("unshared");
    }

    @Test
    void aProfileThatIsMissingOrConfinesNothingIsRefused() throws Exception {
        var file = rig.root.resolve("profile.json");
        var profile = seccomp(new SecurityProfile.Localhost(file.toString()));
        refused(profile, "seccomp profile " + file + " does not exist on this node");
        Files.writeString(file, "{}");
        refused(profile, "it has no defaultAction");
        Files.writeString(file, "");
        refused(profile, "cannot be used");
        Files.writeString(
                file,
                """
                {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["mount"],
                  "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}}]}
                """);
        refused(profile, "includes or excludes");
    }

    @Test
    void privilegedContainersHaveNoFilter() throws Exception {
        var security =
                new Security(
                        Optional.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        false,
                        true,
                        false,
                        true,
                        List.of(),
                        List.of(),
                        confinement(SecurityProfile.RUNTIME_DEFAULT));
        assertThat(printed(STATE, security)).isEqualTo("Seccomp:\t0");
    }

    @Test
    void unsupportedProfilesAreRefused() throws Exception {
        assumeFalse(Files.exists(AppArmor.OF_KERNEL.enabled()), "the machine has AppArmor");
        for (var profile :
                List.of(SecurityProfile.RUNTIME_DEFAULT, new SecurityProfile.Localhost("app"))) {
            var confinement =
                    new Confinement(
                            SecurityProfile.UNCONFINED, Optional.of(profile), SeLinuxOptions.NONE);
            refused(security(List.of(), confinement), "AppArmor is not enabled on the host");
        }
        var labelled =
                new Confinement(
                        SecurityProfile.UNCONFINED,
                        Optional.of(SecurityProfile.UNCONFINED),
                        new SeLinuxOptions("", "", "container_t", ""));
        refused(security(List.of(), labelled), "does not set SELinux labels");
    }

    @Test
    void strictSupplementalGroupsAreThoseOfThePodOnly() throws Exception {
        var security =
                new Security(
                        Optional.of("1000"),
                        OptionalLong.empty(),
                        List.of(3000L),
                        true,
                        false,
                        false,
                        true,
                        List.of(),
                        List.of(),
                        Confinement.NONE);
        assertThat(printed("id -G", security)).isEqualTo("1001 3000");
    }

    private String printed(String script, Security security) throws Exception {
        return rig.printed(rig.sandbox(), rig.spec(script).security(security).build());
    }

    private void refused(Security security, String message) throws RuntimeFailure {
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").security(security).build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .hasMessageContaining(message);
        assertThat(rig.runtime().containers()).isEmpty();
    }

    private static Security seccomp(SecurityProfile profile) {
        return security(List.of(), confinement(profile));
    }

    private static Confinement confinement(SecurityProfile seccomp) {
        return new Confinement(seccomp, Optional.empty(), SeLinuxOptions.NONE);
    }

    private static Security security(List<String> added, Confinement confinement) {
        return new Security(
                Optional.empty(),
                OptionalLong.empty(),
                List.of(),
                false,
                false,
                false,
                true,
                added,
                List.of(),
                confinement);
    }
}
