package dev.berth.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Real containers that try to reach files of the machine through their volumes.
class HostileVolumeTest {

    private RealNode node;

    @BeforeEach
    void start() throws Exception {
        node = RealNode.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (node != null) {
            node.close();
        }
    }

    /// CVE-2017-1002101: a link that an init container leaves in a volume as the source of a
    /// subPath mount.
    @Test
    void aSubPathThatIsALinkToTheHostIsRefused() throws Exception {
        for (var medium : List.of("", "Memory")) {
            var pod = "sub" + medium.toLowerCase(Locale.ROOT);
            node.rig.create(
                    """
                    metadata: {name: %s}
                    spec:
                      nodeName: node-1
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 1
                      volumes: [{name: d, emptyDir: {medium: '%s'}}]
                      initContainers:
                      - name: plant
                        image: busybox
                        command: [sh, -c, 'ln -s / /data/link']
                        volumeMounts: [{name: d, mountPath: /data}]
                      containers:
                      - name: a
                        image: busybox
                        command: [sh, -c, 'ls /host']
                        volumeMounts: [{name: d, mountPath: /host, subPath: link}]
                    """
                            .formatted(pod, medium));
            Eventually.holds(
                    "the container is refused or has run",
                    () ->
                            node.state(pod).objectOrEmpty("waiting").has("message")
                                    || node.state(pod).has("terminated"));
            var waiting = node.state(pod).objectOrEmpty("waiting");
            assertThat(waiting.text("reason")).isEqualTo("CreateContainerConfigError");
            assertThat(waiting.text("message"))
                    .contains("subPath", "\"link\" goes through a link that leads out");
        }
    }

