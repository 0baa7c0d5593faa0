/// `berth bench scheduling`: how fast pods with claims get to nodes.
@NullMarked
package dev.berth.app.bench.scheduling;

import org.jspecify.annotations.NullMarked;
