/// Character devices by rule, such as `/dev/kvm`: `chardev.berth.dev`.
@NullMarked
package dev.berth.drivers.chardev;

import org.jspecify.annotations.NullMarked;
