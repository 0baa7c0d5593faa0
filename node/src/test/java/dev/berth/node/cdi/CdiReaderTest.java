package dev.berth.node.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import dev.berth.node.cdi.CdiReader.Result;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.cdi.ContainerEdits.IntelRdt;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.cdi.ContainerEdits.NetDevice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CdiReaderTest {

    private static final String EVERYTHING =
            """
            cdiVersion: "1.1.0"
            kind: vendor.com/gpu
            annotations: {owner: ops}
            devices:
              - name: "0"
                annotations: {slot: left}
                containerEdits:
                  env: [GPU=0]
                  deviceNodes:
                    - path: /dev/gpu0
                      hostPath: /dev/card0
                      type: c
                      major: 226
                      minor: 3
                      fileMode: 438
                      permissions: rw
                      uid: 1000
                      gid: 0
                  netDevices: [{hostInterfaceName: eth7, name: net1}]
                  additionalGids: [44]
                  intelRdt: {closID: gold, schemata: ["L3:0=f"], enableMonitoring: true}
            containerEdits:
              mounts:
                - {hostPath: /usr/lib/x.so, containerPath: /usr/lib/x.so, options: [ro], type: bind}
              hooks:
                - {hookName: createRuntime, path: /bin/h, args: [h, a], env: [A=b], timeout: 3}
            """;

    @Test
    void everyFieldIsRead() {
        var edits =
                new ContainerEdits(
                        List.of("GPU=0"),
                        List.of(
                                new DeviceNode(
                                        "/dev/gpu0",
                                        "/dev/card0",
                                        "c",
                                        226,
                                        3,
                                        OptionalInt.of(0666),
                                        "rw",
                                        OptionalLong.of(1000),
                                        OptionalLong.of(0))),
                        List.of(new NetDevice("eth7", "net1")),
                        List.of(),
                        List.of(),
                        List.of(44L),
                        Optional.of(
                                new IntelRdt(
                                        "gold", "", "", false, false, List.of("L3:0=f"), true)));
        var common =
                ContainerEdits.NONE
                        .withMount(
                                new Mount("/usr/lib/x.so", "/usr/lib/x.so", List.of("ro"), "bind"))
                        .withHook(
                                new Hook(
                                        "createRuntime",
                                        "/bin/h",
                                        List.of("h", "a"),
                                        List.of("A=b"),
                                        OptionalInt.of(3)));
        assertThat(CdiReader.read(EVERYTHING))
                .isEqualTo(
                        new Result.Valid(
                                new CdiSpec(
                                        "1.1.0",
                                        new CdiKind("vendor.com", "gpu"),
                                        Map.of("owner", "ops"),
                                        List.of(new CdiDevice("0", Map.of("slot", "left"), edits)),
                                        common)));
    }

    @Test
    void specsRoundTrip() {
        var spec = valid(EVERYTHING);
        assertThat(valid(JsonWriter.pretty(CdiJson.of(spec)))).isEqualTo(spec);
        assertThat(valid(YamlWriter.write(CdiJson.of(spec)))).isEqualTo(spec);
    }

    @Test
    void jsonWithTabsIsRead() {
        var text = minimal("env: [A=b]").replace("  ", "\t");
        assertThat(CdiReader.read(text)).isInstanceOf(Result.Invalid.class);
        assertThat(
                        CdiReader.read(
                                "{\n\t\"cdiVersion\": \"0.5.0\",\n\t\"kind\": \"vendor.com/gpu\",\n"
                                        + "\t\"devices\": [{\"name\": \"a\",\t\"containerEdits\":"
                                        + " {\"env\": [\"A=b\"]}}]}"))
                .isInstanceOf(Result.Valid.class);
    }

    @Test
    void anUnknownFieldIsRefusedWithItsPosition() {
        assertThat(problems(minimal("env: [A=b]\n      device: /dev/x")))
                .containsExactly(
                        "7:13: devices[0].containerEdits.device: unknown field: runtimes reject the"
                                + " whole file");
    }

    @Test
    void aDuplicateFieldIsRefused() {
        assertThat(problems("kind: a.b/cc\n" + minimal("env: [A=b]")))
                .containsExactly("3:7: kind: duplicate field");
    }

    @Test
    void anEmptyTextAndSeveralDocumentsAreRefused() {
        assertThat(problems("")).containsExactly("expected one document, found 0");
        assertThat(problems("a: b\n---\nc: d\n")).containsExactly("expected one document, found 2");
        assertThat(problems("[]")).containsExactly("expected an object, found array");
        assertThat(problems("a: [")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deviceNodes", "mounts", "hooks", "netDevices"})
    void emptyItemsAreDangerous(String list) {
        assertThat(broken(minimal(list + ": [null]")))
                .extracting(CdiProblem::isDangerous)
                .containsExactly(true);
    }

    @ParameterizedTest
    @CsvSource({"a.com/b", "a/gpu", "a/b"})
    void oneLetterNamesAreDangerous(String kind) {
        assertThat(broken(minimal("env: [A=b]").replace("vendor.com/gpu", kind)))
                .allMatch(CdiProblem::isDangerous)
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.com/gpu | kind: vendor \"1.com\" must begin with a letter",
                "1/gpu | kind: vendor \"1\" must begin with a letter",
                "a.com/gp$u | kind: class \"gp$u\" must not contain '$'",
                "a.com/gpu- | kind: class \"gpu-\" must end with a letter or digit",
                "a.com | kind: \"a.com\" is not of the form vendor/class",
                "a.com/ | kind: \"a.com/\" is not of the form vendor/class",
            })
    void kindsAreChecked(String kind, String message) {
        var text = minimal("env: [A=b]").replace("vendor.com/gpu", kind);
        assertThat(problems(text)).containsExactly("2:7: " + message);
        assertThat(broken(text)).noneMatch(CdiProblem::isDangerous);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "env: [A] | env[0]: \"A\" is not of the form NAME=value",
                "env: [=b] | env[0]: \"=b\" is not of the form NAME=value",
                "env: [1] | env[0]: expected a string, found number",
                "env: A=b | env: expected a list, found string",
                "deviceNodes: [{type: c}] | deviceNodes[0].path: must not be empty",
                "deviceNodes: [{path: /x, type: d}] | deviceNodes[0].type: \"d\" is not one of b,"
                        + " c, u, p",
                "deviceNodes: [{path: /x, permissions: rx}] "
                        + "| deviceNodes[0].permissions: \"rx\" has characters other than r, w, m",
                "deviceNodes: [{path: /x, major: -1}] "
                        + "| deviceNodes[0]: device number -1:0 is negative",
                "deviceNodes: [{path: /x, major: a}] "
                        + "| deviceNodes[0].major: expected a whole number, found string",
                "deviceNodes: [{path: /x, uid: -1}] "
                        + "| deviceNodes[0].uid: -1 is not between 0 and 4294967295",
                "mounts: [{containerPath: /x}] | mounts[0].hostPath: must not be empty",
                "mounts: [{hostPath: /x}] | mounts[0].containerPath: must not be empty",
                "hooks: [{hookName: later, path: /x}] | hooks[0].hookName: unknown hook"
                        + " \"later\"",
                "hooks: [{hookName: poststop}] | hooks[0].path: must not be empty",
                "hooks: [{hookName: poststop, path: /x, env: [A]}] "
                        + "| hooks[0].env[0]: \"A\" is not of the form NAME=value",
                "intelRdt: {closID: a/b} | intelRdt.closID: \"a/b\" is not a file name",
                "intelRdt: {closID: ..} | intelRdt.closID: \"..\" is not a file name",
                "netDevices: [{name: a}] | netDevices[0].hostInterfaceName: must not be empty",
                "'netDevices: [{hostInterfaceName: e, name: a}, {hostInterfaceName: f, name: a}]' "
                        + "| netDevices[1].name: duplicate value \"a\"",
                "{} | : a device must have at least one edit",
            })
    void editsAreChecked(String edits, String message) {
        assertThat(problems(minimal(edits)))
                .singleElement()
                .asString()
                .matches("\\d+:\\d+: .*")
                .endsWith(
                        "devices[0].containerEdits"
                                + (message.startsWith(":") ? "" : ".")
                                + message);
    }

    @Test
    void permissionsMayBeNone() {
        assertThat(CdiReader.read(minimal("deviceNodes: [{path: /x, permissions: none}]")))
                .isInstanceOf(Result.Valid.class);
    }

    @Test
    void devicesMustHaveNamesOfTheirOwn() {
        var two =
                """
                cdiVersion: 0.5.0
                kind: vendor.com/gpu
                devices:
                - {name: a, containerEdits: {env: [A=b]}}
                - {name: a, containerEdits: {env: [A=b]}}
                - {name: -b, containerEdits: {env: [A=b]}}
                """;
        assertThat(problems(two))
                .containsExactly(
                        "5:10: devices[1].name: duplicate device \"a\"",
                        "6:10: devices[2].name: device \"-b\" must begin with a letter or digit");
        assertThat(problems("{cdiVersion: 0.5.0, kind: a.b/cc, devices: []}"))
                .containsExactly("1:44: devices: there must be at least one device");
    }

    @Test
    void annotationsAreQualifiedNames() {
        var text = minimal("env: [A=b]").replace("0.5.0", "0.6.0");
        assertThat(CdiReader.read(text + "annotations: {Example.com/a: b}\n"))
                .isInstanceOf(Result.Valid.class);
        assertThat(problems(text + "annotations: {a b: c}\n"))
                .containsExactly("7:14: annotations: \"a b\" is not a qualified name");
    }

    @Test
    void theVersionMustBeKnownAndNewEnough() {
        assertThat(problems(minimal("env: [A=b]").replace("0.5.0", "0.9.0")))
                .containsExactly("1:13: cdiVersion: unknown version \"0.9.0\"");
        assertThat(problems(minimal("additionalGids: [4]")))
                .containsExactly(
                        "1:13: cdiVersion: the spec has version 0.5.0 but uses fields of 0.7.0");
        assertThat(CdiReader.read(minimal("env: [A=b]").replace("0.5.0", "v0.5.0")))
                .isInstanceOf(Result.Valid.class);
    }

    /// A spec of one device, `a`, with some edits at line 6.
    private static String minimal(String edits) {
        var version =
                edits.startsWith("netDevices")
                        ? "1.1.0"
                        : edits.contains("Rdt") ? "0.7.0" : "0.5.0";
        return """
        cdiVersion: %s
        kind: vendor.com/gpu
        devices:
        - name: a
          containerEdits:
            %s
        """
                .formatted(version, edits.replace("\n      ", "\n    "));
    }

    private static CdiSpec valid(String text) {
        return switch (CdiReader.read(text)) {
            case Result.Valid(var spec) -> spec;
            case Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static List<CdiProblem> broken(String text) {
        return switch (CdiReader.read(text)) {
            case Result.Valid(var spec) -> throw new AssertionError(spec);
            case Result.Invalid(var problems) -> problems;
        };
    }

    private static List<String> problems(String text) {
        return broken(text).stream().map(CdiProblem::toString).toList();
    }
}
