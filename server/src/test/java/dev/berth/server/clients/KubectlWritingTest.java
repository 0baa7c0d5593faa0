package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Writes with kubectl. Each test has a namespace of its own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlWritingTest {

    private ApiServer server;
    private Kubectl kubectl;

    @BeforeAll
    void start(@TempDir Path directory, @TempDir Path home) {
        Kubectl.assumePresent();
        server = RunningServer.durable(directory);
        kubectl = new Kubectl(home, server.kubeconfig());
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void everyCreateCommandWorks() {
        kubectl.ok("create", "namespace", "made");
        create("configmap", "c", "--from-literal=a=b");
        create("secret", "generic", "s", "--from-literal=a=b");
        create(
                "secret",
                "docker-registry",
                "pull",
                "--docker-server=x",
                "--docker-username=u",
                "--docker-password=p");
        create("serviceaccount", "account");
        create("role", "reader", "--verb=get,list", "--resource=pods");
        create("rolebinding", "reads", "--role=reader", "--serviceaccount=made:account");
        create("clusterrole", "nodes-reader", "--verb=get", "--resource=nodes");
        create("clusterrolebinding", "reads-nodes", "--clusterrole=nodes-reader", "--user=bob");
        create("quota", "limit", "--hard=configmaps=10");
        create("service", "clusterip", "inside", "--tcp=80:80");
        create("service", "nodeport", "outside", "--tcp=80:80");
        create("service", "loadbalancer", "balanced", "--tcp=80:80");
        create("service", "externalname", "elsewhere", "--external-name=x.example.com");
        create("deployment", "web", "--image=busybox", "--replicas=2");
        create("job", "once", "--image=busybox", "--", "true");
        create("cronjob", "often", "--image=busybox", "--schedule=*/5 * * * *", "--", "true");
        create("job", "now", "--from=cronjob/often");
        create("poddisruptionbudget", "budget", "--selector=app=web", "--min-available=1");
        create("priorityclass", "high", "--value=100");
        assertThat(kubectl.ok("run", "pod", "--image=busybox", "-n", "made"))
                .isEqualTo("pod/pod created");
        assertThat(kubectl.ok("expose", "pod", "pod", "--port=80", "-n", "made"))
                .isEqualTo("service/pod exposed");
        assertThat(kubectl.ok("create", "token", "account", "-n", "made").split("\\.", -1))
                .hasSize(3);
        assertThat(kubectl.ok("get", "all", "-n", "made", "-o", "name").lines())
                .contains("pod/pod", "service/inside", "deployment.apps/web", "job.batch/now")
                .contains("cronjob.batch/often");
        assertThat(kubectl.fails("create", "configmap", "c", "-n", "made"))
                .contains("configmaps \"c\" already exists");
    }

    private void create(String... arguments) {
        var command = new String[arguments.length + 3];
        command[0] = "create";
        command[1] = "-n";
        command[2] = "made";
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        assertThat(kubectl.ok(command)).endsWith("created");
    }

    @Test
    void namesAreGenerated() {
        var file =
                kubectl.file(
                        "generated.yaml",
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: gen-}\n");
        var one = kubectl.ok("create", "-f", file, "-o", "name");
        var other = kubectl.ok("create", "-f", file, "-o", "name");
        assertThat(one).matches("configmap/gen-[a-z0-9]{5}").isNotEqualTo(other);
    }

    @Test
    void applyMergesAndDiffShowsHow() {
        kubectl.ok("create", "namespace", "applied");
        assertThat(applied(Manifests.DEPLOYMENT)).isEqualTo("deployment.apps/web created");
        assertThat(applied(Manifests.DEPLOYMENT)).isEqualTo("deployment.apps/web unchanged");
        var changed = Manifests.DEPLOYMENT.replace("main:1", "main:2");
        var file = kubectl.file("changed.yaml", changed);
        var diff = kubectl.run("diff", "-n", "applied", "-f", file);
        assertThat(diff.exit()).isEqualTo(1);
        assertThat(diff.out()).contains("-      - image: main:1", "+      - image: main:2");
        assertThat(applied(changed)).isEqualTo("deployment.apps/web configured");
        assertThat(kubectl.run("diff", "-n", "applied", "-f", file).exit()).isZero();
        var smaller = changed.replace("      - {name: side, image: \"side:1\"}\n", "");
        assertThat(applied(smaller)).isEqualTo("deployment.apps/web configured");
        assertThat(images("applied")).isEqualTo("main:2");
    }

    private String applied(String yaml) {
        return kubectl.ok("apply", "-n", "applied", "-f", kubectl.file("applied.yaml", yaml));
    }

    private String images(String namespace) {
        return kubectl.ok(
                "get",
                "deployment",
                "web",
                "-n",
                namespace,
                "-o",
                "jsonpath={.spec.template.spec.containers[*].image}");
    }

    @Test
    void serverSideApplyTracksFieldOwnership() {
        kubectl.ok("create", "namespace", "owned");
        var one = kubectl.file("one.yaml", Manifests.DEPLOYMENT);
        var other =
                kubectl.file(
                        "other.yaml", Manifests.DEPLOYMENT.replace("replicas: 1", "replicas: 3"));
        assertThat(kubectl.ok("apply", "--server-side", "-n", "owned", "-f", one))
                .isEqualTo("deployment.apps/web serverside-applied");
        assertThat(
                        kubectl.fails(
                                "apply",
                                "--server-side",
                                "--field-manager=hpa",
                                "-n",
                                "owned",
                                "-f",
                                other))
                .contains(
                        "Apply failed with 1 conflict: conflict with \"kubectl\": .spec.replicas");
        kubectl.ok(
                "apply",
                "--server-side",
                "--force-conflicts",
                "--field-manager=hpa",
                "-n",
                "owned",
                "-f",
                other);
        assertThat(replicas("owned")).isEqualTo("3");
    }

    private String replicas(String namespace) {
        return kubectl.ok(
                "get", "deployment", "web", "-n", namespace, "-o", "jsonpath={.spec.replicas}");
    }

    @Test
    void patchesOfAllTypesAndSubresources() {
        kubectl.ok("create", "namespace", "patched");
        kubectl.ok("apply", "-n", "patched", "-f", kubectl.file("web.yaml", Manifests.DEPLOYMENT));
        patch("strategic", "", side("side:2"));
        assertThat(images("patched")).isEqualTo("main:1 side:2");
        patch("merge", "", "{\"spec\":{\"replicas\":2}}");
        assertThat(replicas("patched")).isEqualTo("2");
        patch("json", "", "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":4}]");
        assertThat(replicas("patched")).isEqualTo("4");
        patch("merge", "scale", "{\"spec\":{\"replicas\":5}}");
        assertThat(replicas("patched")).isEqualTo("5");
        patch(
                "merge",
                "status",
                """
                {"spec":{"replicas":9},
                 "status":{"replicas":5,"conditions":[{"type":"Available","status":"True"}]}}
                """);
        assertThat(replicas("patched")).isEqualTo("5");
        kubectl.ok("wait", "deployment/web", "-n", "patched", "--for=condition=Available");
        kubectl.ok(
                "wait", "deployment/web", "-n", "patched", "--for=jsonpath={.status.replicas}=5");
        assertThat(
                        kubectl.fails(
                                "wait",
                                "deployment/web",
                                "-n",
                                "patched",
                                "--for=condition=Other",
                                "--timeout=200ms"))
                .contains("timed out waiting for the condition");
        assertThat(kubectl.fails("scale", "deployment/web", "-n", "patched", "--replicas=-1"))
                .contains("replicas");
        kubectl.ok("scale", "deployment/web", "-n", "patched", "--replicas=7");
        assertThat(replicas("patched")).isEqualTo("7");
        kubectl.ok("set", "image", "deployment/web", "-n", "patched", "main=main:3");
        assertThat(images("patched")).isEqualTo("main:3 side:2");
    }

    private static String side(String image) {
        return """
        {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"%s"}]}}}}
        """
                .formatted(image);
    }

    private void patch(String type, String subresource, String patch) {
        kubectl.ok(
                "patch",
                "deployment",
                "web",
                "-n",
                "patched",
                "--type=" + type,
                "--subresource=" + subresource,
                "-p",
                patch);
    }

    @Test
    void editAndReplaceDetectConflicts() {
        kubectl.ok("create", "configmap", "edited", "--from-literal=color=red");
        kubectl.script("editor", "#!/bin/sh\nsed -i 's/color: red/color: blue/' \"$1\"\n");
        assertThat(kubectl.ok("edit", "configmap", "edited")).isEqualTo("configmap/edited edited");
        var old = kubectl.ok("get", "configmap", "edited", "-o", "yaml");
        assertThat(old).contains("color: blue");
        var file = kubectl.file("replaced.yaml", old.replace("blue", "green"));
        assertThat(kubectl.ok("replace", "-f", file)).isEqualTo("configmap/edited replaced");
        assertThat(kubectl.fails("replace", "-f", file))
                .contains("the object has been modified; please apply your changes");
        kubectl.ok("replace", "--force", "-f", file);
    }

    @Test
    void labelsAndAnnotations() {
        kubectl.ok("create", "configmap", "marked");
        kubectl.ok("label", "configmap", "marked", "tier=front");
        assertThat(kubectl.fails("label", "configmap", "marked", "tier=back"))
                .contains("already has a value");
        kubectl.ok("label", "configmap", "marked", "tier=back", "--overwrite");
        kubectl.ok("annotate", "configmap", "marked", "note=hello world");
        assertThat(kubectl.ok("get", "cm", "marked", "-o", "jsonpath={.metadata.annotations.note}"))
                .isEqualTo("hello world");
        kubectl.ok("annotate", "configmap", "marked", "note-");
        assertThat(kubectl.ok("get", "cm", "-l", "tier=back", "-o", "name"))
                .isEqualTo("configmap/marked");
        assertThat(kubectl.fails("label", "configmap", "marked", "tier=not/valid", "--overwrite"))
                .contains("invalid");
    }

    @Test
    void unknownFieldsAreRejectedWarnedOfOrIgnored() {
        var file =
                kubectl.file(
                        "odd.yaml",
                        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd}\nfoo: bar\n");
        assertThat(kubectl.fails("create", "-f", file))
                .contains("strict decoding error: unknown field \"foo\"");
        assertThat(kubectl.run("create", "-f", file, "--validate=warn", "--dry-run=server").err())
                .contains("Warning: unknown field \"foo\"");
        assertThat(kubectl.run("create", "-f", file, "--validate=ignore").err()).isEmpty();
        assertThat(kubectl.ok("get", "configmap", "odd", "-o", "yaml")).doesNotContain("foo");
    }

    @Test
    void dryRunStoresNothing() {
        assertThat(kubectl.ok("create", "cm", "dry", "--dry-run=server", "-o", "yaml"))
                .contains("creationTimestamp: \"2", "uid:");
        assertThat(kubectl.fails("get", "configmap", "dry")).contains("not found");
        assertThat(kubectl.fails("create", "cm", "Not_A_Name", "--dry-run=server"))
                .contains("Not_A_Name", "RFC 1123");
    }
}
