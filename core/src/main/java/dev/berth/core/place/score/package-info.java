/// Order of fitting nodes: one class per score plugin of kube-scheduler ([NodeScores]), and the
/// ranks of placement policies.
@NullMarked
package dev.berth.core.place.score;

import org.jspecify.annotations.NullMarked;
