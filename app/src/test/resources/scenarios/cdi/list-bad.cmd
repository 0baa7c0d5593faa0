cdi list --dir ./bad --dir ./good -o json
