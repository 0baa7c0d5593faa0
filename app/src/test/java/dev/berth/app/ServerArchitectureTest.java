package dev.berth.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/// Dependencies between the packages of the API server.
@AnalyzeClasses(packages = "dev.berth", importOptions = DoNotIncludeTests.class)
class ServerArchitectureTest {

    /// Others use the endpoint, its limits and the credentials of a request. In-process clients use
    /// `server.operation`.
    @ArchTest
    static final ArchRule REQUESTS_AND_RESPONSES_ARE_INTERNAL_TO_HTTP =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.berth.server.http..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.berth.server.http.handler..",
                            "dev.berth.server.http.limit..",
                            "dev.berth.server.http.request..",
                            "dev.berth.server.http.response..");

    @ArchTest
    static final ArchRule HTTP_PACKAGES_POINT_ONE_WAY =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("listener")
                    .definedBy("dev.berth.server.http")
                    .layer("handler")
                    .definedBy("dev.berth.server.http.handler")
                    .layer("response")
                    .definedBy("dev.berth.server.http.response")
                    .layer("request")
                    .definedBy("dev.berth.server.http.request")
                    .layer("limit")
                    .definedBy("dev.berth.server.http.limit")
                    .layer("operation")
                    .definedBy("dev.berth.server.operation")
                    .whereLayer("listener")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("handler")
                    .mayOnlyBeAccessedByLayers("listener")
                    .whereLayer("response")
                    .mayOnlyBeAccessedByLayers("listener", "handler")
                    .whereLayer("request")
                    .mayOnlyBeAccessedByLayers("listener", "handler", "response")
                    .whereLayer("limit")
                    .mayOnlyBeAccessedByLayers("listener", "handler");

    @ArchTest
    static final ArchRule ONLY_THE_LISTENER_OF_THE_SERVER_SEES_JETTY =
            noClasses()
                    .that()
                    .resideInAPackage("dev.berth.server..")
                    .and()
                    .resideOutsideOfPackage("dev.berth.server.http")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("org.eclipse.jetty..");
}
