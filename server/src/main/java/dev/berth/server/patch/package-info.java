/// Patches: JSON patch, JSON merge patch, strategic merge patch and server-side apply, as pure
/// functions over trees and their types.
@NullMarked
package dev.berth.server.patch;

import org.jspecify.annotations.NullMarked;
