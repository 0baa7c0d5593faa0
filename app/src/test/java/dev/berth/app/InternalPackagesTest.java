package dev.berth.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.berth.core.cel.value.AttributeValues;
import dev.berth.core.cel.value.CelTimes;
import dev.berth.model.codec.record.DecodingProblem;

/// Packages that are internal to their parent package.
@AnalyzeClasses(packages = "dev.berth", importOptions = DoNotIncludeTests.class)
class InternalPackagesTest {

    @ArchTest
    static final ArchRule THE_SEARCH_IS_INTERNAL_TO_THE_ALLOCATOR =
            internal(
                    "dev.berth.core.allocate..",
                    "dev.berth.core.allocate.bound..",
                    "dev.berth.core.allocate.request..",
                    "dev.berth.core.allocate.search..",
                    "dev.berth.core.allocate.state..");

    @ArchTest
    static final ArchRule MAPPINGS_ARE_INTERNAL_TO_THE_CODEC =
            internal(
                    "dev.berth.model.codec..",
                    "dev.berth.model.codec.mapping..",
                    "dev.berth.model.codec.record..",
                    "dev.berth.model.codec.token..");

    @ArchTest
    static final ArchRule NODES_AND_VALUES_ARE_INTERNAL_TO_CEL =
            internal(
                    "dev.berth.core.cel..",
                    "dev.berth.core.cel.node..",
                    "dev.berth.core.cel.value..");

    @ArchTest
    static final ArchRule CHECKS_AND_COLUMNS_ARE_INTERNAL_TO_THE_KINDS =
            internal(
                    "dev.berth.server.kinds..",
                    "dev.berth.server.kinds.check..",
                    "dev.berth.server.kinds.column..");

    /// Packages that only their parent and its other subpackages use. Errors of decoding, times and
    /// attribute values of CEL are values for everyone.
    private static ArchRule internal(String parent, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(parent)
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(packages)
                                .and(
                                        not(
                                                belongToAnyOf(
                                                        AttributeValues.class,
                                                        CelTimes.class,
                                                        DecodingProblem.class))));
    }
}
