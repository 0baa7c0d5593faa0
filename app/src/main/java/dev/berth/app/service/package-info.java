/// Options of the commands that run until they are interrupted: logs and metrics.
@NullMarked
package dev.berth.app.service;

import org.jspecify.annotations.NullMarked;
