/// `berth image`: what containers of this machine can be made of.
@NullMarked
package dev.berth.app.image;

import org.jspecify.annotations.NullMarked;
