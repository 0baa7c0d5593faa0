package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Properties of a container, observed from inside.
class ContainerInsideTest {

    private static final Path DEVICE_RULES = Path.of("/sys/fs/cgroup/devices/devices.deny");

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

    private String inside(String script) throws Exception {
        return rig.printed(rig.sandbox(), rig.spec(script).build());
    }

    @Test
    void itHasTheNameOfItsPod() throws Exception {
        var sandbox = rig.sandbox("web-0", Sharing.DEFAULT);
        var spec = rig.spec("hostname; cat /etc/hostname; grep -c web-0 /etc/hosts").build();
        assertThat(rig.printed(sandbox, spec)).isEqualTo("web-0\nweb-0\n1");
    }

    @Test
    void programsAreFoundByADefaultPath() throws Exception {
        var spec = rig.spec("hostname > /dev/null && echo found").withoutEnvironment().build();
        assertThat(rig.printed(rig.sandbox(), spec)).isEqualTo("found");
    }

    @Test
    void itSeesItsOwnProcessesOnly() throws Exception {
        assertThat(inside("ps > /tmp/p; wc -l < /tmp/p; echo $$")).isEqualTo("3\n1");
    }

    @Test
    void containersOfAPodSeeEachOthersProcessesWithASharedPidNamespace() throws Exception {
        var sandbox = rig.sandbox("pod", new Sharing(false, false, false, true));
        var other = rig.start(sandbox, "sleep 4322 & sleep 4321");
        assertThat(rig.printed(sandbox, rig.spec("ps; echo I am $$").build()))
                .contains("sleep 4321")
                .doesNotContain("I am 1\n");
        rig.runtime().stopContainer(other, Duration.ZERO);
        assertThat(rig.ended(other).exitCode()).isEqualTo(137);
        assertThat(rig.printed(sandbox, rig.spec("ps").build())).doesNotContain("sleep 432");
    }

    @Test
    void containersOfAPodShareMemory() throws Exception {
        var sandbox = rig.sandbox();
        rig.printed(sandbox, rig.spec("echo shared > /dev/shm/x").build());
        assertThat(rig.printed(sandbox, rig.spec("cat /dev/shm/x").build())).isEqualTo("shared");
    }

