package dev.berth.node.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.node.runtime.Confinement.SeLinuxOptions;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.ImageConfig;
import dev.berth.node.runtime.SecurityProfile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Resolution of the `securityContext` of a pod and a container.
class SecurityContextTest {

    private static final SecurityDefaults DEFAULTS =
            new SecurityDefaults(Path.of("/node/seccomp"), false);
    private static final String CONFIG_ERROR = "CreateContainerConfigError";
    private static final String ERROR = "CreateContainerError";

    @Test
    void theContainersProfileWins() throws Exception {
        var pod = "{seccompProfile: {type: RuntimeDefault}, appArmorProfile: {type: Unconfined}}";
        assertThat(settings(pod, "{}").confinement().seccomp())
                .isEqualTo(SecurityProfile.RUNTIME_DEFAULT);
        assertThat(settings(pod, "{}").confinement().appArmor())
                .hasValue(SecurityProfile.UNCONFINED);
        var own =
                "{seccompProfile: {type: Localhost, localhostProfile: a/b.json},"
                        + " appArmorProfile: {type: Localhost, localhostProfile: x}}";
        assertThat(settings(pod, own).confinement().seccomp())
                .isEqualTo(new SecurityProfile.Localhost("/node/seccomp/a/b.json"));
        assertThat(settings(pod, own).confinement().appArmor())
                .hasValue(new SecurityProfile.Localhost("x"));
    }

    @Test
    void withoutAProfileTheNodesDefaultApplies() throws Exception {
        assertThat(settings("{}", "{}").confinement().seccomp())
                .isEqualTo(SecurityProfile.UNCONFINED);
        var withDefault = new SecurityDefaults(Path.of("/node/seccomp"), true);
        assertThat(settings("{}", "{}", "", withDefault).confinement().seccomp())
                .isEqualTo(SecurityProfile.RUNTIME_DEFAULT);
        var unconfined = "{seccompProfile: {type: Unconfined}}";
        assertThat(settings(unconfined, "{}", "", withDefault).confinement().seccomp())
                .isEqualTo(SecurityProfile.UNCONFINED);
    }

    @Test
    void profilesStayBelowTheirDirectory() {
        for (var path : List.of("../x", "a/../../x", "/etc/passwd", ".", "a/..", "\\0")) {
            refused(
                    "{seccompProfile: {type: Localhost, localhostProfile: \"%s\"}}".formatted(path),
                    CONFIG_ERROR,
                    "is not a path below /node/seccomp");
        }
        refused("{seccompProfile: {type: Localhost}}", CONFIG_ERROR, "localhostProfile must be");
        refused("{appArmorProfile: {type: Localhost}}", CONFIG_ERROR, "localhostProfile must be");
        refused("{seccompProfile: {type: Other}}", CONFIG_ERROR, "the unknown type \"Other\"");
    }

    @Test
    void rootIsRecognizedInEveryNotation() {
        for (var user : List.of("", "0", "00", "0:0", "+0", "-0", "000:5")) {
            refusedNonRoot(user, "image will run as root (pod: \"p_ns(u)\", container: a)");
        }
    }

    @Test
    void userNamesCannotBeVerifiedAsNonRoot() {
        for (var user : List.of("web", "root", "0x0", "\u0660", "1e3", "1000 ")) {
            refusedNonRoot(user, "image has non-numeric user (%s), cannot verify".formatted(user));
        }
        refusedNonRoot("4294967296", "which Linux does not have");
        refusedNonRoot("-1", "which Linux does not have");
    }

    @Test
    void numericNonRootUsersAreAccepted() throws Exception {
        var nonRoot = "{runAsNonRoot: true}";
        assertThat(settings(nonRoot, "{}", "1000:0", DEFAULTS).user()).isEmpty();
        assertThat(settings(nonRoot, "{runAsUser: 7}", "root", DEFAULTS).user()).hasValue("7");
        assertThat(settings(nonRoot, "{runAsNonRoot: false}", "0", DEFAULTS).user()).isEmpty();
        assertThatThrownBy(() -> settings(nonRoot, "{runAsUser: 0}"))
                .hasMessageContaining("container's runAsUser breaks non-root policy");
    }

