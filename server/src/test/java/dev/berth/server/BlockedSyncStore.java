package dev.berth.server;

import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/// A store whose disk syncs are controlled by a test.
final class BlockedSyncStore {

    private final Store memory = new MemoryStore();
    private final Store store =
            (Store)
                    Proxy.newProxyInstance(
                            Store.class.getClassLoader(),
                            new Class<?>[] {Store.class},
                            (_, method, arguments) -> call(method, arguments));
    private volatile Disk disk = new Disk();
    private volatile boolean failed;

    /// One disk sync, shared by all concurrent waiters.
    private static final class Disk {
        private final CountDownLatch awaited = new CountDownLatch(1);
        private final CountDownLatch synced = new CountDownLatch(1);
    }

    BlockedSyncStore() {
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
        now.awaited.countDown();
        now.synced.await();
        if (failed) {
            throw new StoreException("the disk is gone");
        }
    }

    /// Blocks all syncs from now on.
    void hold() {
        disk = new Disk();
    }

    /// Returns when a request waits for the disk.
    void awaitWaiter() throws InterruptedException {
        disk.awaited.await();
    }

    void release() {
        disk.synced.countDown();
    }

    void fail() {
        failed = true;
        release();
    }
}
