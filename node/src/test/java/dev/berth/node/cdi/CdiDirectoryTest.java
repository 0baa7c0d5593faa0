package dev.berth.node.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.cdi.CdiDirectory.Written;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CdiDirectoryTest {

    private static final CdiKind KIND = new CdiKind("gpu.example.com", "claim");
    private static final ContainerEdits EDITS =
            ContainerEdits.NONE
                    .withEnv("GPU", "0")
                    .withDeviceNode(
                            DeviceNode.of("/dev/gpu")
                                    .withHostPath("/dev/null")
                                    .withPermissions("rw"));

    @TempDir private Path temporary = Path.of("");

    @Test
    void aSpecIsWrittenForAllRuntimes() throws IOException {
        var directory = new CdiDirectory(temporary.resolve("cdi"));
        var name = CdiDirectory.fileName(KIND, Optional.of("a/b"));
        assertThat(name).isEqualTo("gpu.example.com-claim_a_b.json");
        directory.write(name, CdiSpec.of(KIND, List.of(new CdiDevice("0", EDITS))));
        var file = directory.path().resolve(name);
        assertThat(Files.readString(file))
                .isEqualTo(
                        """
                        {
                          "cdiVersion": "0.5.0",
                          "kind": "gpu.example.com/claim",
                          "devices": [
                            {
                              "name": "0",
                              "containerEdits": {
                                "env": [
                                  "GPU=0"
                                ],
                                "deviceNodes": [
                                  {
                                    "path": "/dev/gpu",
                                    "hostPath": "/dev/null",
                                    "permissions": "rw"
                                  }
                                ]
                              }
                            }
                          ]
                        }
                        """);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        directory.delete(name);
        directory.delete(name);
        try (var left = Files.list(directory.path())) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void specsThatCrashRuntimesAreNotWritten() throws IOException {
        var directory = new CdiDirectory(temporary);
        var spec =
                CdiSpec.of(new CdiKind("gpu.example.com", "c"), List.of(new CdiDevice("0", EDITS)));
        assertThat(directory.write("a.json", spec))
                .isInstanceOfSatisfying(
                        Written.Refused.class,
                        refused ->
                                assertThat(refused.message())
                                        .isEqualTo(
                                                "kind: class \"c\" must have at least two"
                                                        + " characters: some runtimes"
                                                        + " crash on it"));
        assertThat(directory.has("a.json")).isFalse();
    }

    @Test
    void deviceNamesAreParsedAndValidated() {
        assertThat(CdiDeviceId.tryParse("v.com/gpu=0:a"))
                .contains(new CdiDeviceId(new CdiKind("v.com", "gpu"), "0:a"));
        assertThat(CdiDeviceId.problem("gpu"))
                .contains("\"gpu\" is not of the form vendor/class=device");
        assertThat(CdiDeviceId.problem("v.com/gpu=a b"))
                .contains("device \"a b\" must not contain ' '");
        assertThat(CdiDeviceId.problem("v.com/g=a"))
                .contains("class \"g\" must have at least two characters");
    }
}
