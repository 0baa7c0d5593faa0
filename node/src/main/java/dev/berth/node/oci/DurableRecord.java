package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;

/// Something that is on the disk before it is done.
sealed interface DurableRecord permits SandboxRecord, ContainerRecord {

    String id();

    JsonObject tree();
}
