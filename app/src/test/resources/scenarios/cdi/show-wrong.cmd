cdi show gpu --dir ./good
