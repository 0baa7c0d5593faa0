package dev.berth.node.image;

import java.io.IOException;

/// An image cannot be imported; the message has the reason.
public final class InvalidImageException extends IOException {

    private static final long serialVersionUID = 1;

    public InvalidImageException(String message) {
        super(message);
    }
}
