package io.tidemark.index;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/** The index module is a library: the JDK and itself, nothing else. */
@AnalyzeClasses(packages = "io.tidemark.index", importOptions = ImportOption.DoNotIncludeTests.class)
class IndexArchitectureTest {
    @ArchTest
    static final ArchRule DEPENDS_ON_NOTHING = ArchRuleDefinition.classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.imageio..",
                    "io.tidemark.index..",
                    "org.jspecify..",
                    "com.google.errorprone.annotations..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.tidemark.index.(*)..").should().beFreeOfCycles();
}