    @Test
    void aUserNameIsLookedUpInTheImage() throws Exception {
        var sandbox = rig.sandbox();
        assertThat(rig.printed(sandbox, rig.spec("id").user("alice").build()))
                .isEqualTo("uid=1000(alice) gid=1001(alice) groups=44(video),1001(alice)");
        var nobody = rig.spec("id").user("nosuch").build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, nobody))
                .hasMessageContaining("the image has no user \"nosuch\" in /etc/passwd");
    }

    @Test
    void containersDoNotShareTheirRootFilesystem() throws Exception {
        var sandbox = rig.sandbox();
        rig.printed(sandbox, rig.spec("echo x > /bin/new; rm /etc/group").build());
        assertThat(rig.printed(sandbox, rig.spec("ls /bin/new /etc/group 2>&1").build()))
                .isEqualTo("ls: /bin/new: No such file or directory\n/etc/group");
    }

    @Test
    void aRootCanBeReadOnly() throws Exception {
        var security =
                new Security(
                        Optional.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        false,
                        true,
                        false,
                        List.of("NET_ADMIN"),
                        List.of("ALL"));
        var spec =
                rig.spec("touch /x 2>&1; grep CapEff /proc/self/status; grep NoNew /proc/1/status")
                        .security(security)
                        .build();
        assertThat(rig.printed(rig.sandbox(), spec))
                .isEqualTo(
                        "touch: /x: Read-only file system\nCapEff:\t0000000000001000\n"
                                + "NoNewPrivs:\t1");
    }

    @Test
    void filesOfTheMachineAreMounted() throws Exception {
        var directory = Files.createDirectory(rig.root.resolve("volume"));
        Files.writeString(directory.resolve("in"), "from outside");
        var spec =
                rig.spec("echo \"$(cat /data/in)\"; echo back > /data/out; touch /safe/x 2>&1")
                        .mount(directory, "/data", false)
                        .mount(directory, "/safe", true)
                        .build();
        assertThat(rig.printed(rig.sandbox(), spec))
                .isEqualTo("from outside\ntouch: /safe/x: Read-only file system");
        assertThat(directory.resolve("out")).hasContent("back");
    }

    @Test
    void cpuLimitsAreThoseOfTheSpec() throws Exception {
        var spec = rig.spec("grep Cpus_allowed_list /proc/self/status").cpus("1").build();
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core only");
        assertThat(rig.printed(rig.sandbox(), spec)).isEqualTo("Cpus_allowed_list:\t1");
    }

    @Test
    void outputOfATerminalIsLogged() throws Exception {
        var spec = rig.spec("tty").terminal().build();
        assertThat(rig.printed(rig.sandbox(), spec)).contains("/dev/pts/0");
    }

    @Test
    void aGrantedDeviceExistsAndOthersCannotBeOpened() throws Exception {
        writeCdi(
                """
                {"cdiVersion": "0.5.0", "kind": "test.berth.dev/loop", "devices": [
                  {"name": "mem", "containerEdits": {
                    "env": ["GIVEN=mem"],
                    "deviceNodes": [{"path": "/dev/given", "hostPath": "/dev/full"}]}}]}
                """);
        var script =
                "stat -c %t,%T /dev/given; echo x > /dev/given; echo $GIVEN;"
                        + " mknod /tmp/kmsg c 1 11 && head -c 1 /tmp/kmsg";
        var spec = rig.spec(script + " 2>&1").device("test.berth.dev/loop=mem").build();
        var printed = rig.printed(rig.sandbox(), spec);
        assertThat(printed)
                .startsWith("1,7\n")
                .contains("No space left on device")
                .contains("mem")
                .contains("Operation not permitted");
    }

    @Test
    void devNetTunNeedsAGrant() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "there is no /dev/net/tun");
        assumeTrue(Files.exists(DEVICE_RULES), "control groups of version 2: runc 1.2 is needed");
        writeCdi(
                """
                {"cdiVersion": "0.5.0", "kind": "test.berth.dev/tun", "devices": [
                  {"name": "t", "containerEdits": {"deviceNodes": [{"path": "/dev/net/tun"}]}}]}
                """);
        var sandbox = rig.sandbox();
        var script = "mknod /tmp/tun c 10 200; (: <> /tmp/tun) 2>&1 && echo opened";
        assertThat(rig.printed(sandbox, rig.spec(script).build()))
                .contains("Operation not permitted");
        var given = rig.spec(script).device("test.berth.dev/tun=t").build();
        assertThat(rig.printed(sandbox, given)).isEqualTo("opened");
    }

    @Test
    void anUnknownCdiDeviceFailsTheContainer() throws Exception {
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").device("test.berth.dev/loop=none").build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .hasMessageContaining("unresolvable CDI devices test.berth.dev/loop=none");
        assertThat(rig.runtime().containers()).isEmpty();
    }

    @Test
    void anInvalidPathLeavesNothingBehind() throws Exception {
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").mount(rig.root, "/data\u0000", true).build();
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .isInstanceOf(RuntimeFailure.class)
                .hasMessageContaining("container main cannot be created");
        assertThat(rig.runtime().containers()).isEmpty();
    }

    @Test
    void aNetworkDeviceThatRuncWouldIgnoreIsRefused() throws Exception {
        writeCdi(
                """
                {"cdiVersion": "1.1.0", "kind": "test.berth.dev/net", "devices": [
                  {"name": "n", "containerEdits": {
                    "netDevices": [{"hostInterfaceName": "x0", "name": "n0"}]}}]}
                """);
        var sandbox = rig.sandbox();
        var spec = rig.spec("true").device("test.berth.dev/net=n").build();
        assumeTrue(rig.runtime().identity().version().compareTo("1.4") < 0, "runc knows them");
        assertThatThrownBy(() -> rig.runtime().createContainer(sandbox, spec))
                .hasMessageContaining("which requires runc 1.4");
    }

    @Test
    void aPrivilegedContainerHasTheMachinesDevices() throws Exception {
        var security =
                new Security(
                        Optional.empty(),
                        OptionalLong.empty(),
                        List.of(),
                        true,
                        false,
                        true,
                        List.of(),
                        List.of());
        var spec =
                rig.spec("test -c /dev/kmsg && head -c 1 /dev/kmsg | wc -c")
                        .security(security)
                        .build();
        assertThat(rig.printed(rig.sandbox(), spec)).isEqualTo("1");
    }

    @Test
    void onlySysctlsOfThePodsNamespacesAreSet() throws Exception {
        var sandbox = rig.runtime().createSandbox(pod("net.ipv4.ip_unprivileged_port_start", "99"));
        var asked = "cat /proc/sys/net/ipv4/ip_unprivileged_port_start";
        assertThat(rig.printed(sandbox, rig.spec(asked).build())).isEqualTo("99");
        assertThatThrownBy(() -> rig.runtime().createSandbox(pod("kernel.panic", "1")))
                .hasMessageContaining("the sysctl kernel.panic is not one of the pod's own");
        assertThat(rig.runtime().sandboxes()).hasSize(1);
    }

    private SandboxSpec pod(String sysctl, String value) {
        return new SandboxSpec(
                new ObjectRef("default", "tuned"),
                new Uid("uid-tuned"),
                0,
                "tuned",
                Sharing.DEFAULT,
                rig.root.resolve("logs"),
                List.of(new EnvVariable(sysctl, value)));
    }

    private void writeCdi(String document) throws IOException {
        Path directory = Files.createDirectories(rig.root.resolve("cdi"));
        Files.writeString(directory.resolve("test.json"), document);
    }
}
