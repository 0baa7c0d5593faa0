package dev.berth.server.store;

class MemoryStoreTest extends StoreContract {

    @Override
    Store open() {
        return new MemoryStore();
    }
}
