/// The PersistentVolume binder.
@NullMarked
package dev.berth.control.volumes;

import org.jspecify.annotations.NullMarked;
