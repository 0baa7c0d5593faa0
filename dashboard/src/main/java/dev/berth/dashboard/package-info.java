/// The dashboard: its server on loopback and the data that it shows. [Dashboard] is the entry.
@NullMarked
package dev.berth.dashboard;

import org.jspecify.annotations.NullMarked;
