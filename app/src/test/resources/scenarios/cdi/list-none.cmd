cdi list --dir ./none
