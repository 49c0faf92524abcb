package io.tidemark.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.tidemark.core.medium.Reclaimable;
import org.jspecify.annotations.NullMarked;

/** The arrows of the design, kept. */
@AnalyzeClasses(packages = "io.tidemark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** DESIGN rule 1: one path frees bytes. */
    @ArchTest
    static final ArchRule ONE_EVICTION_PATH = methods()
            .that()
            .areDeclaredInClassesThat()
            .areAssignableTo(Reclaimable.class)
            .and()
            .haveName("free")
            .should()
            .onlyBeCalled()
            .byCodeUnitsThat(DescribedPredicate.describe(
                    "belong to Evictor, or hand its call on to the medium that is there",
                    caller -> caller.getOwner().getSimpleName().equals("Evictor")
                            || caller.getOwner().getSimpleName().equals("ReopeningMedium")
                            || caller.getModifiers().contains(JavaModifier.BRIDGE)));

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_TRANSPORT = noClasses()
            .that()
            .resideInAPackage("io.tidemark.core..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.grpc..", "io.netty..", "ch.qos.logback..", "io.prometheus..", "io.tidemark.server..");

    @ArchTest
    static final ArchRule MEDIUM_IS_BELOW_POOL = noClasses()
            .that()
            .resideInAPackage("io.tidemark.core.medium..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.tidemark.core.pool..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.tidemark.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED = ArchRuleDefinition.classes()
            .should(new ArchCondition<JavaClass>("be in a null-marked package") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                    events.add(
                            new SimpleConditionEvent(type, marked, type.getName() + " in a package not @NullMarked"));
                }
            });
}
