/// Pods and pod groups: scheduling fields, references to claims, and resource quotas.
@NullMarked
package dev.berth.model.api.pod;

import org.jspecify.annotations.NullMarked;
