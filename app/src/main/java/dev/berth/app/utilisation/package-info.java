/// Utilisation and what still fits as text and JSON, for `plan`, `inventory` and `top`.
@NullMarked
package dev.berth.app.utilisation;

import org.jspecify.annotations.NullMarked;
