/// Node filters: one class per filter plugin of kube-scheduler, in the order of [NodeFilters], with
/// the rejections that it can cause.
@NullMarked
package dev.berth.core.place.filter;

import org.jspecify.annotations.NullMarked;
