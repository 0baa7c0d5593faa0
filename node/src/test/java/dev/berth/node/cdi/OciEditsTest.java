package dev.berth.node.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.node.cdi.CdiReader.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OciEditsTest {

    private final OciEdits oci = new OciEdits(new HostDevices(Path.of("/")));

    @Test
    void anExistingVariableKeepsItsPosition() {
        assertThat(
                        edited(
                                "env: [B=2, C=3, C=4]",
                                """
                                {"process": {"env": ["A=0", "B=0", "PATH"], "cwd": "/"}}\
                                """))
                .isEqualTo(
                        """
                        {"process":{"env":["A=0","B=2","PATH","C=4"],"cwd":"/"}}\
                        """);
    }

    @Test
    void ofADuplicateVariableTheLastIsReplaced() {
        assertThat(edited("env: [A=3]", "{\"process\": {\"env\": [\"A=1\", \"A=2\"]}}"))
                .isEqualTo("{\"process\":{\"env\":[\"A=1\",\"A=3\"]}}");
    }

    @Test
    void aNodeGetsItsNumbersFromTheHostAndARule() {
        assertThat(edited("deviceNodes: [{path: /dev/zero}]", "{}"))
                .isEqualTo(
                        """
                        {"linux":{"devices":[{"path":"/dev/zero","type":"c","major":1,"minor":5}],\
                        "resources":{"devices":[{"allow":true,"type":"c","major":1,"minor":5,\
                        "access":"rwm"}]}}}\
                        """);
    }

    @Test
    void aNodeMayHaveAnotherHostPath() {
        assertThat(
                        edited(
                                "deviceNodes: [{path: /dev/x, hostPath: /dev/null,"
                                        + " permissions: r, fileMode: 420}]",
                                "{}"))
                .isEqualTo(
                        """
                        {"linux":{"devices":[{"path":"/dev/x","type":"c","major":1,"minor":3,\
                        "fileMode":420}],"resources":{"devices":[{"allow":true,"type":"c",\
                        "major":1,"minor":3,"access":"r"}]}}}\
                        """);
    }

    @Test
    void aNodeWithAllNumbersIsNotLookedUp() {
        assertThat(
                        edited(
                                "deviceNodes: [{path: /dev/none, type: b, major: 7, minor: 0,"
                                        + " permissions: none}]",
                                "{}"))
                .isEqualTo(
                        """
                        {"linux":{"devices":[{"path":"/dev/none","type":"b","major":7,"minor":0}],\
                        "resources":{"devices":[{"allow":true,"type":"b","major":7,"minor":0}]}}}\
                        """);
    }

    @Test
    void aPipeHasNoNumbersAndNoRule() {
        assertThat(edited("deviceNodes: [{path: /dev/pipe, type: p}]", "{}"))
                .isEqualTo(
                        """
                        {"linux":{"devices":[{"path":"/dev/pipe","type":"p","major":0,\
                        "minor":0}]}}\
                        """);
    }

    @Test
    void aNodeReplacesTheOneOfTheSamePath() {
        assertThat(
                        edited(
                                "deviceNodes: [{path: /dev/b, type: u, major: 9, minor: 8}]",
                                """
                                {"linux": {"devices": [{"path": "/dev/a"}, {"path": "/dev/b"},
                                {"path": "/dev/c"}]}}\
                                """))
                .isEqualTo(
                        """
                        {"linux":{"devices":[{"path":"/dev/a"},{"path":"/dev/c"},{"path":"/dev/b",\
                        "type":"u","major":9,"minor":8}]}}\
                        """);
    }

    @Test
    void nodesBelongToTheProcessWhenItIsNotRoot() {
        var nodes =
                "deviceNodes: [{path: /a, type: u, major: 1},"
                        + " {path: /b, type: u, major: 1, uid: 0, gid: 7}]";
        assertThat(edited(nodes, "{\"process\": {\"user\": {\"uid\": 5, \"gid\": 0}}}"))
                .endsWith(
                        """
                        "linux":{"devices":[{"path":"/a","type":"u","major":1,"minor":0,"uid":5},\
                        {"path":"/b","type":"u","major":1,"minor":0,"uid":0,"gid":7}]}}\
                        """);
    }

    @Test
    void aMissingNodeFails() {
        assertThat(failure("deviceNodes: [{path: /dev/berth-none}]"))
                .isEqualTo("device /dev/berth-none: no such file");
        assertThat(failure("deviceNodes: [{path: /x, hostPath: /etc/passwd}]"))
                .isEqualTo("device /etc/passwd: not a device");
        assertThat(failure("deviceNodes: [{path: /dev/null, type: b}]"))
                .isEqualTo("device /dev/null is of type c, the spec has b");
    }

    @Test
    void mountsReplaceTheirDestinationAndAreSortedByDepth() {
        assertThat(
                        edited(
                                "mounts: [{hostPath: /h, containerPath: /a/b/c,"
                                        + " options: [ro, bind]},"
                                        + " {hostPath: /i, containerPath: /x, type: tmpfs}]",
                                """
                                {"mounts": [{"destination": "/x", "source": "old"},
                                {"destination": "/a/b/c/d"}, {"destination": "/"},
                                {"destination": "/p/q/../r/"}]}\
                                """))
                .isEqualTo(
                        """
                        {"mounts":[{"destination":"/"},\
                        {"destination":"/x","type":"tmpfs","source":"/i"},\
                        {"destination":"/p/q/../r/"},\
                        {"destination":"/a/b/c","source":"/h","options":["ro","bind"]},\
                        {"destination":"/a/b/c/d"}]}\
                        """);
    }

    @Test
    void bindMountsAreMappedInUserNamespaces() {
        assertThat(
                        edited(
                                "mounts: [{hostPath: /h, containerPath: /c, options: [rbind]},"
                                        + " {hostPath: /t, containerPath: /t, type: tmpfs}]",
                                "{\"linux\": {\"namespaces\": [{\"type\": \"user\"}]}}"))
                .endsWith(
                        """
                        "mounts":[{"destination":"/c","source":"/h","options":["rbind","idmap"]},\
                        {"destination":"/t","type":"tmpfs","source":"/t"}]}\
                        """);
    }

    @Test
    void hooksAreAppended() {
        assertThat(
                        edited(
                                "hooks: [{hookName: createRuntime, path: /b, args: [b, c], env:"
                                        + " [A=b], timeout: 2}, {hookName: poststop, path: /d}]",
                                "{\"hooks\": {\"createRuntime\": [{\"path\": \"/a\"}]}}"))
                .isEqualTo(
                        """
                        {"hooks":{"createRuntime":[{"path":"/a"},{"path":"/b","args":["b","c"],\
                        "env":["A=b"],"timeout":2}],"poststop":[{"path":"/d"}]}}\
                        """);
    }

    @Test
    void groupsAreAddedOnceAndRootIsNot() {
        assertThat(
                        edited(
                                "additionalGids: [0, 5, 6, 5]",
                                "{\"process\": {\"user\": {\"additionalGids\": [6]}}}"))
                .isEqualTo("{\"process\":{\"user\":{\"additionalGids\":[6,5]}}}");
    }

    @Test
    void interfacesAndClassesOfServiceAreSet() {
        assertThat(
                        edited(
                                "{netDevices: [{hostInterfaceName: eth1, name: net1}],"
                                        + " intelRdt: {closID: a, enableMonitoring: true}}",
                                "{\"linux\": {\"intelRdt\": {\"closID\": \"b\"}}}"))
                .isEqualTo(
                        """
                        {"linux":{"intelRdt":{"closID":"a","enableMonitoring":true},\
                        "netDevices":{"eth1":{"name":"net1"}}}}\
                        """);
    }

    @Test
    void depthsAreThoseOfNormalizedPaths() {
        assertThat(OciEdits.depth("/")).isEqualTo(1);
        assertThat(OciEdits.depth("/a")).isEqualTo(1);
        assertThat(OciEdits.depth("/a//b/./c/")).isEqualTo(3);
        assertThat(OciEdits.depth("/../a")).isEqualTo(1);
        assertThat(OciEdits.depth("a/b")).isEqualTo(1);
    }

    private String edited(String edits, String config) {
        return switch (oci.apply(edits(edits), tree(config))) {
            case OciEdits.Result.Edited(var done) -> JsonWriter.compact(done);
            case OciEdits.Result.Failed(var reason) -> throw new AssertionError(reason);
        };
    }

    private String failure(String edits) {
        return switch (oci.apply(edits(edits), JsonObject.EMPTY)) {
            case OciEdits.Result.Edited(var done) -> throw new AssertionError(done);
            case OciEdits.Result.Failed(var reason) -> reason;
        };
    }

    private static ContainerEdits edits(String yaml) {
        var text =
                """
                cdiVersion: 1.1.0
                kind: vendor.com/gpu
                devices:
                - name: a
                  containerEdits:
                    %s
                """
                        .formatted(yaml);
        return switch (CdiReader.read(text)) {
            case Result.Valid(var spec) -> spec.devices().getFirst().edits();
            case Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static JsonObject tree(String json) {
        return JsonReader.read(json) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }
}
