/// Times in the format of the API.
@NullMarked
package dev.berth.model.time;

import org.jspecify.annotations.NullMarked;
