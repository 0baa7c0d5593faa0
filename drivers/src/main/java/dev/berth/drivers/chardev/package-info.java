/// Driver `chardev.berth.dev`: publishes character devices such as `/dev/kvm` by rules.
@NullMarked
package dev.berth.drivers.chardev;

import org.jspecify.annotations.NullMarked;
