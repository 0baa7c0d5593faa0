/// Patches of the API server: JSON patch, JSON merge patch, strategic merge patch and server-side
/// apply, as pure functions over JSON trees and their types. Entry points are [JsonPatch],
/// [MergePatch], [StrategicMergePatch] and [ServerSideApply]; [ManagedFields] and [FieldSet] model
/// field ownership.
@NullMarked
package dev.berth.server.patch;

import org.jspecify.annotations.NullMarked;
