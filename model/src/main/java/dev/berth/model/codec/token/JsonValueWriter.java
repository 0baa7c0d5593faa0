package dev.berth.model.codec.token;

import tools.jackson.core.JsonGenerator;

/// Writes JSON to a stream.
public final class JsonValueWriter implements ValueWriter {

    private final JsonGenerator generator;

    public JsonValueWriter(JsonGenerator generator) {
        this.generator = generator;
    }

    @Override
    public void startObject() {
        generator.writeStartObject();
    }

    @Override
    public void endObject() {
        generator.writeEndObject();
    }

    @Override
    public void startArray() {
        generator.writeStartArray();
    }

    @Override
    public void endArray() {
        generator.writeEndArray();
    }

    @Override
    public void name(String name) {
        generator.writeName(name);
    }

    @Override
    public void string(String value) {
        generator.writeString(value);
    }

    @Override
    public void number(long value) {
        generator.writeNumber(value);
    }

    @Override
    public void literal(String number) {
        generator.writeNumber(number);
    }

    @Override
    public void bool(boolean value) {
        generator.writeBoolean(value);
    }

    @Override
    public void nothing() {
        generator.writeNull();
    }
}
