/// Requested and allocated devices: ResourceClaims, their templates, and DeviceClasses.
@NullMarked
package dev.berth.model.api.claim;

import org.jspecify.annotations.NullMarked;
