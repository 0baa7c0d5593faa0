package dev.berth.app.sdk;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `berth sdk install`: installs the SDK into the local Maven repository.
@Command(
        name = "install",
        description = {
            "Install the driver SDK and its BOM into the local Maven repository.",
            "",
            "Copies the jars that this command runs from: no compilation, no tests, no download."
        },
        mixinStandardHelpOptions = true,
        exitCodeList = {"0:installed", "1:the repository could not be written", "2:usage error"},
        footer = {
            "Examples:",
            "  berth sdk install",
            "  berth sdk install --local-repository ./repository"
        })
final class SdkInstallCommand implements Callable<Integer> {

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--local-repository",
            paramLabel = "DIR",
            description =
                    "Maven repository to install into (default: localRepository of"
                            + " ~/.m2/settings.xml, or ~/.m2/repository).")
    private Optional<Path> repository = Optional.empty();

    @Override
    public Integer call() throws IOException {
        var target =
                repository.isPresent()
                        ? repository.get()
                        : LocalRepository.find(Path.of(System.getProperty("user.home", "/")));
        var version = new SdkInstaller(SourceTree.find()).install(target);
        print(version, target.toAbsolutePath().normalize(), spec.commandLine().getOut());
        return 0;
    }

    private static void print(String version, Path target, PrintWriter out) {
        out.print(
                """
                Installed the driver SDK %1$s in %2$s:
                  dev.berth:berth-bom:%1$s  pins Berth and the libraries it is tested with
                  dev.berth:node:%1$s       driver SDK (also %3$s)

                Add to the pom.xml of a driver; docs/tutorial/first-driver.md has a complete one:

                  <dependencyManagement>
                    <dependencies>
                      <dependency>
                        <groupId>dev.berth</groupId>
                        <artifactId>berth-bom</artifactId>
                        <version>%1$s</version>
                        <type>pom</type>
                        <scope>import</scope>
                      </dependency>
                    </dependencies>
                  </dependencyManagement>

                  <dependencies>
                    <dependency>
                      <groupId>dev.berth</groupId>
                      <artifactId>node</artifactId>
                    </dependency>
                  </dependencies>
                """
                        .formatted(version, target, SdkModule.others()));
        out.flush();
    }
}
