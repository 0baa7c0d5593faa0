package dev.berth.app;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.berth.client.Cluster;
import dev.berth.client.cache.ObjectCache;
import dev.berth.control.ControlPlane;
import dev.berth.model.api.pod.PodResourceClaim;
import dev.berth.model.api.pod.PodStatus;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.workqueue.ControlLoop;
import dev.berth.node.image.ImageRoot;
import dev.berth.node.runtime.ContainerSpec.Mount;
import dev.berth.server.ApiServer;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/// Dependencies between modules, and what `core` may not use.
@AnalyzeClasses(packages = "dev.berth", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule ARROWS_POINT_ONE_WAY =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("app")
                    .definedBy("dev.berth.app..")
                    .layer("embedded")
                    .definedBy("dev.berth.embedded..")
                    .layer("dashboard")
                    .definedBy("dev.berth.dashboard..")
                    .layer("inprocess")
                    .definedBy("dev.berth.inprocess..")
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
                    .layer("schema")
                    .definedBy("dev.berth.schema..")
                    .layer("metrics")
                    .definedBy("dev.berth.metrics..")
                    .layer("model")
                    .definedBy("dev.berth.model..")
                    .withOptionalLayers(true)
                    .whereLayer("app")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("embedded")
                    .mayOnlyBeAccessedByLayers("app")
                    .whereLayer("dashboard")
                    .mayOnlyBeAccessedByLayers("app")
                    .whereLayer("inprocess")
                    .mayOnlyBeAccessedByLayers("app", "embedded")
                    .whereLayer("server")
                    .mayOnlyBeAccessedByLayers("app", "embedded", "inprocess")
                    .whereLayer("control")
                    .mayOnlyBeAccessedByLayers("app", "embedded")
                    .whereLayer("drivers")
                    .mayOnlyBeAccessedByLayers("app", "embedded")
                    .whereLayer("node")
                    .mayOnlyBeAccessedByLayers("app", "drivers")
                    .whereLayer("client")
                    .mayOnlyBeAccessedByLayers(
                            "app",
                            "embedded",
                            "dashboard",
                            "inprocess",
                            "control",
                            "drivers",
                            "node")
                    .whereLayer("core")
                    .mayOnlyBeAccessedByLayers(
                            "app",
                            "embedded",
                            "dashboard",
                            "server",
                            "control",
                            "drivers",
                            "node")
                    .whereLayer("schema")
                    .mayOnlyBeAccessedByLayers("app", "server", "client")
                    .whereLayer("metrics")
                    .mayOnlyBeAccessedByLayers(
                            "app", "embedded", "server", "control", "node", "client");

    /// Clusters in this process are assembled in `embedded` alone.
    @ArchTest
    static final ArchRule CLUSTERS_ARE_ASSEMBLED_IN_ONE_MODULE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.embedded..")
                    .should()
                    .dependOnClassesThat()
                    .areAssignableTo(ControlPlane.class)
                    .andShould()
                    .dependOnClassesThat()
                    .areAssignableTo(ApiServer.class);

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
    static final ArchRule ONLY_METRICS_SEES_THE_PROMETHEUS_LIBRARY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.metrics..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.prometheus..");

    @ArchTest
    static final ArchRule ONLY_JSON_AND_CODEC_SEE_THE_PARSERS =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.berth.model.json..", "dev.berth.model.codec..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("tools.jackson..", "org.snakeyaml..");

    /// Commands print through the writer that escapes; others log. The driver SDK escapes by itself
    /// and must not need a logging library.
    @ArchTest
    static final ArchRule NO_CLASS_PRINTS_UNESCAPED_TEXT =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.bench..")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.driver.StderrReporter")
                    .should()
                    .accessField(System.class, "out")
                    .orShould()
                    .accessField(System.class, "err");

    /// A container can put links into its volumes. Code that opens, changes or deletes a path below
    /// a volume uses `node.safepath`, and has no other way to do it. The exceptions work with paths
    /// of the machine: what pods name as hostPath, `/proc`, sockets of drivers, a checkpoint.
    @ArchTest
    static final ArchRule VOLUMES_ARE_REACHED_BY_SAFE_PATHS =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "dev.berth.node.volume..",
                            "dev.berth.node.agent..",
                            "dev.berth.node.pod..",
                            "dev.berth.node.runtime..")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.volume.HostPath")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.agent.MachineFacts")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.agent.PluginWatcher")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.agent.ClaimStateFile")
                    .should()
                    .dependOnClassesThat()
                    .belongToAnyOf(
                            Files.class,
                            File.class,
                            FileChannel.class,
                            AsynchronousFileChannel.class,
                            RandomAccessFile.class,
                            FileInputStream.class,
                            FileOutputStream.class,
                            FileReader.class,
                            FileWriter.class,
                            ProcessBuilder.class);

    /// Only these know that a path cannot be changed by a container.
    @ArchTest
    static final ArchRule RUNTIMES_ARE_GIVEN_SAFE_PATHS =
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName("dev.berth.node.volume.VolumeMounts")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.node.agent.TerminationMessages")
                    .should()
                    .callConstructor(Mount.class, Path.class, String.class, boolean.class);

    /// The root of a container, and what it wrote there, is deleted without following links.
    @ArchTest
    static final ArchRule RUNTIMES_DELETE_BY_SAFE_PATHS =
            noClasses()
                    .that()
                    .resideInAnyPackage("dev.berth.node.oci..", "dev.berth.node.cri..")
                    .should()
                    .callMethod(ImageRoot.class, "delete", Path.class)
                    .orShould()
                    .callMethod(Files.class, "walkFileTree", Path.class, FileVisitor.class);

    @ArchTest
    static final ArchRule ONLY_SAFE_PATHS_CALL_NATIVE_FUNCTIONS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.node.safepath..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("java.lang.foreign..");

    /// `PodClaimReferences` alone finds out which claim an entry of a pod means. `ClaimOwner` reads
    /// the status for the controller that creates claims and writes it.
    @ArchTest
    static final ArchRule CLAIMS_OF_PODS_ARE_RESOLVED_IN_ONE_CLASS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.model.codec..")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.model.api.pod.PodStatus")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.model.api.pod.PodClaimReferences")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.core.lifecycle.ClaimOwner")
                    .should()
                    .accessTargetWhere(
                            accessor(
                                    PodStatus.class,
                                    "resourceClaimStatuses|extendedResourceClaimStatus"));

    /// The source of an entry is read to resolve it, or to create a claim from its template.
    @ArchTest
    static final ArchRule SOURCES_OF_CLAIMS_ARE_READ_TO_RESOLVE_OR_CREATE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.model.codec..")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.model.api.pod.PodResourceClaim")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.model.api.pod.PodClaimReferences")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.core.lifecycle.ClaimCreation")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.control.claims.ClaimView")
                    .should()
                    .accessTargetWhere(accessor(PodResourceClaim.class, "source"));

    /// `model.file` alone sets permissions and replaces files, so that no secret is readable and no
    /// file half written for a moment.
    @ArchTest
    static final ArchRule FILES_ARE_PRIVATE_AND_ATOMIC_IN_ONE_PACKAGE =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.model.file..")
                    .should()
                    .dependOnClassesThat()
                    .belongToAnyOf(PosixFilePermissions.class)
                    .orShould()
                    .accessField(StandardCopyOption.class, "ATOMIC_MOVE");

    /// `ObjectCache` alone keeps the objects of a watch. `PodWorkers` has a thread for each pod.
    @ArchTest
    static final ArchRule WATCHED_OBJECTS_ARE_CACHED_IN_ONE_CLASS =
            noFields()
                    .that()
                    .areDeclaredInClassesThat()
                    .areAssignableTo(Cluster.EventHandler.class)
                    .and()
                    .areDeclaredInClassesThat()
                    .areNotAssignableTo(ObjectCache.class)
                    .and()
                    .areDeclaredInClassesThat()
                    .doNotHaveFullyQualifiedName("dev.berth.node.agent.PodWorkers")
                    .should()
                    .haveRawType(assignableTo(Map.class));

    /// Keys are queued and retried by `model.workqueue`; its runner alone waits for them on
    /// threads. The other classes run a loop step by step.
    @ArchTest
    static final ArchRule CONTROL_LOOPS_RUN_ON_THE_THREADS_OF_ONE_RUNNER =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.model.workqueue..")
                    .should()
                    .callMethod(ControlLoop.class, "nextDue")
                    .andShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Thread.class);

    /// `LabelSelector` alone evaluates label selectors, `NodeSelectorMatcher` node selectors. The
    /// scopes of quotas have the same operators.
    @ArchTest
    static final ArchRule ONLY_SELECTORS_EVALUATE_THEIR_OPERATORS =
            noClasses()
                    .that()
                    .doNotHaveFullyQualifiedName("dev.berth.model.api.selector.LabelSelector")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.core.inventory.NodeSelectorMatcher")
                    .and()
                    .doNotHaveFullyQualifiedName("dev.berth.server.kinds.quota.QuotaUsage")
                    .should()
                    .callMethod(
                            NodeSelectorOperator.class,
                            "matches",
                            Optional.class,
                            Collection.class);

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("dev.berth.(*).(*)..").should().beFreeOfCycles();

    /// Calls of and references to accessors of a record.
    ///
    /// @param names regular expression
    private static DescribedPredicate<JavaAccess<?>> accessor(Class<?> owner, String names) {
        return targetOwner(type(owner)).and(target(nameMatching(names)));
    }
}