    @Test
    void subPathsThatStayInTheVolumeAreMounted() throws Exception {
        node.rig.create("{kind: ConfigMap, metadata: {name: c}, data: {f: text, g: other}}");
        node.rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  volumes: [{name: d, emptyDir: {}}, {name: c, configMap: {name: c}}]
                  initContainers:
                  - name: plant
                    image: busybox
                    command: [sh, -c, 'mkdir -p /d/x/y; echo in > /d/x/y/f; ln -s x/y /d/link']
                    volumeMounts: [{name: d, mountPath: /d}]
                  containers:
                  - name: a
                    image: busybox
                    env: [{name: WHO, value: me}]
                    command:
                    - sh
                    - -c
                    - |
                      cat /link/f; cat /file; echo $(cat /etc/f); echo out > /made/deep/z
                      ls /all; cat /all/logs/me/z; (echo no > /etc/f) 2>&1
                    volumeMounts:
                    - {name: d, mountPath: /all}
                    - {name: d, mountPath: /link, subPath: link}
                    - {name: d, mountPath: /file, subPath: link/f}
                    - {name: c, mountPath: /etc/f, subPath: f}
                    - {name: d, mountPath: /made/deep, subPathExpr: logs/$(WHO)}
                """);
        assertThat(node.output("p"))
                .containsExactly(
                        "in",
                        "in",
                        "text",
                        "link",
                        "logs",
                        "x",
                        "out",
                        "sh: can't create /etc/f: Read-only file system");
        Eventually.holds("all mounts are gone", () -> node.mounts().isEmpty());
    }

    @Test
    void mountsOfSubPathsGoWithTheirPodAlsoAfterARestart() throws Exception {
        for (var name : List.of("kept", "gone")) {
            node.rig.create(
                    """
                    metadata: {name: %s}
                    spec:
                      nodeName: node-1
                      terminationGracePeriodSeconds: 1
                      volumes: [{name: d, emptyDir: {}}]
                      containers:
                      - name: a
                        image: busybox
                        command: [sh, -c, 'echo here > /x/f; sleep 1000']
                        volumeMounts: [{name: d, mountPath: /x, subPath: a/b}]
                    """
                            .formatted(name));
            node.rig.awaitPhase(name, "Running");
        }
        var point = node.pod("kept").resolve("volume-subpaths/d/a/0");
        assertThat(node.mounts()).hasSize(2).contains(point);
        node.restart();
        node.rig.delete("gone");
        node.rig.awaitPhase("gone", "gone");
        Eventually.holds("its mount is gone", () -> node.mounts().equals(List.of(point)));
        assertThat(point.resolve("f")).hasContent("here");
    }

    /// CVE-2017-1002102: the agent writes into these directories.
    @Test
    void containersCannotWriteWhatTheAgentPublishes() throws Exception {
        node.rig.create("{kind: ConfigMap, metadata: {name: c}, data: {f: text}}");
        node.rig.create("{kind: Secret, metadata: {name: s}, stringData: {f: text}}");
        node.rig.create(
                """
                metadata: {name: p, labels: {f: text}}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  volumes:
                  - {name: c, configMap: {name: c}}
                  - {name: s, secret: {secretName: s}}
                  - name: p
                    projected: {sources: [{configMap: {name: c}}]}
                  - name: d
                    downwardAPI: {items: [{path: f, fieldRef: {fieldPath: metadata.name}}]}
                  containers:
                  - name: a
                    image: busybox
                    command:
                    - sh
                    - -c
                    - |
                      for v in c s p d; do
                        echo $(cat /$v/f)
                        rm /$v/..data 2>/dev/null && echo removed
                        ln -s / /$v/..data_tmp 2>/dev/null && echo linked
                        (echo x > /$v/..data/f) 2>/dev/null && echo written
                        echo $(ls -A /$v)
                      done
                    volumeMounts:
                    - {name: c, mountPath: /c}
                    - {name: s, mountPath: /s, readOnly: false}
                    - {name: p, mountPath: /p}
                    - {name: d, mountPath: /d}
                """);
        var listing = "..1 ..data f";
        assertThat(node.output("p"))
                .containsExactly("text", listing, "text", listing, "text", listing, "p", listing);
    }

    @Test
    void linksInAVolumeDeleteNothingOfTheHost() throws Exception {
        var precious = Files.createDirectories(node.directory.resolve("precious/deep"));
        Files.writeString(precious.resolve("file"), "kept");
        node.rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  volumes: [{name: d, emptyDir: {}}]
                  containers:
                  - name: a
                    image: busybox
                    command: [sh, -c, 'ln -s %s /d/l; ln -s ../../../../precious /d/m; mkdir /d/x']
                    volumeMounts: [{name: d, mountPath: /d}]
                """
                        .formatted(precious));
        node.output("p");
        var pod = node.pod("p");
        node.rig.delete("p");
        node.rig.awaitPhase("p", "gone");
        Eventually.holds("its directory is gone", () -> !Files.exists(pod));
        assertThat(precious.resolve("file")).hasContent("kept");
    }

    @Test
    void fsGroupReadsAndWritesTheVolumesOfAPod() throws Exception {
        createSecretAndConfigMap();
        node.rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  restartPolicy: Never
                  securityContext: {runAsUser: 1234, runAsGroup: 1234, fsGroup: 4321}
                  volumes:
                  - {name: s, secret: {secretName: s, defaultMode: 0400}}
                  - {name: c, configMap: {name: c}}
                  - {name: d, emptyDir: {}}
                  - {name: m, emptyDir: {medium: Memory}}
                  containers:
                  - name: a
                    image: busybox
                    command:
                    - sh
                    - -c
                    - |
                      echo $(cat /s/password /c/f); echo bye > /dev/termination-log
                      for v in /d /m /d/sub; do
                        mkdir -p $v; touch $v/file; echo $(stat -c '%a %g' $v $v/file)
                      done
                      echo $(stat -Lc '%a %g' /s /s/password /c/f)
                    volumeMounts:
                    - {name: s, mountPath: /s}
                    - {name: c, mountPath: /c}
                    - {name: d, mountPath: /d}
                    - {name: m, mountPath: /m}
                """);
        assertThat(node.output("p"))
                .containsExactly(
                        "hunter2text",
                        "2777 4321 644 4321",
                        "2777 4321 644 4321",
                        "2755 4321 644 4321",
                        "2755 4321 440 4321 644 4321");
        assertThat(node.state("p").objectOrEmpty("terminated").text("message")).isEqualTo("bye\n");
    }

    private void createSecretAndConfigMap() {
        node.rig.create("{kind: Secret, metadata: {name: s}, stringData: {password: hunter2}}");
        node.rig.create("{kind: ConfigMap, metadata: {name: c}, data: {f: text}}");
    }

    @Test
    void otherUsersOfTheMachineReadNothing() throws Exception {
        createSecretAndConfigMap();
        node.rig.create(
                """
                metadata: {name: p}
                spec:
                  nodeName: node-1
                  terminationGracePeriodSeconds: 1
                  volumes:
                  - {name: s, secret: {secretName: s}}
                  - {name: c, configMap: {name: c}}
                  - {name: d, emptyDir: {}}
                  containers:
                  - name: a
                    image: busybox
                    command: [sh, -c, 'cat /s/password > /d/copy; cat /d/copy; sleep 1000']
                    volumeMounts:
                    - {name: s, mountPath: /s}
                    - {name: c, mountPath: /c}
                    - {name: d, mountPath: /d}
                """);
        node.rig.awaitPhase("p", "Running");
        Eventually.holds("it has printed it", () -> !node.printed("p").isEmpty());
        assertThat(readableByNobody(node.rig.root)).isEmpty();
        assertThat(mode(node.logs("p").resolve("a/0.log"))).isIn(0600, 0640);
        assertThat(mode(node.pod("p").resolve("containers/a/0.message"))).isEqualTo(0622);
        for (var path : List.of("", "pods", "logs", "plugins", "images", "oci", "pod-resources")) {
            assertThat(mode(node.rig.root.resolve(path))).as(path).isEqualTo(0700);
        }
    }

    private static List<String> readableByNobody(Path root) throws Exception {
        var process =
                new ProcessBuilder(
                                "su",
                                "-s",
                                "/bin/sh",
                                "nobody",
                                "-c",
                                "find " + root + " -readable -type f")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var output = process.getInputStream()) {
            var found = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            // Directories without permission make find fail.
            assertThat(process.waitFor()).isBetween(0, 1);
            return found.lines().toList();
        }
    }

    private static int mode(Path path) throws Exception {
        return (int) Files.getAttribute(path, "unix:mode") & 07777;
    }
}
