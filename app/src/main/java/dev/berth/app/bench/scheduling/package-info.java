/// `berth bench scheduling`: measures the rate at which a cluster schedules pods with claims.
@NullMarked
package dev.berth.app.bench.scheduling;

import org.jspecify.annotations.NullMarked;
