package dev.berth.node.image;

import java.io.IOException;

/// An image that cannot be taken, with what is wrong about it.
public final class InvalidImageException extends IOException {

    private static final long serialVersionUID = 1;

    public InvalidImageException(String message) {
        super(message);
    }
}
