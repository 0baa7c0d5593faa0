package dev.berth.node.oci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Network between pods and their machine, over real links.
class PodNetworkTest {

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

    private String address(String sandbox) throws RuntimeFailure {
        return rig.runtime().sandboxes().stream()
                .filter(one -> one.id().equals(sandbox))
                .findFirst()
                .orElseThrow()
                .addresses()
                .getFirst();
    }

    @Test
    void theMachineReachesAPod() throws Exception {
        var sandbox = rig.sandbox();
        rig.start(sandbox, "echo from inside | nc -l -p 80");
        assertThat(received(address(sandbox), 80)).isEqualTo("from inside\n");
    }

    private static String received(String address, int port) {
        return Eventually.succeeds(
                ConnectException.class,
                () -> {
                    try (var socket = new Socket()) {
                        socket.connect(new InetSocketAddress(address, port));
                        return new String(
                                socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    }
                });
    }

    @Test
    void aPodReachesItsMachine() throws Exception {
        var sandbox = rig.sandbox();
        var host = rig.settings.addresses().host();
        try (var server = new ServerSocket(0, 1, InetAddress.getByName(host))) {
            rig.start(sandbox, "echo hello | nc %s %d".formatted(host, server.getLocalPort()));
            try (var peer = server.accept()) {
                assertThat(peer.getInetAddress().getHostAddress()).isEqualTo(address(sandbox));
                assertThat(peer.getInputStream().readNBytes(6))
                        .isEqualTo("hello\n".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void podsReachEachOther() throws Exception {
        var one = rig.sandbox();
        var other = rig.sandbox();
        rig.start(one, "echo neighbour | nc -l -p 81");
        var connect =
                "until nc -w 60 %s 81 </dev/null; do sleep 0.05; done".formatted(address(one));
        assertThat(rig.printed(other, rig.spec(connect).build())).isEqualTo("neighbour");
    }

    @Test
    void containersOfAPodMeetOnLoopback() throws Exception {
        var sandbox = rig.sandbox();
        rig.start(sandbox, "echo beside | nc -l -p 82");
        var connect = "until nc -w 60 127.0.0.1 82 </dev/null; do sleep 0.05; done";
        assertThat(rig.printed(sandbox, rig.spec(connect).build())).isEqualTo("beside");
    }

    @Test
    void aPodOnTheHostsNetworkSeesTheMachinesInterfaces() throws Exception {
        var sandbox = rig.sandbox("", new Sharing(true, false, false, false));
        assertThat(rig.runtime().sandboxes().getFirst().addresses()).isEmpty();
        var spec = rig.spec("readlink /proc/1/ns/net; readlink /proc/1/ns/uts").build();
        var printed = rig.printed(sandbox, spec).lines().toList();
        var own = Path.of("/proc/self/ns");
        assertThat(printed.subList(0, 2))
                .containsExactly(
                        Files.readSymbolicLink(own.resolve("net")).toString(),
                        Files.readSymbolicLink(own.resolve("uts")).toString());
    }

    @Test
    void noAddressIsAssignedTwiceAlsoAfterARestart() throws Exception {
        var given = new HashSet<String>();
        given.add(address(rig.sandbox()));
        given.add(address(rig.sandbox()));
        rig.restart();
        given.add(address(rig.sandbox()));
        assertThat(given).hasSize(3);
    }

    @Test
    void removingASandboxRemovesItsLink() throws Exception {
        var sandbox = rig.sandbox();
        assertThat(NetworkInterface.getByName(PodNetwork.link(sandbox))).isNotNull();
        rig.runtime().removeSandbox(sandbox);
        assertThat(NetworkInterface.getByName(PodNetwork.link(sandbox))).isNull();
        assertThat(rig.runtime().sandboxes()).isEmpty();
    }

    @Test
    void thePodKeepsItsNetworkWhenAContainerExits() throws Exception {
        var sandbox = rig.sandbox();
        rig.runtime().stopContainer(rig.start(sandbox, "sleep 1000"), Duration.ZERO);
        rig.start(sandbox, "echo still here | nc -l -p 83");
        assertThat(received(address(sandbox), 83)).isEqualTo("still here\n");
        assertThat(rig.runtime().sandboxes().stream().map(one -> one.isReady()).toList())
                .isEqualTo(List.of(true));
    }
}
