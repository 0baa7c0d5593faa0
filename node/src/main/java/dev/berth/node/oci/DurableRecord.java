package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;

/// A record that is on disk before the operation it describes begins.
sealed interface DurableRecord permits SandboxRecord, ContainerRecord {

    String id();

    JsonObject tree();
}
