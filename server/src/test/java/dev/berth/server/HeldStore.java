package dev.berth.server;

import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/// A store whose disk is as slow as a test wants it to be.
final class HeldStore {

    private final Store memory = new MemoryStore();
    private final Store store =
            (Store)
                    Proxy.newProxyInstance(
                            Store.class.getClassLoader(),
                            new Class<?>[] {Store.class},
                            (_, method, arguments) -> call(method, arguments));
    private volatile Disk disk = new Disk();
    private volatile boolean failed;

    /// One sync of the disk, for which everybody waits who asks meanwhile.
    private static final class Disk {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch synced = new CountDownLatch(1);
    }

    HeldStore() {
        release();
    }

    Store store() {
        return store;
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("awaitDurable")) {
            awaitDurable();
        }
        try {
            return method.invoke(memory, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void awaitDurable() throws InterruptedException {
        var now = disk;
        now.asked.countDown();
        now.synced.await();
        if (failed) {
            throw new StoreException("the disk is gone");
        }
    }

    /// From now on, nothing becomes durable.
    void hold() {
        disk = new Disk();
    }

    /// Returns when somebody waits for the disk.
    void awaitWaiter() throws InterruptedException {
        disk.asked.await();
    }

    void release() {
        disk.synced.countDown();
    }

    void fail() {
        failed = true;
        release();
    }
}