    @Test
    void unsupportedFieldsAreRefused() {
        refused("{procMount: Unmasked}", ERROR, "procMount: Unmasked needs a user namespace");
        refused("{windowsOptions: {hostProcess: true}}", ERROR, "windowsOptions are for Windows");
        assertThatThrownBy(() -> settings("{windowsOptions: {runAsUserName: x}}", "{}"))
                .hasMessageContaining("windowsOptions");
        assertThatThrownBy(() -> settings("{supplementalGroupsPolicy: Other}", "{}"))
                .hasMessageContaining("supplementalGroupsPolicy: Other is unknown");
        assertThatThrownBy(
                        () -> settings("{hostUsers: false, containers: [{name: a}]}", "", DEFAULTS))
                .isInstanceOfSatisfying(
                        InvalidContainerException.class,
                        e -> assertThat(e.reason()).isEqualTo(ERROR))
                .hasMessageContaining("hostUsers: false requires a user namespace");
    }

    @Test
    void allOtherFieldsArePassedToTheRuntime() throws Exception {
        var security =
                settings(
                        "{runAsUser: 1, runAsGroup: 2, supplementalGroups: [3], fsGroup: 4,"
                                + " supplementalGroupsPolicy: Strict, seLinuxOptions: {type: t}}",
                        "{runAsGroup: 5, readOnlyRootFilesystem: true, procMount: Default,"
                                + " allowPrivilegeEscalation: false, windowsOptions: {},"
                                + " capabilities: {add: [A], drop: [B]}}");
        assertThat(security.user()).hasValue("1");
        assertThat(security.group()).hasValue(5);
        assertThat(security.moreGroups()).containsExactly(3L, 4L);
        assertThat(security.hasStrictGroups()).isTrue();
        assertThat(security.hasReadOnlyRoot()).isTrue();
        assertThat(security.mayGainPrivileges()).isFalse();
        assertThat(security.addedCapabilities()).containsExactly("A");
        assertThat(security.droppedCapabilities()).containsExactly("B");
        assertThat(security.confinement().seLinux()).isEqualTo(new SeLinuxOptions("", "", "t", ""));
    }

    private static void refused(String own, String reason, String message) {
        assertThatThrownBy(() -> settings("{}", own))
                .isInstanceOfSatisfying(
                        InvalidContainerException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }

    private static void refusedNonRoot(String user, String message) {
        assertThatThrownBy(() -> settings("{runAsNonRoot: true}", "{}", user, DEFAULTS))
                .as(user)
                .isInstanceOfSatisfying(
                        InvalidContainerException.class,
                        e -> assertThat(e.reason()).isEqualTo(CONFIG_ERROR))
                .hasMessageContaining(message);
    }

    private static Security settings(String pod, String own) throws InvalidContainerException {
        return settings(pod, own, "", DEFAULTS);
    }

    private static Security settings(String pod, String own, String user, SecurityDefaults defaults)
            throws InvalidContainerException {
        return settings(
                "{securityContext: %s, containers: [{name: a, securityContext: %s}]}"
                        .formatted(pod, own),
                user,
                defaults);
    }

    private static Security settings(String spec, String user, SecurityDefaults defaults)
            throws InvalidContainerException {
        var pod =
                PodDefinition.of(
                        PodScenario.tree(
                                "{metadata: {name: p, namespace: ns, uid: u}, spec: %s}"
                                        .formatted(spec)));
        var image = new ImageConfig("sha256:1", List.of(), List.of(), List.of(), "", user);
        return new SecurityContext(pod, pod.find("a").orElseThrow(), image, defaults).settings();
    }
}
