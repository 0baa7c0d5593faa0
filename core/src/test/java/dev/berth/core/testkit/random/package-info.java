/// Small random clusters that combine all features of DRA.
@NullMarked
package dev.berth.core.testkit.random;

import org.jspecify.annotations.NullMarked;
