package dev.berth.server.store;

class MemoryStoreTest extends StoreContract {

    @Override
    protected Store open() {
        return new MemoryStore();
    }
}
