cdi list --dir ./good
