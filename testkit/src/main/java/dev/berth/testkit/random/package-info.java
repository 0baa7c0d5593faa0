/// Small random clusters in which every feature meets every other.
@NullMarked
package dev.berth.testkit.random;

import org.jspecify.annotations.NullMarked;
