package io.tidemark.server.machine;

import java.lang.reflect.Proxy;

/**
 * Hears signals in place of the JVM. The JVM's own answer, shutdown hooks, can neither choose the exit code
 * nor notice a second signal; {@code sun.misc.Signal} of module jdk.unsupported can. It is called by reflection, for
 * javac warns of it in a way that cannot be switched off.
 */
public final class Signals {
    private Signals() {}

    /** Calls {@code heard} for every signal of this name, for example {@code TERM}, on a thread of the JVM's. */
    public static void listen(String name, Runnable heard) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> {
                heard.run();
                return handler; // the method is void: the answer is not looked at
            });
            Object instance = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(instance, instance, proxy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal; expected module jdk.unsupported", e);
        }
    }
}
