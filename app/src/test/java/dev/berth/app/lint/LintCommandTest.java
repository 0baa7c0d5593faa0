package dev.berth.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LintCommandTest {

    private static final String CLASS =
            """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata:
              name: gpu
            spec:
              selectors:
              - cel:
                  expression: device.driver == "gpu.example.com"
            """;

    @TempDir private Path folder = Path.of("");

    @Test
    void validObjectsOfAllVersionsPass() throws IOException {
        write("class.yaml", CLASS);
        write("old.yaml", CLASS.replace("/v1", "/v1beta2"));

        var run = lint();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("2 objects in 2 files: 0 errors, 1 warning");
        assertThat(run.out()).contains("old.yaml:1:13: warning: resource.k8s.io/v1beta2");
    }

    @Test
    void expressionsThatDoNotCompileAreShownWithTheirPlace() throws IOException {
        write("class.yaml", CLASS.replace("device.driver", "device.drver"));

        var run = lint();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("class.yaml:8:19: error: spec.selectors[0].cel.expression")
                .contains("<input>:1:7: undefined field 'drver'");
    }

    @Test
    void unknownDuplicateAndMistypedFieldsAreErrors() throws IOException {
        write(
                "class.yaml",
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata:
                  name: gpu
                  name: gpu
                spec:
                  selector: []
                  selectors: none
                """);

        var run = lint();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("class.yaml:5:9: error: duplicate field \"metadata.name\"")
                .contains("class.yaml:7:13: error: unknown field \"spec.selector\"")
                .contains("class.yaml:8:14: error: spec.selectors: expected");
    }

    @Test
    void allDocumentsAndListItemsAreValidated() throws IOException {
        write(
                "many.yaml",
                CLASS
                        + "---\napiVersion: v1\nkind: List\nitems:\n"
                        + "- apiVersion: resource.k8s.io/v1\n"
                        + "  kind: DeviceClass\n  metadata: {name: Bad_Name}\n  spec: {}\n");

        var run = lint();

        assertThat(run.out())
                .contains("many.yaml:15:20: error: metadata.name: Invalid value: \"Bad_Name\"")
                .contains("2 objects in 1 file: 1 error");
    }

    @Test
    void fieldsThatGatesWouldDropAreWarnedOf() throws IOException {
        var slice =
                """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice}
                spec:
                  driver: gpu.example.com
                  nodeName: node-1
                  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
                  skipNodeOperations: ["*"]
                  devices: []
                """;
        write("slice.yaml", slice);

        assertThat(lint().out())
                .contains("slice.yaml:8:23: warning: spec.skipNodeOperations: dropped");
        assertThat(lint("--feature-gates", "DRAOptionalNodeOperations=true").out())
                .contains("0 errors, 0 warnings");
    }

    @Test
    void podTemplatesOfControllersAreValidated() throws IOException {
        write(
                "deployment.yaml",
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  template:
                    spec:
                      resourceClaims:
                      - name: gpu
                      containers:
                      - name: main
                        resources:
                          claims: [{name: gpu}]
                """);

        var run = lint();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .contains("deployment.yaml:8:9: error: pod template: spec.resourceClaims[0]");
    }

    @Test
    void whatIsNoYamlAtAllIsAnErrorWithItsPlace() throws IOException {
        write("broken.yaml", "a: [1\nb: 2\n");

        var run = lint();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("broken.yaml:2:2: error:");
    }

    @Test
    void missingFilesAndUnknownGatesEndWithTwo() {
        assertThat(CommandRun.of("lint", folder.resolve("nothing").toString()).exitCode())
                .isEqualTo(2);
        assertThat(CommandRun.of("lint", folder.toString(), "--feature-gates", "X=true").err())
                .contains("unrecognized feature gate: X");
    }

    private CommandRun lint(String... options) {
        var arguments = new ArrayList<String>();
        arguments.add("lint");
        arguments.add(folder.toString());
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
