package io.tidemark.core.pool;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Loads the classes of this package anew. In some of them each place that makes an object, or has the library make one, asks
 * {@link Supply} first, so that a test can have memory refused at any of them.
 */
final class ScarceMemory extends ClassLoader {
    private static final String PACKAGE = "io.tidemark.core.pool.";
    private static final ClassDesc SUPPLY = ClassDesc.of(Supply.class.getName());

    /** Methods of collections, streams and boxes that make objects, or may. */
    private static final Set<String> MAKING = Set.of(
            "add",
            "addAll",
            "collect",
            "computeIfAbsent",
            "copyOf",
            "filter",
            "flatMap",
            "increment", // cells of an adder
            "iterator",
            "map",
            "merge",
            "min",
            "of",
            "ofNullable",
            "put",
            "stream",
            "toList",
            "valueOf",
            "values");

    /** A class that cannot be initialised is no use to the next try; those of records only look like making something. */
    private static final Set<String> SPARED = Set.of("<clinit>", "hashCode", "equals");

    private final Predicate<String> scarce;

    /** The memory of all classes that are loaded so. */
    public static final class Supply {
        private static int left = 0;

        private Supply() {}

        /** The n-th place from now on fails, once. 0: none does. */
        public static void failAt(int place) {
            left = place;
        }

        /** Whether the place that was to fail was passed. */
        public static boolean hasFailed() {
            return left == 0;
        }

        /** A place that makes an object. */
        public static void take() {
            if (left > 0 && --left == 0) {
                throw new OutOfMemoryError("test");
            }
        }
    }

    /** @param scarce simple names of the classes in which memory may be refused */
    ScarceMemory(Predicate<String> scarce) {
        super(ScarceMemory.class.getClassLoader());
        this.scarce = scarce;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE) || name.startsWith(ScarceMemory.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            byte[] made = scarce.test(name.substring(PACKAGE.length())) ? transformed(bytes) : bytes;
            return defineClass(name, made, 0, made.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] transformed(byte[] bytes) {
        ClassFile format = ClassFile.of();
        return format.transformClass(
                format.parse(bytes),
                ClassTransform.transformingMethodBodies(
                        method -> !SPARED.contains(method.methodName().stringValue()),
                        CodeTransform.ofStateful(() -> ScarceMemory::ask)));
    }

    private static void ask(CodeBuilder code, CodeElement element) {
        if (makes(element)) {
            code.invokestatic(SUPPLY, "take", MethodTypeDesc.of(ClassDesc.ofDescriptor("V")));
        }
        code.with(element);
    }

    private static boolean makes(CodeElement element) {
        return switch (element) {
            case NewObjectInstruction _,
                    NewPrimitiveArrayInstruction _,
                    NewReferenceArrayInstruction _,
                    NewMultiArrayInstruction _,
                    InvokeDynamicInstruction _ -> true;
            case InvokeInstruction call ->
                MAKING.contains(call.name().stringValue())
                        && !(call.name().equalsString("of") && call.typeSymbol().parameterCount() == 0) // constants
                        && (call.owner().asInternalName().startsWith("java/util/")
                                || call.owner().asInternalName().startsWith("java/lang/"));
            default -> false;
        };
    }
}
