package dev.berth.app.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.node.driver.DriverProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Builds the project of `docs/tutorial/first-driver.md` outside of the tree with Maven, against an
/// installed SDK. `FirstDriverTest` runs the same driver with a kubelet.
class TutorialTest {

    private static final Path TUTORIAL = Path.of("..", "docs", "tutorial", "first-driver.md");
    private static final long MINUTES = 5;

    @TempDir private Path directory = Path.of("");

    @Test
    void theProjectOfTheTutorialIsBuiltAgainstTheInstalledSdk() throws Exception {
        var repository = directory.resolve("repository");
        new SdkInstaller(new SourceTree(Path.of("..").toAbsolutePath())).install(repository);
        var project = project();
        var build =
                run(
                        project,
                        Map.of("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"),
                        "mvn",
                        "-q",
                        "-B",
                        "-s",
                        settings().toString(),
                        "-Dmaven.repo.local=" + repository,
                        "package");
        assertThat(build.code).as(build.output).isZero();
        assertThat(build.output).doesNotContain("[WARNING]");
        assertThat(libraries(project.resolve("target/lib"))).isSubsetOf(ownLibraries());
        assertThat(java(project, Map.of()))
                .isEqualTo(
                        new Ended(
                                DriverProgram.BAD_ENVIRONMENT,
                                "greeter.example.com: NODE_NAME is not set; set it to the name of"
                                        + " the Node on which the driver runs (in a pod by"
                                        + " fieldRef spec.nodeName)\n"));
        assertThat(java(project, Map.of("NODE_NAME", "n", "KUBECONFIG", "/nowhere")))
                .satisfies(ended -> {
                    assertThat(ended.code).isEqualTo(DriverProgram.BAD_ENVIRONMENT);
                    assertThat(ended.output)
                            .startsWith("greeter.example.com: no cluster: ")
                            .hasLineCount(1);
                });
    }

    private Path project() throws IOException {
        var project = Files.createDirectories(directory.resolve("greeter"));
        Files.writeString(project.resolve("pom.xml"), block("xml"));
        var sources = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(sources.resolve("GreeterDriver.java"), block("java"));
        return project;
    }

    private static String block(String language) throws IOException {
        var fence = Pattern.compile("(?s)```" + language + "\n(.*?)```");
        var matcher = fence.matcher(Files.readString(TUTORIAL));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    /// Third-party artifacts come from the repository that this build uses, never from a network.
    private Path settings() throws IOException {
        var usual = Path.of(System.getProperty("user.home"), ".m2", "repository").toString();
        var machine = Path.of(System.getProperty("localRepository", usual));
        var file = directory.resolve("settings.xml");
        return Files.writeString(
                file,
                """
                <settings>
                  <mirrors>
                    <mirror>
                      <id>machine</id>
                      <mirrorOf>*</mirrorOf>
                      <url>%s</url>
                    </mirror>
                  </mirrors>
                </settings>
                """
                        .formatted(machine.toUri()));
    }

    private static List<String> libraries(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            var names = files.map(file -> file.getFileName().toString()).sorted().toList();
            assertThat(names).anyMatch(name -> name.startsWith("node-"));
            return names.stream().filter(name -> !isOfBerth(name)).toList();
        }
    }

    private static boolean isOfBerth(String jar) {
        return Arrays.stream(SdkModule.values())
                .anyMatch(module -> jar.startsWith(module.artifact() + "-0."));
    }

    /// The jars that Berth itself is tested with.
    private static List<String> ownLibraries() {
        var path = System.getProperty("java.class.path").split(File.pathSeparator);
        return Arrays.stream(path)
                .map(entry -> Path.of(entry).getFileName().toString())
                .collect(Collectors.toList());
    }

    private Ended java(Path project, Map<String, String> environment) throws Exception {
        return run(
                project,
                environment,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-jar",
                "target/greeter.jar");
    }

    private record Ended(int code, String output) {}

    private Ended run(Path where, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var log = directory.resolve("output");
        var builder =
                new ProcessBuilder(command)
                        .directory(where.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().keySet().removeAll(List.of("NODE_NAME", "MAVEN_ARGS"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(log));
    }
}
