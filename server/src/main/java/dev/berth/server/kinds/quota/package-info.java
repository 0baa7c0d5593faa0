/// Resource quotas: usage of objects, and evaluation of a quota.
@NullMarked
package dev.berth.server.kinds.quota;

import org.jspecify.annotations.NullMarked;
