package dev.berth.app;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/// The arrows between modules, and what `core` may not touch.
@AnalyzeClasses(packages = "dev.berth", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule ARROWS_POINT_ONE_WAY =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("app")
                    .definedBy("dev.berth.app..")
                    .layer("server")
                    .definedBy("dev.berth.server..")
                    .layer("control")
                    .definedBy("dev.berth.control..")
                    .layer("drivers")
                    .definedBy("dev.berth.drivers..")
                    .layer("node")
                    .definedBy("dev.berth.node..")
                    .layer("client")
                    .definedBy("dev.berth.client..")
                    .layer("core")
                    .definedBy("dev.berth.core..")
                    .layer("model")
                    .definedBy("dev.berth.model..")
                    .withOptionalLayers(true)
                    .whereLayer("app")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("server")
                    .mayOnlyBeAccessedByLayers("app")
                    .whereLayer("control")
                    .mayOnlyBeAccessedByLayers("app")
                    .whereLayer("drivers")
                    .mayOnlyBeAccessedByLayers("app")
                    .whereLayer("node")
                    .mayOnlyBeAccessedByLayers("app", "drivers")
                    .whereLayer("client")
                    .mayOnlyBeAccessedByLayers("app", "control", "drivers", "node")
                    .whereLayer("core")
                    .mayOnlyBeAccessedByLayers("app", "server", "control", "drivers", "node");

    @ArchTest
    static final ArchRule CORE_DOES_NO_INPUT_OR_OUTPUT =
            noClasses()
                    .that()
                    .resideInAPackage("dev.berth.core..")
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                    "java.io..",
                                    "java.net.http..",
                                    "java.nio.file..",
                                    "java.nio.channels..",
                                    "java.sql..",
                                    "org.slf4j..",
                                    "java.util.logging.."));

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_CLOCK_THREAD_OR_CHANCE =
            noClasses()
                    .that()
                    .resideInAPackage("dev.berth.core..")
                    .should()
                    .callMethod(Instant.class, "now")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(UUID.class, "randomUUID")
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Clock.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Thread.class)
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Random.class);

    @ArchTest
    static final ArchRule ONLY_CEL_SEES_THE_CEL_LIBRARY =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.berth.core.cel..", "dev.berth.bench..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("dev.cel..");

    @ArchTest
    static final ArchRule ONLY_JSON_AND_CODEC_SEE_THE_PARSERS =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.berth.model.json..", "dev.berth.model.codec..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("tools.jackson..", "org.snakeyaml..");

    /// Commands print through the writer that escapes; others log.
    @ArchTest
    static final ArchRule NO_CLASS_PRINTS_UNESCAPED_TEXT =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.bench..")
                    .should()
                    .accessField(System.class, "out")
                    .orShould()
                    .accessField(System.class, "err");

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("dev.berth.(*).(*)..").should().beFreeOfCycles();
}
