/// Field errors with the messages of Kubernetes, name formats, and comparison and editing of trees.
@NullMarked
package dev.berth.core.admission.field;

import org.jspecify.annotations.NullMarked;
