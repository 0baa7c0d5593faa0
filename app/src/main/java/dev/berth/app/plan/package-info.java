/// `berth plan`: where pods would be scheduled, and how many more nodes they need.
@NullMarked
package dev.berth.app.plan;

import org.jspecify.annotations.NullMarked;
