/// `berth image`: import, list and removal of container images.
@NullMarked
package dev.berth.app.image;

import org.jspecify.annotations.NullMarked;
